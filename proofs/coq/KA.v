(** Evidence without a solver: the basis and its frontier (k-A-complete suites; Vaandrager and others 2024).

    The basis is an access word for each state of the model, all in the tree of the suite. Level 0 is the basis, level
    [d + 1] are the words one input longer than those of level [d], outside of the basis. With [a] extra states it is
    enough that words of level at most [a] have all inputs in the tree, and that each word of level [a + 1] is apart from
    every word of a level at most [a] after which the model is in another state. *)

Require Import List Arith Bool NArith Lia.
From Fullproof Require Import Rup Mealy Discovery Tree Encoding Truth Checker Words.
Import ListNotations.

Section KA.
  Variable p : problem.
  Variable t : tree.
  Let a := bound p - pinned p.

  Definition in_base (u : list nat) : bool := existsb (list_eqb u) (pins p).

  Local Notation successors := (Words.successors p).
  Local Notation in_tree := (Words.in_tree t).
  Local Notation state_after := (Words.state_after p).
  Local Notation apart_by := (Words.apart_by p t).

  Fixpoint level_of (d : nat) : list (list nat) :=
    match d with
    | 0 => pins p
    | S d' => flat_map (fun u => filter (fun x => negb (in_base x)) (successors u)) (level_of d')
    end.

  Definition inner : list (list nat) := flat_map level_of (seq 0 (a + 1)).
  Definition frontier : list (list nat) := level_of (a + 1).

  (** What looks for words need not be trusted. *)
  Variable tree_word : list nat -> list nat -> list nat.

  Definition labelled_words (l : list (list nat)) : list (list nat * nat) := map (fun u => (u, state_after u)) l.

  Definition check_ka : bool :=
    let near := inner in let near_states := labelled_words near in
    well_formed p && (pinned p =? states p) && list_eqb (backwards t 0) [] &&
    forallb (fun j => label p j =? j) (seq 0 (pinned p)) &&
    forallb in_tree (pins p) &&
    forallb (fun jj => let u := nth (fst jj) (pins p) [] in let w := nth (snd jj) (pins p) [] in
                       apart_by u w (tree_word u w)) (pin_pairs p) &&
    forallb (fun u => forallb in_tree (successors u)) near &&
    forallb (fun x => let q := state_after x in
                      forallb (fun yr => (q =? snd yr) || apart_by x (fst yr) (tree_word x (fst yr))) near_states) frontier.

  Hypothesis whole : faithful (suite p) t.
  Hypothesis accepted : check_ka = true.

  Lemma conditions :
    well_formed p = true /\ pinned p = states p /\ backwards t 0 = [] /\
    (forall j, j < pinned p -> label p j = j) /\ (forall u, In u (pins p) -> in_tree u = true) /\
    (forall j j', j < j' -> j' < pinned p ->
       apart_by (nth j (pins p) []) (nth j' (pins p) []) (tree_word (nth j (pins p) []) (nth j' (pins p) [])) = true) /\
    (forall u i, In u inner -> i < inputs p -> in_tree (u ++ [i]) = true) /\
    (forall x y, In x frontier -> In y inner -> state_after x = state_after y \/ apart_by x y (tree_word x y) = true).
  Proof.
    pose proof accepted as A. unfold check_ka in A. do 7 (apply andb_true_iff in A as [A ?]).
    rewrite forallb_forall in H, H0, H1, H2, H3. apply Nat.eqb_eq in H5. apply list_eqb_eq in H4.
    assert (PP : forall j j', j < j' -> j' < pinned p -> In (j, j') (pin_pairs p)).
    { intros j j' L J. apply filter_In. split; [apply in_prod_iff; rewrite !in_seq; lia | now apply Nat.ltb_lt]. }
    refine (conj A (conj H5 (conj H4 (conj _ (conj H2 (conj _ (conj _ _))))))).
    - intros j J. apply Nat.eqb_eq, H3. apply in_seq. lia.
    - intros j j' L J. apply (H1 _ (PP j j' L J)).
    - intros u i U I. apply H0 in U. rewrite forallb_forall in U. apply U. apply in_map_iff. exists i. split; auto. apply in_seq. lia.
    - intros x y X Y. apply H in X. rewrite forallb_forall in X.
      assert (Z : In (y, state_after y) (labelled_words inner)) by (apply in_map_iff; now exists y).
      apply X in Z. apply orb_true_iff in Z as [Z | Z]; auto. left. now apply Nat.eqb_eq.
  Qed.

  Lemma root_word : backwards t 0 = [].
  Proof. now destruct conditions as [_ [_ [Z _]]]. Qed.

  Lemma well : well_formed p = true.
  Proof. now destruct conditions as [W _]. Qed.

  Lemma level_step d u i : In u (level_of d) -> i < inputs p -> In (u ++ [i]) (pins p) \/ In (u ++ [i]) (level_of (S d)).
  Proof.
    intros U I. destruct (in_base (u ++ [i])) eqn:B.
    - left. apply existsb_exists in B as [x [X E]]. apply list_eqb_eq in E. now rewrite E.
    - right. cbn. apply in_flat_map. exists u. split; auto. apply filter_In. split; [| now rewrite B].
      apply in_map_iff. exists i. split; auto. apply in_seq. lia.
  Qed.

  Lemma in_inner u : In u inner <-> exists d, d <= a /\ In u (level_of d).
  Proof.
    unfold inner. rewrite in_flat_map. split; intros [d [D U]]; exists d; rewrite in_seq in *; split; auto; lia.
  Qed.

  Section Numbered.
    Variables nx ot : nat -> nat -> nat.
    Variable m : nat.
    Hypothesis numbers : numbered_system (inputs p) (bound p) (pinned p) nx ot m.
    Hypothesis pass : passes (system nx ot) (model p) (suite p).
    Hypothesis lead : forall j, j < pinned p -> after nx 0 (nth j (pins p) []) = j.

    Let f (u : list nat) : nat := after nx 0 u.

    Lemma base_pinned u : In u (pins p) -> f u < pinned p.
    Proof. intros U. apply In_nth with (d := []) in U as [j [J <-]]. unfold f. now rewrite lead. Qed.

    (** A state that was met as the [j]-th extra one is reached by a word of level at most [j + 1]. *)
    Lemma met_by e : e < m -> exists d u, d <= S (e - pinned p) /\ (e < pinned p -> d = 0) /\ In u (level_of d) /\ f u = e.
    Proof.
      destruct conditions as [Well _]. destruct (well_split p Well) as [_ [_ [_ [P0 [P1 [P2 K0]]]]]].
      induction e as [e IH] using (well_founded_induction lt_wf). intros L.
      destruct (Nat.lt_ge_cases e (pinned p)) as [R | R].
      - exists 0, (nth e (pins p) []). repeat split; [lia | now apply nth_In | unfold f; now apply lead].
      - destruct (entered_first _ _ _ _ _ _ numbers e (conj R L)) as [c [C1 [C2 _]]].
        assert (Lc : c / inputs p < e) by (apply Nat.div_lt_upper_bound; nia).
        assert (Lm : c mod inputs p < inputs p) by (apply Nat.mod_upper_bound; lia).
        destruct (IH (c / inputs p) Lc) as [d [u [D [Z [U E]]]]]; [lia |].
        assert (E' : f (u ++ [c mod inputs p]) = e).
        { unfold f in *. rewrite after_app, E. exact C2. }
        apply level_step with (i := c mod inputs p) in U as [U | U]; auto.
        + apply base_pinned in U. lia.
        + exists (S d), (u ++ [c mod inputs p]). repeat split; auto; [| lia].
          destruct (Nat.lt_ge_cases (c / inputs p) (pinned p)) as [Q | Q]; [rewrite (Z Q); lia | lia].
    Qed.

    Lemma after_used w : word_in (inputs p) w -> f w < m.
    Proof.
      destruct conditions as [Well _]. destruct (well_split p Well) as [_ [_ [_ [P0 _]]]].
      assert (A : forall w, word_in (inputs p) w -> forall s, s < m -> after nx s w < m).
      { intros u. induction u as [| i u IH]; intros W s L; cbn; auto. inversion W; subst. apply IH; auto.
        now apply (used_closed _ _ _ _ _ _ numbers). }
      intros W. apply A; auto. pose proof (used_few _ _ _ _ _ _ numbers). lia.
    Qed.

    (** Every state that is reached is reached by a word of a level at most [a]. *)
    Lemma covered w : word_in (inputs p) w -> exists u, In u inner /\ f u = f w.
    Proof.
      intros W. pose proof (after_used w W) as L. destruct (met_by (f w) L) as [d [u [D [Z [U E]]]]].
      exists u. split; auto. apply in_inner. exists d. split; auto.
      pose proof (used_few _ _ _ _ _ _ numbers). unfold a.
      destruct (Nat.lt_ge_cases (f w) (pinned p)) as [Q | Q]; [rewrite (Z Q); lia | lia].
    Qed.

    Lemma inner_in u : In u inner \/ In u frontier -> in_tree u = true.
    Proof.
      destruct conditions as [_ [_ [_ [_ [Pins [_ [Inner _]]]]]]].
      assert (G : forall d, d <= a + 1 -> forall x, In x (level_of d) -> in_tree x = true).
      { induction d as [| d IH]; intros D x X; [now apply Pins |].
        cbn in X. apply in_flat_map in X as [y [Y X]]. apply filter_In in X as [X _].
        apply in_map_iff in X as [i [<- I]]. apply in_seq in I. apply Inner; [apply in_inner; exists d; split; [lia | auto] | lia]. }
      intros [U | U]; [apply in_inner in U as [d [D U]]; now apply (G d); [lia |] | now apply (G (a + 1))].
    Qed.

    Lemma frontier_inner x y : In x frontier -> In y inner -> f x = f y -> state_after x = state_after y.
    Proof.
      intros X Y E. destruct conditions as [_ [_ [_ [_ [_ [_ [_ Fr]]]]]]].
      destruct (Fr x y X Y) as [S' | A]; auto. exfalso. apply (apart_by_sound p t whole root_word (system nx ot)) in A; auto.
    Qed.

    Lemma ka_outputs w : word_in (inputs p) w -> forall u, In u inner ->
      outputs nx ot (f u) w = outputs (delta p) (lambda p) (state_after u) w.
    Proof.
      induction w as [| i w IH]; intros W u U; auto. inversion W; subst.
      destruct conditions as [_ [_ [_ [_ [_ [_ [Inner _]]]]]]].
      pose proof (Inner u i U H1) as T. cbn.
      pose proof (in_tree_outputs p t whole root_word (system nx ot) u [i] pass T) as O. cbn in O.
      destruct (covered (u ++ [i])) as [z [Z E]]. { now apply (in_tree_in p t whole root_word well). }
      assert (Su : In (u ++ [i]) inner \/ In (u ++ [i]) frontier).
      { pose proof U as U'. apply in_inner in U' as [d [D U']]. apply level_step with (i := i) in U' as [U' | U']; auto.
        - left. apply in_inner. exists 0. split; [lia | exact U'].
        - destruct (Nat.eq_dec d a) as [-> | N].
          + right. unfold frontier. now replace (a + 1) with (S a) by lia.
          + left. apply in_inner. exists (S d). split; [lia | exact U']. }
      (* A word behind the frontier is replaced by a near one that leads to the same state. *)
      assert (Y : exists y, In y inner /\ f y = f (u ++ [i]) /\ state_after y = state_after (u ++ [i])).
      { destruct Su as [S' | S']; [now exists (u ++ [i]) |].
        exists z. repeat split; auto. symmetry. now apply frontier_inner. }
      clear z Z E. destruct Y as [z [Z [E L]]].
      assert (F1 : nx (f u) i = f z) by (rewrite E; unfold f; now rewrite after_app).
      rewrite F1, IH, L by auto.
      assert (N : state_after (u ++ [i]) = delta p (state_after u) i) by (unfold Words.state_after; now rewrite after_app).
      rewrite N. f_equal. unfold f. congruence.
    Qed.
  End Numbered.
End KA.

Definition check_basis (p : problem) (tree_word : list nat -> list nat -> list nat) : bool :=
  check_ka p (tree_of (suite p)) tree_word.

(** A suite that satisfies the conditions is complete. *)
Theorem ka_sound p tree_word : check_basis p tree_word = true ->
  forall I, bounded I (inputs p) (bound p) -> passes I (model p) (suite p) -> equivalent (inputs p) I (model p).
Proof.
  unfold check_basis. set (t := tree_of (suite p)). pose proof (tree_of_faithful (suite p)) as Whole. fold t in Whole.
  intros C I B Pass. destruct (conditions p t tree_word C) as [Well [_ [Z [_ [Pins [Apart _]]]]]].
  destruct (well_split p Well) as [_ [_ [_ [P0 [P1 [P2 K0]]]]]].
  assert (Words : forall j, j < pinned p -> word_in (inputs p) (nth j (pins p) [])).
  { intros j J. apply (in_tree_in p t Whole Z Well). apply Pins. now apply nth_In. }
  assert (Differ : forall j j', j < j' -> j' < pinned p ->
            after (next I) (start I) (nth j (pins p) []) <> after (next I) (start I) (nth j' (pins p) [])).
  { intros j j' L J. eapply (apart_by_sound p t Whole Z I); eauto. }
  destruct (pinned_numbering p I Well Words Differ B Pass) as [nx [ot [m [Numbers [Pass' [Lead Outs]]]]]].
  intros w W. rewrite <- Outs by auto.
  assert (U : In [] (inner p)).
  { apply in_inner. exists 0. split; [lia |]. rewrite <- P2. now apply nth_In. }
  exact (ka_outputs p t tree_word Whole C nx ot m Numbers Pass' Lead w W [] U).
Qed.

Print Assumptions ka_sound.
