"""What a system is made of: a change of any part shows, and nothing else does."""

import sys
from pathlib import Path

import pytest

from fullproof.execute.fingerprint import changed_meanwhile, differences, fingerprint


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kit" / "deep").mkdir(parents=True)
    files = {
        "lamp.py": "import json, helper\nfrom kit import inner\nclass Lamp: ...\n",
        "helper.py": "def late():\n    import kit.deep.far\n",
        "kit/__init__.py": "",
        "kit/inner.py": "from . import near\nfrom .deep import *\n",
        "kit/near.py": "",
        "kit/deep/__init__.py": "",
        "kit/deep/far.py": "",
        "other.py": "",
        "lamp.so": "binary",
        "lamp.so.yaml": "reset: void reset(void)\n",
        "map.yaml": "library: lamp.so\nurl: http://nowhere\n",
        "program": "#!/bin/sh\n",
        "config.json": "{}",
        "notes.log": "",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "program").chmod(0o755)
    return tmp_path


MODULES = ["helper.py", "kit/__init__.py", "kit/inner.py", "kit/near.py", "kit/deep/__init__.py", "kit/deep/far.py"]


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("python:lamp.py:Lamp", ["lamp.py", *MODULES]),
        ("python:lamp:Lamp", ["lamp.py", *MODULES]),
        ("python:kit.inner:X", ["kit/inner.py", "kit/near.py", "kit/deep/__init__.py"]),
        (f"exec:{sys.executable} lamp.py --fast", ["lamp.py", *MODULES]),
        (f"exec:{sys.executable} -m kit.inner", ["kit/inner.py", "kit/near.py"]),
        ("exec:./program --config=config.json notes.log", ["program", "config.json", "notes.log"]),
        ("restart:./program", ["program"]),
        ("exec:./program -cp other.py:lamp.so", ["program", "other.py", "lamp.so", "lamp.so.yaml"]),
        ("exec:./program kit", ["program", "kit/near.py"]),
        ("lib:lamp.so", ["lamp.so", "lamp.so.yaml"]),
        ("lib:map.yaml", ["map.yaml", "lamp.so"]),
        ("http:map.yaml", ["map.yaml"]),
        ("model:config.json", ["config.json"]),
        ("tcp:localhost:80", []),
        ("http://localhost:80/x", []),
        ("exec:'unbalanced", []),
        ("lib:" + "x" * 5000, []),
        ("python::", []),
    ],
)
def test_a_change_of_any_part_shows(place: Path, spec: str, parts: list[str]) -> None:
    before = fingerprint(spec)
    assert fingerprint(spec) == before
    for name in ("other.py", "notes.log", *MODULES, "lamp.py", "lamp.so", "lamp.so.yaml", "program", "config.json"):
        file = place / name
        text = file.read_text()
        file.write_text(text + "\n# changed")
        changed = bool(differences(before, fingerprint(spec)))
        if name in parts or not changed:
            assert changed == (name in parts), name
        else:
            assert name.startswith("kit/") or spec.endswith(".yaml"), name
        file.write_text(text)


def test_what_a_system_writes_is_no_part_of_it(place: Path) -> None:
    spec = "exec:./program notes.log new.log"
    before = fingerprint(spec)
    (place / "new.log").write_text("made by the system")
    assert differences(before, fingerprint(spec)) == []
    (place / "notes.log").write_text("written by the system")
    assert differences(before, fingerprint(spec)) == ["argument notes.log"]
    assert changed_meanwhile(before, fingerprint(spec)) == []
    (place / "program").unlink()
    assert changed_meanwhile(before, fingerprint(spec)) == ["./program"]
