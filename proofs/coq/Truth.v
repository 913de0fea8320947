(** What the variables mean for a system that passes the suite, and that every clause but the last holds of it. *)

Require Import List Arith Bool NArith PArith Lia.
From Fullproof Require Import Rup Mealy Discovery Labels Tree Encoding.
Import ListNotations.

Section Families.
  Variable p : problem.
  Variable t : tree.
  Local Notation edge := (Encoding.edge t).
  Local Notation label_of := (Encoding.label_of p t).
  Local Notation are_apart := (Encoding.are_apart p t).
  Local Notation is_label := (Encoding.is_label p).
  Local Notation clause_of := (Encoding.clause_of p t).

  (** * What the tree says of any system that passes *)

  Hypothesis whole : faithful (suite p) t.

  Lemma backwards_known x : known (suite p) (backwards t x).
  Proof.
    unfold backwards. destruct (node t x) as [[y u]|] eqn:E; [| now left]. apply (whole _ _ E).
  Qed.

  Lemma edge_word y x i : edge y = Some (x, i) -> word t y = word t x ++ [i] /\ exists w, In w (suite p) /\ prefix (word t y) w.
  Proof.
    unfold Encoding.edge. destruct (node t y) as [[x' [| i' u]]|] eqn:E; try discriminate.
    destruct (list_eqb (backwards t x') u) eqn:Q; [| discriminate]. intros A. injection A as -> ->. apply list_eqb_eq in Q.
    assert (W : word t y = word t x ++ [i]) by (unfold word, backwards at 1; rewrite E, Q; reflexivity).
    split; auto. pose proof (backwards_known y) as B. unfold word. destruct B as [B | B]; auto.
    unfold backwards in B. rewrite E in B. discriminate.
  Qed.

  Lemma descendant_word x v y : descendant t x v = Some y ->
    word t y = word t x ++ v /\ (v = [] \/ exists w, In w (suite p) /\ prefix (word t x ++ v) w).
  Proof.
    unfold descendant. destruct (walk t x v) as [y'|]; [| discriminate].
    destruct (list_eqb (backwards t y') (rev v ++ backwards t x)) eqn:Q; [| discriminate].
    intros A. injection A as ->. apply list_eqb_eq in Q.
    assert (W : word t y = word t x ++ v) by (unfold word; rewrite Q, rev_app_distr, rev_involutive; reflexivity).
    split; auto. destruct v as [| i v]; auto. right. rewrite <- W. pose proof (backwards_known y) as [B | B]; auto.
    rewrite Q in B. cbn in B. destruct (rev v); discriminate.
  Qed.

  Lemma suffix_outputs I x v : passes I (model p) (suite p) ->
    (v = [] \/ exists w, In w (suite p) /\ prefix (word t x ++ v) w) ->
    outputs (next I) (out I) (after (next I) (start I) (word t x)) v = outputs (delta p) (lambda p) (label_of x) v.
  Proof.
    intros Pass [-> | [w [W Q]]]; auto.
    pose proof (passes_prefix _ _ _ _ _ Pass W Q) as E. unfold reacts in E. rewrite !outputs_app in E.
    assert (E1 : reacts I (word t x) = reacts (model p) (word t x)).
    { apply (passes_prefix _ _ _ _ _ Pass W). destruct Q as [u ->]. exists (v ++ u). now rewrite app_assoc. }
    unfold reacts in E1. rewrite E1 in E. now apply app_inv_head in E.
  Qed.

  Lemma are_apart_sound I x y v : passes I (model p) (suite p) -> are_apart x y v = true ->
    after (next I) (start I) (word t x) <> after (next I) (start I) (word t y).
  Proof.
    intros Pass. unfold Encoding.are_apart. destruct (descendant t x v) as [zx|] eqn:X; [| discriminate].
    destruct (descendant t y v) as [zy|] eqn:Y; [| discriminate]. intros D E.
    apply descendant_word in X as [_ X]. apply descendant_word in Y as [_ Y].
    apply (suffix_outputs I) in X; auto. apply (suffix_outputs I) in Y; auto. rewrite <- X, <- Y, E in D.
    unfold list_eqb in D. destruct (list_eq_dec Nat.eq_dec _ _); easy.
  Qed.

  (** * What the variables mean for a system over numbers *)

  Variables nx ot : nat -> nat -> nat.
  Variable m : nat.

  Definition lab_ : nat -> nat := lab (inputs p) (pinned p) (delta p) (label p) nx.
  Definition labelled_ : nat -> nat -> bool := has_label (inputs p) (pinned p) m (delta p) (label p) nx.
  Definition entered_ : nat -> nat -> bool := entered (inputs p) nx.

  Definition meaning (x : var) : bool :=
    match x with
    | T s i u => nx s i =? u
    | O s i o => ot s i =? o
    | P x s => after nx 0 (word t x) =? s
    | U e => used m e
    | L e q => labelled_ e q
    | B e c => entered_ e c
    | X s i q => wrong_output (inputs p) (pinned p) m (delta p) (lambda p) (label p) nx ot s i q
    | Y s i q => wrong_target (inputs p) (pinned p) m (delta p) (label p) nx s i q
    end.

  Definition true_lit (l : bool * var) : bool := Bool.eqb (fst l) (meaning (snd l)).
  Definition true_clause (c : list (bool * var)) : Prop := exists l, In l c /\ true_lit l = true.

  Hypothesis words_fit : forall w, In w (suite p) -> word_in (inputs p) w.
  Hypothesis some_inputs : 0 < inputs p.
  Hypothesis some_pins : 0 < pinned p.
  Hypothesis numbers : numbered_system (inputs p) (bound p) (pinned p) nx ot m.
  Definition system : machine := {| state := nat; state_eq := Nat.eq_dec; start := 0; next := nx; out := ot |}.
  Hypothesis pass : passes system (model p) (suite p).
  Hypothesis pins_lead : forall j, j < pinned p -> after nx 0 (nth j (pins p) []) = j.

  Lemma nx_lt s i : i < inputs p -> nx s i < bound p.
  Proof. intros I. pose proof (used_closed _ _ _ _ _ _ numbers s i I). pose proof (used_few _ _ _ _ _ _ numbers). lia. Qed.

  Lemma known_in u : known (suite p) u -> word_in (inputs p) (rev u).
  Proof.
    intros [-> | [w [W [v E]]]]; [constructor |]. apply words_fit in W. rewrite E in W. apply Forall_app in W. tauto.
  Qed.

  Lemma after_lt w : word_in (inputs p) w -> after nx 0 w < bound p.
  Proof.
    assert (A : forall w, word_in (inputs p) w -> forall s, s < bound p -> after nx s w < bound p).
    { intros u. induction u as [| i u IH]; intros W s Ls; cbn; auto. inversion W; subst. apply IH; auto. now apply nx_lt. }
    intros W. apply A; auto. pose proof (used_few _ _ _ _ _ _ numbers). lia.
  Qed.

  Ltac pick l := exists l; split; [cbn; tauto | unfold true_lit; cbn [fst snd meaning yes no]].

  Lemma one_of (A : Type) (g : A -> var) (l : list A) (x : A) :
    In x l -> meaning (g x) = true -> true_clause (map (fun y => yes (g y)) l).
  Proof.
    intros I E. exists (yes (g x)). split; [apply in_map_iff; now exists x | unfold true_lit; cbn; now rewrite E].
  Qed.

  Lemma true_cons l c : true_clause c -> true_clause (l :: c).
  Proof. intros [x [I E]]. exists x. split; [now right | exact E]. Qed.

  Lemma implies x c : (meaning x = true -> true_clause c) -> true_clause (no x :: c).
  Proof.
    intros A. destruct (meaning x) eqn:E; [now apply true_cons, A |].
    exists (no x). split; [now left | unfold true_lit; cbn; now rewrite E].
  Qed.

  Lemma this x : meaning x = true -> true_clause [yes x].
  Proof. intros E. exists (yes x). split; [now left | unfold true_lit; cbn; now rewrite E]. Qed.

  Lemma entered_spec e c : entered_ e c = true <-> exists d, d <= c /\ arrival (inputs p) nx d = e.
  Proof. now apply entered_iff. Qed.

  Lemma unless e c l : true_clause l -> true_clause (before e c ++ l).
  Proof. intros [x [I E]]. exists x. split; auto. apply in_app_iff. now right. Qed.

  (** Where [e] is entered by a transition below [c], [before] says so. *)
  Lemma before_true e c d l : d < c -> arrival (inputs p) nx d = e -> true_clause (before e c ++ l).
  Proof.
    intros Lt E. destruct c as [| c]; [lia |]. exists (yes (B e c)). split; [cbn; tauto |].
    unfold true_lit. cbn [fst snd meaning yes]. assert (H : entered_ e c = true) by (apply entered_spec; exists d; split; [lia | auto]). now rewrite H.
  Qed.

  Lemma not_before e c l : (forall d, d < c -> arrival (inputs p) nx d <> e) \/ true_clause (before e c ++ l).
  Proof.
    destruct c as [| c]; [left; lia |]. destruct (entered_ e c) eqn:E.
    - right. apply entered_spec in E as [d [D E]]. apply (before_true e (S c) d); [lia | auto].
    - left. intros d D A. assert (H : entered_ e c = true) by (apply entered_spec; exists d; split; [lia | auto]). congruence.
  Qed.

  Lemma is_label_or s q l : (labelled_ s q = true -> true_clause l) -> (s < pinned p -> true_clause l) ->
    true_clause (is_label s q ++ l).
  Proof.
    intros A B'. unfold Encoding.is_label. destruct (s <? pinned p) eqn:E; [apply B'; now apply Nat.ltb_lt |].
    cbn. now apply implies.
  Qed.

  Lemma label_of_pin s : s < pinned p -> lab_ s = label p s.
  Proof. intros Ls. now apply lab_pinned. Qed.

  Ltac eqs := repeat match goal with
    | E : (_ =? _) = true |- _ => apply Nat.eqb_eq in E
    | E : (_ =? _) = false |- _ => apply Nat.eqb_neq in E
    | E : (_ <? _) = true |- _ => apply Nat.ltb_lt in E
    | E : _ && _ = true |- _ => apply andb_true_iff in E as [? ?]
    end.

  (** Every clause but [Differ] holds. *)
  Lemma clause_true f c : clause_of f = Some c -> f <> Differ -> true_clause c.
  Proof.
    destruct f; cbn [Encoding.clause_of]; intros E D; try congruence.
    - (* Total *) destruct (i <? inputs p) eqn:I; [| discriminate]. injection E as <-. eqs.
      apply (one_of _ (fun u => T s i u) _ (nx s i)); [apply in_seq; pose proof (nx_lt s i I); lia | cbn; apply Nat.eqb_refl].
    - (* Func *) destruct (t0 =? u) eqn:Q; [discriminate |]. injection E as <-. eqs.
      apply implies. cbn. intros A. eqs. pick (no (T s i u)). apply Nat.eqb_neq in Q. rewrite A, Q. reflexivity.
    - (* OutFunc *) destruct (o =? u) eqn:Q; [discriminate |]. injection E as <-. eqs.
      apply implies. cbn. intros A. eqs. pick (no (O s i u)). apply Nat.eqb_neq in Q. rewrite A, Q. reflexivity.
    - (* Place *) injection E as <-.
      apply (one_of _ (fun s => P x s) _ (after nx 0 (word t x))); [| cbn; apply Nat.eqb_refl].
      apply in_seq. pose proof (after_lt _ (known_in _ (backwards_known x))). unfold word. lia.
    - (* Single *) destruct (s =? t0) eqn:Q; [discriminate |]. injection E as <-. eqs.
      apply implies. cbn. intros A. eqs. pick (no (P x t0)). apply Nat.eqb_neq in Q. rewrite A, Q. reflexivity.
    - (* Step *) destruct (edge y) as [[x i]|] eqn:Q; [| discriminate]. injection E as <-. apply edge_word in Q as [Q _].
      apply implies. cbn. intros A. apply implies. cbn. intros B. apply this. cbn. eqs.
      rewrite Q, after_app, A. cbn. now apply Nat.eqb_eq.
    - (* Back *) destruct (edge y) as [[x i]|] eqn:Q; [| discriminate]. injection E as <-. apply edge_word in Q as [Q _].
      apply implies. cbn. intros A. apply implies. cbn. intros B. apply this. cbn. eqs.
      rewrite Q, after_app, A in B. cbn in B. now apply Nat.eqb_eq.
    - (* Obs *) destruct (edge y) as [[x i]|] eqn:Q; [| discriminate]. injection E as <-. apply edge_word in Q as [Q [w [W R]]].
      apply implies. cbn. intros A. apply this. cbn. eqs. apply Nat.eqb_eq. rewrite <- A.
      rewrite Q in R. assert (S' : outputs nx ot (after nx 0 (word t x)) [i] = outputs (delta p) (lambda p) (label_of x) [i]).
      { apply (suffix_outputs system); auto. right. now exists w. }
      cbn in S'. congruence.
    - (* Pin *) destruct (j <? pinned p) eqn:J; [| discriminate].
      destruct (descendant t 0 (nth j (pins p) [])) as [x|] eqn:Q; [| discriminate].
      destruct (list_eqb (backwards t 0) []) eqn:Z; [| discriminate]. injection E as <-. eqs.
      apply list_eqb_eq in Z. apply descendant_word in Q as [Q _]. unfold word at 2 in Q. rewrite Z in Q. cbn in Q.
      apply this. cbn. rewrite Q, pins_lead by auto. apply Nat.eqb_refl.
    - (* Apart *) destruct (are_apart x y v) eqn:Q; [| discriminate]. apply (are_apart_sound system) in Q; auto. inversion E; subst c. cbn in Q.
      apply implies. cbn. intros A. pick (no (P y s)). eqs. rewrite A in Q.
      destruct (after nx 0 (word t y) =? s) eqn:Z; auto. eqs. congruence.
    - (* OneLabel *) destruct (q =? u) eqn:Q; [discriminate |]. injection E as <-. eqs. apply implies. cbn. intros A.
      unfold labelled_, has_label in A. apply andb_true_iff in A as [A1 A2]. eqs. pick (no (L e u)).
      unfold labelled_, has_label. rewrite A1, A2. cbn. apply Nat.eqb_neq in Q. now rewrite Q.
    - (* LabelUsed *) injection E as <-. apply implies. cbn. intros A. apply this. cbn. now apply andb_true_iff in A.
    - (* TargetUsed *) destruct (i <? inputs p) eqn:I; [| discriminate]. injection E as <-. apply implies. cbn. intros A. eqs.
      apply this. cbn. unfold used. rewrite <- A. apply Nat.ltb_lt. now apply (used_closed _ _ _ _ _ _ numbers).
    - (* Unused *) injection E as <-. destruct (used m e) eqn:Q; [pick (yes (U e)); now rewrite Q |].
      apply Nat.ltb_ge in Q. pick (yes (T e i 0)). now rewrite (unused _ _ _ _ _ _ numbers e i Q).
    - (* Enter *) injection E as <-. apply implies. cbn. intros A. apply this. cbn. eqs.
      apply entered_spec. exists c0. split; auto.
    - (* EnterMore *) destruct c0 as [| d]; [discriminate |]. injection E as <-. apply implies. cbn [meaning]. intros A.
      apply this. cbn [meaning]. apply entered_spec in A as [x [Lx A]]. apply entered_spec. exists x. split; [lia | auto].
    - (* EnterOnly *) injection E as <-. apply implies. cbn [meaning]. intros A. apply entered_spec in A as [x [Lx A]].
      destruct (Nat.eq_dec x c0) as [-> | N].
      + apply unless, this. cbn. now apply Nat.eqb_eq.
      + apply (before_true e c0 x); [lia | auto].
    - (* Order *) destruct (pinned p <? e) eqn:Q; [| discriminate]. injection E as <-. eqs. apply implies. cbn [meaning]. intros A.
      pose proof (entered_used _ _ _ _ _ _ some_inputs numbers e c0 A) as Ue.
      destruct (least_entry _ _ some_inputs e c0 A) as [d [Ld [Ad Fd]]].
      destruct (entered_first _ _ _ _ _ _ numbers e) as [c1 [C1 [C2 [C3 C4]]]]; [lia |].
      assert (c1 = d).
      { destruct (Nat.lt_total c1 d) as [X' | [X' | X']]; auto; exfalso; [now apply (Fd c1 X') | now apply (C3 d X')]. }
      subst c1. destruct (C4 Q) as [d' [D1 [D2 D3]]]. rewrite <- (app_nil_r (before _ _)).
      apply (before_true (e - 1) _ d'); [lia | exact D3].
    - (* Inherit *) destruct ((pinned p <=? e) && ((pinned p <=? c0 / inputs p) || (label p (c0 / inputs p) =? q))) eqn:Q; [| discriminate].
      injection E as <-. apply andb_true_iff in Q as [Q1 Q2]. apply Nat.leb_le in Q1.
      apply implies. cbn [meaning]. intros A. apply Nat.eqb_eq in A.
      match goal with |- true_clause (before e c0 ++ ?l) => destruct (not_before e c0 l) as [N | N]; auto end.
      assert (Ue : e < m). { rewrite <- A. apply (used_closed _ _ _ _ _ _ numbers). apply Nat.mod_upper_bound. lia. }
      destruct (lab_entered _ _ _ _ (delta p) (label p) nx ot some_inputs numbers e c0 (conj Q1 Ue) A N) as [LE Lc].
      assert (Goal_ : lab_ (c0 / inputs p) = q -> true_clause [yes (L e (delta p q (c0 mod inputs p)))]).
      { intros <-. apply this. cbn. unfold labelled_, has_label, used. apply Nat.ltb_lt in Ue. rewrite Ue. cbn.
        apply Nat.eqb_eq. exact LE. }
      apply unless. apply is_label_or.
      + intros H. apply andb_true_iff in H as [_ H]. eqs. auto.
      + intros H. apply Goal_. rewrite label_of_pin by auto. apply orb_true_iff in Q2 as [Q2 | Q2]; eqs; auto.
        apply Nat.leb_le in Q2. lia.
    - (* UsedEntered *) destruct (pinned p <=? e) eqn:Q; [| discriminate]. injection E as <-. apply Nat.leb_le in Q.
      apply implies. cbn [meaning]. intros A. unfold used in A. eqs.
      destruct (entered_first _ _ _ _ _ _ numbers e (conj Q A)) as [c1 [C1 [C2 _]]].
      rewrite <- (app_nil_r (before _ _)). now apply (before_true e _ c1).
    - (* XLabel *) injection E as <-. apply implies. cbn. intros A. apply this. cbn. now apply andb_true_iff in A.
    - (* XOutput *) injection E as <-. apply implies. cbn. intros A. apply andb_true_iff in A as [_ A].
      pick (no (O s i (lambda p q i))). apply negb_true_iff in A. now rewrite A.
    - (* YLabel *) injection E as <-. apply implies. cbn. intros A. apply this. cbn. now apply andb_true_iff in A.
    - (* YTarget *) destruct ((pinned p <=? t0) || (label p t0 =? delta p q i)) eqn:Q; [| discriminate]. injection E as <-.
      apply implies. cbn [meaning]. intros A. apply andb_true_iff in A as [_ A]. apply negb_true_iff in A.
      apply implies. cbn [meaning]. intros A2. eqs. subst t0. rewrite <- (app_nil_r (is_label _ _)). apply is_label_or.
      + intros H. unfold labelled_, has_label in H. apply andb_true_iff in H as [_ H]. apply Nat.eqb_eq in H.
        unfold wrong_target in *. congruence.
      + intros H. exfalso. apply A. fold lab_. rewrite label_of_pin by auto.
        apply orb_true_iff in Q as [Q | Q]; eqs; auto. apply Nat.leb_le in Q. lia.
  Qed.
End Families.
