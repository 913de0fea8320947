(** The question that a certificate answers, and the tree of its suite. *)

Require Import List Arith Bool NArith PArith Lia.
From Fullproof Require Import Rup Mealy.
Import ListNotations.

Record problem : Type := {
  inputs : nat;
  targets : list (list nat);
  answers : list (list nat);
  symbols : nat;                 (* output symbols of the model *)
  bound : nat;                   (* states of the system, at most *)
  suite : list (list nat);
  pins : list (list nat)         (* access words of states that differ in every system that passes *)
}.

Section Model.
  Variable p : problem.
  Definition states : nat := length (targets p).
  Definition delta (q i : nat) : nat := nth i (nth q (targets p) []) 0.
  Definition lambda (q i : nat) : nat := nth i (nth q (answers p) []) 0.
  Definition pinned : nat := length (pins p).
  Definition extra : nat := bound p - pinned.
  Definition label (j : nat) : nat := after delta 0 (nth j (pins p) []).
  Definition model : machine := {| state := nat; state_eq := Nat.eq_dec; start := 0; next := delta; out := lambda |}.
End Model.

(** * The tree of the suite *)

Record tree : Type := {
  fresh : N;                                (* the number of the next node *)
  nodes : PM.t (N * list nat);              (* the parent of a node, and its word backwards *)
  kids : PM.t (PM.t N)
}.

Definition key (x : N) : positive := N.succ_pos x.
Definition input_key (i : nat) : positive := Pos.of_succ_nat i.

Definition child (t : tree) (x : N) (i : nat) : option N :=
  match PM.find (key x) (kids t) with Some m => PM.find (input_key i) m | None => None end.

Definition grown (t : tree) (x : N) (i : nat) (u : list nat) : tree :=
  let below := match PM.find (key x) (kids t) with Some m => m | None => PM.empty N end in
  {| fresh := N.succ (fresh t);
     nodes := PM.add (key (fresh t)) (x, u) (nodes t);
     kids := PM.add (key x) (PM.add (input_key i) (fresh t) below) (kids t) |}.

Fixpoint inserted (t : tree) (x : N) (u w : list nat) : tree :=
  match w with
  | [] => t
  | i :: rest =>
      match child t x i with
      | Some y => inserted t y (i :: u) rest
      | None => inserted (grown t x i (i :: u)) (fresh t) (i :: u) rest
      end
  end.

Definition root : tree := {| fresh := 1; nodes := PM.add (key 0) (0%N, []) (PM.empty _); kids := PM.empty _ |}.
Definition tree_of (suite : list (list nat)) : tree := fold_left (fun t w => inserted t 0 [] w) suite root.

Definition node (t : tree) (x : N) : option (N * list nat) := PM.find (key x) (nodes t).
Definition backwards (t : tree) (x : N) : list nat := match node t x with Some (_, u) => u | None => [] end.
Definition word (t : tree) (x : N) : list nat := rev (backwards t x).

Fixpoint walk (t : tree) (x : N) (v : list nat) : option N :=
  match v with
  | [] => Some x
  | i :: rest => match child t x i with Some y => walk t y rest | None => None end
  end.

Definition list_eqb (u v : list nat) : bool := if list_eq_dec Nat.eq_dec u v then true else false.

Lemma list_eqb_eq u v : list_eqb u v = true -> u = v.
Proof. unfold list_eqb. now destruct (list_eq_dec Nat.eq_dec u v). Qed.

(** The node that [v] leads to from [x], if the tree has it. What the maps say is compared with the words. *)
Definition descendant (t : tree) (x : N) (v : list nat) : option N :=
  match walk t x v with
  | Some y => if list_eqb (backwards t y) (rev v ++ backwards t x) then Some y else None
  | None => None
  end.

Definition known (suite : list (list nat)) (u : list nat) : Prop := u = [] \/ exists w, In w suite /\ prefix (rev u) w.
Definition faithful (suite : list (list nat)) (t : tree) : Prop :=
  forall x e, PM.find x (nodes t) = Some e -> known suite (snd e).

Lemma inserted_faithful suite w : In w suite -> forall v t x u, w = rev u ++ v -> faithful suite t -> faithful suite (inserted t x u v).
Proof.
  intros W. induction v as [| i v IH]; intros t x u E F; cbn; auto.
  assert (E' : w = rev (i :: u) ++ v) by (cbn; rewrite <- app_assoc; exact E).
  destruct (child t x i); apply IH; auto.
  intros y e H. unfold grown in H. cbn [nodes] in H. destruct (Pos.eq_dec (key (fresh t)) y) as [<- | D].
  - rewrite PM.gss in H. injection H as <-. right. exists w. split; auto. exists v. exact E'.
  - rewrite PM.gso in H by congruence. eauto.
Qed.

Lemma tree_of_faithful suite : faithful suite (tree_of suite).
Proof.
  unfold tree_of. assert (F : faithful suite root).
  { intros x e H. unfold root in H. cbn [nodes] in H. destruct (Pos.eq_dec (key 0) x) as [<- | D].
    - rewrite PM.gss in H. injection H as <-. now left.
    - rewrite PM.gso, PM.gempty in H by congruence. discriminate. }
  assert (G : forall l, incl l suite -> forall t, faithful suite t ->
                 faithful suite (fold_left (fun t w => inserted t 0 [] w) l t)).
  { induction l as [| w l IH]; intros In t Ft; cbn; auto. apply IH.
    - intros x H. apply In. now right.
    - eapply inserted_faithful; eauto. apply In. now left. }
  apply G; auto. apply incl_refl.
Qed.
