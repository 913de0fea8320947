(** The checker as an OCaml program. Booleans, lists, options and pairs become OCaml's; numbers stay as Coq has them. *)

Require Import Extraction ExtrOcamlBasic.
From Fullproof Require Import Checker Quotient.

Extraction Language OCaml.
Set Warnings "-extraction-opaque-accessed".
Extraction "core.ml" check_refutation check_k_a check_transitions check_windows.
