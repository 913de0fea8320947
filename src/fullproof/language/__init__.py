"""Expressions and LTL: one grammar, frozen syntax trees, types, exact evaluation, printing."""

from fullproof.language.compile import compile_expression
from fullproof.language.declarations import check_name
from fullproof.language.evaluate import evaluate
from fullproof.language.parser import parse_assignment, parse_declaration, parse_expression, parse_formula
from fullproof.language.printer import declaration_text, to_text, type_to_text, value_to_text
from fullproof.language.safety import offending_operator, positive_normal_form
from fullproof.language.scope import Scope
from fullproof.language.shallow_trees import conjunction, disjunction
from fullproof.language.substitute import literal, substitute
from fullproof.language.traversal import free_names
from fullproof.language.type_inference import expect_boolean, expect_type, infer
from fullproof.language.values import in_range, value_from_json

__all__ = [
    "Scope",
    "check_name",
    "compile_expression",
    "conjunction",
    "declaration_text",
    "disjunction",
    "evaluate",
    "expect_boolean",
    "expect_type",
    "free_names",
    "in_range",
    "infer",
    "literal",
    "offending_operator",
    "parse_assignment",
    "parse_declaration",
    "parse_expression",
    "parse_formula",
    "positive_normal_form",
    "substitute",
    "to_text",
    "type_to_text",
    "value_from_json",
    "value_to_text",
]
