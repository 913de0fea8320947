"""The folder of the command line: models in it are read and saved, nothing outside of it is."""

from pathlib import Path

import pytest
from tests.serve.bench import workbench

from fullproof.core.errors import UserError
from fullproof.serve.folder import ChangedSince, ModelFolder

LAMP = "off press light on\non press dark off\n"


@pytest.fixture
def folder(tmp_path: Path) -> ModelFolder:
    (tmp_path / "inside" / "deep").mkdir(parents=True)
    (tmp_path / "inside" / "lamp.fsm").write_text(LAMP)
    (tmp_path / "inside" / "deep" / "ü.yaml").write_text("machine: fsm\n")
    (tmp_path / "inside" / ".hidden.yaml").write_text("machine: fsm\n")
    (tmp_path / "inside" / "notes.txt").write_text("no model\n")
    (tmp_path / "secret.yaml").write_text("secret\n")
    (tmp_path / "inside" / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (tmp_path / "inside" / "way").symlink_to(tmp_path)
    return ModelFolder(tmp_path / "inside")


def test_models_are_listed(folder: ModelFolder) -> None:
    assert folder.names() == ["lamp.fsm", "deep/ü.yaml"]


def test_a_model_is_read_and_saved(folder: ModelFolder, tmp_path: Path) -> None:
    read = folder.read("lamp.fsm", 1000)
    assert read.text == LAMP
    saved = folder.write("lamp.fsm", "a x y a\n", read.digest)
    assert (tmp_path / "inside" / "lamp.fsm").read_text() == "a x y a\n"
    folder.write("deep/new.yaml", "machine: fsm\n", None)
    assert "deep/new.yaml" in folder.names()
    assert folder.write("lamp.fsm", LAMP, saved.digest).text == LAMP


def test_a_file_that_has_changed_is_not_replaced(folder: ModelFolder, tmp_path: Path) -> None:
    read = folder.read("lamp.fsm", 1000)
    (tmp_path / "inside" / "lamp.fsm").write_text("a x z a\n")
    for digest in (read.digest, None):
        with pytest.raises(ChangedSince, match="changed by something else"):
            folder.write("lamp.fsm", LAMP, digest)
    assert (tmp_path / "inside" / "lamp.fsm").read_text() == "a x z a\n"


@pytest.mark.parametrize(
    "name",
    [
        "../secret.yaml",
        "deep/../../secret.yaml",
        "link.yaml",
        "way/secret.yaml",
        "/etc/hosts.yaml",
        "..\\secret.yaml",
        ".hidden.yaml",
        "notes.txt",
        "",
        "a\0.yaml",
        "deep/./../../secret.yaml",
        "nowhere/new.yaml",
    ],
)
def test_nothing_outside_is_read_or_written(folder: ModelFolder, tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError):
        folder.read(name, 1000)
    with pytest.raises(UserError):
        folder.write(name, "overwritten", None)
    assert (tmp_path / "secret.yaml").read_text() == "secret\n"


def test_what_is_no_small_text_is_refused(folder: ModelFolder, tmp_path: Path) -> None:
    (tmp_path / "inside" / "large.yaml").write_text("x" * 2000)
    (tmp_path / "inside" / "binary.yaml").write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="more than 1,000 bytes"):
        folder.read("large.yaml", 1000)
    with pytest.raises(UserError, match="UTF-8"):
        folder.read("binary.yaml", 1000)
    with pytest.raises(UserError, match="no file"):
        folder.read("missing.yaml", 1000)


def test_the_interface(folder: ModelFolder, tmp_path: Path) -> None:
    with workbench(tmp_path / "inside") as bench:
        assert bench.get("/api/files").json == {"folder": "inside", "files": ["lamp.fsm", "deep/ü.yaml"]}
        read = bench.get("/api/files/lamp.fsm").json
        saved = bench.ask("files/lamp.fsm", {**read, "text": "a x y a\n"}, method="PUT")
        assert saved.status == 200 and (tmp_path / "inside" / "lamp.fsm").read_text() == "a x y a\n"
        assert bench.ask("files/lamp.fsm", read, method="PUT").status == 409
        for name in ("%2e%2e/secret.yaml", "..%2fsecret.yaml", "link.yaml", "%2fetc%2fhosts.yaml"):
            assert bench.get(f"/api/files/{name}").status in (404, 422)
        lamp = {"model": {"name": "lamp.fsm", "text": LAMP}}
        made = bench.ask("mutant", {**lamp, "number": 3}).json
        assert made["conforms"] is False and made["operator"]
        refused = bench.ask("cost", {**lamp, "faults": "/etc/passwd"})
        assert refused.status == 422 and "a page may name transfer" in refused.json["message"]
        assert bench.ask("cost", {**lamp, "since": "lamp.fsm"}).status == 422
        assert bench.ask("cost", {**lamp, "faults": "stuck"}).status == 200
        neither = bench.ask("runs", lamp)
        assert neither.status == 422 and "either the name of a system or another model" in neither.json["message"]
