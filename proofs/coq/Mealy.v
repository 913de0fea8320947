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

  Variables k b : nat.
  Variable names : list (state I).
  Hypothesis different : NoDup names.
  Hypothesis few : length names <= b.
  Hypothesis positive_bound : 0 < length names.
  Hypothesis begins : In (start I) names.
  Hypothesis closed : forall s i, In s names -> i < k -> In (next I s i) names.

  Definition nth_state (s : nat) : state I := nth s names (start I).
  Definition number (s : state I) : nat := index s names.

  (** The system over numbers. A number that names no state behaves as the initial state does. *)
  Definition next_number (s i : nat) : nat := number (next I (nth_state s) i).
  Definition out_number (s i : nat) : nat := out I (nth_state s) i.

  Lemma nth_state_in s : In (nth_state s) names.
  Proof. unfold nth_state. destruct (Nat.lt_ge_cases s (length names)); [now apply nth_In | now rewrite nth_overflow]. Qed.

  Lemma next_number_lt s i : i < k -> next_number s i < b.
  Proof. intros L. unfold next_number. eapply Nat.lt_le_trans; [| exact few]. apply index_lt, closed; auto. apply nth_state_in. Qed.

  Lemma after_number w : word_in k w -> forall s, In s names ->
    after next_number (number s) w = number (after (next I) s w) /\ In (after (next I) s w) names.
  Proof.
    induction w as [| i w IH]; intros W s H; cbn; auto. inversion W; subst.
    assert (E : nth_state (number s) = s) by (apply nth_index; auto).
    unfold next_number at 2. rewrite E. apply IH; auto.
  Qed.

  Lemma outputs_number w : word_in k w -> forall s, In s names ->
    outputs next_number out_number (number s) w = outputs (next I) (out I) s w.
  Proof.
    induction w as [| i w IH]; intros W s H; cbn; auto. inversion W; subst.
    assert (E : nth_state (number s) = s) by (apply nth_index; auto).
    unfold out_number at 1, next_number at 2. rewrite !E. f_equal. apply IH; auto.
  Qed.
End Numbers.

(** States that are pairwise different can be numbered first. *)
Lemma numbering (I : machine) (k b : nat) (first : list (state I)) :
  bounded I k b -> NoDup first ->
  (forall s, In s first -> forall l, In (start I) l -> (forall s i, In s l -> i < k -> In (next I s i) l) -> In s l) ->
  exists rest, NoDup (first ++ rest) /\ length (first ++ rest) <= b /\ In (start I) (first ++ rest) /\
    forall s i, In s (first ++ rest) -> i < k -> In (next I s i) (first ++ rest).
Proof.
  intros [l [Few [Start Closed]]] N Reached.
  set (fresh := filter (fun s => if in_dec (state_eq I) s first then false else true) (nodup (state_eq I) l)).
  exists fresh.
  assert (Same : forall s, In s (first ++ fresh) <-> In s l).
  { intros s. rewrite in_app_iff. unfold fresh. rewrite filter_In, nodup_In. split.
    - intros [F | [L _]]; auto.
    - intros L. destruct (in_dec (state_eq I) s first); auto. }
  assert (D : NoDup (first ++ fresh)).
  { clear Same. assert (F : NoDup fresh) by (apply NoDup_filter, NoDup_nodup).
    assert (A : forall s, In s first -> ~ In s fresh).
    { intros s H1 H2. unfold fresh in H2. apply filter_In in H2 as [_ H2]. destruct (in_dec (state_eq I) s first); easy. }
    clear Reached. clearbody fresh. induction first as [| x first IH]; cbn; auto. inversion N; subst. constructor.
    - rewrite in_app_iff. intros [H | H]; auto. apply (A x); cbn; auto.
    - apply IH; auto. intros s H. apply A. now right. }
  repeat split; auto.
  - eapply Nat.le_trans; [| exact Few]. apply NoDup_incl_length; auto. intros s. apply Same.
  - now apply Same.
  - intros s i H L. apply Same. apply Closed; auto. now apply Same.
Qed.
