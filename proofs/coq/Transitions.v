(** Evidence without extra states: one transition after the other is shown to lead where it should.

    Nodes of the tree that lead to the same state of the system are joined. A transition is verified when the node behind
    it is apart from the access words of all states but one: there are no other states. *)

Require Import List Arith Bool NArith PArith Lia.
From Fullproof Require Import Rup Mealy Discovery Tree Encoding Truth Checker.
Import ListNotations.

(** Why two nodes lead to different states: nodes joined with them, an input, and then different outputs or nodes that
    are different in turn; or both are joined with access words of different states. *)
Inductive difference : Type :=
| Outputs (x y : N) (i : nat)
| Behind (x y : N) (i : nat) (d : difference)
| States (q r : nat).

Inductive transition_step : Type :=
| Join (x y : N) (i : nat)                                  (* nodes behind nodes that are joined *)
| Take (q i : nat) (u : N) (why : list (nat * difference)). (* seen at u; for each other state, why it is not the target *)

Definition joined : Type := PM.t N.

Fixpoint found (fuel : nat) (j : joined) (x : N) : N :=
  match fuel with
  | 0 => x
  | S fuel' => match PM.find (key x) j with Some y => found fuel' j y | None => x end
  end.

Definition fuel : nat := 2000.
Opaque fuel.

Section Transitions.
  Variable p : problem.
  Variable t : tree.

  Definition same (j : joined) (x y : N) : bool := N.eqb (found fuel j x) (found fuel j y).
  Definition join (j : joined) (x y : N) : joined :=
    let a := found fuel j x in let b := found fuel j y in if N.eqb a b then j else PM.add (key a) b j.
  Definition child_of (x : N) (i : nat) : option N := descendant t x [i].
  Definition access (q : nat) : option N := descendant t 0 (nth q (pins p) []).

  Fixpoint differ (j : joined) (d : difference) (x y : N) : bool :=
    match d with
    | States q r =>
        negb (q =? r) && (q <? pinned p) && (r <? pinned p) &&
        match access q, access r with Some a, Some b => same j x a && same j y b | _, _ => false end
    | Outputs u v i =>
        same j x u && same j y v && match child_of u i, child_of v i with
                                    | Some _, Some _ => negb (lambda p (label_of p t u) i =? lambda p (label_of p t v) i)
                                    | _, _ => false
                                    end
    | Behind u v i rest =>
        same j x u && same j y v && match child_of u i, child_of v i with
                                    | Some a, Some b => differ j rest a b
                                    | _, _ => false
                                    end
    end.

  Definition others (q : nat) : list nat := filter (fun r => negb (r =? q)) (seq 0 (pinned p)).

  Definition transition (j : joined) (s : transition_step) : option joined :=
    match s with
    | Join x y i =>
        if same j x y then match child_of x i, child_of y i with Some a, Some b => Some (join j a b) | _, _ => None end
        else None
    | Take q i u why =>
        let aim := delta p q i in
        match access q, access aim with
        | Some v, Some a =>
            match child_of u i with
            | Some x =>
                if same j u v && list_eqb (map fst why) (others aim) &&
                   forallb (fun rd => match access (fst rd) with Some b => differ j (snd rd) x b | None => false end) why
                then Some (join j x a) else None
            | None => None
            end
        | _, _ => None
        end
    end.

  Fixpoint transitions (j : joined) (l : list transition_step) : option joined :=
    match l with
    | [] => Some j
    | s :: rest => match transition j s with Some j' => transitions j' rest | None => None end
    end.

  Definition cells : list (nat * nat) := list_prod (seq 0 (pinned p)) (seq 0 (inputs p)).

  (** Each transition has a node at which it was seen, and the node behind it is where it should be. *)
  Definition verified (j : joined) (places : list N) : bool :=
    (length places =? length cells) &&
    forallb (fun qiu => let q := fst (fst qiu) in let i := snd (fst qiu) in let u := snd qiu in
                        match access q, access (delta p q i) with
                        | Some v, Some a =>
                            same j u v && (label_of p t u =? q) &&
                            match child_of u i with Some x => same j x a | None => false end
                        | _, _ => false
                        end) (combine cells places).

  Definition check_take (words : list (list nat)) (l : list transition_step) (places : list N) : bool :=
    well_formed p && (pinned p =? states p) && (bound p =? states p) &&
    pins_apart p t words &&
    match transitions (PM.empty N) l with Some j => verified j places | None => false end.

  Hypothesis whole : faithful (suite p) t.
  Variables nx ot : nat -> nat -> nat.
  Hypothesis well : well_formed p = true.
  Hypothesis root_word : backwards t 0 = [].
  Hypothesis pass : passes (system nx ot) (model p) (suite p).
  Hypothesis lead : forall j, j < pinned p -> after nx 0 (nth j (pins p) []) = j.
  Hypothesis few : forall w, word_in (inputs p) w -> after nx 0 w < pinned p.

  Let f (x : N) : nat := after nx 0 (word t x).

  Definition right (j : joined) : Prop := forall x y, PM.find (key x) j = Some y -> f x = f y.

  Lemma found_right j : right j -> forall n x, f (found n j x) = f x.
  Proof.
    intros R. induction n as [| n IH]; intros x; cbn; auto. destruct (PM.find (key x) j) as [y|] eqn:E; auto.
    rewrite IH. symmetry. now apply R.
  Qed.

  Lemma same_right j x y : right j -> same j x y = true -> f x = f y.
  Proof.
    intros R E. apply N.eqb_eq in E. rewrite <- (found_right j R fuel x), <- (found_right j R fuel y). now rewrite E.
  Qed.

  Lemma key_inj x y : key x = key y -> x = y.
  Proof. unfold key. intros E. apply (f_equal Pos.pred_N) in E. now rewrite !N.pos_pred_succ in E. Qed.

  Lemma join_right j x y : right j -> f x = f y -> right (join j x y).
  Proof.
    intros R E. unfold join. destruct (N.eqb _ _); auto. intros u v F.
    destruct (Pos.eq_dec (key (found fuel j x)) (key u)) as [K | K].
    - rewrite K, PM.gss in F. apply key_inj in K. assert (V : v = found fuel j y) by congruence. rewrite <- K, V, !(found_right j R). exact E.
    - rewrite PM.gso in F by congruence. now apply R.
  Qed.

  Lemma child_right x i y : child_of x i = Some y ->
    f y = nx (f x) i /\ ot (f x) i = lambda p (label_of p t x) i /\ i < inputs p.
  Proof.
    intros C. apply (descendant_word p t whole) in C as [W [N | K]]; [discriminate |].
    assert (O : outputs nx ot (f x) [i] = outputs (delta p) (lambda p) (label_of p t x) [i]).
    { apply (suffix_outputs p t (system nx ot) x [i] pass). now right. }
    cbn in O. split; [unfold f; rewrite W, after_app; reflexivity |]. split; [congruence |].
    destruct K as [w [Kw [u Ku]]]. destruct (well_split p well) as [_ [_ [F _]]]. apply F in Kw. rewrite Ku in Kw.
    apply Forall_app in Kw as [Kw _]. apply Forall_app in Kw as [_ Kw]. now inversion Kw.
  Qed.

  Lemma access_right q x : q < pinned p -> access q = Some x -> f x = q.
  Proof.
    intros Q A. apply (descendant_word p t whole) in A as [W _]. unfold word at 2 in W. rewrite root_word in W. cbn in W.
    unfold f. rewrite W. now apply lead.
  Qed.

  Lemma differ_right j : right j -> forall d x y, differ j d x y = true -> f x <> f y.
  Proof.
    intros R. induction d as [u v i | u v i d IH | q r]; intros x y D E; cbn in D.
    - apply andb_true_iff in D as [D D3]. apply andb_true_iff in D as [D1 D2].
      destruct (child_of u i) as [a|] eqn:A; [| discriminate]. destruct (child_of v i) as [b|] eqn:B; [| discriminate].
      apply (same_right j) in D1, D2; auto. apply child_right in A as [_ [A _]], B as [_ [B _]].
      apply negb_true_iff, Nat.eqb_neq in D3. congruence.
    - apply andb_true_iff in D as [D D3]. apply andb_true_iff in D as [D1 D2].
      destruct (child_of u i) as [a|] eqn:A; [| discriminate]. destruct (child_of v i) as [b|] eqn:B; [| discriminate].
      apply (same_right j) in D1, D2; auto. apply child_right in A as [A _], B as [B _].
      apply (IH a b D3). congruence.
    - apply andb_true_iff in D as [D D4]. apply andb_true_iff in D as [D D3]. apply andb_true_iff in D as [D1 D2].
      apply Nat.ltb_lt in D2, D3. apply negb_true_iff, Nat.eqb_neq in D1.
      destruct (access q) as [a|] eqn:A; [| discriminate]. destruct (access r) as [b|] eqn:B; [| discriminate].
      apply andb_true_iff in D4 as [S1 S2]. apply (same_right j) in S1, S2; auto.
      apply access_right in A, B; auto. congruence.
  Qed.

  Lemma word_known x : word_in (inputs p) (word t x).
  Proof.
    destruct (well_split p well) as [_ [_ [F _]]]. destruct (backwards_known p t whole x) as [E | [w [W [u E]]]].
    - unfold word. rewrite E. constructor.
    - apply F in W. rewrite E in W. apply Forall_app in W. tauto.
  Qed.

  Hypothesis complete : pinned p = states p.

  Lemma transition_right j s j' : right j -> transition j s = Some j' -> right j'.
  Proof.
    intros R. destruct s as [x y i | q i u why]; cbn.
    - destruct (same j x y) eqn:S'; [| discriminate]. apply (same_right j) in S'; auto.
      destruct (child_of x i) as [a|] eqn:A; [| discriminate]. destruct (child_of y i) as [b|] eqn:B; [| discriminate].
      intros E. injection E as <-. apply join_right; auto. apply child_right in A as [A _], B as [B _]. congruence.
    - destruct (access q) as [v|] eqn:V; [| discriminate]. destruct (access (delta p q i)) as [a|] eqn:A; [| discriminate].
      destruct (child_of u i) as [x|] eqn:X; [| discriminate].
      destruct (same j u v && list_eqb (map fst why) (others (delta p q i)) && _) eqn:W; [| discriminate].
      intros E. injection E as <-. apply andb_true_iff in W as [W1 W2]. apply andb_true_iff in W1 as [_ W1]. apply list_eqb_eq in W1. rewrite forallb_forall in W2.
      apply join_right; auto.
      assert (Lx : f x < pinned p) by (apply few, word_known).
      destruct (Nat.eq_dec (f x) (delta p q i)) as [Eq | Ne].
      + assert (L : delta p q i < pinned p) by (rewrite <- Eq; exact Lx). rewrite (access_right _ _ L A). exact Eq.
      + exfalso. assert (O : In (f x) (others (delta p q i))).
        { apply filter_In. split; [apply in_seq; lia | now apply negb_true_iff, Nat.eqb_neq]. }
        rewrite <- W1 in O. apply in_map_iff in O as [[r d] [Er O]]. cbn in Er. subst r.
        apply W2 in O. cbn in O. destruct (access (f x)) as [b|] eqn:B; [| discriminate].
        apply (differ_right j R) in O. apply O. symmetry. now apply access_right.
  Qed.

  Lemma transitions_right l : forall j j', right j -> transitions j l = Some j' -> right j'.
  Proof.
    induction l as [| s l IH]; intros j j' R E; cbn in E; [inversion E; subst; exact R |].
    destruct (transition j s) as [k|] eqn:K; [| discriminate]. eapply IH; [| exact E]. eapply transition_right; eauto.
  Qed.

  Lemma verified_outputs j places : right j -> verified j places = true ->
    forall w, word_in (inputs p) w -> forall q, q < pinned p -> outputs nx ot q w = outputs (delta p) (lambda p) q w.
  Proof.
    intros R V. unfold verified in V. apply andb_true_iff in V as [Len V]. apply Nat.eqb_eq in Len.
    rewrite forallb_forall in V. destruct (well_split p well) as [_ [D _]].
    induction w as [| i w IH]; intros W q Q; cbn; auto. inversion W; subst.
    assert (J : In (q, i) cells) by (apply in_prod_iff; rewrite !in_seq; lia).
    apply In_nth with (d := (0, 0)) in J as [m [M E]].
    assert (C : In ((q, i), nth m places 0%N) (combine cells places)).
    { rewrite <- E, <- (combine_nth cells places m (0, 0) 0%N) by auto. apply nth_In. rewrite combine_length. lia. }
    apply V in C. cbn in C. set (u := nth m places 0%N) in *. destruct (access q) as [v|] eqn:A; [| discriminate].
    destruct (access (delta p q i)) as [a|] eqn:B; [| discriminate].
    apply andb_true_iff in C as [C Sx]. apply andb_true_iff in C as [Su Lu]. apply Nat.eqb_eq in Lu.
    destruct (child_of u i) as [x|] eqn:X; [| discriminate].
    assert (Lq : delta p q i < pinned p) by (rewrite complete in *; apply D; auto).
    apply (same_right j) in Su, Sx; auto. apply child_right in X as [X1 [X2 _]].
    rewrite (access_right _ _ Q A) in Su. rewrite (access_right _ _ Lq B) in Sx. rewrite Su in X1, X2.
    rewrite X2, Lu. f_equal. rewrite <- X1, Sx. auto.
  Qed.
End Transitions.

Definition check_verified (p : problem) (words : list (list nat)) (l : list transition_step) (places : list N) : bool :=
  check_take p (tree_of (suite p)) words l places.

(** A suite for which every transition is verified is complete without extra states. *)
Theorem transitions_sound p words l places : check_verified p words l places = true ->
  forall I, bounded I (inputs p) (bound p) -> passes I (model p) (suite p) -> equivalent (inputs p) I (model p).
Proof.
  unfold check_verified, check_take. intros C I B Pass.
  apply andb_true_iff in C as [C Steps]. apply andb_true_iff in C as [C Apart].
  apply andb_true_iff in C as [C Bound]. apply andb_true_iff in C as [Well Pinned].
  apply Nat.eqb_eq in Bound, Pinned.
  destruct (well_split p Well) as [_ [_ [_ [P0 [P1 [P2 K0]]]]]].
  destruct (pinned_numbering p I Well (pin_in p Well words Apart) (pins_differ p words Apart I Pass) B Pass)
    as [nx [ot [m [Numbers [Pass' [Lead Outs]]]]]].
  assert (Few : forall w, word_in (inputs p) w -> after nx 0 w < pinned p).
  { assert (A : forall w, word_in (inputs p) w -> forall s, s < m -> after nx s w < m).
    { intros u. induction u as [| i u IH]; intros W s L; cbn; auto. inversion W; subst. apply IH; auto.
      now apply (used_closed _ _ _ _ _ _ Numbers). }
    pose proof (used_few _ _ _ _ _ _ Numbers). intros w W. apply Nat.lt_le_trans with m; [| lia]. apply A; auto. lia. }
  assert (Root : backwards (tree_of (suite p)) 0 = []).
  { unfold pins_apart in Apart. do 3 (apply andb_true_iff in Apart as [Apart _]). now apply list_eqb_eq. }
  destruct (transitions p (tree_of (suite p)) (PM.empty N) l) as [j|] eqn:T; [| discriminate].
  assert (R : right (tree_of (suite p)) nx j).
  { eapply (transitions_right p _ (tree_of_faithful _) nx ot Well Root Pass' Lead Few Pinned l (PM.empty N)); eauto.
    intros x y E. now rewrite PM.gempty in E. }
  intros w W. rewrite <- Outs by auto.
  now apply (verified_outputs p _ (tree_of_faithful _) nx ot Well Root Pass' Lead Few Pinned j places R Steps).
Qed.

Print Assumptions transitions_sound.
