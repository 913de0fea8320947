"""FMUs that are built here, driven by FMPy: inputs, outputs and signals by name, and ``doStep`` as the clock."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.harness import Shell
from tests.execute.timed_lamp import LAMP, SUITE

from fullproof.artefacts.request import Relation
from fullproof.artefacts.verdict import Verdict
from fullproof.core.errors import UserError
from fullproof.execute import Options, execute
from fullproof.formats import read_model
from fullproof.kinds import oracle_for
from fullproof.kinds.systems import open_sut

pytest.importorskip("fmpy")
pytestmark = pytest.mark.skipif(
    shutil.which("cc") is None or sys.platform != "linux" or platform.machine() != "x86_64",
    reason="the FMU is built for Linux by cc",
)

C = """
#include <stdlib.h>
#include <string.h>
typedef unsigned vr; typedef int status;
typedef struct { double left, u, y; int press, lit, bright, dim, mode; } lamp;
#define GET(NAME, TYPE, BODY) status fmi2Get##NAME(void *c, const vr *v, size_t n, TYPE *out) \\
  { lamp *l = c; for (size_t k = 0; k < n; k++) { BODY } return 0; }
#define SET(NAME, TYPE, BODY) status fmi2Set##NAME(void *c, const vr *v, size_t n, const TYPE *in) \\
  { lamp *l = c; for (size_t k = 0; k < n; k++) { BODY } return 0; }
GET(Real, double, out[k] = v[k] == 5 ? l->y : l->u;)
GET(Integer, int, out[k] = v[k] == 2 ? l->bright : v[k] == 6 ? l->mode : 0;)
GET(Boolean, int, out[k] = v[k] == 3 ? l->dim : v[k] == 1 ? l->press : l->lit;)
SET(Real, double, l->u = in[k];)
SET(Integer, int, (void)l;)
SET(Boolean, int, l->press = in[k];)
status fmi2GetString(void *c, const vr *v, size_t n, const char **out) { return 3; }
status fmi2SetString(void *c, const vr *v, size_t n, const char *const *in) { return 3; }
void *fmi2Instantiate(const char *n, int t, const char *g, const char *r, const void *f, int v, int d)
  { return calloc(1, sizeof(lamp)); }
void fmi2FreeInstance(void *c) { free(c); }
status fmi2SetupExperiment(void *c, int a, double b, double s, int d, double e) { return 0; }
status fmi2EnterInitializationMode(void *c) { return 0; }
status fmi2ExitInitializationMode(void *c) { return 0; }
status fmi2Terminate(void *c) { return 0; }
status fmi2Reset(void *c) { memset(c, 0, sizeof(lamp)); return 0; }
const char *fmi2GetVersion(void) { return "2.0"; }
const char *fmi2GetTypesPlatform(void) { return "default"; }
status fmi2SetDebugLogging(void *c, int on, size_t n, const char *const *x) { return 0; }
status fmi2DoStep(void *c, double now, double step, int no) {
  lamp *l = c;
  l->dim = 0;
  l->y = 2 * l->u;
  l->mode = l->u > 1;
  if (l->u > 1000) return 3;
  if (l->lit && (l->left -= step) < 1e-9) { l->lit = 0; l->dim = 1; }
  if (l->press) { l->press = 0; if (!l->lit) l->bright++; l->lit = 1; l->left = LIMIT; }
  return 0;
}
#define STUB(NAME) status fmi2##NAME(void) { return 3; }
STUB(GetFMUstate) STUB(SetFMUstate) STUB(FreeFMUstate) STUB(SerializedFMUstateSize) STUB(SerializeFMUstate)
STUB(DeSerializeFMUstate) STUB(GetDirectionalDerivative) STUB(SetRealInputDerivatives) STUB(GetRealOutputDerivatives)
STUB(CancelStep) STUB(GetStatus) STUB(GetRealStatus) STUB(GetIntegerStatus) STUB(GetBooleanStatus) STUB(GetStringStatus)
"""
DESCRIPTION = """<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="lamp" guid="{lamp}">
  <CoSimulation modelIdentifier="lamp" canHandleVariableCommunicationStepSize="true"/>
  <TypeDefinitions><SimpleType name="Mode"><Enumeration><Item name="low" value="0"/><Item name="high" value="1"/>
  </Enumeration></SimpleType></TypeDefinitions>
  <ModelVariables>
    <ScalarVariable name="PRESS" valueReference="1" causality="input"><Boolean start="false"/></ScalarVariable>
    <ScalarVariable name="bright" valueReference="2" causality="output"><Integer/></ScalarVariable>
    <ScalarVariable name="dim" valueReference="3" causality="output"><Boolean/></ScalarVariable>
    <ScalarVariable name="u" valueReference="4" causality="input"><Real start="0"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="5" causality="output"><Real/></ScalarVariable>
    <ScalarVariable name="mode" valueReference="6" causality="output">
      <Enumeration declaredType="Mode"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure/>
</fmiModelDescription>
"""
MAPPING = "fmu: lamp.fmu\nnames: {press: PRESS}\n"
GAIN = """
machine: sfsm
name: gain
inputs: {u: real 0..1000}
outputs: {y: real 0.., mode: "enum low, high"}
initial: a
states:
  a:
    - {when: u <= 1, then: y == 2 * u and mode == low, to: a}
    - {when: u > 1, then: y == 2 * u and mode == high, to: a}
"""
LOW = "    - {when: u <= 1, then: y == 2 * u and mode == low, to: a}\n"


def built(folder: Path, limit: float, description: str = DESCRIPTION) -> Path:
    (folder / "lamp.c").write_text(C)
    library = folder / "lamp.so"
    command = ["cc", "-shared", "-fPIC", "-w", f"-DLIMIT={limit}", "-o", library, folder / "lamp.c"]
    subprocess.run(command, check=True)
    with zipfile.ZipFile(folder / "lamp.fmu", "w") as unit:
        unit.writestr("modelDescription.xml", description)
        unit.write(library, "binaries/linux64/lamp.so")
    (folder / "map.yaml").write_text(MAPPING)
    return folder / "map.yaml"


@pytest.mark.parametrize(("limit", "wanted"), [(5.0, Verdict.PASS), (6.0, Verdict.FAIL), (4.0, Verdict.FAIL)])
def test_the_clock_is_do_step(tmp_path: Path, limit: float, wanted: Verdict):
    oracle = oracle_for(LAMP, Relation.EQUIVALENCE)
    with closing(open_sut(f"fmu:{built(tmp_path, limit)}", LAMP)) as system:
        found = list(execute(system, SUITE, options=Options(step_timeout=20.0)))
        assert wanted in {oracle.judge(execution).verdict for execution in found}, found
        folder = Path(system.folder.name)
        assert folder.is_dir()
    assert not folder.exists()


def test_values_go_in_and_out_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    built(tmp_path, 5.0)
    model = tmp_path / "gain.yaml"
    model.write_text(GAIN)
    ended = Shell(capsys)("run", model, "--sut", f"fmu:{tmp_path / 'lamp.fmu'}")
    assert ended.code == 0, (ended.out, ended.err)
    model.write_text(GAIN.replace("0..1000", "1500..2000").replace(LOW, ""))
    ended = Shell(capsys)("run", model, "--sut", f"fmu:{tmp_path / 'lamp.fmu'}", "--shrink-failures", "0")
    assert (ended.code, "fmi2DoStep" in ended.out) == (1, True), (ended.out, ended.err)


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ("names: {press: PRESS}\n", "expected a key 'fmu'"),
        ("fmu: nothing.fmu\n", "there is no file 'nothing.fmu'"),
        ("fmu: lamp.fmu\n", "there is no input 'press' in the FMU; it has PRESS, u"),
        ("fmu: lamp.fmu\nnames: {press: u}\n", "'u' stands for a signal, and must be a Boolean"),
        ("fmu: lamp.fmu\nnames: {pres: PRESS}\n", "'pres' is no input, output or signal of the model"),
        ("fmu: lamp.fmu\nstep: 5\n", "step: "),
        ("fmu: lamp.c\n", "is no FMU"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, mapping: str, message: str):
    built(tmp_path, 5.0).write_text(mapping)
    with pytest.raises(UserError, match=message):
        open_sut(f"fmu:{tmp_path / 'map.yaml'}", LAMP)


def test_other_units_and_models_are_refused(tmp_path: Path):
    mapping = built(tmp_path, 5.0, DESCRIPTION.replace("CoSimulation modelIdentifier", "ModelExchange modelIdentifier")
                    .replace(' canHandleVariableCommunicationStepSize="true"', ""))  # fmt: skip
    with pytest.raises(UserError, match="expected an FMU for co-simulation"):
        open_sut(f"fmu:{mapping}", LAMP)
    fsm = tmp_path / "fsm.yaml"
    fsm.write_text("machine: fsm\ninitial: a\nstates:\n  a: [{when: x, then: y, to: a}]\n")
    with pytest.raises(UserError, match="inputs and outputs by name"):
        open_sut(f"fmu:{mapping}", read_model(fsm))
