(** Mealy machines over inputs [0 .. k-1], what it is to pass a suite, and systems with their states numbered. *)

Require Import List Arith Lia.
Import ListNotations.

(** A system: any machine whose states can be compared. *)
Record machine : Type := {
  state : Type;
  state_eq : forall x y : state, {x = y} + {x <> y};
  start : state;
  next : state -> nat -> state;
  out : state -> nat -> nat
}.

Section Runs.
  Variable S : Type.
  Variable step : S -> nat -> S.
  Variable answer : S -> nat -> nat.

  Fixpoint after (s : S) (w : list nat) : S :=
    match w with [] => s | i :: rest => after (step s i) rest end.

  Fixpoint outputs (s : S) (w : list nat) : list nat :=
    match w with [] => [] | i :: rest => answer s i :: outputs (step s i) rest end.

  Lemma after_app s v w : after s (v ++ w) = after (after s v) w.
  Proof. revert s. induction v; cbn; auto. Qed.

  Lemma outputs_app s v w : outputs s (v ++ w) = outputs s v ++ outputs (after s v) w.
  Proof. revert s. induction v as [| i v IH]; intros s; cbn; auto. now rewrite IH. Qed.

  Lemma outputs_length s w : length (outputs s w) = length w.
  Proof. revert s. induction w; cbn; auto. Qed.
End Runs.
Arguments after {S}.
Arguments outputs {S}.

Definition word_in (k : nat) (w : list nat) : Prop := Forall (fun i => i < k) w.

(** At most [b] states can be reached with inputs below [k]. *)
Definition bounded (I : machine) (k b : nat) : Prop :=
  exists l : list (state I), length l <= b /\ In (start I) l /\ forall s i, In s l -> i < k -> In (next I s i) l.

Definition reacts (I : machine) (w : list nat) : list nat := outputs (next I) (out I) (start I) w.

Definition passes (I M : machine) (suite : list (list nat)) : Prop := forall w, In w suite -> reacts I w = reacts M w.

Definition equivalent (k : nat) (I M : machine) : Prop := forall w, word_in k w -> reacts I w = reacts M w.

Definition prefix (v w : list nat) : Prop := exists u, w = v ++ u.

Lemma passes_prefix I M suite v w : passes I M suite -> In w suite -> prefix v w -> reacts I v = reacts M v.
Proof.
  intros P W [u ->]. specialize (P _ W). unfold reacts in *. rewrite !outputs_app in P.
  apply (f_equal (firstn (length v))) in P.
  rewrite !firstn_app, !outputs_length, Nat.sub_diag, !firstn_O, !app_nil_r in P.
  rewrite <- (outputs_length _ (next I) (out I) (start I) v) in P at 1.
  rewrite firstn_all in P. rewrite P.
  rewrite <- (outputs_length _ (next M) (out M) (start M) v) at 1. now rewrite firstn_all.
Qed.

Lemma NoDup_app_one (A : Type) (l : list A) (x : A) : NoDup l -> ~ In x l -> NoDup (l ++ [x]).
Proof.
  intros N H. apply NoDup_Add with (a := x) (l := l); [| now split].
  rewrite <- (app_nil_r l) at 1. apply Add_app.
Qed.

(** * Numbers for states *)

Section Numbers.
  Variable I : machine.
  Fixpoint index (s : state I) (l : list (state I)) : nat :=
    match l with
    | [] => 0
    | x :: rest => if state_eq I s x then 0 else Datatypes.S (index s rest)
    end.

  Lemma index_lt s l : In s l -> index s l < length l.
  Proof. induction l as [| x l IH]; cbn; [easy |]. intros [-> | H]; destruct (state_eq I s _); try lia; [easy |]. apply IH in H. lia. Qed.

  Lemma nth_index s l d : In s l -> nth (index s l) l d = s.
  Proof. induction l as [| x l IH]; cbn; [easy |]. intros H. destruct (state_eq I s x) as [-> | D]; auto. destruct H; [now subst | auto]. Qed.

  Lemma index_nth l d j : NoDup l -> j < length l -> index (nth j l d) l = j.
  Proof.
    revert j. induction l as [| x l IH]; intros j N L; cbn in L; [lia |]. inversion N; subst.
    destruct j; cbn.
    - now destruct (state_eq I x x).
    - destruct (state_eq I (nth j l d) x) as [E | D].
      + exfalso. apply H1. rewrite <- E. apply nth_In. lia.
      + f_equal. apply IH; auto. lia.
  Qed.

  Variable names : list (state I).

  Definition nth_state (s : nat) : state I := nth s names (start I).
  Definition number (s : state I) : nat := index s names.

  (** The system over numbers. A number that names no state behaves as the initial state does. *)
  Definition next_number (s i : nat) : nat := number (next I (nth_state s) i).
  Definition out_number (s i : nat) : nat := out I (nth_state s) i.
End Numbers.
