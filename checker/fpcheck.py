"""Check a certificate that a test suite is complete for a finite state machine.

    python fpcheck.py MODEL.json SUITE.jsonl CERTIFICATE

prints `accepted` and ends with 0, or prints `refused: ` and why on one line and ends with 1.

What `accepted` means.  Let S be the machine in MODEL.json, n the number of states of its minimal form (also the number
in the line `states` of the certificate) and a the number in its line `extra`.  Every complete deterministic machine
over the inputs of S with at most n + a states, which may have outputs that S does not have, and which answers every
test of SUITE.jsonl as S does, started in its initial state for each test, is equivalent to S.  The same sentence, with
its numbers, is written to standard error.  `refused` means only that this certificate does not prove it.

This program was written from the page `certificate-format.md` (version 1) alone; "section" means a section of that
page.  Nothing in the certificate is believed: hashes, minimality, nodes, domains, variables and clauses are made here
from the model and the suite.  Names: p inputs, q and r states, i and k inputs, t a target; access[q] is the node V_q.
"""

import hashlib
import itertools
import json
import re
import sys
from array import array
from pathlib import Path

LIMIT = 400  # sections 3 and 6: words of at most this many inputs are followed
NUMBERS = re.compile(rb"(?: (?:0|[1-9][0-9]{0,17}))*")  # section 2: no leading zeros, at most 18 digits
LEMMA = re.compile(rb"lemma(?: -?[1-9][0-9]{0,17})* 0(?: [1-9][0-9]{0,17})+")
ANY = -1  # section 6: a configuration is a number: v_q is q, e_l is n + l - 1, and this is `any`
TRUE = 1 << 62  # section 7: the constant literals; no variable has such a number, and minus negates them too
FALSE = -TRUE


class RefusedError(Exception):
    """The files do not meet a demand of the format."""


def need(condition, why):
    if not condition:
        raise RefusedError(why)


# ---------------------------------------------------------------- section 1: model, suite and their hashes
def read_object(data, what):
    """The object that the bytes are as JSON; strict where Python's reader is lax (section 1)."""

    def once(items):
        need(len(dict(items)) == len(items), f"{what}: a key stands twice in an object")
        return dict(items)

    try:
        text = data.decode("utf-8")
        # Numbers have no meaning here, and float reads them whatever their length; int refuses NaN and Infinity.
        value = json.loads(text, object_pairs_hook=once, parse_int=float, parse_constant=int)
        if "\\u" in text:  # only an escape can make half of a surrogate pair, which cannot be encoded
            json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise RefusedError(f"{what}: not JSON as section 1 wants it ({type(error).__name__})") from None
    need(isinstance(value, dict), f"{what}: not a JSON object")
    return value


def are_texts(value):
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def read_model(data):
    """The inputs, d' and o' of the model, its reachable states numbered in breadth-first order (section 1)."""
    top = read_object(data, "model")
    right = top.get("machine") == "fsm" and not top.keys() & {"ignore", "constants"}
    need(right, "model: machine is not fsm, or there is ignore or constants")
    listed, states, initial = top.get("inputs", []), top.get("states"), top.get("initial")
    need(are_texts(listed), "model: inputs is not a list of texts")
    right = isinstance(states, dict) and isinstance(initial, str) and initial in states
    need(right, "model: states is not an object, or initial is none of them")
    rows = {}
    for name, found in states.items():  # all states count, also those that are not reached
        right = isinstance(found, list) and all(isinstance(one, dict) for one in found)
        need(right, "model: a state is not a list of transitions")
        texts = [[one.get(key) for key in ("when", "then", "to")] for one in found]
        need(all(map(are_texts, texts)), "model: when, then or to is not a text")
        rows[name] = {when: (then.encode(), to) for when, then, to in texts}
        need(len(rows[name]) == len(texts), "model: a state has two transitions for an input")
        need(all(to in states for _, _, to in texts), "model: a transition leads to no state")
    inputs = sorted(set(listed).union(*rows.values()), key=str.encode)
    need(all(len(row) == len(inputs) for row in rows.values()), "model: a state has no transition for an input")
    number, order = {initial: 0}, [initial]
    for name in order:  # grows while it is read
        for i in inputs:
            to = rows[name][i][1]
            if to not in number:
                number[to] = len(order)
                order.append(to)
    step = [[number[rows[name][i][1]] for i in inputs] for name in order]
    return inputs, step, [[rows[name][i][0] for i in inputs] for name in order]


def read_suite(data, inputs):
    """The tests as lists of numbers of inputs (section 1)."""
    lines = data.removesuffix(b"\n").split(b"\n")
    head, *tests = (read_object(line, f"suite, line {at}") for at, line in enumerate(lines, 1))
    need(head.get("fullproof") == "suite/1", "suite: the first line is not that of a suite/1")
    need(head.get("observe") is None, "suite: its tests observe more than outputs")
    number = {name: i for i, name in enumerate(inputs)}
    words = [test.get("inputs") for test in tests]
    right = all(are_texts(word) and number.keys() >= set(word) for word in words)
    need(right, "suite: a test is not a list of inputs of the model")
    return [[number[name] for name in word] for word in words]


def sha256(lines):
    """The hash of the lines, each ended by a line feed."""
    return hashlib.sha256(b"".join(line + b"\n" for line in lines)).hexdigest().encode()


def hash_of_model(inputs, step, out):
    """The hash of the model (section 1)."""
    lines = [b"fullproof-machine 1", b"inputs %d" % len(inputs)]
    lines += [b"%d:%s" % (len(name), name) for name in map(str.encode, inputs)] + [b"states %d" % len(step)]
    for targets, outputs in zip(step, out, strict=True):
        lines += [b"%d %d:%s" % (t, len(b), b) for t, b in zip(targets, outputs, strict=True)]
    return sha256(lines)


# ---------------------------------------------------------------- section 2: the text
def fields(line, word):
    """The numbers of a line that has nothing but the word and then numbers."""
    right = line.startswith(word.encode()) and NUMBERS.fullmatch(line, len(word))
    need(right, f"certificate: a line is not `{word}` and numbers where it should be")
    return [int(field) for field in line.split(b" ")[1:]]


def machine_of_classes(step, out, classes):
    """Gives d and o of the machine of the classes, its outputs numbered (section 2, Classes)."""
    need(len(classes) == len(step), "classes: not one number for each state of the model")
    n = len(set(classes))
    need(list(dict.fromkeys(classes)) == list(range(n)), "classes: not numbered as they are met")
    first = [classes.index(c) for c in range(n)]  # the first state of each class
    targets = [[classes[t] for t in step[s]] for s in first]
    for s, c in enumerate(classes):
        need(out[s] == out[first[c]], "classes: states of a class answer differently")
        need([classes[t] for t in step[s]] == targets[c], "classes: states of a class lead to different classes")
    number = {name: b for b, name in enumerate(sorted({name for s in first for name in out[s]}))}
    return targets, [[number[name] for name in out[s]] for s in first]


def check_words(lines, step, out, p):
    """Gives the access words, and checks the words that prove the machine minimal (section 2, Access and Apart)."""
    words = [fields(next(lines, b""), "access") for _ in step]
    for q, word in enumerate(words):
        need(all(i < p for i in word), "access: a number of no input")
        state = 0
        for i in word:
            state = step[state][i]
        need(state == q and (q > 0 or not word), f"access: the word of state {q} is wrong")
    for q, r in itertools.combinations(range(len(step)), 2):
        numbers, x, y = fields(next(lines, b""), "apart"), q, r
        right = numbers[:2] == [q, r] and len(numbers) > 2 and all(i < p for i in numbers[2:])
        need(right, f"apart: not the line of {q} and {r} with a word of inputs")
        for i in numbers[2:-1]:
            need(out[x][i] == out[y][i], f"apart: {q} and {r} answer differently before the last input")
            x, y = step[x][i], step[y][i]
        need(out[x][numbers[-1]] != out[y][numbers[-1]], f"apart: {q} and {r} answer the word equally")
    return words


# ---------------------------------------------------------------- section 3: the tree
class Tree:
    """The tree of the suite, with the machine of the classes: n states, p inputs, d is `step` and o is `out`.

    Nodes with the same label and the same words below them are *twins*: they are apart from the same nodes (section 8).
    twin[x] is one of the twins of x, the same for all of them.
    """

    def __init__(self, step, out, p, tests):
        self.step, self.out, self.n, self.p = step, out, len(step), p
        self.kids, self.parent, self.entry, self.label = [{}], [0], [0], [0]
        for test in tests:
            node = 0
            for i in test:
                if i not in self.kids[node]:
                    self.kids[node][i] = len(self.kids)
                    self.kids.append({})
                    self.parent.append(node)
                    self.entry.append(i)
                    self.label.append(step[self.label[node]][i])
                node = self.kids[node][i]
        # A set of inputs is a number with one bit for each: diff[q][r] are those that q and r answer differently.
        self.diff = [[sum(1 << i for i in range(p) if x[i] != y[i]) for y in out] for x in out]
        # The height of each node, and the set of its inputs; a child has a larger number than its parent.
        nodes, twins, self.known = range(len(self.kids)), {}, {}
        self.twin, self.height, self.inputs = list(nodes), [0 for _ in nodes], [0 for _ in nodes]
        for x in reversed(nodes):
            below = sorted(self.kids[x].items())
            self.twin[x] = twins.setdefault((self.label[x], *((i, self.twin[kid]) for i, kid in below)), x)
            self.height[x] = max((self.height[kid] + 1 for _, kid in below), default=0)
            self.inputs[x] = sum(1 << i for i, _ in below)

    def find(self, word):
        """The node of an access word."""
        node = 0
        for i in word:
            need(i in self.kids[node], "access: a word that the evidence needs is not in the tree")
            node = self.kids[node][i]
        return node

    def apart(self, x, y, limit=LIMIT):
        """Whether the nodes x and y are apart by a word of at most `limit` inputs."""
        q, r = self.label[x], self.label[y]
        if self.inputs[x] & self.inputs[y] & self.diff[q][r]:
            return limit > 0
        limit = min(limit, self.height[x], self.height[y])  # no word is longer than the trees are high
        if q == r or limit < 2:
            return False
        key = (self.twin[x], self.twin[y])
        low, high = self.known.get(key, (LIMIT + 1, 0))  # known for limits of at least `low` and at most `high`
        if high < limit < low:
            below, other = self.kids[x], self.kids[y]
            found = any(i in other and self.apart(below[i], other[i], limit - 1) for i in below)
            self.known[key] = low, high = (limit, high) if found else (low, limit)
        return limit >= low

    def need_apart(self, nodes, what):
        """Refuse unless nodes with different labels are apart."""
        for x, y in itertools.combinations(sorted({self.twin[node] for node in nodes}), 2):
            need(self.label[x] == self.label[y] or self.apart(x, y), f"{what}: two nodes are not apart")


# ---------------------------------------------------------------- section 4: evidence k-A
def check_k_a(tree, words, extra, lines):
    """Evidence `k-A`: (a) to (d) of section 4."""
    need(next(lines, None) is None, "k-A: this evidence has no lines")
    access = [tree.find(word) for word in words]
    tree.need_apart(access, "k-A (a)")
    basis, levels = set(access), [access]  # B, F(0), .., F(a)
    for _ in range(extra + 1):
        need(all(len(tree.kids[x]) == tree.p for x in levels[-1]), "k-A (b): a node lacks a child")
        levels.append([kid for x in levels[-1] for kid in tree.kids[x].values() if kid not in basis])
    inner, outer = {tree.twin[x] for level in levels[1:-1] for x in level}, {tree.twin[x] for x in levels[-1]}
    fits = {x: [q for q, v in enumerate(access) if not tree.apart(x, v)] for x in outer | inner}  # C(x)
    need(all(len(fits[x]) == 1 for x in outer), "k-A (c): C(x) has more than one element")
    for x, y in itertools.product(outer, inner):
        need(fits[x] == fits[y] or tree.apart(x, y), "k-A (d): nodes are not apart, and their C differ")


# ---------------------------------------------------------------- section 5: evidence transitions
def read_takes(tree, lines):
    """The pairs of the lines `take`, for sections 5 and 6."""
    takes = [tuple(fields(line, "take")) for line in lines]
    transitions = set(itertools.product(range(tree.n), range(tree.p)))
    right = transitions.issuperset(takes) and len(set(takes)) == len(takes)
    need(right, "take: not a state and an input, or one transition twice")
    return takes


class Graph:
    """The tree, whose nodes are merged; `find` gives the node that stands for all that are merged with it."""

    def __init__(self, tree, access):
        self.out, self.label, self.edges = tree.out, tree.label, [dict(kids) for kids in tree.kids]
        self.stands = list(range(len(self.edges)))
        self.access = set(access)  # the nodes that stand for some V_q

    def find(self, x):
        while self.stands[x] != x:
            self.stands[x] = self.stands[self.stands[x]]  # shortens the way for later
            x = self.stands[x]
        return x

    def merge(self, x, y):
        todo = [(x, y)]
        while todo:
            x, y = map(self.find, todo.pop())
            if x == y:
                continue
            self.stands[y] = x
            if y in self.access:
                self.access.add(x)
            for i, below in self.edges[y].items():
                if self.edges[x].setdefault(i, below) != below:
                    todo.append((self.edges[x][i], below))

    def distinguished(self, x, y):
        """Whether a pair of nodes that are distinguished at once can be reached from x and y by the same word."""
        todo, seen = [(x, y)], set()
        for pair in todo:  # grows while it is read
            x, y = pair = tuple(map(self.find, pair))
            if pair in seen or self.label[x] == self.label[y]:  # with equal labels so are those of all that follows
                continue
            seen.add(pair)
            row, other = self.out[self.label[x]], self.out[self.label[y]]
            common = [i for i in self.edges[x] if i in self.edges[y]]
            if {x, y} <= self.access or any(row[i] != other[i] for i in common):
                return True
            todo += [(self.edges[x][i], self.edges[y][i]) for i in common]
        return False


def check_transitions(tree, words, extra, lines):
    """Evidence `transitions`: (a) to (c) of section 5."""
    need(extra == 0, "transitions: this evidence is for no extra states")
    access = [tree.find(word) for word in words]
    tree.need_apart(access, "transitions (a)")
    takes = read_takes(tree, lines)
    need(len(takes) == tree.n * tree.p, "transitions: not each transition is taken")
    graph = Graph(tree, access)
    for q, i in takes:
        t = tree.step[q][i]
        edges = graph.edges[graph.find(access[q])]
        need(i in edges, f"transitions (b): the node of state {q} has no edge by input {i}")
        if graph.find(edges[i]) != graph.find(access[t]):
            right = all(graph.distinguished(edges[i], v) for r, v in enumerate(access) if r != t)
            need(right, f"transitions (c): where {q} {i} leads is not distinguished from another state than {t}")
            graph.merge(access[t], edges[i])


# ---------------------------------------------------------------- section 6: evidence windows
class Window:
    """The window of a transition (s,x) and a word m; starts are nodes, with all their twins, after good ones and x."""

    def __init__(self, tree, risky, access, line, word, starts):
        (s, x), kids = line, tree.kids
        self.tree, self.risky, self.access = tree, risky, access
        self.states, self.passed = [tree.step[s][x]], [kids[access[s]][x]]  # t_1, .., t_a and E_1, .., E_a
        for i in word:
            self.states.append(tree.step[self.states[-1]][i])
            self.passed.append(kids[self.passed[-1]][i])
            starts = {tree.twin[kids[node][i]] for node in starts if i in kids[node]}
        self.ends = [{tree.twin[kids[node][k]] for node in starts if k in kids[node]} for k in range(tree.p)]  # W_k
        self.state = [*range(tree.n), *self.states]  # the state of each configuration
        self.trust, self.closed, self.known = False, set(), {}

    def successors(self, c, k):
        """The table of section 6."""
        is_last = c == len(self.state) - 1
        if c == ANY or (is_last and not self.trust):
            return [ANY]
        n, y = self.tree.n, self.tree.step[self.state[c]][k]
        if c < n:
            return [y, n] if (c, k) in self.risky else [y]
        every = is_last and k not in self.closed
        return [y] + [n + h for h, t in enumerate(self.states) if every or t == y]

    def refutes(self, w, c, g, limit=LIMIT):
        """Whether w refutes (c, g), where g is a node or None (section 6, Refuting)."""
        tree = self.tree
        label, inputs, state = tree.label[w], tree.inputs[w], None if c == ANY else self.state[c]
        limit = min(limit, tree.height[w])  # as in Tree.apart; so it is nearly always the same for twins
        if limit == 0 or (state in (None, label) and (g is None or tree.label[g] == label)):
            return False
        if g is not None and inputs & tree.inputs[g] & tree.diff[label][tree.label[g]]:
            return True
        if state is not None and inputs & tree.diff[label][state]:
            return True
        below_g = {} if g is None else tree.kids[g]
        key = (tree.twin[w], c, None if g is None else tree.twin[g], limit)
        if key not in self.known:
            self.known[key] = any(
                all(self.refutes(v, d, below_g.get(k), limit - 1) for d in self.successors(c, k))
                for k, v in tree.kids[w].items()
            )
        return self.known[key]

    def check(self):
        """Steps 1 and 2 for this window."""
        need(all(self.ends), "windows (W): W_k is empty for an input k")
        targets = self.tree.step[self.states[-1]]  # z_k
        for (q, v), (z, found) in itertools.product(enumerate(self.access), zip(targets, self.ends, strict=True)):
            right = q == z or any(self.refutes(w, q, v) for w in found)
            need(right, f"windows (W) 1: state {q} is not refuted")
        self.trust = True
        while len(self.closed) < len(targets):
            self.known = {}  # what was not refuted before may be so now, but not the other way round
            closed = {k for k, z in enumerate(targets) if self.closes(z, self.ends[k])}
            need(len(closed) > len(self.closed), "windows (W) 2: an input cannot be closed")
            self.closed = closed

    def closes(self, z, found):
        """Whether each e_l with another state than z is refuted."""
        others = [(self.tree.n + h, self.passed[h]) for h, t in enumerate(self.states) if t != z]
        return all(any(self.refutes(w, c, g) for w in found) for c, g in others)


def check_windows(tree, words, extra, lines):
    """Evidence `windows` (section 6)."""
    need(extra >= 1, "windows: this evidence is for at least one extra state")
    access, step = [tree.find(word) for word in words], tree.step
    near, level = list(access), access
    for _ in range(extra):
        need(all(len(tree.kids[x]) == tree.p for x in level), "windows (B): a node is missing")
        level = [kid for x in level for kid in tree.kids[x].values()]
        near += level
    tree.need_apart(near, "windows (B)")
    # turn[q, i] is the place of the line that takes the transition, or -1 for a certain one.  For line j, which
    # takes a transition to t, those transitions to t are risky whose turn is not before j.
    takes = read_takes(tree, lines)
    turn = {pair: j for j, pair in enumerate(takes)}
    for q, i in itertools.product(range(tree.n), range(tree.p)):
        certain = tree.kids[access[q]][i] == access[step[q][i]]
        need(((q, i) in turn) != certain, "windows: exactly the transitions that are not certain have to be taken")
        turn.setdefault((q, i), -1)
    with_label = [[node for node, r in enumerate(tree.label) if r == q] for q in range(tree.n)]
    for t in range(tree.n):
        latest = [-1] * len(tree.kids)  # of the transitions to t on the path of a node; it is good for later lines
        for node in range(1, len(latest)):
            up, i = tree.parent[node], tree.entry[node]
            q = tree.label[up]
            latest[node] = max(latest[up], turn[q, i]) if step[q][i] == t else latest[up]
        for j, (s, x) in enumerate(takes):
            if step[s][x] == t:
                risky = {(q, i) for (q, i), place in turn.items() if place >= j and step[q][i] == t}
                good = [node for node in with_label[s] if latest[node] < j]
                starts = {tree.twin[tree.kids[node][x]] for node in good if x in tree.kids[node]}
                for word in itertools.product(range(tree.p), repeat=extra - 1):
                    Window(tree, risky, access, (s, x), word, starts).check()


# ---------------------------------------------------------------- section 7: evidence refutation
class Encoding:
    """The domains, variables and clauses of section 7, made from the model, the tree and the pins.

    The dicts T, A, U, L, B, X, Y and P have the variables, and the literals that the abbreviations stand for.
    """

    def __init__(self, tree, words, extra, pins):
        self.tree, self.pins, self.k, self.m = tree, pins, len(pins), tree.n + extra
        self.extras = range(self.k, self.m)
        nodes = [tree.find(words[q]) for q in pins]
        tree.need_apart(nodes, "pins")
        self.pin_of = {node: j for j, node in enumerate(nodes)}
        near = {x: [j for j, v in enumerate(nodes) if not tree.apart(x, v)] for x in set(tree.twin)}
        # The domains of the inner nodes, in the order of their numbers, and of the pins.
        self.domain = {v: [*near[x], *self.extras] for v, x in enumerate(tree.twin) if tree.kids[v]}
        self.domain.update({v: [j] for v, j in self.pin_of.items()})
        self.pairs = list(itertools.product(range(self.m), range(tree.p)))
        self.targets = dict.fromkeys(self.pairs, range(self.m))  # D(s,i)
        for j, node in enumerate(nodes):
            self.targets.update({(j, i): self.domain[v] for i, v in tree.kids[node].items() if v in self.domain})
        self.outputs = [sorted({row[i] for row in tree.out}) for i in range(tree.p)]
        self.labels = [[q] for q in pins] + [range(tree.n) for _ in self.extras]  # the labels that s may have
        self.make_variables()

    def make_variables(self):
        """Variables and Abbreviations of section 7."""
        free, tree, n = itertools.count(1), self.tree, self.tree.n
        self.T = {(s, i, t): FALSE for s, i in self.pairs for t in range(self.m)}
        self.T.update({(s, i, t): next(free) for s, i in self.pairs for t in self.targets[s, i]})
        self.A = {(s, i, b): next(free) for s, i in self.pairs for b in self.outputs[i]}
        self.U = dict.fromkeys(range(self.k), TRUE)
        self.L = {(s, q): TRUE if q == self.pins[s] else FALSE for s in range(self.k) for q in range(n)}
        self.B, self.X, self.Y, self.P = {(e, -1): FALSE for e in self.extras}, {}, {}, {}
        for e in self.extras:
            self.U[e] = next(free)
            self.L.update({(e, q): next(free) for q in range(n)})
            self.B.update({(e, c): next(free) for c in range(e * tree.p)})
        for s, i in self.pairs:
            for q in self.labels[s]:
                self.X[s, i, q], self.Y[s, i, q] = next(free), next(free)
        for v, inside in self.domain.items():
            up = self.pin_of.get(tree.parent[v])
            if v in self.pin_of:
                self.P[v, self.pin_of[v]] = TRUE
            else:
                self.P.update({(v, t): next(free) if up is None else self.T[up, tree.entry[v], t] for t in inside})
        self.variables = next(free) - 1

    def raw_clauses(self):
        """The clauses in their order, with their constant literals; the numbers are those of section 7, Clauses."""
        tree, p, n = self.tree, self.tree.p, self.tree.n
        for s, i in self.pairs:  # 1
            row = [self.T[s, i, t] for t in self.targets[s, i]]
            yield row
            yield from ((-x, -y) for x, y in itertools.combinations(row, 2))
        for s, i in self.pairs:  # 2
            yield from ((-self.A[s, i, b], -self.A[s, i, c]) for b, c in itertools.combinations(self.outputs[i], 2))
        for e in self.extras:  # 3
            yield from ((-self.L[e, q], -self.L[e, r]) for q, r in itertools.combinations(range(n), 2))
            yield from ((-self.L[e, q], self.U[e]) for q in range(n))
            yield from ((-self.T[s, i, e], self.U[e]) for s, i in self.pairs)
            yield from ((self.U[e], self.T[e, i, 0]) for i in range(p))
            for c in range(e * p):
                s, i = divmod(c, p)
                enters, now, before = self.T[s, i, e], self.B[e, c], self.B[e, c - 1]
                yield -enters, now
                yield -before, now
                yield -now, before, enters
                if e > self.k:
                    yield -now, self.B[e - 1, min(c - 1, (e - 1) * p - 1)]
                yield from ((-enters, before, -self.L[s, q], self.L[e, tree.step[q][i]]) for q in range(n))
            yield -self.U[e], self.B[e, e * p - 1]
        for s, i in self.pairs:  # 4
            for q in self.labels[s]:
                x, y, z = self.X[s, i, q], self.Y[s, i, q], tree.step[q][i]
                yield -x, self.L[s, q]
                yield -x, -self.A[s, i, tree.out[q][i]]
                yield -y, self.L[s, q]
                yield from ((-y, -self.T[s, i, t], -self.L[t, z]) for t in self.targets[s, i])
        yield [*self.X.values(), *self.Y.values()]
        for v in range(1, len(tree.kids)):  # 5
            u, i = tree.parent[v], tree.entry[v]
            yield from ((-self.P[u, s], self.A[s, i, tree.out[tree.label[u]][i]]) for s in self.domain[u])
            if v not in self.domain or (v not in self.pin_of and u in self.pin_of):
                continue
            inside = self.domain[v]
            yield [self.P[v, t] for t in inside]
            for s in self.domain[u]:
                at = -self.P[u, s]
                for t in inside:
                    yield at, -self.T[s, i, t], self.P[v, t]
                    yield at, self.T[s, i, t], -self.P[v, t]
                if not set(inside).issuperset(self.targets[s, i]):
                    yield at, *(self.T[s, i, t] for t in inside)

    def clauses(self, wanted):
        """How many clauses there are, and those with the wanted numbers; there may be too many to keep all."""
        count, kept = 0, {}
        for literals in self.raw_clauses():
            if TRUE not in literals:  # otherwise it is left out and has no number
                count += 1
                if count in wanted:
                    kept[count] = set(literals) - {FALSE}
        return count, kept


def check_refutation(tree, words, extra, lines):
    """Evidence `refutation` (section 7)."""
    pins, claimed = fields(next(lines, b""), "pins"), fields(next(lines, b""), "clauses")
    need(pins[:1] == [0] and pins == sorted(set(pins)) and pins[-1] < tree.n, "pins: not states in order, 0 first")
    lemmas = []
    for line in lines:
        need(LEMMA.fullmatch(line), "lemma: a line is not `lemma <literals> 0 <hints>` with hints")
        numbers = array("q", map(int, line.split(b" ")[1:]))
        cut = numbers.index(0)
        lemmas.append((array("q", set(numbers[:cut])), numbers[cut + 1 :]))
    empty = [place for place, (literals, _) in enumerate(lemmas, 1) if not literals]
    need(lemmas and empty == [len(lemmas)], "lemma: the last one, and no other, has to be empty")
    encoding = Encoding(tree, words, extra, pins)
    count, clauses = encoding.clauses({hint for _, hints in lemmas for hint in hints})
    need(claimed == [count], f"clauses: there are {count}")
    for number, (literals, hints) in enumerate(lemmas, count + 1):
        name, false = f"lemma {number - count}", set(literals)
        need(all(abs(literal) <= encoding.variables for literal in literals), f"{name}: no such variable")
        need(max(hints) < number, f"{name}: a hint is not before it")
        for hint in hints[:-1]:
            rest = [literal for literal in clauses[hint] if literal not in false]
            need(len(rest) == 1, f"{name}: not exactly one literal of hint {hint} is not false")
            false.add(-rest[0])
        need(false.issuperset(clauses[hints[-1]]), f"{name}: its hints do not end with a conflict")
        clauses[number] = literals


# ---------------------------------------------------------------- the whole
KINDS = {"k-A": check_k_a, "transitions": check_transitions, "windows": check_windows, "refutation": check_refutation}


def check(model_data, suite_data, certificate):
    """The claim that the three files prove; raises RefusedError where they do not prove one."""
    inputs, step_as_read, out_as_read = read_model(model_data)
    tests = read_suite(suite_data, inputs)
    sys.setrecursionlimit(10 * LIMIT)  # for words of LIMIT inputs; not before, for the sake of the JSON reader
    start = certificate.rfind(b"\n", 0, -1) + 1  # where the last line begins
    end = b"end %s\n" % hashlib.sha256(certificate[:start]).hexdigest().encode()
    need(certificate[start:] == end, "certificate: the last line is not `end` with the hash of what precedes it")
    lines, p = iter(certificate[:start].split(b"\n")[:-1]), len(inputs)
    model = b"model " + hash_of_model(inputs, step_as_read, out_as_read)
    texts = [b" ".join(b"%d" % i for i in test) for test in tests]
    suite = b"suite " + sha256([b"fullproof-tests 1", b"tests %d" % len(tests), *texts])
    for line in (b"fullproof-certificate 1", model, suite, b"relation equivalence"):
        need(next(lines, b"") == line, f"certificate: not `{line.decode()}` where it should be")
    states, extras, classes = [fields(next(lines, b""), word) for word in ("states", "extra", "classes")]
    step, out = machine_of_classes(step_as_read, out_as_read, classes)
    need(states == [len(step)] and len(extras) == 1, "certificate: states or extra is wrong")
    words, n, extra = check_words(lines, step, out, p), len(step), extras[0]
    tree, size = Tree(step, out, p, tests), n
    need(extra < len(tree.kids), "extra: as large as the tree of the suite")
    for _ in range(extra + 1):  # section 2, Size
        size *= p
        need(size <= len(tree.kids), "extra: the suite is too small for so many extra states")
    word, _, kind = next(lines, b"").decode("latin-1").partition(" ")
    need(word == "evidence" and kind in KINDS, "certificate: the kind of evidence is not known")
    KINDS[kind](tree, words, extra, lines)
    machines = f"complete deterministic machine over the inputs of the model with at most {n} + {extra} states"
    return f"every {machines} that passes the suite is equivalent to the model"


def main(arguments):
    try:
        need(len(arguments) == 3, "three files are needed: MODEL.json SUITE.jsonl CERTIFICATE")
        claim = check(*(Path(path).read_bytes() for path in arguments))
    except (Exception, KeyboardInterrupt) as error:  # one line also where a file, the memory or the user gives up
        why = error if isinstance(error, RefusedError) else f"the check could not be done ({type(error).__name__})"
        print(f"refused: {why}")
        return 1
    print("accepted")
    print(claim, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
