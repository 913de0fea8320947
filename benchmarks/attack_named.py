"""Attack on suites for faults by name: on small random machines, every machine of the domain is tried.

Of symbolic machines, a tenth as many, whose machines are enumerated by values, and whose suites are damaged at random.

Run: python -m benchmarks.attack_named [MACHINES]
"""

from __future__ import annotations

import sys
import time

from tests.certify.test_named_faults import small_domains, wrong_members
from tests.kinds.test_symbolic_named_faults import attack

from fullproof.certify.answers import Complete, Incomplete
from fullproof.certify.exact import passes
from fullproof.certify.named_check import certify_named
from fullproof.certify.named_suite import named_suite
from fullproof.certify.tree import plant


def main(wanted: int) -> None:
    """Print how many machines were tried, and fail at the first that survives."""
    begin, tried, damaged = time.perf_counter(), 0, 0
    for _, fsm, named, domain in small_domains(7, wanted):
        words, wrong = named_suite(domain).words, wrong_members(domain)
        tree = plant(domain.model, words)
        assert not any(passes(one, tree) for one in wrong), (fsm, named)
        tried += len(wrong)
        texts = [tuple(fsm.inputs[i] for i in word) for word in words]
        check = {"extra_states": domain.extra, "timeout": 60}
        assert isinstance(certify_named(fsm, texts, named, **check), Complete), (fsm, named)
        for word in texts:
            less = [*(other for other in texts if other != word), word[:-1]]
            assert isinstance(certify_named(fsm, less, named, **check), Incomplete), (fsm, named, word)
            damaged += 1
    domains, members, less = attack(7, wanted // 10)
    print(f"{domains:,} symbolic machines: none of {members:,} differing members survives; {less:,} suites refused")
    seconds = time.perf_counter() - begin
    print(f"{wanted:,} machines: none of {tried:,} differing members survives; {damaged:,} damaged suites refused")
    print(f"{seconds:.0f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000)
