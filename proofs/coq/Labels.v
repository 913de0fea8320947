(** Labels: the state of the model that each state of the system should be.

    A pinned state has the label of its access word. Any other state gets its label from the transition that enters it
    first. Where every state answers as its label does, and leads to states with the right labels, the system is
    equivalent to the model. *)

Require Import List Arith Bool Lia.
From Fullproof Require Import Mealy Discovery.
Import ListNotations.

Section Labels.
  Variables n k b r m : nat.
  Variables delta lambda : nat -> nat -> nat.
  Variable label : nat -> nat.
  Variables nx ot : nat -> nat -> nat.

  (** Where transition [c] leads: transitions are numbered state by state. *)
  Definition arrival (c : nat) : nat := nx (c / k) (c mod k).

  (** One of the transitions [0 .. c] leads to [e]. *)
  Definition entered (e c : nat) : bool := existsb (fun d => arrival d =? e) (seq 0 (S c)).

  Fixpoint label_in (fuel s : nat) : nat :=
    match fuel with
    | 0 => 0
    | S fuel' =>
        if s <? r then label s
        else match find (fun c => arrival c =? s) (seq 0 (s * k)) with
             | Some c => delta (label_in fuel' (c / k)) (c mod k)
             | None => 0
             end
    end.

  Definition lab (s : nat) : nat := label_in (S s) s.
  Definition used (s : nat) : bool := s <? m.
  Definition has_label (s q : nat) : bool := used s && (lab s =? q).
  Definition wrong_output (s i q : nat) : bool := has_label s q && negb (ot s i =? lambda q i).
  Definition wrong_target (s i q : nat) : bool := has_label s q && negb (lab (nx s i) =? delta q i).

  Hypothesis some_inputs : 0 < k.
  Hypothesis system : numbered_system k b r nx ot m.
  Hypothesis delta_lt : forall q i, q < n -> i < k -> delta q i < n.
  Hypothesis label_lt : forall j, j < r -> label j < n.

  Lemma below c s : c < s * k -> c / k < s.
  Proof. intros L. apply Nat.div_lt_upper_bound; nia. Qed.

  Lemma label_fuel f : forall g s, s < f -> s < g -> label_in f s = label_in g s.
  Proof.
    induction f as [| f IH]; intros g s F G; [lia |]. destruct g as [| g]; [lia |]. cbn [label_in].
    destruct (s <? r) eqn:R; auto. destruct (find _ _) as [c|] eqn:E; auto.
    apply find_some in E as [E _]. apply in_seq in E. f_equal. pose proof (below c s ltac:(lia)). apply IH; lia.
  Qed.

  Lemma find_least (f : nat -> bool) len : forall a c, a <= c < a + len -> f c = true ->
    (forall c', a <= c' < c -> f c' = false) -> find f (seq a len) = Some c.
  Proof.
    induction len as [| len IH]; intros a c L T N; [lia |]. cbn.
    destruct (Nat.eq_dec a c) as [-> | D]; [now rewrite T |].
    rewrite (N a) by lia. apply IH; auto; [lia |]. intros c' L'. apply N. lia.
  Qed.

  Lemma lab_pinned s : s < r -> lab s = label s.
  Proof. intros L. unfold lab. cbn [label_in]. apply Nat.ltb_lt in L. now rewrite L. Qed.

  Lemma lab_entered e c : r <= e < m -> arrival c = e -> (forall c', c' < c -> arrival c' <> e) ->
    lab e = delta (lab (c / k)) (c mod k) /\ c < e * k.
  Proof.
    intros E A N. destruct (entered_first _ _ _ _ _ _ system e E) as [d [D1 [D2 [D3 _]]]].
    assert (c = d).
    { destruct (Nat.lt_total c d) as [L | [L | L]]; auto; exfalso; [now apply (D3 c L) | now apply (N d L)]. }
    subst d. split; auto. unfold lab at 1. cbn [label_in]. assert (R : e <? r = false) by (apply Nat.ltb_ge; lia). rewrite R.
    rewrite (find_least _ (e * k) 0 c); auto; try lia.
    - f_equal. pose proof (below c e D1). unfold lab. apply label_fuel; lia.
    - now apply Nat.eqb_eq.
    - intros c' L. apply Nat.eqb_neq. apply N. lia.
  Qed.

  Lemma lab_lt s : s < m -> lab s < n.
  Proof.
    induction s as [s IH] using (well_founded_induction lt_wf). intros L.
    destruct (Nat.lt_ge_cases s r) as [R | R]; [rewrite lab_pinned; auto |].
    destruct (entered_first _ _ _ _ _ _ system s (conj R L)) as [c [C1 [C2 [C3 _]]]].
    destruct (lab_entered s c (conj R L) C2 C3) as [-> _]. pose proof (below c s C1).
    apply delta_lt; [apply IH; lia | apply Nat.mod_upper_bound; lia].
  Qed.

  Lemma entered_iff e c : entered e c = true <-> exists d, d <= c /\ arrival d = e.
  Proof.
    unfold entered. rewrite existsb_exists. split; intros [d [D E]]; exists d.
    - apply in_seq in D. apply Nat.eqb_eq in E. split; [lia | auto].
    - rewrite in_seq. split; [lia | now apply Nat.eqb_eq].
  Qed.

  Lemma entered_used e c : entered e c = true -> e < m.
  Proof.
    rewrite entered_iff. intros [d [_ <-]]. apply (used_closed _ _ _ _ _ _ system). apply Nat.mod_upper_bound. lia.
  Qed.

  Lemma least_entry e c : entered e c = true -> exists d, d <= c /\ arrival d = e /\ forall d', d' < d -> arrival d' <> e.
  Proof.
    rewrite entered_iff. intros [d [L E]]. revert L E. induction d as [d IH] using (well_founded_induction lt_wf).
    intros L E. destruct (entered e (d - 1)) eqn:B.
    - apply entered_iff in B as [d' [L' E']]. destruct (Nat.eq_dec d 0) as [-> | D].
      + exists 0. repeat split; auto; lia.
      + apply (IH d'); auto; lia.
    - exists d. repeat split; auto. intros d' L' E'.
      assert (X : entered e (d - 1) = true) by (apply entered_iff; exists d'; split; [lia | auto]). congruence.
  Qed.

  Hypothesis no_wrong_output : forall s i, s < m -> i < k -> wrong_output s i (lab s) = false.
  Hypothesis no_wrong_target : forall s i, s < m -> i < k -> wrong_target s i (lab s) = false.

  Lemma labelled s : s < m -> has_label s (lab s) = true.
  Proof. intros L. unfold has_label, used. apply Nat.ltb_lt in L. now rewrite L, Nat.eqb_refl. Qed.

  (** A system without a fault is equivalent to the model. *)
  Theorem no_fault_equivalent w : word_in k w -> forall s, s < m -> outputs nx ot s w = outputs delta lambda (lab s) w.
  Proof.
    induction w as [| i w IH]; intros W s L; cbn; auto. inversion W; subst.
    pose proof (no_wrong_output s i L H1) as O. pose proof (no_wrong_target s i L H1) as T.
    unfold wrong_output in O. unfold wrong_target in T. rewrite labelled in O, T by auto. cbn in O, T.
    apply negb_false_iff, Nat.eqb_eq in O, T. rewrite O, <- T. f_equal.
    apply IH; auto. now apply (used_closed _ _ _ _ _ _ system).
  Qed.
End Labels.
