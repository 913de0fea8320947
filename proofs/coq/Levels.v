(** A system with [a] extra states that is no copy of the model: each level of words behind the access words meets
    exactly one new state (steps 1 to 3 of the proof of window walks, docs/proofs/window-walks.md). *)

Require Import List Arith Bool NArith Lia.
From Fullproof Require Import Rup Mealy Tree Encoding Truth Checker Words.
Import ListNotations.

Section Levels.
  Variable p : problem.
  Variable t : tree.
  Variable a : nat.
  Local Notation in_tree := (Words.in_tree t).
  Local Notation state_after := (Words.state_after p).

  (** The access words with exactly [d] further inputs. *)
  Fixpoint exact (d : nat) : list (list nat) :=
    match d with 0 => pins p | S d' => flat_map (successors p) (exact d') end.
  Definition upto (d : nat) : list (list nat) := flat_map exact (seq 0 (S d)).

  Lemma in_upto u d : In u (upto d) <-> exists l, l <= d /\ In u (exact l).
  Proof. unfold upto. rewrite in_flat_map. split; intros [l [L U]]; exists l; rewrite in_seq in *; split; auto; lia. Qed.

  Lemma exact_step u d i : In u (exact d) -> i < inputs p -> In (u ++ [i]) (exact (S d)).
  Proof. intros U I. cbn. apply in_flat_map. exists u. split; auto. now apply in_successors. Qed.

  Lemma exact_back u d : In u (exact (S d)) -> exists v i, In v (exact d) /\ i < inputs p /\ u = v ++ [i].
  Proof.
    cbn. intros U. apply in_flat_map in U as [v [V U]]. apply in_map_iff in U as [i [<- I]]. apply in_seq in I.
    exists v, i. repeat split; auto. lia.
  Qed.

  Lemma upto_le u d d' : d <= d' -> In u (upto d) -> In u (upto d').
  Proof. rewrite !in_upto. intros L [l [L' U]]. exists l. split; [lia | auto]. Qed.

  Hypothesis whole : faithful (suite p) t.
  Hypothesis root_word : backwards t 0 = [].
  Hypothesis well : well_formed p = true.
  Hypothesis complete : pinned p = states p.
  Hypothesis labels : forall j, j < pinned p -> label p j = j.
  Hypothesis size : bound p = pinned p + a.
  Hypothesis some_extra : 0 < a.
  Hypothesis literal : forall u, In u (upto a) -> in_tree u = true.

  Variables nx ot : nat -> nat -> nat.
  Hypothesis pass : passes (system nx ot) (model p) (suite p).
  Hypothesis lead : forall j, j < pinned p -> after nx 0 (nth j (pins p) []) = j.
  Hypothesis few : forall s i, i < inputs p -> nx s i < bound p.

  Let f (u : list nat) : nat := after nx 0 u.
  Hypothesis same_state : forall u v, In u (upto a) -> In v (upto a) -> f u = f v -> state_after u = state_after v.

  Definition met_at (d s : nat) : bool := existsb (fun u => f u =? s) (upto d).

  Lemma met_iff d s : met_at d s = true <-> exists u, In u (upto d) /\ f u = s.
  Proof.
    unfold met_at. rewrite existsb_exists. split; intros [u [U E]]; exists u; split; auto; now apply Nat.eqb_eq.
  Qed.

  Lemma pin_upto q d : q < pinned p -> In (nth q (pins p) []) (upto d).
  Proof. intros Q. apply in_upto. exists 0. split; [lia | now apply nth_In]. Qed.

  Lemma pin_f q : q < pinned p -> f (nth q (pins p) []) = q.
  Proof. apply lead. Qed.

  Lemma pin_state q : q < pinned p -> state_after (nth q (pins p) []) = q.
  Proof. intros Q. apply (labels q Q). Qed.

  Lemma f_step u i : f (u ++ [i]) = nx (f u) i.
  Proof. unfold f. now rewrite after_app. Qed.

  Lemma state_step u i : state_after (u ++ [i]) = delta p (state_after u) i.
  Proof. unfold Words.state_after. now rewrite after_app. Qed.

  Lemma answers u i : In u (upto a) -> In (u ++ [i]) (upto a) -> ot (f u) i = lambda p (state_after u) i.
  Proof.
    intros _ U. pose proof (in_tree_outputs p t whole root_word (system nx ot) u [i] pass (literal _ U)) as O.
    cbn in O. unfold f. congruence.
  Qed.

  Lemma upto_lt u : In u (upto a) -> f u < bound p.
  Proof.
    intros U. pose proof (in_tree_in p t whole root_word well u (literal u U)) as W.
    destruct (well_split p well) as [_ [_ [_ [P0 [P1 _]]]]].
    assert (A : forall w, word_in (inputs p) w -> forall s, s < bound p -> after nx s w < bound p).
    { intros w. induction w as [| i w IH]; intros W' s L; cbn; auto. inversion W'; subst. apply IH; auto. }
    apply A; auto. lia.
  Qed.

  (** Either a level meets nothing new: then the system is equivalent. Or every level does. *)
  Definition new_at (d : nat) : option (list nat) := find (fun u => negb (met_at (d - 1) (f u))) (exact d).

  Lemma nothing_new d : d < a -> new_at (S d) = None ->
    forall w, word_in (inputs p) w -> outputs nx ot 0 w = outputs (delta p) (lambda p) 0 w.
  Proof.
    intros D N. unfold new_at in N. replace (S d - 1) with d in N by lia.
    assert (Closed : forall u i, In u (upto d) -> i < inputs p -> exists v, In v (upto d) /\ f v = f (u ++ [i]) /\ state_after v = state_after (u ++ [i])).
    { intros u i U I. pose proof U as U'. apply in_upto in U' as [l [L U']]. pose proof (exact_step u l i U' I) as S'.
      destruct (Nat.eq_dec l d) as [-> | Ne].
      - pose proof (find_none _ _ N _ S') as M. cbn in M. apply negb_false_iff, met_iff in M as [v [V E]].
        exists v. repeat split; auto. apply same_state; auto.
        + now apply (upto_le v d a); [lia |].
        + apply in_upto. exists (S d). split; [lia | exact S'].
      - exists (u ++ [i]). repeat split; auto. apply in_upto. exists (S l). split; [lia | exact S']. }
    assert (G : forall w, word_in (inputs p) w -> forall u, In u (upto d) -> outputs nx ot (f u) w = outputs (delta p) (lambda p) (state_after u) w).
    { induction w as [| i w IH]; intros W u U; cbn; auto. inversion W; subst.
      destruct (Closed u i U H1) as [v [V [E1 E2]]]. rewrite <- f_step, <- state_step, <- E1, <- E2, IH by auto. f_equal.
      apply answers; [now apply (upto_le u d a); [lia |] |].
      pose proof U as U'. apply in_upto in U' as [l [L U']]. apply in_upto. exists (S l). split; [lia | now apply exact_step]. }
    destruct (well_split p well) as [_ [_ [_ [P0 [_ [P2 _]]]]]].
    intros w W. pose proof (G w W _ (pin_upto 0 d P0)) as H. rewrite pin_f, pin_state in H by auto. exact H.
  Qed.

  Hypothesis always_new : forall d, d < a -> new_at (S d) <> None.

  (** The word that meets the new state of level [l], that state, and its label. *)
  Definition elem (l : nat) : list nat := match new_at l with Some u => u | None => [] end.
  Definition ex (l : nat) : nat := f (elem l).
  Definition tl (l : nat) : nat := state_after (elem l).

  Lemma elem_spec l : 1 <= l <= a -> In (elem l) (exact l) /\ met_at (l - 1) (ex l) = false.
  Proof.
    intros L. unfold ex, elem. destruct (new_at l) as [u|] eqn:E.
    - apply find_some in E as [U N]. split; auto. now apply negb_true_iff in N.
    - exfalso. apply (always_new (l - 1)); [lia |]. now replace (S (l - 1)) with l by lia.
  Qed.

  Lemma elem_upto l : 1 <= l <= a -> In (elem l) (upto a).
  Proof. intros L. apply in_upto. exists l. split; [lia | now apply elem_spec]. Qed.

  Lemma ex_new l d u : 1 <= l <= a -> d < l -> In u (upto d) -> f u <> ex l.
  Proof.
    intros L D U E. destruct (elem_spec l L) as [_ N]. assert (M : met_at (l - 1) (ex l) = true).
    { apply met_iff. exists u. split; auto. apply (upto_le u d); [lia | auto]. }
    congruence.
  Qed.

  Lemma ex_differ l h : 1 <= l <= a -> 1 <= h <= a -> l <> h -> ex l <> ex h.
  Proof.
    assert (G : forall l h, 1 <= l <= a -> 1 <= h <= a -> l < h -> ex l <> ex h).
    { intros l' h' L H Lt. apply (ex_new h' l'); auto. apply in_upto. exists l'. split; [lia | now apply elem_spec]. }
    intros L H N. destruct (Nat.lt_total l h) as [Lt | [Eq | Lt]]; [now apply G | contradiction |].
    intros E. symmetry in E. revert E. now apply G.
  Qed.

  Lemma ex_range l : 1 <= l <= a -> pinned p <= ex l < bound p.
  Proof.
    intros L. split; [| apply upto_lt; now apply elem_upto].
    destruct (Nat.lt_ge_cases (ex l) (pinned p)) as [Q | Q]; auto. exfalso.
    apply (ex_new l 0 (nth (ex l) (pins p) []) L); [lia | now apply pin_upto | now apply pin_f].
  Qed.

  (** There are no other states. *)
  Lemma every_state s : s < bound p -> s < pinned p \/ exists l, 1 <= l <= a /\ s = ex l.
  Proof.
    intros S'. destruct (Nat.lt_ge_cases s (pinned p)) as [Q | Q]; auto. right.
    assert (N : NoDup (map ex (seq 1 a))).
    { assert (G : forall m k0, 1 <= k0 -> k0 + m <= S a -> NoDup (map ex (seq k0 m))).
      { induction m as [| m IH]; intros k0 K1 K2; cbn; constructor; [| apply IH; lia].
        intros X. apply in_map_iff in X as [j [E J]]. apply in_seq in J. revert E. apply ex_differ; lia. }
      apply G; lia. }
    assert (I : incl (map ex (seq 1 a)) (seq (pinned p) a)).
    { intros x X. apply in_map_iff in X as [l [<- L]]. apply in_seq in L. apply in_seq. pose proof (ex_range l). lia. }
    assert (J : incl (seq (pinned p) a) (map ex (seq 1 a))).
    { apply NoDup_length_incl; auto. now rewrite map_length, !seq_length. }
    assert (X : In s (map ex (seq 1 a))) by (apply J, in_seq; lia).
    apply in_map_iff in X as [l [<- L]]. apply in_seq in L. exists l. split; [lia | reflexivity].
  Qed.

  Lemma label_v u q : In u (upto a) -> f u = q -> q < pinned p -> state_after u = q.
  Proof.
    intros U E Q. rewrite <- (pin_state q Q). apply same_state; auto; [now apply pin_upto | now rewrite pin_f].
  Qed.

  Lemma label_e u l : In u (upto a) -> 1 <= l <= a -> f u = ex l -> state_after u = tl l.
  Proof. intros U L E. apply same_state; auto. now apply elem_upto. Qed.

  (** (2): where an access word goes. *)
  Lemma step_v q i : q < pinned p -> i < inputs p ->
    ot q i = lambda p q i /\ (nx q i = delta p q i \/ (nx q i = ex 1 /\ delta p q i = tl 1)).
  Proof.
    intros Q I. set (u := nth q (pins p) []).
    assert (U0 : In u (upto a)) by (now apply pin_upto).
    assert (U1 : In (u ++ [i]) (upto 1)).
    { apply in_upto. exists 1. split; [lia |]. apply (exact_step u 0 i); auto. now apply nth_In. }
    assert (Ua : In (u ++ [i]) (upto a)) by (apply (upto_le _ 1 a); [lia | exact U1]).
    assert (Fu : f u = q) by (now apply pin_f). assert (Su : state_after u = q) by (now apply pin_state).
    assert (Fi : f (u ++ [i]) = nx q i) by (rewrite f_step; now rewrite Fu).
    assert (Si : state_after (u ++ [i]) = delta p q i) by (rewrite state_step; now rewrite Su).
    split; [rewrite <- Fu at 1; rewrite answers by auto; now rewrite Su |].
    destruct (every_state (nx q i)) as [V | [l [L E]]]; [rewrite <- Fi; now apply upto_lt | |].
    - left. rewrite <- Si. symmetry. now apply label_v.
    - right. destruct (Nat.eq_dec l 1) as [-> | N].
      + split; auto. rewrite <- Si. apply label_e; auto; try lia; congruence.
      + exfalso. apply (ex_new l 1 (u ++ [i]) L); auto; [lia | congruence].
  Qed.

  (** (3): where an extra state but the last goes. *)
  Lemma step_e l i : 1 <= l < a -> i < inputs p ->
    ot (ex l) i = lambda p (tl l) i /\
    (nx (ex l) i = delta p (tl l) i \/ exists h, 1 <= h <= a /\ nx (ex l) i = ex h /\ tl h = delta p (tl l) i).
  Proof.
    intros L I. assert (U : In (elem l) (exact l)) by (apply elem_spec; lia).
    assert (Ua : In (elem l) (upto a)) by (apply elem_upto; lia).
    assert (Ui : In (elem l ++ [i]) (upto a)) by (apply in_upto; exists (S l); split; [lia | now apply exact_step]).
    assert (Fi : f (elem l ++ [i]) = nx (ex l) i) by apply f_step.
    assert (Si : state_after (elem l ++ [i]) = delta p (tl l) i) by apply state_step.
    split; [unfold ex, tl; now apply answers |].
    destruct (every_state (nx (ex l) i)) as [V | [h [Lh E]]]; [rewrite <- Fi; now apply upto_lt | |].
    - left. rewrite <- Si. symmetry. now apply label_v.
    - right. exists h. repeat split; try lia; auto. rewrite <- Si. symmetry. apply label_e; auto; congruence.
  Qed.

  (** Some access word leads to the first extra state, and each extra state to the next one. *)
  Lemma to_first : exists q i, q < pinned p /\ i < inputs p /\ nx q i = ex 1.
  Proof.
    destruct (elem_spec 1) as [U _]; [lia |]. apply exact_back in U as [v [i [V [I E]]]]. cbn in V.
    apply In_nth with (d := []) in V as [q [Q V]]. exists q, i. repeat split; auto.
    unfold ex. rewrite E, f_step. f_equal. rewrite <- V. symmetry. now apply pin_f.
  Qed.

  Lemma to_next l : 1 <= l < a -> exists i, i < inputs p /\ nx (ex l) i = ex (S l).
  Proof.
    intros L. destruct (elem_spec (S l)) as [U N]; [lia |]. replace (S l - 1) with l in N by lia.
    apply exact_back in U as [v [i [V [I E]]]]. exists i. split; auto.
    assert (Ev : ex (S l) = nx (f v) i) by (unfold ex; now rewrite E, f_step).
    assert (Va : In v (upto a)) by (apply in_upto; exists l; split; [lia | auto]).
    assert (New : forall d, d < l -> forall w, In w (upto d) -> f w <> f v).
    { intros d D w W X. assert (M : met_at l (ex (S l)) = true); [| congruence].
      apply met_iff. exists (w ++ [i]). rewrite f_step, X. split; auto.
      apply in_upto in W as [d' [D' W]]. apply in_upto. exists (S d'). split; [lia | now apply exact_step]. }
    destruct (every_state (f v)) as [Q | [h [Lh Eh]]]; [now apply upto_lt | |].
    - exfalso. apply (New 0 ltac:(lia) (nth (f v) (pins p) [])); [now apply pin_upto | now apply pin_f].
    - destruct (Nat.lt_total h l) as [Lt | [-> | Lt]].
      + exfalso. apply (New h Lt (elem h)); [apply in_upto; exists h; split; [lia | now apply elem_spec] | now symmetry].
      + now rewrite Ev, Eh.
      + exfalso. apply (ex_new h l v Lh Lt); auto. apply in_upto. exists l. split; [lia | auto].
  Qed.
End Levels.
