"""UML state machines in XMI: three dialects of one machine, pseudostates, and mistakes in one line."""

from pathlib import Path

import pytest

from fullproof.core.errors import UserError
from fullproof.formats import read_model_text
from fullproof.formats.xmi.reader import read_xmi
from fullproof.model import StateMachine

YAML = """\
machine: statemachine
name: door
signals: {in: [push, lock], out: [click]}
inputs: {weight: int}
outputs: {open: bool = false}
variables: {n: int = 0}
initial: shut
states:
  shut:
    exit: [n = n + 1]
    transitions:
      - {trigger: push, when: weight > 3 and n < 5, do: [open = true], send: click, to: wide}
      - {trigger: lock, kind: internal, do: [n = 0]}
  wide: [{trigger: push, do: [open = false], to: shut}]
"""
PAPYRUS = """\
<?xml version="1.0" encoding="UTF-8"?>
<uml:Model xmi:version="20131001" xmlns:xmi="http://www.omg.org/spec/XMI/20131001"
    xmlns:uml="http://www.eclipse.org/uml2/5.0.0/UML" xmi:id="_m" name="m">
  <packagedElement xmi:type="uml:Class" xmi:id="_c" name="Door" classifierBehavior="_sm">
    <ownedAttribute xmi:type="uml:Property" xmi:id="_w" name="weight">
      <type xmi:type="uml:PrimitiveType" href="pathmap://UML_LIBRARIES/UMLPrimitiveTypes.library.uml#Integer"/>
    </ownedAttribute>
    <ownedAttribute xmi:type="uml:Property" xmi:id="_o" name="open" visibility="public">
      <type xmi:type="uml:PrimitiveType" href="pathmap://UML_LIBRARIES/UMLPrimitiveTypes.library.uml#Boolean"/>
      <defaultValue xmi:type="uml:LiteralBoolean" xmi:id="_od"/>
    </ownedAttribute>
    <ownedAttribute xmi:type="uml:Property" xmi:id="_n" name="n" visibility="private">
      <type xmi:type="uml:PrimitiveType" href="pathmap://UML_LIBRARIES/UMLPrimitiveTypes.library.uml#Integer"/>
      <defaultValue xmi:type="uml:LiteralInteger" xmi:id="_nd"/>
    </ownedAttribute>
    <ownedBehavior xmi:type="uml:StateMachine" xmi:id="_sm" name="door">
      <region xmi:type="uml:Region" xmi:id="_r" name="Region1">
        <transition xmi:type="uml:Transition" xmi:id="_t0" source="_i" target="_s"/>
        <transition xmi:type="uml:Transition" xmi:id="_t1" source="_s" target="_d" guard="_g">
          <ownedRule xmi:type="uml:Constraint" xmi:id="_g">
            <specification xmi:type="uml:OpaqueExpression" xmi:id="_gs">
              <language>C</language>
              <body>weight &gt; 3 &amp;&amp; n &lt; 5</body>
            </specification>
          </ownedRule>
          <effect xmi:type="uml:OpaqueBehavior" xmi:id="_ef"><body>open = true; click()</body></effect>
          <trigger xmi:type="uml:Trigger" xmi:id="_tr1" event="_e1"/>
        </transition>
        <transition xmi:type="uml:Transition" xmi:id="_t2" kind="internal" source="_s" target="_s">
          <effect xmi:type="uml:OpaqueBehavior" xmi:id="_ef2"><body>n = 0</body></effect>
          <trigger xmi:type="uml:Trigger" xmi:id="_tr2" name="lock"/>
        </transition>
        <transition xmi:type="uml:Transition" xmi:id="_t3" source="_d" target="_s">
          <effect xmi:type="uml:OpaqueBehavior" xmi:id="_ef3"><body>open = false</body></effect>
          <trigger xmi:type="uml:Trigger" xmi:id="_tr3" event="_e1"/>
        </transition>
        <subvertex xmi:type="uml:Pseudostate" xmi:id="_i"/>
        <subvertex xmi:type="uml:State" xmi:id="_s" name="shut">
          <exit xmi:type="uml:OpaqueBehavior" xmi:id="_x"><body>n++</body></exit>
        </subvertex>
        <subvertex xmi:type="uml:State" xmi:id="_d" name="wide"/>
      </region>
    </ownedBehavior>
  </packagedElement>
  <packagedElement xmi:type="uml:Signal" xmi:id="_s1" name="push"/>
  <packagedElement xmi:type="uml:SignalEvent" xmi:id="_e1" name="pushed" signal="_s1"/>
</uml:Model>
"""
ENTERPRISE_ARCHITECT = """\
<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmi:version="2.1" xmlns:uml="http://schema.omg.org/spec/UML/2.1" xmlns:xmi="http://schema.omg.org/spec/XMI/2.1">
<xmi:Documentation exporter="Enterprise Architect" exporterVersion="6.5"/>
<uml:Model xmi:type="uml:Model" name="EA_Model" visibility="public">
 <packagedElement xmi:type="uml:Package" xmi:id="EAPK_1" name="Doors" visibility="public">
  <packagedElement xmi:type="uml:StateMachine" xmi:id="EAID_SM" name="door" visibility="public">
   <ownedAttribute xmi:type="uml:Property" xmi:id="EAID_W" name="weight" visibility="private">
    <type xmi:idref="EAJava_int"/></ownedAttribute>
   <ownedAttribute xmi:type="uml:Property" xmi:id="EAID_O" name="open" visibility="public">
    <type xmi:idref="EAJava_boolean"/><defaultValue xmi:type="uml:LiteralString" xmi:id="EAID_LI1" value="false"/>
   </ownedAttribute>
   <ownedAttribute xmi:type="uml:Property" xmi:id="EAID_N" name="n" visibility="private">
    <type xmi:idref="EAJava_int"/><defaultValue xmi:type="uml:LiteralInteger" xmi:id="EAID_LI2" value="0"/>
   </ownedAttribute>
   <region xmi:type="uml:Region" xmi:id="EAID_RG" name="EA_Region1" visibility="public">
    <subvertex xmi:type="uml:Pseudostate" xmi:id="EAID_I" name="Initial" visibility="public" kind="initial">
     <outgoing xmi:idref="EAID_T0"/></subvertex>
    <subvertex xmi:type="uml:State" xmi:id="EAID_S" name="shut" visibility="public" isSubmachineState="false">
     <incoming xmi:idref="EAID_T0"/><incoming xmi:idref="EAID_T3"/><outgoing xmi:idref="EAID_T1"/>
     <exit xmi:type="uml:OpaqueBehavior" xmi:id="EAID_X" name="n = n + 1"/></subvertex>
    <subvertex xmi:type="uml:State" xmi:id="EAID_D" name="wide" visibility="public"/>
    <transition xmi:type="uml:Transition" xmi:id="EAID_T0" kind="external" source="EAID_I" target="EAID_S"/>
    <transition xmi:type="uml:Transition" xmi:id="EAID_T1" kind="external" source="EAID_S" target="EAID_D">
     <guard xmi:type="uml:Constraint" xmi:id="EAID_G">
      <specification xmi:type="uml:OpaqueExpression" xmi:id="EAID_GS" body="weight &gt; 3 and n &lt; 5"/></guard>
     <effect xmi:type="uml:OpaqueBehavior" xmi:id="EAID_E" body="open = true; send click"/>
     <trigger xmi:idref="EAID_TR1"/>
    </transition>
    <transition xmi:type="uml:Transition" xmi:id="EAID_T2" kind="internal" source="EAID_S" target="EAID_S">
     <effect xmi:type="uml:OpaqueBehavior" xmi:id="EAID_E2" body="n = 0"/>
     <trigger xmi:type="uml:Trigger" xmi:id="EAID_TR2" name="lock"/>
    </transition>
    <transition xmi:type="uml:Transition" xmi:id="EAID_T3" kind="external" source="EAID_D" target="EAID_S">
     <effect xmi:type="uml:OpaqueBehavior" xmi:id="EAID_E3" body="open = false;"/>
     <trigger xmi:idref="EAID_TR1"/>
    </transition>
   </region>
  </packagedElement>
  <packagedElement xmi:type="uml:Trigger" xmi:id="EAID_TR1" name="push" visibility="public"/>
 </packagedElement>
</uml:Model>
<xmi:Extension extender="Enterprise Architect" extenderID="6.5"><elements>
 <element xmi:idref="EAID_S" xmi:type="uml:State" name="shut"/></elements></xmi:Extension>
</xmi:XMI>
"""
MAGICDRAW = """\
<?xml version='1.0' encoding='UTF-8'?>
<xmi:XMI xmlns:uml='http://www.omg.org/spec/UML/20131001' xmlns:xmi='http://www.omg.org/spec/XMI/20131001'>
 <xmi:Documentation><xmi:exporter>MagicDraw Clean XMI Exporter</xmi:exporter></xmi:Documentation>
 <uml:Model xmi:type='uml:Model' xmi:id='eee_1045' name='Model'>
  <packagedElement xmi:type='uml:Class' xmi:id='_c' name='Door' classifierBehavior='_sm'>
   <xmi:Extension extender='MagicDraw UML 2022'><modelExtension/></xmi:Extension>
   <ownedAttribute xmi:type='uml:Property' xmi:id='_w' name='weight' visibility='private'>
    <type href='http://www.omg.org/spec/UML/20131001/PrimitiveTypes.xmi#Integer'/></ownedAttribute>
   <ownedAttribute xmi:type='uml:Property' xmi:id='_o' name='open' visibility='public'>
    <type href='http://www.omg.org/spec/UML/20131001/PrimitiveTypes.xmi#Boolean'/>
    <defaultValue xmi:type='uml:LiteralBoolean' xmi:id='_od' value='false'/></ownedAttribute>
   <ownedAttribute xmi:type='uml:Property' xmi:id='_n' name='n' visibility='private'>
    <type href='http://www.omg.org/spec/UML/20131001/PrimitiveTypes.xmi#Integer'/>
    <defaultValue xmi:type='uml:LiteralInteger' xmi:id='_nd' value='0'/></ownedAttribute>
   <ownedBehavior xmi:type='uml:StateMachine' xmi:id='_sm' name='door' visibility='public'>
    <region xmi:type='uml:Region' xmi:id='_r' visibility='public'>
     <subvertex xmi:type='uml:Pseudostate' xmi:id='_i' visibility='public'/>
     <subvertex xmi:type='uml:State' xmi:id='_s' name='shut' visibility='public'>
      <exit xmi:type='uml:OpaqueBehavior' xmi:id='_x'><body>n = n + 1</body></exit></subvertex>
     <subvertex xmi:type='uml:State' xmi:id='_d' name='wide' visibility='public'/>
     <transition xmi:type='uml:Transition' xmi:id='_t0'><source xmi:idref='_i'/><target xmi:idref='_s'/></transition>
     <transition xmi:type='uml:Transition' xmi:id='_t1' visibility='public'>
      <source xmi:idref='_s'/><target xmi:idref='_d'/><guard xmi:idref='_g'/>
      <ownedRule xmi:type='uml:Constraint' xmi:id='_g'>
       <specification xmi:type='uml:LiteralString' xmi:id='_gs' value='weight &gt; 3 and n &lt; 5'/></ownedRule>
      <effect xmi:type='uml:OpaqueBehavior' xmi:id='_ef'><body>open = true; send click</body></effect>
      <trigger xmi:type='uml:Trigger' xmi:id='_tr1' event='_e1'/></transition>
     <transition xmi:type='uml:Transition' xmi:id='_t2' kind='internal' source='_s' target='_s'>
      <effect xmi:type='uml:OpaqueBehavior' xmi:id='_ef2'><body>n = 0</body></effect>
      <trigger xmi:type='uml:Trigger' xmi:id='_tr2' event='_e2'/></transition>
     <transition xmi:type='uml:Transition' xmi:id='_t3' source='_d' target='_s'>
      <effect xmi:type='uml:OpaqueBehavior' xmi:id='_ef3'><body>open = false</body></effect>
      <trigger xmi:type='uml:Trigger' xmi:id='_tr3' event='_e1'/></transition>
    </region>
   </ownedBehavior>
   <ownedOperation xmi:type='uml:Operation' xmi:id='_op' name='lock'/>
  </packagedElement>
  <packagedElement xmi:type='uml:Signal' xmi:id='_s1' name='push'/>
  <packagedElement xmi:type='uml:SignalEvent' xmi:id='_e1' signal='_s1'/>
  <packagedElement xmi:type='uml:CallEvent' xmi:id='_e2' operation='_op'/>
 </uml:Model>
</xmi:XMI>
"""


def read(text: str) -> StateMachine:
    return read_xmi(text, Path("m.uml"))


@pytest.mark.parametrize("text", [PAPYRUS, ENTERPRISE_ARCHITECT, MAGICDRAW], ids=["papyrus", "ea", "magicdraw"])
def test_three_dialects_are_one_machine(text: str) -> None:
    assert read(text) == read_model_text(YAML, Path("door.yaml"))


def machine(region: str, around: str = "") -> str:
    return f"""\
<xmi:XMI xmlns:uml="http://www.omg.org/spec/UML/20131001" xmlns:xmi="http://www.omg.org/spec/XMI/20131001">
<packagedElement xmi:type="uml:StateMachine" xmi:id="sm" name="m">{around}<region xmi:id="r">
{region}
</region></packagedElement></xmi:XMI>
"""


def state(name: str, inside: str = "") -> str:
    return f'<subvertex xmi:type="uml:State" xmi:id="{name}" name="{name}">{inside}</subvertex>\n'


def pseudo(name: str, kind: str = "initial") -> str:
    return f'<subvertex xmi:type="uml:Pseudostate" xmi:id="{name}" name="{name}" kind="{kind}"/>\n'


def step(source: str, target: str, trigger: str = "", guard: str = "", kind: str = "external", body: str = "") -> str:
    parts = f'<trigger xmi:id="t{source}{target}" name="{trigger}"/>' if trigger else ""
    parts += f'<guard><specification xmi:type="uml:OpaqueExpression" body="{guard}"/></guard>' if guard else ""
    parts += f'<effect xmi:type="uml:OpaqueBehavior" body="{body}"/>' if body else ""
    return f'<transition source="{source}" target="{target}" kind="{kind}">{parts}</transition>\n'


REGIONS = (
    f"<region>{pseudo('i1')}{state('a')}{state('b')}{step('i1', 'a')}{step('a', 'b', 'x')}</region>"
    f"<region>{pseudo('i2')}{state('c')}{state('d')}{step('i2', 'c')}{step('c', 'd', 'y')}</region>"
)


def test_regions_forks_joins_junctions_and_choices() -> None:
    text = machine(
        pseudo("i") + state("idle") + state("p", REGIONS) + pseudo("f", "fork") + pseudo("j", "join")
        + pseudo("k", "junction") + state("over") + step("i", "idle") + step("idle", "f", "go") + step("f", "b")
        + step("f", "d") + step("b", "j") + step("d", "j") + step("j", "k") + step("k", "over")
        + step("idle", "p", "start")
    )  # fmt: skip
    steps = {(t.source, t.trigger): t.target for t in read(text).transitions}
    assert steps["idle", "go"] == "b+d"
    assert steps["idle", "start"] == "a+c"
    assert steps["b+d", None] == "over"


def test_an_inner_internal_transition_hides_those_around_it() -> None:
    """By appendix D of SCXML the state around would react as well, for its other region."""
    inner = REGIONS.replace(
        "</region><region>", step("a", "a", "e", kind="internal", body="send inner") + "</region><region>"
    )
    text = machine(
        pseudo("i") + state("p", inner) + step("i", "p") + step("p", "p", "e", kind="internal", body="send outer")
    )
    sent = {(t.source, t.trigger): t.sends for t in read(text).transitions}
    assert sent["a+c", "e"] == ("inner",)
    assert sent["b+c", "e"] == ("outer",)


def test_a_state_is_left_when_all_its_regions_are_complete() -> None:
    def region(number: int, event: str) -> str:
        inside = pseudo(f"i{number}") + state(f"s{number}") + step(f"i{number}", f"s{number}")
        final = f'<subvertex xmi:type="uml:FinalState" xmi:id="f{number}"/>'
        return f"<region>{inside}{final}{step(f's{number}', f'f{number}', event)}</region>"

    text = machine(
        pseudo("i") + state("p", region(1, "x") + region(2, "y")) + state("q") + step("i", "p") + step("p", "q")
    )
    model = read(text)
    assert [t.target for t in model.transitions if t.trigger is None] == ["q"]


TIMED = """<transition xmi:id="t9" source="a" target="b"><trigger xmi:id="w" event="te"/></transition></region>
<e xmi:type="uml:TimeEvent" xmi:id="te" isRelative="true">
<when xmi:type="uml:TimeExpression" xmi:id="tw"><expr xmi:type="uml:LiteralString" xmi:id="tx" value="5 s"/></when></e>
"""


def test_times_are_counted_from_the_entry_of_a_state() -> None:
    """By a relative time event, or by the name of the trigger, as tools without such events have it."""
    event = machine(BASE).replace("</region>", TIMED, 1)
    for text in (event, machine(BASE + step("a", "b", "after 5s")), machine(BASE + step("a", "b", "after(5000 ms)"))):
        model = read(text)
        assert [(t.name, t.duration) for t in model.timers] == [("a after 5 s", 5)]
        assert (model.started, [t.stops for t in model.transitions]) == (("a after 5 s",), [("a after 5 s",)])
    for old, message in (('isRelative="true"', "a time that is not relative"), ('value="5 s"', "does not say when")):
        with pytest.raises(UserError, match=message):
            read(event.replace(old, ""))


BASE = pseudo("i") + state("a") + state("b") + step("i", "a")
MALFORMED = [
    ('<!DOCTYPE x [<!ENTITY e "x">]><x/>', "a document type declaration"),
    ("<x/>", "there is no state machine"),
    (machine(BASE.replace('source="i" target="a"', 'source="i" target="z"')), "the target 'z' of this"),
    (machine(BASE + pseudo("t", "terminate")), "pseudostates of kind 'terminate' are not supported"),
    (machine(BASE + state("c", '<doActivity xmi:type="uml:OpaqueBehavior"/>')), "do activities are not supported"),
    (machine(BASE + state("c", '<deferrableTrigger name="x"/>')), "deferred events are not supported"),
    (machine(BASE + step("a", "b", "at 5s")), "the time 'at 5s' is not supported, expected such as after 5 s"),
    (machine(BASE + step("a", "b", "after 5 parsecs")), "'5 parsecs' is not a duration such as 30 s"),
    (machine(BASE + step("a", "b", "go", "n &gt;")), "the text ends too early"),
    (machine(BASE + step("a", "b", "go", "n &gt; 1")), "unknown name 'n'"),
    (machine(BASE + step("a", "b", "go", body="if (x) y")), "'if (x) y' is not an action"),
    (machine(BASE + step("a", "b", "go", kind="internal")), "an internal transition leads to another state"),
    (machine(BASE.replace(pseudo("i"), "").replace(step("i", "a"), "")), "expected one initial pseudostate"),
    (machine(BASE + pseudo("j", "junction") + step("a", "j", "x") + step("j", "j")), "the arrows behind 'j' lead"),
    (
        machine(
            BASE + step("a", "b", guard="n &gt; 3"),
            '<ownedAttribute name="n"><type href="x#Integer"/></ownedAttribute>',
        ),
        "a transition without trigger asks for 'n', which may change while its state is active; UML asks once",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), MALFORMED)
def test_a_malformed_file_is_the_users_mistake(text: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        read(text)
    assert message in caught.value.message
    assert caught.value.at.file == "m.uml"
    assert caught.value.at.line is not None
    assert caught.value.at.column is not None
