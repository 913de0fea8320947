#!/usr/bin/env python3
"""Check the certificate of a test suite: python fpcheck.py MODEL.json SUITE.jsonl CERTIFICATE.

Prints ``accepted`` and ends with 0 (the claim goes to standard error), or ``refused: why`` and ends with 1. Accepted
means: every complete deterministic machine over the model's inputs with at most as many states as the certificate
claims that answers every test as the model does is equivalent to the model. Comments name sections of the format,
docs/certificate-format.md; the proof is docs/proofs/certificates.md. Needs Python 3.10 and nothing else.
"""

import hashlib
import itertools
import json
import pathlib
import re
import sys
from itertools import combinations, product

TRUE, FALSE = None, 0  # Literals that are constant; variables are numbered from 1.
DEPTH = 400  # How many inputs are followed below a node (section 3).
NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")
LITERAL = re.compile(r"0|-?[1-9][0-9]{0,17}")


class Refused(Exception):
    """Why a certificate is not accepted."""


def demand(condition, reason):
    """Refuse with a reason unless the condition holds."""
    if not condition:
        raise Refused(reason)


def unique(pairs):
    """An object of JSON whose keys are all different."""
    found = dict(pairs)
    demand(len(found) == len(pairs), "a key stands twice in an object of a JSON file")
    return found


def name_of(value):
    """The bytes of a name."""
    demand(isinstance(value, str), "a name in the model is not a text")
    return value.encode("utf-8")


class Machine:
    """States 0 .. states-1, of which 0 is initial; target[s][i] and output[s][i]; names and outputs are bytes."""

    def __init__(self, names, target, output):
        self.names, self.target, self.output = names, target, output
        self.inputs, self.states = len(names), len(target)

    def digest(self):
        """The hash of the model."""
        lines = [b"fullproof-machine 1", b"inputs %d" % self.inputs]
        lines += [b"%d:%s" % (len(name), name) for name in self.names]
        lines.append(b"states %d" % self.states)
        for targets, outputs in zip(self.target, self.output, strict=True):
            lines += [b"%d %d:%s" % (t, len(o), o) for t, o in zip(targets, outputs, strict=True)]
        return hashlib.sha256(b"\n".join(lines) + b"\n").hexdigest()


def read_model(text):
    """The machine of a model file: inputs sorted, states breadth first, unreached states left out."""
    file = json.loads(text, object_pairs_hook=unique)
    demand(isinstance(file, dict) and file.get("machine") == "fsm", "the model is not a finite machine")
    demand("ignore" not in file and "constants" not in file, "the model has ignore or constants: convert it first")
    states, initial, listed = file.get("states"), file.get("initial"), file.get("inputs", [])
    demand(isinstance(states, dict) and isinstance(listed, list), "the model has no states, or inputs is not a list")
    inputs, cells = {name_of(name) for name in listed}, {}
    for state, rows in states.items():
        demand(isinstance(rows, list) and all(isinstance(row, dict) for row in rows), "a state has no transitions")
        for row in rows:
            symbol, output = name_of(row.get("when")), name_of(row.get("then"))
            demand(isinstance(row.get("to"), str) and row["to"] in states, "a transition leads to no state")
            demand((state, symbol) not in cells, "the model is nondeterministic")
            cells[state, symbol] = (row["to"], output)
            inputs.add(symbol)
    names = sorted(inputs)
    demand(all((s, i) in cells for s in states for i in names), "the model is not completely specified")
    demand(isinstance(initial, str) and initial in states, "the initial state of the model is not one of its states")
    order = {initial: 0}
    for state in (queue := [initial]):
        for i in names:
            to = cells[state, i][0]
            if to not in order:
                order[to] = len(order)
                queue.append(to)
    rows = [[cells[state, i] for i in names] for state in order]
    return Machine(names, [[order[to] for to, _ in row] for row in rows], [[o for _, o in row] for row in rows])


def read_suite(text, names):
    """The tests as words of numbers of inputs, and their hash."""
    head, *lines = (text[:-1] if text.endswith("\n") else text).split("\n")
    head = json.loads(head, object_pairs_hook=unique)
    demand(isinstance(head, dict) and head.get("fullproof") == "suite/1", "the suite has no header suite/1")
    demand(head.get("observe") is None, "the tests of the suite observe more than outputs")
    number, words = {name.decode("utf-8"): k for k, name in enumerate(names)}, []
    for place, line in enumerate(lines, start=2):
        test = json.loads(line, object_pairs_hook=unique)
        inputs = test.get("inputs") if isinstance(test, dict) else None
        demand(isinstance(inputs, list), f"line {place} of the suite is no test")
        demand(all(isinstance(i, str) and i in number for i in inputs), f"line {place} of the suite: unknown input")
        words.append([number[i] for i in inputs])
    texts = ["fullproof-tests 1", f"tests {len(words)}", *(" ".join(map(str, word)) for word in words)]
    return words, hashlib.sha256(("\n".join(texts) + "\n").encode()).hexdigest()


def numbers(fields, pattern=NUMBER):
    """Numbers in their only spelling."""
    for field in fields:
        if not pattern.fullmatch(field):
            raise Refused(f"{field[:20]!r} is not a number as the format writes it")
    return list(map(int, fields))


class Lines:
    """The lines of the certificate, one after the other."""

    def __init__(self, text):
        body, _, last = text.rpartition("\nend ")
        digest = hashlib.sha256((body + "\n").encode()).hexdigest()
        demand(last == digest + "\n", "the certificate is damaged: its last line is not the hash of the others")
        self.lines, self.at = body.split("\n"), 0

    def more(self):
        """Whether lines are left."""
        return self.at < len(self.lines)

    def next(self, key):
        """The fields of the next line, which begins with a key."""
        demand(self.more(), f"the certificate ends where {key} was expected")
        first, *fields = self.lines[self.at].split(" ")
        self.at += 1
        demand(first == key, f"line {self.at} of the certificate: {key} was expected")
        return fields

    def numbers(self, key, count=None, below=None):
        """The numbers on the next line: so many, and each below a bound."""
        found = numbers(self.next(key))
        demand(count in (None, len(found)), f"line {self.at} of the certificate does not have {count} numbers")
        demand(below is None or all(x < below for x in found), f"line {self.at} of the certificate: out of range")
        return found


def quotient(machine, classes, n):
    """The machine of the classes, after checking that they are a bisimulation."""
    demand(len(classes) == machine.states, "classes does not name each state once")
    member = {}
    for state, c in enumerate(classes):
        demand(c <= len(member), "classes are not numbered in the order in which they occur")
        first = member.setdefault(c, state)
        demand(machine.output[state] == machine.output[first], "states of a class answer differently")
        after = [[classes[t] for t in machine.target[s]] for s in (state, first)]
        demand(after[0] == after[1], "states of a class have successors of different classes")
    demand(len(member) == n, "the number of classes is not the number of states claimed")
    targets = [[classes[t] for t in machine.target[s]] for s in member.values()]
    return Machine(machine.names, targets, [machine.output[s] for s in member.values()])


def read_states(lines, model):
    """Check the access words and that all states differ; return the access words."""
    access = []
    for q in range(model.states):
        word, state = lines.numbers("access", below=model.inputs), 0
        for i in word:
            state = model.target[state][i]
        demand(state == q and (q > 0 or not word), f"the access word of state {q} does not lead there")
        access.append(word)
    for q, r in combinations(range(model.states), 2):
        fields = lines.numbers("apart")
        demand(fields[:2] == [q, r] and len(fields) > 2, f"a word that tells states {q} and {r} apart was expected")
        s, t, word = q, r, fields[2:]
        for place, i in enumerate(word, start=1):
            demand(i < model.inputs, f"line {lines.at} of the certificate: there is no such input")
            differ = model.output[s][i] != model.output[t][i]
            demand(differ == (place == len(word)), f"the word for states {q} and {r} does not distinguish them")
            s, t = model.target[s][i], model.target[t][i]
    return access


class Tree:
    """child[v] maps inputs to nodes; parent, symbol (of the edge into a node) and label by node."""

    def __init__(self, model, words):
        self.model = model
        self.child, self.parent, self.symbol, self.label = [{}], [0], [0], [0]
        for word in words:
            node = 0
            for i in word:
                after = self.child[node].get(i)
                if after is None:
                    after = self.child[node][i] = len(self.child)
                    self.child.append({})
                    self.parent.append(node)
                    self.symbol.append(i)
                    self.label.append(model.target[self.label[node]][i])
                node = after
        # Nodes with the same label and the same words below them are of the same kind: apart from the same nodes.
        self.kind, known = [0] * len(self.child), {}
        for v in range(len(self.child) - 1, -1, -1):
            below = tuple(sorted((i, self.kind[w]) for i, w in self.child[v].items()))
            self.kind[v] = known.setdefault((self.label[v], below), len(known))
        self.memo = {}

    def apart(self, v, w):
        """Whether a word below both nodes is answered differently."""
        key = (self.kind[v], self.kind[w])
        found = self.memo.get(key)
        if found is None:
            found = self.memo[key] = self.search(v, w, DEPTH)
        return found

    def search(self, v, w, depth):
        """The same, by words of at most so many inputs."""
        one, other = self.label[v], self.label[w]
        if one == other or depth == 0:
            return False
        below, beside = self.child[v], self.child[w]
        if len(beside) < len(below):
            below, beside = beside, below
        outputs, others = self.model.output[one], self.model.output[other]
        both = [i for i in below if i in beside]
        if any(outputs[i] != others[i] for i in both):
            return True
        return any(self.search(below[i], beside[i], depth - 1) for i in both)

    def nodes(self, words):
        """The nodes of some words, which are in the tree and pairwise apart."""
        found = []
        for word in words:
            node = 0
            for i in word:
                node = self.child[node].get(i)
                demand(node is not None, "an access word is not applied by the suite")
            found.append(node)
        demand(all(self.apart(v, w) for v, w in combinations(found, 2)), "two access words are not distinguished")
        return found

    def kinds(self, nodes):
        """One node of each kind."""
        return list({self.kind[v]: v for v in nodes}.values())


def check_k_a(tree, base, extra):
    """Section 4, conditions (b) to (d); (a) has been checked."""
    inside, near, level = set(base), [], base
    for distance in range(extra + 1):
        demand(all(len(tree.child[v]) == tree.model.inputs for v in level), "not every word follows the state cover")
        near += level if distance else []
        level = [w for v in level for w in tree.child[v].values() if w not in inside]
    near, level, candidates = tree.kinds(near), tree.kinds(level), {}
    for v in near + level:
        candidates[v] = [q for q, w in enumerate(base) if not tree.apart(v, w)]
    for x in level:
        demand(len(candidates[x]) == 1, "a node behind the state cover is not identified")
        found = all(candidates[y] == candidates[x] or tree.apart(x, y) for y in near)
        demand(found, "two nodes behind the state cover are not distinguished")


def check_transitions(lines, tree, base):
    """Section 5: verify one transition after the other, and merge nodes that are known to be the same state."""
    model, among, edges, taken = tree.model, set(base), [dict(below) for below in tree.child], set()
    merged = {}

    def find(x):
        while x in merged:
            x = merged[x]
        return x

    def told_apart(x, y):
        todo, seen = [(x, y)], {(x, y)}
        for x, y in todo:
            if tree.label[x] != tree.label[y]:
                one, other = model.output[tree.label[x]], model.output[tree.label[y]]
                both = [i for i in edges[x] if i in edges[y]]
                if (x in among and y in among) or any(one[i] != other[i] for i in both):
                    return True
                new = {(find(edges[x][i]), find(edges[y][i])) for i in both} - seen
                seen |= new
                todo += new
        return False

    while lines.more():
        q, i = take(lines, model)
        demand((q, i) not in taken, "a transition is taken twice")
        taken.add((q, i))
        right = base[model.target[q][i]]
        demand(i in edges[base[q]], f"transition {q} {i} is not observed")
        x = find(edges[base[q]][i])
        found = x == right or all(told_apart(x, v) for v in base if v != right)
        demand(found, f"transition {q} {i} is not verified")
        todo = [(x, right)]
        while todo:
            x, y = map(find, todo.pop())
            if x != y:
                x, y = (y, x) if x in among else (x, y)
                merged[x] = y
                todo += [(after, edges[y][i]) for i, after in edges[x].items() if i in edges[y]]
                edges[y] = {**edges[x], **edges[y]}
    demand(len(taken) == model.states * model.inputs, "not every transition is taken")


def take(lines, model):
    """The state and the input of a line take."""
    q, i = lines.numbers("take", count=2)
    demand(q < model.states and i < model.inputs, "there is no such transition")
    return q, i


class Windows:
    """Section 6. Configurations are q for v_q, n + l - 1 for e_l, -1 for any."""

    def __init__(self, tree, base, extra):
        self.tree, self.model, self.base, self.extra, self.n = tree, tree.model, base, extra, tree.model.states
        self.certain = {(q, i) for q, v in enumerate(base) for i, w in tree.child[v].items() if w in base}
        self.risky, self.labels, self.closed, self.trust = set(), [], set(), False
        self.edges = {cell: [] for cell in product(range(self.n), range(self.model.inputs))}
        for v in range(1, len(tree.child)):
            self.edges[tree.label[tree.parent[v]], tree.symbol[v]].append(v)

    def check(self, lines):
        """Conditions (B) and (W)."""
        tree, model, level = self.tree, self.model, self.base
        literal = set(level)
        for _ in range(self.extra):
            demand(all(len(tree.child[v]) == model.inputs for v in level), "not every word follows an access word")
            level = {w for v in level for w in tree.child[v].values()} - literal
            literal |= level
        for v, w in combinations(tree.kinds(literal), 2):
            demand(tree.label[v] == tree.label[w] or tree.apart(v, w), "two nodes of the base are not distinguished")
        left = self.edges.keys() - self.certain
        while lines.more():
            s, x = take(lines, model)
            demand((s, x) in left, "a transition is taken twice, or it is certain")
            self.risky = {(q, i) for q, i in left if model.target[q][i] == model.target[s][x]}
            ends = [v for v in self.edges[s, x] if self.is_good(tree.parent[v])]
            for middle in product(range(model.inputs), repeat=self.extra - 1):
                self.check_middle(s, x, middle, ends)
            left.remove((s, x))
        demand(not left, "not every transition is taken")

    def is_good(self, u):
        """Whether no edge on the path to a node is risky."""
        tree = self.tree
        while u and (tree.label[tree.parent[u]], tree.symbol[u]) not in self.risky:
            u = tree.parent[u]
        return u == 0

    def check_middle(self, s, x, middle, ends):
        """The windows that differ in their last input alone."""
        tree, model = self.tree, self.model
        self.labels, literal = [model.target[s][x]], [tree.child[self.base[s]][x]]
        for i in middle:
            self.labels.append(model.target[self.labels[-1]][i])
            literal.append(tree.child[literal[-1]][i])
            ends = [tree.child[v][i] for v in ends if i in tree.child[v]]
        self.closed, self.trust = set(), False
        goal, where = model.target[self.labels[-1]], []
        for k in range(model.inputs):
            where.append([tree.child[v][k] for v in ends if k in tree.child[v]])
            demand(where[k], "a window is applied after no good node")
            for q in range(self.n):
                found = q == goal[k] or any(self.refutes(w, q, self.base[q], DEPTH) for w in where[k])
                demand(found, f"a window of transition {s} {x} is open")
        self.trust = True
        pending = set(range(model.inputs))
        while pending:
            closing = {k for k in pending if self.is_closed(goal[k], where[k], literal)}
            demand(closing, f"a window of transition {s} {x} is open")
            self.closed |= closing
            pending -= closing

    def is_closed(self, goal, where, literal):
        """Whether the windows that end in some nodes lead to no extra state with a wrong label."""
        items = [(self.n + h, literal[h]) for h, label in enumerate(self.labels) if label != goal]
        return all(any(self.refutes(w, config, g, DEPTH) for w in where) for config, g in items)

    def refutes(self, w, config, g, depth):
        """Whether what is below node w excludes a configuration; g is None or a node in the same state then."""
        label = self.tree.label
        known = self.labels[config - self.n] if config >= self.n else config
        if known in (-1, label[w]) and (g is None or label[g] == label[w]):
            return False
        output = self.model.output
        for k, after in self.tree.child[w].items():
            right = output[label[w]][k]
            twin = None if g is None else self.tree.child[g].get(k)
            if twin is not None and output[label[g]][k] != right:
                return True
            if known >= 0 and output[known][k] != right:
                return True
            if depth > 1 and all(self.refutes(after, c, twin, depth - 1) for c in self.successors(config, known, k)):
                return True
        return False

    def successors(self, config, known, k):
        """What a configuration may become."""
        n, last = self.n, self.n + self.extra - 1
        if config == -1 or (config == last and not self.trust):
            return [-1]
        y = self.model.target[known][k]
        if config < n:
            return [y, n] if (config, k) in self.risky else [y]
        free = config == last and k not in self.closed
        return [y, *(n + h for h, label in enumerate(self.labels) if free or label == y)]


class Question:
    """Section 7: the clauses that say that a machine passes and differs."""

    def __init__(self, tree, pins, nodes, extra):
        model, k, parent = tree.model, len(pins), tree.parent
        n, p, m = model.states, model.inputs, model.states + extra
        self.tree, self.model, self.size = tree, model, (n, p, m, k)
        self.pin, self.clauses, fresh = {v: j for j, v in enumerate(nodes)}, [], itertools.count(1).__next__
        domain, by_kind = {v: [j] for v, j in self.pin.items()}, {}
        inner = [v for v, below in enumerate(tree.child) if below and v not in self.pin]
        for v in inner:
            if tree.kind[v] not in by_kind:
                free = [j for j, w in enumerate(nodes) if not tree.apart(v, w)]
                by_kind[tree.kind[v]] = free + list(range(k, m))
            domain[v] = by_kind[tree.kind[v]]
        outputs = {name: b for b, name in enumerate(sorted({o for row in model.output for o in row}))}
        self.right = [[outputs[o] for o in row] for row in model.output]
        # The variables in their order; T, A, P map states and outputs to them.
        cells, self.T = list(product(range(m), range(p))), {}
        for s, i in cells:
            v = tree.child[nodes[s]].get(i) if s < k else None
            self.T[s, i] = {t: fresh() for t in domain.get(v, range(m))}
        given = [sorted({row[i] for row in self.right}) for i in range(p)]
        self.A = {(s, i): {b: fresh() for b in given[i]} for s, i in cells}
        self.U, self.B = [TRUE] * k, [[]] * k
        self.L = [[TRUE if q == pin else FALSE for q in range(n)] for pin in pins]
        for e in range(k, m):
            self.U.append(fresh())
            self.L.append([fresh() for _ in range(n)])
            self.B.append([fresh() for _ in range(e * p)])
        labels = [[pins[s]] if s < k else range(n) for s in range(m)]
        self.faults = [(s, i, q, fresh(), fresh()) for s, i in cells for q in labels[s]]
        self.P = {v: {j: TRUE} for v, j in self.pin.items()}
        for v in inner:
            above = self.pin.get(parent[v])
            self.P[v] = {t: fresh() for t in domain[v]} if above is None else self.T[above, tree.symbol[v]]
        self.state_clauses()
        self.fault_clauses()
        self.node_clauses()

    def add(self, negative, positive):
        """A clause: literals to be denied, literals as they are; constants are worked out."""
        if FALSE not in negative and TRUE not in positive:
            self.clauses.append([-x for x in negative if x] + [x for x in positive if x])

    def state_clauses(self):
        """Groups 1 to 3."""
        (n, p, m, k), add = self.size, self.add
        for ways in self.T.values():
            add([], ways.values())
            for one, other in combinations(ways.values(), 2):
                add([one, other], [])
        for one, other in (pair for ways in self.A.values() for pair in combinations(ways.values(), 2)):
            add([one, other], [])
        for e in range(k, m):
            used, labels, entered = self.U[e], self.L[e], self.B[e]
            for one, other in combinations(labels, 2):
                add([one, other], [])
            for label in labels:
                add([label], [used])
            for ways in self.T.values():
                add([ways.get(e, FALSE)], [used])
            for i in range(p):
                add([], [used, self.T[e, i][0]])
            for c in range(e * p):
                s, i = divmod(c, p)
                entry, before = self.T[s, i].get(e, FALSE), entered[c - 1] if c else FALSE
                add([entry], [entered[c]])
                add([before], [entered[c]])
                add([entered[c]], [before, entry])
                if e > k:
                    add([entered[c]], [self.B[e - 1][min(c, (e - 1) * p) - 1] if c else FALSE])
                for q in range(n):
                    add([entry, self.L[s][q]], [before, labels[self.model.target[q][i]]])
            add([used], [entered[-1] if entered else FALSE])

    def fault_clauses(self):
        """Group 4."""
        for s, i, q, wrong, astray in self.faults:
            here, right = self.L[s][q], self.model.target[q][i]
            self.add([wrong], [here])
            self.add([wrong, self.A[s, i][self.right[q][i]]], [])
            self.add([astray], [here])
            for t, way in self.T[s, i].items():
                self.add([astray, way, self.L[t][right]], [])
        self.add([], [x for *_, wrong, astray in self.faults for x in (wrong, astray)])

    def node_clauses(self):
        """Group 5."""
        tree, add = self.tree, self.add
        for v in range(1, len(tree.child)):
            u, i = tree.parent[v], tree.symbol[v]
            b = self.right[tree.label[u]][i]
            for s, here in self.P[u].items():
                add([here], [self.A[s, i][b]])
            there = self.P.get(v)
            if there is None or (v not in self.pin and u in self.pin):
                continue
            add([], there.values())
            for s, here in self.P[u].items():
                ways = self.T[s, i]
                for t, end in there.items():
                    way = ways.get(t, FALSE)
                    add([here, way], [end])
                    add([here, end], [way])
                if any(t not in there for t in ways):
                    add([here], [ways[t] for t in there if t in ways])


def check_refutation(lines, tree, access, extra):
    """Section 7: build the clauses, then check that each lemma follows and that the last one is empty."""
    pins = lines.numbers("pins", below=tree.model.states)
    demand(pins[:1] == [0] and sorted(set(pins)) == pins, "the pins are not 0 and increasing")
    clauses = [None, *Question(tree, pins, tree.nodes([access[q] for q in pins]), extra).clauses]
    demand(lines.numbers("clauses") == [len(clauses) - 1], "the number of clauses is not what the question has")
    lemma = None
    while lines.more():
        fields = lines.next("lemma")
        demand("0" in fields, f"line {lines.at} of the certificate is no lemma")
        lemma, hints = numbers(fields[: fields.index("0")], LITERAL), numbers(fields[fields.index("0") + 1 :])
        demand(follows(clauses, lemma, hints), f"the lemma on line {lines.at} of the certificate does not follow")
        clauses.append(lemma)
        demand(lemma or not lines.more(), "lines follow the empty lemma")
    demand(lemma == [], "the last lemma is not the empty clause")


def follows(clauses, lemma, hints):
    """Whether a lemma follows by unit propagation along its hints."""
    false = set(lemma)
    for place, hint in enumerate(hints, start=1):
        rest = set(clauses[hint]) - false if 0 < hint < len(clauses) else {1, 2}
        if len(rest) != 1:
            return not rest and place == len(hints)
        false.add(-rest.pop())
    return False


def check(model_text, suite_text, certificate_text):
    """Say what is accepted, or raise Refused."""
    machine = read_model(model_text)
    words, suite_hash = read_suite(suite_text, machine.names)
    lines = Lines(certificate_text)
    demand(lines.next("fullproof-certificate") == ["1"], "the certificate has another version of the format")
    demand(lines.next("model") == [machine.digest()], "the certificate is for another model")
    demand(lines.next("suite") == [suite_hash], "the certificate is for another suite")
    demand(lines.next("relation") == ["equivalence"], "the certificate claims another relation")
    (n,), (extra,) = lines.numbers("states", count=1), lines.numbers("extra", count=1)
    model = quotient(machine, lines.numbers("classes"), n)
    tree = Tree(model, words)
    size, p = len(tree.child), model.inputs
    demand(extra < size and n * p ** (extra + 1 if p > 1 else 1) <= size, "the suite is too small for the claim")
    access = read_states(lines, model)
    kind = " ".join(lines.next("evidence"))
    if kind == "k-A":
        check_k_a(tree, tree.nodes(access), extra)
        demand(not lines.more(), "lines follow the evidence")
    elif kind == "transitions" and extra == 0:
        check_transitions(lines, tree, tree.nodes(access))
    elif kind == "windows" and extra > 0:
        Windows(tree, tree.nodes(access), extra).check(lines)
    else:
        demand(kind == "refutation", "the kind of evidence is unknown, or not for this number of extra states")
        check_refutation(lines, tree, access, extra)
    return f"complete for equivalence and machines with at most {n + extra} states ({n} + {extra}), by {kind}"


def main(arguments):
    """Check what the command line names."""
    if len(arguments) != 3:
        sys.stderr.write("usage: python fpcheck.py MODEL.json SUITE.jsonl CERTIFICATE\n")
        return 4
    sys.setrecursionlimit(20_000)
    try:
        model, suite, certificate = (pathlib.Path(name).read_bytes() for name in arguments)
        claim = check(model.decode("utf-8"), suite.decode("utf-8"), certificate.decode("ascii"))
    except Refused as why:
        reason = str(why)
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        reason = f"a file cannot be read or checked ({type(error).__name__}: {error})"
    else:
        sys.stdout.write("accepted\n")
        sys.stderr.write(claim + "\n")
        return 0
    sys.stdout.write("refused: " + reason.replace("\n", " ") + "\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
