(** The question "does a machine of the domain pass the suite and differ from the model?" as clauses.

    Clauses are built here, one at a time, from a family and its parameters ([clause_of]); a certificate only names them.
    [Truth.v] shows that each of them, but for the last one, holds of every system that passes the suite, numbered so
    that the access words of the pins lead to [0 .. r-1]. *)

Require Import List Arith Bool NArith PArith Lia.
From Fullproof Require Import Rup Mealy Tree.
Import ListNotations.

(** * Variables *)

Inductive var : Type :=
| T (s i t : nat)          (* the system goes from s by i to t *)
| O (s i o : nat)          (* ... and answers o *)
| P (x : N) (s : nat)      (* the word of node x leads to s *)
| U (e : nat)              (* e is used *)
| L (e q : nat)            (* e has label q *)
| B (e c : nat)            (* one of the transitions 0 .. c leads to e *)
| X (s i q : nat)          (* s has label q, and answers i as q does not *)
| Y (s i q : nat).         (* s has label q, and i leads to a state with another label than it should *)

Definition var_eq_dec (x y : var) : {x = y} + {x <> y}.
Proof. decide equality; try apply Nat.eq_dec; apply N.eq_dec. Defined.

(** Numbers of variables: blocks, in this order, each in mixed radix. *)
Record sizes : Type := { zk : N; zn : N; zb : N; zw : N; o1 : N; o2 : N; o3 : N; o4 : N; o5 : N; o6 : N; o7 : N }.

Definition sizes_of (p : problem) (t : tree) : sizes :=
  let k := N.of_nat (inputs p) in let n := N.of_nat (states p) in
  let b := N.of_nat (bound p) in let w := N.of_nat (symbols p) in
  let u1 := (b * k * b)%N in let u2 := (u1 + b * k * w)%N in let u3 := (u2 + fresh t * b)%N in let u4 := (u3 + b)%N in
  let u5 := (u4 + b * n)%N in let u6 := (u5 + b * (b * k))%N in let u7 := (u6 + b * k * n)%N in
  {| zk := k; zn := n; zb := b; zw := w; o1 := u1; o2 := u2; o3 := u3; o4 := u4; o5 := u5; o6 := u6; o7 := u7 |}.

Section Numbers.
  Variable z : sizes.
  Local Open Scope N_scope.
  Definition nn (x : nat) : N := N.of_nat x.

  Definition number_of (x : var) : positive :=
    N.succ_pos
      match x with
      | T s i t => (nn s * zk z + nn i) * zb z + nn t
      | O s i o => o1 z + ((nn s * zk z + nn i) * zw z + nn o)
      | P x s => o2 z + (x * zb z + nn s)
      | U e => o3 z + nn e
      | L e q => o4 z + (nn e * zn z + nn q)
      | B e c => o5 z + (nn e * (zb z * zk z) + nn c)
      | X s i q => o6 z + ((nn s * zk z + nn i) * zn z + nn q)
      | Y s i q => o7 z + ((nn s * zk z + nn i) * zn z + nn q)
      end.

  Definition nat_of (x : N) : nat := N.to_nat x.
  Definition three (m u v : N) : nat * nat * nat :=
    let (x, q) := N.div_eucl m v in let (s, i) := N.div_eucl x u in (nat_of s, nat_of i, nat_of q).

  Definition variable_of (x : positive) : var :=
    let m := Pos.pred_N x in
    if m <? o1 z then let '(s, i, t) := three m (zk z) (zb z) in T s i t
    else if m <? o2 z then let '(s, i, o) := three (m - o1 z) (zk z) (zw z) in O s i o
    else if m <? o3 z then let (x, s) := N.div_eucl (m - o2 z) (zb z) in P x (nat_of s)
    else if m <? o4 z then U (nat_of (m - o3 z))
    else if m <? o5 z then let (e, q) := N.div_eucl (m - o4 z) (zn z) in L (nat_of e) (nat_of q)
    else if m <? o6 z then let (e, c) := N.div_eucl (m - o5 z) (zb z * zk z) in B (nat_of e) (nat_of c)
    else if m <? o7 z then let '(s, i, q) := three (m - o6 z) (zk z) (zn z) in X s i q
    else let '(s, i, q) := three (m - o7 z) (zk z) (zn z) in Y s i q.

  (** A literal by its number; none where the number would not lead back to the variable (a parameter out of range). *)
  Definition numbered (l : bool * var) : option lit :=
    let m := number_of (snd l) in
    if var_eq_dec (variable_of m) (snd l) then Some (fst l, m) else None.

  Fixpoint all_numbered (c : list (bool * var)) : option clause :=
    match c with
    | [] => Some []
    | l :: rest =>
        match numbered l, all_numbered rest with
        | Some m, Some c => Some (m :: c)
        | _, _ => None
        end
    end.
End Numbers.

(** * Families of clauses *)

Inductive family : Type :=
| Total (s i : nat)
| Func (s i t u : nat)
| OutFunc (s i o u : nat)
| Place (x : N)
| Single (x : N) (s t : nat)
| Step (y : N) (s t : nat)
| Back (y : N) (s t : nat)
| Obs (y : N) (s : nat)
| Pin (j : nat)
| Apart (x y : N) (s : nat) (v : list nat)
| OneLabel (e q u : nat)
| LabelUsed (e q : nat)
| TargetUsed (s i e : nat)
| Unused (e i : nat)
| Enter (e c : nat)
| EnterMore (e c : nat)
| EnterOnly (e c : nat)
| Order (e c : nat)
| Inherit (e c q : nat)
| UsedEntered (e : nat)
| XLabel (s i q : nat)
| XOutput (s i q : nat)
| YLabel (s i q : nat)
| YTarget (s i q t : nat)
| Differ.

Section Families.
  Variable p : problem.
  Variable t : tree.

  Definition yes (x : var) : bool * var := (true, x).
  Definition no (x : var) : bool * var := (false, x).
  Definition all_states : list nat := seq 0 (bound p).
  Definition extras : list nat := seq (pinned p) (bound p - pinned p).
  Definition pinned_cells : list (nat * nat) := list_prod (seq 0 (pinned p)) (seq 0 (inputs p)).
  Definition extra_cells : list (nat * nat * nat) := list_prod (list_prod extras (seq 0 (inputs p))) (seq 0 (states p)).

  (** The edge into a node: its parent and its input. *)
  Definition edge (y : N) : option (N * nat) :=
    match node t y with
    | Some (x, i :: u) => if list_eqb (backwards t x) u then Some (x, i) else None
    | _ => None
    end.

  Definition label_of (x : N) : nat := after (delta p) 0 (word t x).

  Definition are_apart (x y : N) (v : list nat) : bool :=
    match descendant t x v, descendant t y v with
    | Some _, Some _ =>
        negb (list_eqb (outputs (delta p) (lambda p) (label_of x) v) (outputs (delta p) (lambda p) (label_of y) v))
    | _, _ => false
    end.

  Definition before (e c : nat) : list (bool * var) := match c with 0 => [] | S d => [yes (B e d)] end.
  Definition is_label (s q : nat) : list (bool * var) := if s <? pinned p then [] else [no (L s q)].

  Definition clause_of (f : family) : option (list (bool * var)) :=
    match f with
    | Total s i => if i <? inputs p then Some (map (fun u => yes (T s i u)) all_states) else None
    | Func s i u v => if u =? v then None else Some [no (T s i u); no (T s i v)]
    | OutFunc s i u v => if u =? v then None else Some [no (O s i u); no (O s i v)]
    | Place x => Some (map (fun s => yes (P x s)) all_states)
    | Single x s u => if s =? u then None else Some [no (P x s); no (P x u)]
    | Step y s u =>
        match edge y with Some (x, i) => Some [no (P x s); no (T s i u); yes (P y u)] | None => None end
    | Back y s u =>
        match edge y with Some (x, i) => Some [no (P x s); no (P y u); yes (T s i u)] | None => None end
    | Obs y s =>
        match edge y with Some (x, i) => Some [no (P x s); yes (O s i (lambda p (label_of x) i))] | None => None end
    | Pin j =>
        if j <? pinned p then
          match descendant t 0 (nth j (pins p) []) with
          | Some x => if list_eqb (backwards t 0) [] then Some [yes (P x j)] else None
          | None => None
          end
        else None
    | Apart x y s v => if are_apart x y v then Some [no (P x s); no (P y s)] else None
    | OneLabel e q u => if q =? u then None else Some [no (L e q); no (L e u)]
    | LabelUsed e q => Some [no (L e q); yes (U e)]
    | TargetUsed s i e => if i <? inputs p then Some [no (T s i e); yes (U e)] else None
    | Unused e i => Some [yes (U e); yes (T e i 0)]
    | Enter e c => Some [no (T (c / inputs p) (c mod inputs p) e); yes (B e c)]
    | EnterMore e c => match c with 0 => None | S d => Some [no (B e d); yes (B e c)] end
    | EnterOnly e c => Some (no (B e c) :: before e c ++ [yes (T (c / inputs p) (c mod inputs p) e)])
    | Order e c =>
        if pinned p <? e then Some (no (B e c) :: before (e - 1) (Nat.min c ((e - 1) * inputs p))) else None
    | Inherit e c q =>
        let s := c / inputs p in
        if (pinned p <=? e) && ((pinned p <=? s) || (label p s =? q)) then
          Some (no (T s (c mod inputs p) e) :: before e c ++ is_label s q ++ [yes (L e (delta p q (c mod inputs p)))])
        else None
    | UsedEntered e => if pinned p <=? e then Some (no (U e) :: before e (e * inputs p)) else None
    | XLabel s i q => Some [no (X s i q); yes (L s q)]
    | XOutput s i q => Some [no (X s i q); no (O s i (lambda p q i))]
    | YLabel s i q => Some [no (Y s i q); yes (L s q)]
    | YTarget s i q u =>
        if (pinned p <=? u) || (label p u =? delta p q i) then
          Some (no (Y s i q) :: no (T s i u) :: is_label u (delta p q i))
        else None
    | Differ =>
        Some (flat_map (fun ji => [yes (X (fst ji) (snd ji) (label p (fst ji))); yes (Y (fst ji) (snd ji) (label p (fst ji)))])
                pinned_cells ++
              flat_map (fun eiq => [yes (X (fst (fst eiq)) (snd (fst eiq)) (snd eiq));
                                    yes (Y (fst (fst eiq)) (snd (fst eiq)) (snd eiq))]) extra_cells)
    end.
End Families.
