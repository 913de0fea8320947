(** Models that are not minimal: the checker works with the machine of the classes, the claim is about the model. *)

Require Import List Arith Bool NArith Lia.
From Fullproof Require Import Rup Mealy Tree Encoding Checker KA Transitions Windows WindowWalks.
Import ListNotations.

(** The model as it is written; [classes] gives the class of each state. *)
Record written : Type := {
  all_targets : list (list nat);
  all_answers : list (list nat);
  classes : list nat
}.

Section Quotient.
  Variable p : problem.
  Variable m : written.

  Definition go (s i : nat) : nat := nth i (nth s (all_targets m) []) 0.
  Definition say (s i : nat) : nat := nth i (nth s (all_answers m) []) 0.
  Definition class (s : nat) : nat := nth s (classes m) 0.

  Definition original : machine := {| state := nat; state_eq := Nat.eq_dec; start := 0; next := go; out := say |}.

  (** States of a class answer alike and go to the same classes, as the machine of the classes does. *)
  Definition is_quotient : bool :=
    (0 <? length (all_targets m)) && (class 0 =? 0) &&
    forallb (fun si =>
      (go (fst si) (snd si) <? length (all_targets m)) &&
      (say (fst si) (snd si) =? lambda p (class (fst si)) (snd si)) &&
      (class (go (fst si) (snd si)) =? delta p (class (fst si)) (snd si)))
      (list_prod (seq 0 (length (all_targets m))) (seq 0 (inputs p))).

  Hypothesis quotient : is_quotient = true.

  Lemma same_outputs w : word_in (inputs p) w -> forall s, s < length (all_targets m) ->
    outputs go say s w = outputs (delta p) (lambda p) (class s) w.
  Proof.
    pose proof quotient as Q. unfold is_quotient in Q. apply andb_true_iff in Q as [_ Q]. rewrite forallb_forall in Q.
    induction w as [| i w IH]; intros W s S; cbn; auto. inversion W; subst.
    assert (X : In (s, i) (list_prod (seq 0 (length (all_targets m))) (seq 0 (inputs p)))).
    { apply in_prod_iff. rewrite !in_seq. lia. }
    apply Q in X. cbn in X. apply andb_true_iff in X as [X X3]. apply andb_true_iff in X as [X1 X2].
    apply Nat.ltb_lt in X1. apply Nat.eqb_eq in X2, X3. rewrite X2. f_equal. rewrite <- X3. auto.
  Qed.

  Lemma original_reacts w : word_in (inputs p) w -> reacts original w = reacts (model p) w.
  Proof.
    intros W. pose proof quotient as Q. unfold is_quotient in Q. apply andb_true_iff in Q as [Q _].
    apply andb_true_iff in Q as [Q1 Q2]. apply Nat.ltb_lt in Q1. apply Nat.eqb_eq in Q2.
    unfold reacts. cbn. rewrite same_outputs by auto. now rewrite Q2.
  Qed.
End Quotient.

(** What holds of the machine of the classes holds of the model as it is written. *)
Lemma written_complete m p : well_formed p = true -> is_quotient p m = true ->
  (forall I, bounded I (inputs p) (bound p) -> passes I (model p) (suite p) -> equivalent (inputs p) I (model p)) ->
  forall I, bounded I (inputs p) (bound p) -> passes I (original m) (suite p) -> equivalent (inputs p) I (original m).
Proof.
  intros C Q Complete I B Pass w W. rewrite (original_reacts p m Q w W). apply (Complete I B); auto.
  intros v V. rewrite <- (original_reacts p m Q v); [now apply Pass |].
  destruct (well_split p C) as [_ [_ [F _]]]. now apply F.
Qed.

Definition check_refutation (m : written) (p : problem) (words : list (list nat)) (l : list proof_step) : bool :=
  is_quotient p m && check p words l.

Theorem check_refutation_sound m p words l : check_refutation m p words l = true ->
  forall I, bounded I (inputs p) (bound p) -> passes I (original m) (suite p) -> equivalent (inputs p) I (original m).
Proof.
  intros C. apply andb_true_iff in C as [Q C]. apply written_complete; auto; [| now apply (check_sound p words l)].
  unfold check in C. apply andb_true_iff in C as [C _]. now apply andb_true_iff in C as [C _].
Qed.

Definition check_k_a (m : written) (p : problem) (tree_word : list nat -> list nat -> list nat) : bool :=
  is_quotient p m && check_basis p tree_word.

Theorem check_k_a_sound m p tree_word : check_k_a m p tree_word = true ->
  forall I, bounded I (inputs p) (bound p) -> passes I (original m) (suite p) -> equivalent (inputs p) I (original m).
Proof.
  intros C. apply andb_true_iff in C as [Q C]. apply written_complete; auto; [| now apply (ka_sound p tree_word)].
  now destruct (conditions p _ tree_word C) as [W _].
Qed.

Definition check_transitions (m : written) (p : problem) (words : list (list nat)) (l : list transition_step)
    (places : list N) : bool :=
  is_quotient p m && check_verified p words l places.

Theorem check_transitions_sound m p words l places : check_transitions m p words l places = true ->
  forall I, bounded I (inputs p) (bound p) -> passes I (original m) (suite p) -> equivalent (inputs p) I (original m).
Proof.
  intros C. apply andb_true_iff in C as [Q C]. apply written_complete; auto; [| now apply (transitions_sound p words l places)].
  unfold check_verified, check_take in C. do 4 (apply andb_true_iff in C as [C _]). exact C.
Qed.

Definition check_windows (m : written) (p : problem) (a : nat) (tree_word : list nat -> list nat -> list nat)
    (good_node : nat * nat -> list nat -> nat -> config -> N)
    (move : nat * nat -> list nat -> bool * list nat -> N -> config -> option N -> nat)
    (order_of : nat * nat -> list nat -> list nat) (takes : list (nat * nat)) : bool :=
  is_quotient p m && check_walks p a tree_word good_node move order_of takes.

Theorem check_windows_sound m p a tree_word good_node move order_of takes :
  check_windows m p a tree_word good_node move order_of takes = true ->
  forall I, bounded I (inputs p) (bound p) -> passes I (original m) (suite p) -> equivalent (inputs p) I (original m).
Proof.
  intros C. apply andb_true_iff in C as [Q C].
  apply written_complete; auto; [| now apply (walks_sound p a tree_word good_node move order_of takes)].
  now destruct (parts p _ a tree_word good_node move order_of takes C) as [W _].
Qed.

Print Assumptions check_refutation_sound.
Print Assumptions check_k_a_sound.
Print Assumptions check_transitions_sound.
Print Assumptions check_windows_sound.
