(** The checker of refutations, and the theorem: what it accepts is complete. *)

Require Import List Arith Bool NArith PArith Lia.
From Fullproof Require Import Rup Mealy Discovery Labels Tree Encoding Truth.
Import ListNotations.

Inductive proof_step : Type :=
| Input (id : positive) (f : family)
| Lemma_ (id : positive) (c : clause) (hints : list positive)
| Delete (ids : list positive).

Section Check.
  Variable p : problem.

  Definition well_formed : bool :=
    (0 <? states p) && (0 <? inputs p) &&
    forallb (fun row => (length row =? inputs p) && forallb (fun q => q <? states p) row) (targets p) &&
    forallb (forallb (fun i => i <? inputs p)) (suite p) &&
    (0 <? pinned p) && (pinned p <=? bound p) &&
    list_eqb (nth 0 (pins p) []) [].

  Definition pin_pairs : list (nat * nat) :=
    filter (fun ij => fst ij <? snd ij) (list_prod (seq 0 (pinned p)) (seq 0 (pinned p))).

  Variable t : tree.

  Definition pin_node (j : nat) : option N := descendant t 0 (nth j (pins p) []).

  (** The words show, pair by pair, that the pins are different states. *)
  Definition pins_apart (words : list (list nat)) : bool :=
    list_eqb (backwards t 0) [] && (length words =? length pin_pairs) &&
    forallb (fun jw => match pin_node (fst (fst jw)), pin_node (snd (fst jw)) with
                       | Some x, Some y => are_apart p t x y (snd jw)
                       | _, _ => false
                       end) (combine pin_pairs words) &&
    forallb (fun j => match pin_node j with Some _ => true | None => false end) (seq 0 (pinned p)).

  (** The clauses so far; [None] where a step is wrong; [true] once the empty clause follows. *)
  Definition one_step (z : sizes) (db : PM.t clause) (s : proof_step) : option (PM.t clause * bool) :=
    match s with
    | Input id f =>
        match clause_of p t f with
        | Some c => match all_numbered z c with Some c => Some (PM.add id c db, false) | None => None end
        | None => None
        end
    | Lemma_ id c hints =>
        if follows db c hints then Some (PM.add id c db, match c with [] => true | _ => false end) else None
    | Delete ids => Some (fold_left (fun d i => PM.remove i d) ids db, false)
    end.

  Fixpoint all_steps (z : sizes) (db : PM.t clause) (l : list proof_step) : bool :=
    match l with
    | [] => false
    | s :: rest => match one_step z db s with
                   | Some (_, true) => true
                   | Some (db, false) => all_steps z db rest
                   | None => false
                   end
    end.
End Check.

Definition check (p : problem) (words : list (list nat)) (l : list proof_step) : bool :=
  let t := tree_of (suite p) in
  well_formed p && pins_apart p t words && all_steps p t (sizes_of p t) (PM.empty clause) l.

Section Sound.
  Variable p : problem.
  Hypothesis well : well_formed p = true.

  Let t := tree_of (suite p).
  Let z := sizes_of p t.

  Lemma well_split :
    0 < states p /\ (forall q i, q < states p -> i < inputs p -> delta p q i < states p) /\
    (forall w, In w (suite p) -> word_in (inputs p) w) /\ 0 < pinned p /\ pinned p <= bound p /\ nth 0 (pins p) [] = [] /\
    0 < inputs p.
  Proof.
    pose proof well as W. unfold well_formed in W. do 6 (apply andb_true_iff in W as [W ?]).
    rewrite forallb_forall in H2, H3.
    apply Nat.ltb_lt in W, H1, H4. apply Nat.leb_le in H0. apply list_eqb_eq in H.
    repeat split; auto.
    - intros q i Q I. unfold delta. assert (R : In (nth q (targets p) []) (targets p)) by (apply nth_In; exact Q).
      apply H3 in R. apply andb_true_iff in R as [R1 R2]. apply Nat.eqb_eq in R1. rewrite forallb_forall in R2.
      apply Nat.ltb_lt, R2, nth_In. lia.
    - intros w Hw. apply H2 in Hw. rewrite forallb_forall in Hw. apply Forall_forall. intros i Hi. now apply Nat.ltb_lt, Hw.
  Qed.

  Lemma model_after_lt w : word_in (inputs p) w -> after (delta p) 0 w < states p.
  Proof.
    destruct well_split as [S0 [D _]].
    assert (A : forall w, word_in (inputs p) w -> forall s, s < states p -> after (delta p) s w < states p).
    { intros u. induction u as [| i u IH]; intros W s L; cbn; auto. inversion W; subst. apply IH; auto. }
    intros W. now apply A.
  Qed.

  Variable words : list (list nat).
  Hypothesis apart : pins_apart p t words = true.

  Lemma pin_known j : j < pinned p -> exists x, pin_node p t j = Some x /\ word t x = nth j (pins p) [] /\
    (nth j (pins p) [] = [] \/ exists w, In w (suite p) /\ prefix (nth j (pins p) []) w).
  Proof.
    intros J. pose proof apart as A. unfold pins_apart in A. repeat (apply andb_true_iff in A as [A ?]).
    apply list_eqb_eq in A. rewrite forallb_forall in H.
    assert (Q := H j). rewrite in_seq in Q. specialize (Q ltac:(lia)).
    destruct (pin_node p t j) as [x|] eqn:E; [| discriminate]. exists x. split; auto.
    apply (descendant_word p t (tree_of_faithful _)) in E as [E1 E2].
    assert (Z : word t 0 = []) by (unfold word; now rewrite A). rewrite Z in E1, E2. cbn in E1, E2. auto.
  Qed.

  Lemma pin_in j : j < pinned p -> word_in (inputs p) (nth j (pins p) []).
  Proof.
    intros J. destruct (pin_known j J) as [x [_ [_ [-> | [w [W [u E]]]]]]]; [constructor |].
    destruct well_split as [_ [_ [F _]]]. apply F in W. rewrite E in W. apply Forall_app in W. tauto.
  Qed.

  Lemma pins_differ I : passes I (model p) (suite p) -> forall j j', j < j' -> j' < pinned p ->
    after (next I) (start I) (nth j (pins p) []) <> after (next I) (start I) (nth j' (pins p) []).
  Proof.
    intros Pass j j' L J'. pose proof apart as A. unfold pins_apart in A. repeat (apply andb_true_iff in A as [A ?]).
    assert (Q : In (j, j') (pin_pairs p)).
    { apply filter_In. split; [apply in_prod_iff; rewrite !in_seq; lia | now apply Nat.ltb_lt]. }
    apply In_nth with (d := (0, 0)) in Q as [m [M E]]. apply Nat.eqb_eq in H1.
    assert (C : In ((j, j'), nth m words []) (combine (pin_pairs p) words)).
    { rewrite <- E, <- (combine_nth (pin_pairs p) words m (0, 0) []) by auto. apply nth_In. rewrite combine_length. lia. }
    rewrite forallb_forall in H0. apply H0 in C. cbn in C.
    destruct (pin_known j) as [x [Ex [Wx _]]]; [lia |]. destruct (pin_known j') as [y [Ey [Wy _]]]; [lia |].
    rewrite Ex, Ey in C. apply (are_apart_sound p t (tree_of_faithful _) I) in C; auto. now rewrite Wx, Wy in C.
  Qed.

  Section Numbered.
    Variables nx ot : nat -> nat -> nat.
    Variable m : nat.
    Hypothesis numbers : numbered_system (inputs p) (bound p) (pinned p) nx ot m.
    Hypothesis pass : passes (system nx ot) (model p) (suite p).
    Hypothesis lead : forall j, j < pinned p -> after nx 0 (nth j (pins p) []) = j.

    Definition valued : valuation := fun x => meaning p t nx ot m (variable_of z x).

    Lemma numbered_true l x : numbered z l = Some x -> holds valued x = true_lit p t nx ot m l.
    Proof.
      unfold numbered. destruct (var_eq_dec _ _) as [E | D]; [| discriminate]. intros A. injection A as <-.
      unfold holds, valued, true_lit. cbn [fst snd]. now rewrite E.
    Qed.

    Lemma all_numbered_true c d : all_numbered z c = Some d -> true_clause p t nx ot m c -> satisfies valued d.
    Proof.
      revert d. induction c as [| l c IH]; intros d A [x [I E]]; [easy |].
      cbn in A. destruct (numbered z l) as [n|] eqn:Q; [| discriminate].
      destruct (all_numbered z c) as [d'|]; [| discriminate]. injection A as <-. destruct I as [-> | I].
      - exists n. split; [now left |]. now rewrite (numbered_true _ _ Q).
      - destruct (IH d') as [n' [I' E']]; auto. { now exists x. } exists n'. split; [now right | exact E'].
    Qed.

    Lemma steps_sound : (forall c, clause_of p t Differ = Some c -> true_clause p t nx ot m c) ->
      forall l db, models valued db -> all_steps p t z db l = true -> False.
    Proof.
      intros D. destruct well_split as [_ [_ [F [P0 [P1 [_ K0]]]]]].
      induction l as [| s l IH]; intros db M A; cbn in A; [discriminate |].
      destruct s as [id f | id c hints | ids]; cbn in A.
      - destruct (clause_of p t f) as [c|] eqn:C; [| discriminate].
        destruct (all_numbered z c) as [d|] eqn:E; [| discriminate].
        apply (IH (PM.add id d db)); auto. apply models_add; auto. apply (all_numbered_true c); auto.
        assert (Df : f = Differ \/ f <> Differ) by (destruct f; auto; right; discriminate).
        destruct Df as [-> | Df]; [now apply D |].
        now apply (clause_true p t (tree_of_faithful _) nx ot m F K0 P0 numbers pass lead f).
      - destruct (follows db c hints) eqn:E; [| discriminate]. apply (follows_sound valued) in E; auto.
        destruct c as [| x c].
        + destruct E as [l' [[] _]].
        + apply (IH (PM.add id (x :: c) db)); auto. now apply models_add.
      - apply (IH (fold_left (fun d i => PM.remove i d) ids db)); auto. clear A. revert db M.
        induction ids as [| i ids IHi]; intros db M; cbn; auto. apply IHi. now apply models_remove.
    Qed.

    Lemma no_fault_or_differ :
      (forall w, word_in (inputs p) w -> outputs nx ot 0 w = outputs (delta p) (lambda p) 0 w) \/
      (forall c, clause_of p t Differ = Some c -> true_clause p t nx ot m c).
    Proof.
      destruct well_split as [_ [D [_ [P0 [P1 [P2 K0]]]]]].
      set (lab' := lab (inputs p) (pinned p) (delta p) (label p) nx).
      set (wo := fun si => wrong_output (inputs p) (pinned p) m (delta p) (lambda p) (label p) nx ot (fst si) (snd si) (lab' (fst si))).
      set (wt := fun si => wrong_target (inputs p) (pinned p) m (delta p) (label p) nx (fst si) (snd si) (lab' (fst si))).
      pose proof (used_few _ _ _ _ _ _ numbers) as Few.
      assert (Lt : forall s, s < m -> lab' s < states p).
      { apply (lab_lt (states p) (inputs p) (bound p) (pinned p) m (delta p) (label p) nx ot K0 numbers D).
        intros j J. unfold label. apply model_after_lt. now apply pin_in. }
      assert (Fault : forall g : nat -> nat -> nat -> var,
                (forall s i, s < m -> i < inputs p -> In (yes (g s i (lab' s))) (match clause_of p t Differ with Some c => c | None => [] end)) ->
                forall s i, s < m -> i < inputs p -> meaning p t nx ot m (g s i (lab' s)) = true ->
                forall c, clause_of p t Differ = Some c -> true_clause p t nx ot m c).
      { intros g G s i Ls Li M c E. specialize (G s i Ls Li). rewrite E in G. exists (yes (g s i (lab' s))).
        split; auto. unfold true_lit. cbn [fst snd yes]. now rewrite M. }
      assert (Cell : forall g h : nat -> nat -> nat -> bool * var, forall s i, s < m -> i < inputs p ->
                In (g s i (lab' s)) (flat_map (fun ji => [g (fst ji) (snd ji) (label p (fst ji)); h (fst ji) (snd ji) (label p (fst ji))]) (pinned_cells p) ++
                         flat_map (fun eiq => [g (fst (fst eiq)) (snd (fst eiq)) (snd eiq); h (fst (fst eiq)) (snd (fst eiq)) (snd eiq)]) (extra_cells p)) /\
                In (h s i (lab' s)) (flat_map (fun ji => [g (fst ji) (snd ji) (label p (fst ji)); h (fst ji) (snd ji) (label p (fst ji))]) (pinned_cells p) ++
                         flat_map (fun eiq => [g (fst (fst eiq)) (snd (fst eiq)) (snd eiq); h (fst (fst eiq)) (snd (fst eiq)) (snd eiq)]) (extra_cells p))).
      { intros g h s i Ls Li. rewrite !in_app_iff, !in_flat_map. destruct (Nat.lt_ge_cases s (pinned p)) as [R | R].
        - assert (E : lab' s = label p s) by (now apply lab_pinned). rewrite E.
          assert (J : In (s, i) (pinned_cells p)) by (apply in_prod_iff; rewrite !in_seq; lia).
          split; left; exists (s, i); cbn; auto.
        - assert (J : In (s, i, lab' s) (extra_cells p)).
          { pose proof (Lt s Ls). apply in_prod_iff. split; [apply in_prod_iff; split |]; apply in_seq; lia. }
          split; right; exists (s, i, lab' s); cbn; auto. }
      destruct (existsb wo (list_prod (seq 0 m) (seq 0 (inputs p)))) eqn:A.
      { right. apply existsb_exists in A as [[s i] [J A]]. apply in_prod_iff in J as [J1 J2]. apply in_seq in J1, J2.
        apply (Fault X) with (s := s) (i := i); [| lia | lia | exact A].
        intros s' i' Ls Li. exact (proj1 (Cell (fun s i q => yes (X s i q)) (fun s i q => yes (Y s i q)) s' i' Ls Li)). }
      destruct (existsb wt (list_prod (seq 0 m) (seq 0 (inputs p)))) eqn:C.
      { right. apply existsb_exists in C as [[s i] [J C]]. apply in_prod_iff in J as [J1 J2]. apply in_seq in J1, J2.
        apply (Fault Y) with (s := s) (i := i); [| lia | lia | exact C].
        intros s' i' Ls Li. exact (proj2 (Cell (fun s i q => yes (X s i q)) (fun s i q => yes (Y s i q)) s' i' Ls Li)). }
      assert (None_ : forall f, existsb f (list_prod (seq 0 m) (seq 0 (inputs p))) = false -> forall s i, s < m -> i < inputs p -> f (s, i) = false).
      { intros f N s i Ls Li. destruct (f (s, i)) eqn:E; auto. rewrite <- N. symmetry. apply existsb_exists.
        exists (s, i). split; auto. apply in_prod_iff. rewrite !in_seq. lia. }
      left. intros w W. replace (outputs (delta p) (lambda p) 0 w) with (outputs (delta p) (lambda p) (lab' 0) w).
      - apply (no_fault_equivalent (inputs p) (bound p) (pinned p) m (delta p) (lambda p) (label p) nx ot numbers); auto; [| | lia].
        + intros s i Ls Li. exact (None_ wo A s i Ls Li).
        + intros s i Ls Li. exact (None_ wt C s i Ls Li).
      - f_equal. unfold lab'. rewrite lab_pinned by lia. unfold label. now rewrite P2.
    Qed.
  End Numbered.
End Sound.

(** A system that passes, and in which the pins lead to different states, over numbers: the pins lead to [0 .. r-1]. *)
Lemma pinned_numbering p I : well_formed p = true ->
  (forall j, j < pinned p -> word_in (inputs p) (nth j (pins p) [])) ->
  (forall j j', j < j' -> j' < pinned p ->
     after (next I) (start I) (nth j (pins p) []) <> after (next I) (start I) (nth j' (pins p) [])) ->
  bounded I (inputs p) (bound p) -> passes I (model p) (suite p) ->
  exists nx ot m, numbered_system (inputs p) (bound p) (pinned p) nx ot m /\ passes (system nx ot) (model p) (suite p) /\
    (forall j, j < pinned p -> after nx 0 (nth j (pins p) []) = j) /\
    (forall w, word_in (inputs p) w -> outputs nx ot 0 w = reacts I w).
Proof.
  intros Well Words Differ_ B Pass.
  destruct (well_split p Well) as [_ [_ [Fit [P0 [P1 [P2 K0]]]]]].
  set (where_ := fun j => after (next I) (start I) (nth j (pins p) [])).
  set (first := map where_ (seq 0 (pinned p))).
  assert (Reached : forall w, word_in (inputs p) w -> forall s l, In s l ->
            (forall s i, In s l -> i < inputs p -> In (next I s i) l) -> In (after (next I) s w) l).
  { induction w as [| i w IH]; intros W s l' S' Cl; cbn; auto. inversion W; subst. apply IH; auto. }
  assert (First : NoDup first).
  { unfold first. clear - Differ_. assert (G : forall m k0, k0 + m <= pinned p -> NoDup (map where_ (seq k0 m))).
    { induction m as [| m IH]; intros k0 L; cbn; constructor.
      - intros X. apply in_map_iff in X as [j [E J]]. apply in_seq in J.
        apply (Differ_ k0 j); [lia | lia | now symmetry].
      - apply IH. lia. }
    apply G. lia. }
  assert (Len : length first = pinned p) by (unfold first; now rewrite map_length, seq_length).
  assert (Nth : forall j, j < pinned p -> nth j first (start I) = where_ j).
  { intros j J. unfold first. rewrite (nth_indep _ _ (where_ 0)) by (rewrite map_length, seq_length; lia).
    rewrite map_nth, seq_nth by lia. reflexivity. }
  assert (Begin : nth 0 first (start I) = start I) by (rewrite Nth by lia; unfold where_; now rewrite P2).
  destruct (discovered I (inputs p) (bound p) first K0 ltac:(lia) Begin B) as [Numbers [Names [ND [St Cl]]]]; auto.
  { intros s S' l' St Cl. unfold first in S'. apply in_map_iff in S' as [j [<- J]]. apply in_seq in J.
    apply Reached; auto. apply Words. lia. }
  rewrite Len in Numbers, Names.
  set (known := names I (inputs p) (bound p) first) in *.
  set (nx := next_of I (inputs p) (bound p) first) in *. set (ot := out_of I (inputs p) (bound p) first) in *.
  set (m := count I (inputs p) (bound p) first) in *.
  exists nx, ot, m. split; [exact Numbers |].
  assert (Num : forall s, In s known -> number I known s < m) by (intros s S'; now apply index_lt).
  assert (Same : forall s i, s < m -> nx s i = next_number I known s i).
  { intros s i Ls. unfold nx, next_of. fold m. apply Nat.ltb_lt in Ls. now rewrite Ls. }
  assert (After : forall w, word_in (inputs p) w -> forall s, In s known -> after nx (number I known s) w = number I known (after (next I) s w)).
  { induction w as [| i w IH]; intros W s S'; cbn; auto. inversion W; subst. rewrite Same by auto.
    unfold next_number, nth_state, number at 2. rewrite nth_index by auto. apply IH; auto. }
  assert (Outputs : forall w, word_in (inputs p) w -> forall s, In s known -> outputs nx ot (number I known s) w = outputs (next I) (out I) s w).
  { induction w as [| i w IH]; intros W s S'; cbn; auto. inversion W; subst. rewrite Same by auto.
    assert (E : nth_state I known (number I known s) = s) by (now apply nth_index).
    unfold ot at 1, out_of, out_number. fold known. rewrite E. unfold next_number. rewrite E. f_equal. apply IH; auto. }
  assert (Number : forall j, j < pinned p -> number I known (where_ j) = j).
  { intros j J. rewrite <- Nth, <- Names by auto. apply index_nth; auto.
    pose proof (used_few _ _ _ _ _ _ Numbers). change (length known) with m. lia. }
  assert (Zero : number I known (start I) = 0).
  { replace (start I) with (where_ 0) by (unfold where_; now rewrite P2). now apply Number. }
  assert (Outs : forall w, word_in (inputs p) w -> outputs nx ot 0 w = reacts I w) by (intros w W; rewrite <- Zero; now apply Outputs).
  repeat split; auto.
  - intros w W. unfold reacts at 1. cbn. rewrite Outs; auto.
  - intros j J. rewrite <- Zero at 1. rewrite After by auto. now apply Number.
Qed.

(** A suite with an accepted refutation is complete: among all systems with at most [bound p] states, whatever their
    states are and whatever outputs they give, those that pass it are equivalent to the model. *)
Theorem check_sound p words l : check p words l = true ->
  forall I, bounded I (inputs p) (bound p) -> passes I (model p) (suite p) -> equivalent (inputs p) I (model p).
Proof.
  intros C I B Pass. unfold check in C. apply andb_true_iff in C as [C Steps]. apply andb_true_iff in C as [Well Apart].
  destruct (pinned_numbering p I Well (pin_in p Well words Apart) (pins_differ p words Apart I Pass) B Pass)
    as [nx [ot [m [Numbers [Pass' [Lead Outs]]]]]].
  destruct (no_fault_or_differ p Well words Apart nx ot m Numbers) as [E | D].
  - intros w W. rewrite <- Outs by auto. now apply E.
  - exfalso. eapply (steps_sound p Well nx ot m Numbers Pass' Lead D l (PM.empty clause)); auto. apply models_empty.
Qed.

Print Assumptions check_sound.
