"""cvc5 as a second solver: it reads SMT-LIB texts, and shares neither code nor terms with the first one."""

from __future__ import annotations

from fullproof.core.errors import UserError
from fullproof.smt.second_answers import SecondAnswer


def decide_text(text: str, *, seconds: float) -> SecondAnswer:
    """Whether the assertions of an SMT-LIB text have a solution. Needs the extra ``cvc5``.

    Nonlinear questions are decided by cylindrical coverings, which cvc5 uses by itself only for logics without whole
    numbers; where that gives up, it is asked as it is, in as many seconds again.
    """
    found = _decided(text, seconds=seconds, coverings="true")
    return _decided(text, seconds=seconds, coverings="false") if found is SecondAnswer.UNKNOWN else found


def _decided(text: str, *, seconds: float, coverings: str) -> SecondAnswer:
    try:
        import cvc5
    except ImportError:
        raise UserError("--second-solver needs cvc5: pip install 'fullproof[cvc5]'") from None
    manager = cvc5.TermManager()
    solver, symbols = cvc5.Solver(manager), cvc5.SymbolManager(manager)
    solver.setOption("tlimit-per", str(max(1, int(seconds * 1000))))
    solver.setOption("nl-cov", coverings)
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
    said = ""
    try:
        while not (command := parser.nextCommand()).isNull():
            said += str(command.invoke(solver, symbols))
    except RuntimeError:  # what cvc5 raises for what it does not read
        return SecondAnswer.UNKNOWN
    known = {"sat": SecondAnswer.SOLVABLE, "unsat": SecondAnswer.UNSOLVABLE}
    return known.get(said.strip(), SecondAnswer.UNKNOWN)
