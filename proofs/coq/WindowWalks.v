(** The checker of windows, and its theorem. *)

Require Import List Arith Bool NArith PArith Lia.
From Fullproof Require Import Rup Mealy Discovery Tree Encoding Truth Checker Words Levels Windows.
Import ListNotations.

Section Walks.
  Variable p : problem.
  Variable t : tree.
  Variable a : nat.
  Variable tree_word : list nat -> list nat -> list nat.
  Variable good_node : nat * nat -> list nat -> nat -> config -> N.
  Variable move : nat * nat -> list nat -> bool * list nat -> N -> config -> option N -> nat.
  Variable order_of : nat * nat -> list nat -> list nat.

  Fixpoint words_of (n : nat) : list (list nat) :=
    match n with 0 => [[]] | S n' => flat_map (fun w => map (fun i => i :: w) (seq 0 (inputs p))) (words_of n') end.

  Lemma in_words w : word_in (inputs p) w -> In w (words_of (length w)).
  Proof.
    induction w as [| i w IH]; intros W; cbn; auto. inversion W; subst. apply in_flat_map. exists w. split; auto.
    apply in_map_iff. exists i. split; auto. apply in_seq. lia.
  Qed.

  Definition line (earlier : list (nat * nat)) (sx : nat * nat) : bool :=
    (fst sx <? pinned p) && (snd sx <? inputs p) &&
    forallb (fun m => window p t a good_node move order_of earlier (fst sx) (snd sx) m) (words_of (a - 1)).

  Fixpoint lines (earlier l : list (nat * nat)) : bool :=
    match l with [] => true | sx :: rest => line earlier sx && lines (sx :: earlier) rest end.

  Definition covered_cells (takes : list (nat * nat)) : bool :=
    forallb (fun qi => certain p (fst qi) (snd qi) || mem_pair qi takes) (list_prod (seq 0 (pinned p)) (seq 0 (inputs p))).

  Definition check_lines (takes : list (nat * nat)) : bool :=
    let near := upto p a in let near_states := map (fun u => (u, state_after p u)) near in
    well_formed p && (pinned p =? states p) && (bound p =? pinned p + a) && (0 <? a) && list_eqb (backwards t 0) [] &&
    forallb (fun j => label p j =? j) (seq 0 (pinned p)) &&
    forallb (in_tree t) near &&
    forallb (fun uq => forallb (fun wr => (snd uq =? snd wr) || apart_by p t (fst uq) (fst wr) (tree_word (fst uq) (fst wr)))
                               near_states) near_states &&
    covered_cells takes && lines [] takes.

  Hypothesis whole : faithful (suite p) t.
  Variable takes : list (nat * nat).
  Hypothesis accepted : check_lines takes = true.

  Lemma parts : well_formed p = true /\ pinned p = states p /\ bound p = pinned p + a /\ 0 < a /\ backwards t 0 = [] /\
    (forall j, j < pinned p -> label p j = j) /\ (forall u, In u (upto p a) -> in_tree t u = true) /\
    (forall u w, In u (upto p a) -> In w (upto p a) ->
       state_after p u = state_after p w \/ apart_by p t u w (tree_word u w) = true) /\
    (forall q i, q < pinned p -> i < inputs p -> certain p q i = true \/ In (q, i) takes) /\ lines [] takes = true.
  Proof.
    pose proof accepted as A. unfold check_lines in A. do 9 (apply andb_true_iff in A as [A ?]).
    rewrite forallb_forall in H1, H2, H3. unfold covered_cells in H0. rewrite forallb_forall in H0.
    apply list_eqb_eq in H4. apply Nat.ltb_lt in H5. apply Nat.eqb_eq in H6, H7.
    refine (conj A (conj H7 (conj H6 (conj H5 (conj H4 (conj _ (conj H2 (conj _ (conj _ H))))))))).
    - intros j J. apply Nat.eqb_eq, H3, in_seq. lia.
    - intros u w U W. assert (U' : In (u, state_after p u) (map (fun u => (u, state_after p u)) (upto p a))) by (apply in_map_iff; now exists u).
      assert (W' : In (w, state_after p w) (map (fun u => (u, state_after p u)) (upto p a))) by (apply in_map_iff; now exists w).
      apply H1 in U'. rewrite forallb_forall in U'. apply U' in W'. cbn in W'. apply orb_true_iff in W' as [W' | W']; auto.
      left. now apply Nat.eqb_eq.
    - intros q i Q I. assert (J : In (q, i) (list_prod (seq 0 (pinned p)) (seq 0 (inputs p)))) by (apply in_prod_iff; rewrite !in_seq; lia).
      apply H0 in J. cbn in J. apply orb_true_iff in J as [J | J]; auto. right.
      apply existsb_exists in J as [[q' i'] [J E]]. cbn in E. apply andb_true_iff in E as [E1 E2].
      apply Nat.eqb_eq in E1, E2. now subst.
  Qed.

  (** The first line that goes astray. *)
  Lemma first_astray (astray : nat * nat -> bool) l : forall earlier, lines earlier l = true ->
    (forall x, In x earlier -> astray x = false) -> (exists x, In x l /\ astray x = true) ->
    exists before x, line before x = true /\ astray x = true /\ forall y, In y before -> astray y = false.
  Proof.
    induction l as [| y l IH]; intros earlier L E [x [X A]]; [easy |]. cbn in L. apply andb_true_iff in L as [L1 L2].
    destruct (astray y) eqn:Y; [now exists earlier, y |].
    apply (IH (y :: earlier)); auto.
    - intros z [<- | Z]; auto.
    - exists x. split; auto. destruct X as [-> | X]; auto. congruence.
  Qed.

  Section Numbered.
    Variables nx ot : nat -> nat -> nat.
    Hypothesis pass : passes (system nx ot) (model p) (suite p).
    Hypothesis lead : forall j, j < pinned p -> after nx 0 (nth j (pins p) []) = j.
    Hypothesis few : forall s i, i < inputs p -> nx s i < bound p.

    Lemma same_state u v : In u (upto p a) -> In v (upto p a) -> after nx 0 u = after nx 0 v -> state_after p u = state_after p v.
    Proof.
      destruct parts as [_ [_ [_ [_ [Root [_ [_ [B _]]]]]]]]. intros U V E. destruct (B u v U V) as [S' | A]; auto. exfalso.
      now apply (apart_by_sound p t whole Root (system nx ot) _ _ _ pass) in A.
    Qed.

    Lemma walks_outputs w : word_in (inputs p) w -> outputs nx ot 0 w = outputs (delta p) (lambda p) 0 w.
    Proof.
      destruct parts as [Well [Complete [Size [Extra [Root [Labels [Tree' [_ [Cells Lines]]]]]]]]].
      destruct (well_split p Well) as [_ [D [_ [P0 [P1 [P2 K0]]]]]].
      assert (Dec : (exists d, d < a /\ new_at p nx (S d) = None) \/ forall d, d < a -> new_at p nx (S d) <> None).
      { assert (G : forall n, (exists d, d < n /\ new_at p nx (S d) = None) \/ forall d, d < n -> new_at p nx (S d) <> None).
        { induction n as [| n [[d [L N]] | N]]; [right; lia | left; exists d; split; [lia | auto] |].
          destruct (new_at p nx (S n)) as [u|] eqn:E; [right | left; exists n; split; [lia | auto]].
          intros d L. destruct (Nat.eq_dec d n) as [-> | Ne]; [congruence | apply N; lia]. }
        apply G. }
      destruct Dec as [[d [L N]] | New].
      - intros W. apply (nothing_new p t a whole Root Well Labels Extra Tree' nx ot pass lead same_state d L N w W) || (eapply nothing_new; eauto using same_state).
      - pose proof (ex_range p t a whole Root Well) as Range.
        set (ex' := ex p nx). set (tl' := tl p nx).
        assert (R : forall l, 1 <= l <= a -> pinned p <= ex' l) by (intros l Ll; eapply ex_range; eauto using same_state).
        assert (Df : forall l h, 1 <= l <= a -> 1 <= h <= a -> ex' l = ex' h -> l = h).
        { intros l h Ll Lh E. destruct (Nat.eq_dec l h) as [Eq | Ne]; auto. exfalso. revert E. eapply ex_differ; eauto. }
        assert (Ev : forall q i, i < inputs p -> nx q i < pinned p \/ exists l, 1 <= l <= a /\ nx q i = ex' l).
        { intros q i I. pose proof (few q i I). eapply every_state; eauto using same_state. }
        assert (Sv : forall q i, q < pinned p -> i < inputs p ->
          ot q i = lambda p q i /\ (nx q i = delta p q i \/ (nx q i = ex' 1 /\ delta p q i = tl' 1))).
        { intros q i Q I. eapply step_v; eauto using same_state. }
        assert (Se : forall l i, 1 <= l < a -> i < inputs p ->
          ot (ex' l) i = lambda p (tl' l) i /\
          (nx (ex' l) i = delta p (tl' l) i \/ exists h, 1 <= h <= a /\ nx (ex' l) i = ex' h /\ tl' h = delta p (tl' l) i)).
        { intros l i Ll I. eapply step_e; eauto using same_state. }
        assert (First : exists q i, q < pinned p /\ i < inputs p /\ nx q i = ex' 1) by (eapply to_first; eauto using same_state).
        assert (Next : forall l, 1 <= l < a -> exists i, i < inputs p /\ nx (ex' l) i = ex' (S l)).
        { intros l Ll. eapply to_next; eauto using same_state. }
        clear Range. clearbody ex' tl'.
        destruct First as [q [i [Q [I E]]]].
        assert (T : In (q, i) takes).
        { destruct (Cells q i Q I) as [C | C]; auto. exfalso. apply list_eqb_eq in C.
          assert (Dl : delta p q i < pinned p) by (rewrite Complete in *; now apply D).
          assert (X : after nx 0 (nth q (pins p) [] ++ [i]) = delta p q i) by (rewrite C; now apply lead).
          rewrite after_app, lead in X by auto. cbn in X. pose proof (R 1). lia. }
        destruct (first_astray (fun qi => nx (fst qi) (snd qi) =? ex' 1) takes [] Lines) as [before [[s x] [Ln [As Min]]]].
        { intros y []. }
        { exists (q, i). split; auto. cbn. now apply Nat.eqb_eq. }
        cbn in As. apply Nat.eqb_eq in As. unfold line in Ln. apply andb_true_iff in Ln as [Ln Wn].
        apply andb_true_iff in Ln as [Ls Lx]. cbn [fst snd] in Ls, Lx, Wn. apply Nat.ltb_lt in Ls, Lx. rewrite forallb_forall in Wn.
        assert (Path : forall j, j < a -> exists m, length m = j /\ word_in (inputs p) m /\
                  forall l, 1 <= l <= S j -> after nx (ex' 1) (firstn (l - 1) m) = ex' l).
        { induction j as [| j IH]; intros J.
          - exists []. repeat split; [constructor |]. intros l Ll. assert (l = 1) by lia. now subst.
          - destruct IH as [m [Lm [Wm Fm]]]; [lia |]. destruct (Next (S j)) as [k [K N]]; [lia |].
            exists (m ++ [k]). rewrite app_length. cbn. repeat split; [lia | apply Forall_app; split; auto |].
            intros l Ll. destruct (Nat.eq_dec l (S (S j))) as [-> | Ne].
            + rewrite firstn_all2 by (rewrite app_length; cbn; lia). rewrite after_app. cbn.
              rewrite <- N. f_equal. rewrite <- (Fm (S j)) by lia. f_equal. now rewrite firstn_all2 by lia.
            + rewrite firstn_app. replace (l - 1 - length m) with 0 by lia. rewrite firstn_O, app_nil_r. apply Fm. lia. }
        destruct (Path (a - 1)) as [m [Lm [Wm Fm]]]; [lia |]. replace (S (a - 1)) with a in Fm by lia.
        assert (Win : window p t a good_node move order_of before s x m = true) by (apply Wn; rewrite <- Lm; now apply in_words).
        intros W.
        assert (Res := fun M => window_equivalent p t a good_node move order_of before s x m whole Root Well Complete nx ot ex' tl' pass lead Extra R Df Ev Sv Se Ls Lx As M Wm Lm Fm Win w W).
        destruct Res as [Res _].
        { intros q' i' Ib Eb. specialize (Min (q', i') Ib). cbn in Min. apply Nat.eqb_neq in Min. contradiction. }
        apply Res. exact P0.
    Qed.
  End Numbered.
End Walks.

Definition check_walks (p : problem) (a : nat) (tree_word : list nat -> list nat -> list nat)
    (good_node : nat * nat -> list nat -> nat -> config -> N)
    (move : nat * nat -> list nat -> bool * list nat -> N -> config -> option N -> nat)
    (order_of : nat * nat -> list nat -> list nat) (takes : list (nat * nat)) : bool :=
  check_lines p (tree_of (suite p)) a tree_word good_node move order_of takes.

(** A suite whose windows are refuted is complete with [a] extra states. *)
Theorem walks_sound p a tree_word good_node move order_of takes :
  check_walks p a tree_word good_node move order_of takes = true ->
  forall I, bounded I (inputs p) (bound p) -> passes I (model p) (suite p) -> equivalent (inputs p) I (model p).
Proof.
  unfold check_walks. set (t := tree_of (suite p)). pose proof (tree_of_faithful (suite p)) as Whole. fold t in Whole.
  intros C I B Pass.
  destruct (parts p t a tree_word good_node move order_of takes C) as [Well [Complete [Size [Extra [Root [Labels [Tree' [Apart _]]]]]]]].
  destruct (well_split p Well) as [_ [_ [_ [P0 [P1 [P2 K0]]]]]].
  assert (Pin : forall j, j < pinned p -> In (nth j (pins p) []) (upto p a)).
  { intros j J. apply in_upto. exists 0. split; [lia | now apply nth_In]. }
  assert (Words : forall j, j < pinned p -> word_in (inputs p) (nth j (pins p) [])).
  { intros j J. apply (in_tree_in p t Whole Root Well). auto. }
  assert (Differ : forall j j', j < j' -> j' < pinned p ->
            after (next I) (start I) (nth j (pins p) []) <> after (next I) (start I) (nth j' (pins p) [])).
  { intros j j' L J. destruct (Apart _ _ (Pin j ltac:(lia)) (Pin j' J)) as [S' | A].
    - exfalso. assert (X : label p j = label p j') by exact S'. rewrite !Labels in X by lia. lia.
    - eapply (apart_by_sound p t Whole Root I); eauto. }
  destruct (pinned_numbering p I Well Words Differ B Pass) as [nx [ot [m [Numbers [Pass' [Lead Outs]]]]]].
  intros w W. rewrite <- Outs by auto.
  apply (walks_outputs p t a tree_word good_node move order_of Whole takes C nx ot Pass' Lead); auto.
  intros s i L. pose proof (used_closed _ _ _ _ _ _ Numbers s i L). pose proof (used_few _ _ _ _ _ _ Numbers). lia.
Qed.

Print Assumptions walks_sound.
