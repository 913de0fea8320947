"""Certificates: both checkers accept what the engines prove, agree, and accept no incomplete suite."""

import ast
import dataclasses
import subprocess
import sys
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Glucose42
from tests.fpcheck import FPCHECK, fpcheck, model_text, refusal, refused, small_clauses, small_tree, suite_text
from tests.oracles.exhaustive import survivors
from tests.oracles.survivors import find_survivor
from tests.strategies.certificate_damage import WAYS, damage, forged, with_superfluous_hints
from tests.strategies.suites import cases, fsm_of

from fullproof.certify import Complete, ProofEngine, certify
from fullproof.certify.answers import Proved
from fullproof.certify.canonical import canonical
from fullproof.certify.certificate import certificate
from fullproof.certify.certificate_check import Accepted, check_certificate
from fullproof.certify.clauses import RefutationClauses
from fullproof.certify.exact import search
from fullproof.certify.tree import plant
from fullproof.core.deadline import Deadline
from fullproof.model.fsm import Fsm, FsmTransition

SMALL = cases(max_states=4, max_inputs=3, max_extra=2, max_bound=5)


def named(case):
    fsm = fsm_of(case.model)
    return fsm, [tuple(fsm.inputs[i] for i in word) for word in case.words]


def certificates(fsm, words, extra):
    """One for each engine that proves the suite complete."""
    for engine in ProofEngine:
        answer = certify(fsm, words, extra_states=extra, methods=[engine])
        if isinstance(answer, Complete):
            made = certificate(fsm, words, answer, extra_states=extra, timeout=60)
            assert isinstance(made, str)
            yield engine, made


def is_complete(fsm, words, extra):
    model = canonical(fsm)
    place = {symbol: k for k, symbol in enumerate(model.names)}
    tree = plant(model.minimal, [tuple(place[s] for s in word) for word in words])
    return isinstance(search(model.minimal, tree, extra=extra, deadline=Deadline(60)), Proved)


def both(fsm, words, text):
    """What both checkers say, which has to be the same."""
    small = refusal(fsm, words, text) is None
    own = isinstance(check_certificate(fsm, words, text.encode()), Accepted)
    assert own == small, (refusal(fsm, words, text), check_certificate(fsm, words, text.encode()))
    return small


@pytest.mark.requirement("CERTIFY-7")
@settings(max_examples=120)
@given(case=SMALL)
def test_what_an_engine_proves_both_checkers_accept(case):
    fsm, words = named(case)
    for _, made in certificates(fsm, words, case.extra):
        assert both(fsm, words, made)


@pytest.mark.requirement("CERTIFY-9")
@settings(max_examples=150)
@given(case=cases(max_states=3, max_extra=2, max_bound=4), seed=st.integers(0, 2**32))
def test_the_clauses_have_a_solution_exactly_where_a_machine_survives(case, seed):
    """The question of a refutation, as the small checker builds it, for any choice of pins."""
    tree = small_tree(case.model.target, case.model.output, case.words)
    pins = apart_nodes(tree, Random(seed))
    with Glucose42(bootstrap_with=small_clauses(tree, pins, case.extra)) as solver:
        solvable = solver.solve()
    assert solvable == (find_survivor(case.table, case.words, case.model.states + case.extra) is not None)


@pytest.mark.requirement("CERTIFY-9")
@settings(max_examples=25)
@given(case=cases(max_states=2, max_bound=2), seed=st.integers(0, 2**32))
def test_the_same_by_enumeration_of_all_machines(case, seed):
    tree = small_tree(case.model.target, case.model.output, case.words)
    pins = apart_nodes(tree, Random(seed))
    with Glucose42(bootstrap_with=small_clauses(tree, pins, case.extra)) as solver:
        solvable = solver.solve()
    rows = (case.model.target, case.model.output)
    outputs = max(2, 1 + max(o for row in case.model.output for o in row))
    found = next(survivors(rows, case.words, bound=case.model.states + case.extra, outputs=outputs), None)
    assert solvable == (found is not None)


def apart_nodes(tree, dice):
    """The root and some further nodes, pairwise apart, by their labels."""
    chosen = [0]
    nodes = list(range(1, len(tree.kids)))
    dice.shuffle(nodes)
    for v in nodes[: dice.choice((0, 3, 1000))]:
        if all(tree.apart(v, w) for w in chosen):
            chosen.append(v)
    return sorted(chosen, key=lambda v: tree.label[v])


@pytest.mark.requirement("CERTIFY-9")
@settings(max_examples=60)
@given(case=SMALL)
def test_both_build_the_same_clauses(case):
    model = canonical(fsm_of(case.model))
    tree = plant(model.minimal, case.words)
    outputs = [[b"%03d" % o for o in row] for row in model.minimal.output]
    small = small_tree(model.minimal.target, outputs, case.words)
    pins = apart_nodes(small, Random(len(tree)))
    theirs = small_clauses(small, pins, case.extra)
    literals, starts = RefutationClauses(model.minimal, tree, pins, model.minimal.states + case.extra).arrays()
    ours = [literals[a:b].tolist() for a, b in pairwise(starts)]
    assert list(map(set, ours)) == theirs


@pytest.mark.requirement("CERTIFY-8")
@settings(max_examples=100)
@given(case=SMALL, seed=st.integers(0, 2**32))
def test_no_witness_makes_an_incomplete_suite_pass(case, seed):
    """Any choice of nodes, transitions taken wherever the small checker lets them be taken."""
    fsm, words = named(case)
    if is_complete(fsm, words, case.extra):
        return
    dice = Random(seed)
    for kind in ("k-A", "windows" if case.extra else "transitions"):
        for _ in range(3):
            assert not accepted_by_force(dice, fsm, words, case.extra, kind), kind


def accepted_by_force(dice, fsm, words, extra, kind):
    model = canonical(fsm)
    place = {symbol: k for k, symbol in enumerate(model.names)}
    suite = [[place[s] for s in word] for word in words]
    reached = {0: [()]}
    for word in suite:
        state = 0
        for length, i in enumerate(word, start=1):
            state = model.minimal.target[state][i]
            if state:
                reached.setdefault(state, []).append(tuple(word[:length]))
    if len(reached) < model.minimal.states:
        return False
    from fullproof.certify.canonical import distinctions

    access = [dice.choice(reached[q]) if dice.random() < 0.5 else min(reached[q], key=len) for q in sorted(reached)]
    lines = ["fullproof-certificate 1", "model", "suite", "relation equivalence"]
    lines += [f"states {model.minimal.states}", f"extra {extra}", f"classes {' '.join(map(str, model.classes))}"]
    lines += [" ".join(["access", *map(str, word)]) for word in access]
    lines += [f"apart {q} {r} {' '.join(map(str, w))}" for (q, r), w in sorted(distinctions(model.minimal).items())]
    lines.append(f"evidence {kind}")
    left = [(q, i) for q in range(model.minimal.states) for i in range(model.minimal.inputs)]
    progress = True
    while progress:
        progress = False
        for q, i in list(left):
            why = refusal(fsm, words, forged([*lines, f"take {q} {i}"], fsm, words))
            if kind != "k-A" and why in (None, "not every transition is taken"):
                lines.append(f"take {q} {i}")
                left.remove((q, i))
                progress = True
    return both(fsm, words, forged(lines, fsm, words))


@pytest.mark.requirement("CERTIFY-8")
@settings(max_examples=40)
@given(case=SMALL, seed=st.integers(0, 2**32))
def test_damage_is_refused_or_the_claim_is_true_all_the_same(case, seed):
    fsm, words = named(case)
    dice = Random(seed)
    for engine, made in certificates(fsm, words, case.extra):
        for way in WAYS:
            bad = damage(dice, fsm, words, made, way=way, forge=dice.random() < 0.8)
            if (bad.model, bad.words, bad.certificate) == (fsm, words, made):
                continue
            if both(bad.model, bad.words, bad.certificate):
                assert not bad.certain, (engine, way)
                claimed = int(next(x for x in bad.certificate.splitlines() if x.startswith("extra ")).split()[1])
                assert is_complete(bad.model, bad.words, claimed), (engine, way)


def turnstile():
    rows = (("locked", "coin", "unlock", "open"), ("locked", "push", "beep", "locked"))
    more = (("open", "coin", "thanks", "open"), ("open", "push", "lock", "locked"))
    outputs = ("unlock", "beep", "thanks", "lock")
    return Fsm(
        name="turnstile",
        initial="locked",
        states=("locked", "open"),
        inputs=("coin", "push"),
        outputs=outputs,
        transitions=tuple(FsmTransition(*row) for row in (*rows, *more)),
    )


WORDS = [("push", "push", "coin"), ("coin", "coin", "push"), ("coin", "push", "push"), ("push", "coin", "push")]


def proved(engine, fsm=None, words=WORDS, extra=0):
    fsm = fsm or turnstile()
    answer = certify(fsm, words, extra_states=extra, methods=[engine])
    assert isinstance(answer, Complete), answer
    made = certificate(fsm, words, answer, extra_states=extra, timeout=60)
    assert isinstance(made, str)
    return made


@pytest.mark.requirement("CERTIFY-8")
@pytest.mark.parametrize("engine", [ProofEngine.WINDOWS, ProofEngine.EXACT])
def test_every_damaged_byte_is_refused(engine):
    fsm, made = turnstile(), proved(engine)
    model, suite = model_text(fsm), suite_text(WORDS)
    assert refused(model, suite, made) is None
    for k in range(len(made)):
        for bit in range(7):
            bad = made[:k] + chr(ord(made[k]) ^ 1 << bit) + made[k + 1 :]
            assert refused(model, suite, bad) is not None
            assert not isinstance(check_certificate(fsm, WORDS, bad.encode()), Accepted)
        assert refused(model, suite, made[:k]) is not None


@pytest.mark.requirement("CERTIFY-8")
def test_lemmas_that_do_not_follow_are_refused():
    """Each lemma and each hint of a refutation is needed, in its order."""
    fsm, made = turnstile(), proved(ProofEngine.EXACT, extra=0)
    lines = made.splitlines()[:-1]
    first = next(k for k, line in enumerate(lines) if line.startswith("lemma "))
    for k in range(first, len(lines)):
        without = lines[:k] + lines[k + 1 :]
        assert not both(fsm, WORDS, forged(without, fsm, WORDS))
        fields = lines[k].split(" ")
        zero = fields.index("0")
        for hint in range(zero + 1, len(fields)):
            lost = [*lines[:k], " ".join(fields[:hint] + fields[hint + 1 :]), *lines[k + 1 :]]
            assert not both(fsm, WORDS, forged(lost, fsm, WORDS))
    assert not both(fsm, WORDS, forged([*lines, "lemma 0 1"], fsm, WORDS))


@pytest.mark.requirement("CERTIFY-9")
def test_hints_that_say_nothing_new_do_no_harm():
    fsm, made = turnstile(), proved(ProofEngine.EXACT)
    more = with_superfluous_hints(fsm, WORDS, made)
    assert len(more) > len(made)
    assert both(fsm, WORDS, more)


def test_renamed_states_other_orders_and_equivalent_states_do_not_matter():
    fsm, made = turnstile(), proved(ProofEngine.WINDOWS)
    names = {"locked": "b", "open": "a"}
    renamed = dataclasses.replace(
        fsm,
        initial="b",
        states=("a", "b"),
        inputs=("push", "coin"),
        transitions=tuple(
            FsmTransition(names[t.source], t.input, t.output, names[t.target]) for t in reversed(fsm.transitions)
        ),
    )
    assert both(renamed, WORDS, made)
    twin = dataclasses.replace(
        fsm,
        states=(*fsm.states, "open2", "unreached"),
        transitions=(
            FsmTransition("locked", "coin", "unlock", "open2"),
            *fsm.transitions[1:],
            FsmTransition("open2", "coin", "thanks", "open"),
            FsmTransition("open2", "push", "lock", "locked"),
            FsmTransition("unreached", "coin", "lock", "open"),
            FsmTransition("unreached", "push", "lock", "open"),
        ),
    )
    assert not both(twin, WORDS, made)
    assert both(twin, WORDS, proved(ProofEngine.WINDOWS, twin))
    assert both(twin, WORDS, proved(ProofEngine.EXACT, twin))


@pytest.mark.requirement("CERTIFY-10")
def test_the_small_checker_stands_alone():
    text = FPCHECK.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 600
    imported = {
        name.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert imported <= set(sys.stdlib_module_names)


@pytest.mark.requirement("CERTIFY-10")
def test_the_small_checker_answers_in_one_line_whatever_it_is_given(tmp_path):
    model, suite, made = tmp_path / "m.json", tmp_path / "s.jsonl", tmp_path / "c"
    good = (model_text(turnstile()).encode(), suite_text(WORDS).encode(), proved(ProofEngine.EXACT).encode())

    def ask(*texts):
        for path, text in zip((model, suite, made), texts, strict=True):
            path.write_bytes(text)
        words = [sys.executable, "-I", str(FPCHECK), str(model), str(suite), str(made)]
        ended = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
        assert "Traceback" not in ended.stderr
        assert len(ended.stdout.splitlines()) == 1
        return ended.returncode, ended.stdout.strip()

    assert ask(*good) == (0, "accepted")
    bad = (b"", b"\xff\xfe", b"{}", b"[" * 100_000, b'{"machine":"fsm","machine":"fsm"}', b"end \n")
    for place in range(3):
        texts = [[*good[:place], text, *good[place + 1 :]] for text in bad[:: 1 if place == 0 else 2]]
        for given_texts in texts:
            code, answer = ask(*given_texts)
            assert code == 1
            assert answer.startswith("refused: ")


@pytest.mark.requirement("CERTIFY-10")
@pytest.mark.parametrize("lost", [KeyboardInterrupt, MemoryError, RecursionError])
def test_the_small_checker_answers_in_one_line_where_it_cannot_end(monkeypatch, capsys, lost):
    def read(_):
        raise lost

    monkeypatch.setattr("pathlib.Path.read_bytes", read)
    assert fpcheck.main(["model", "suite", "certificate"]) == 1
    assert capsys.readouterr() == (f"refused: the check could not be done ({lost.__name__})\n", "")
