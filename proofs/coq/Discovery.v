(** States numbered in the order in which they are met.

    The first [r] numbers are given away: to the states that the access words of the pins lead to. Then the transitions
    are scanned, those of state 0 first, and a state that is met for the first time gets the next number. So a state with
    a later number is entered first from a state with a smaller one, and later numbers are entered later. *)

Require Import List Arith Bool Lia.
From Fullproof Require Import Mealy.
Import ListNotations.

Section Scan.
  Variable I : machine.
  Variables k b : nat.
  Variable first : list (state I).
  Variable all : list (state I).
  Hypothesis some_inputs : 0 < k.
  Hypothesis few : length all <= b.
  Hypothesis closed : forall s i, In s all -> i < k -> In (next I s i) all.
  Hypothesis first_in : incl first all.
  Hypothesis first_differ : NoDup first.

  (** The states that are known before transition [c] is looked at. *)
  Fixpoint met (c : nat) : list (state I) :=
    match c with
    | 0 => first
    | S c' =>
        match nth_error (met c') (c' / k) with
        | None => met c'
        | Some s => let t := next I s (c' mod k) in if in_dec (state_eq I) t (met c') then met c' else met c' ++ [t]
        end
    end.

  Lemma met_step c : met (S c) = met c \/
    exists s, nth_error (met c) (c / k) = Some s /\ ~ In (next I s (c mod k)) (met c) /\
              met (S c) = met c ++ [next I s (c mod k)].
  Proof.
    cbn. destruct (nth_error (met c) (c / k)) as [s|] eqn:E; auto.
    destruct (in_dec _ _ _) as [J | J]; auto. right. exists s. auto.
  Qed.

  Lemma met_prefix c d : c <= d -> exists l, met d = met c ++ l.
  Proof.
    induction 1 as [| d L [l E]]; [exists []; now rewrite app_nil_r |].
    destruct (met_step d) as [-> | [s [_ [_ ->]]]]; [now exists l |]. rewrite E. exists (l ++ [next I s (d mod k)]). now rewrite app_assoc.
  Qed.

  Lemma met_length c d : c <= d -> length (met c) <= length (met d).
  Proof. intros L. destruct (met_prefix c d L) as [l ->]. rewrite app_length. lia. Qed.

  Lemma met_nth c d j x : c <= d -> j < length (met c) -> nth j (met d) x = nth j (met c) x.
  Proof. intros L J. destruct (met_prefix c d L) as [l ->]. now apply app_nth1. Qed.

  Lemma met_in c : incl (met c) all.
  Proof.
    induction c as [| c IH]; [exact first_in |].
    destruct (met_step c) as [-> | [s [E [_ ->]]]]; auto. apply incl_app; auto.
    intros x [<- | []]. apply closed; [apply IH; eapply nth_error_In; eauto | apply Nat.mod_upper_bound; lia].
  Qed.

  Lemma met_differ c : NoDup (met c).
  Proof.
    induction c as [| c IH]; [exact first_differ |].
    destruct (met_step c) as [-> | [s [_ [N ->]]]]; auto. apply NoDup_app_one; auto.
  Qed.

  (** When number [e] is given away. *)
  Lemma birth d e : length first <= e < length (met d) ->
    exists c, c < d /\ length (met c) = e /\ length (met (S c)) = S e.
  Proof.
    induction d as [| d IH]; intros [L M]; [cbn in M; lia |].
    destruct (met_step d) as [E | [s [_ [_ E]]]].
    - rewrite E in M. destruct IH as [c [C B]]; auto. exists c. split; [lia | exact B].
    - assert (Len : length (met (S d)) = S (length (met d))) by (rewrite E, app_length; cbn; lia).
      destruct (Nat.eq_dec (length (met d)) e) as [<- | N].
      + exists d. split; [lia |]. split; auto.
      + destruct IH as [c [C B]]; [lia |]. exists c. split; [lia | exact B].
  Qed.

  Lemma birth_before c e : length (met c) = e -> length (met (S c)) = S e -> c / k < e.
  Proof.
    intros L M. destruct (met_step c) as [E | [s [E _]]]; [rewrite E in M; lia |].
    rewrite <- L. apply nth_error_Some. congruence.
  Qed.

  Definition names : list (state I) := met (b * k).
  Let count := length names.

  Lemma names_few : count <= b.
  Proof. eapply Nat.le_trans; [| exact few]. apply NoDup_incl_length; [apply met_differ | apply met_in]. Qed.

  Lemma early j : j < count -> j < length (met (j * k)).
  Proof.
    intros J. destruct (Nat.lt_ge_cases j (length first)) as [F | F].
    - eapply Nat.lt_le_trans; [exact F |]. exact (met_length 0 (j * k) (Nat.le_0_l _)).
    - destruct (birth (b * k) j) as [c [_ [B1 B2]]]; [split; auto |].
      pose proof (birth_before c j B1 B2) as B3.
      assert (S c <= j * k). { apply Nat.div_lt_upper_bound in B3 || idtac. pose proof (Nat.div_mod c k ltac:(lia)). pose proof (Nat.mod_upper_bound c k ltac:(lia)). nia. }
      pose proof (met_length (S c) (j * k) H). lia.
  Qed.

  Definition tr (c : nat) : state I := next I (nth (c / k) names (start I)) (c mod k).

  Lemma split_transition s i : i < k -> (s * k + i) / k = s /\ (s * k + i) mod k = i.
  Proof.
    intros L. split.
    - rewrite Nat.div_add_l by lia. rewrite Nat.div_small by lia. lia.
    - rewrite Nat.add_comm, Nat.mod_add by lia. now apply Nat.mod_small.
  Qed.

  (** What transition [c] leads to is known afterwards. *)
  Lemma known_after c : c / k < count -> c < b * k -> In (tr c) (met (S c)).
  Proof.
    intros L C. assert (J : c / k < length (met c)).
    { pose proof (early _ L) as E. eapply Nat.lt_le_trans; [exact E |]. apply met_length.
      pose proof (Nat.div_mod c k ltac:(lia)). nia. }
    unfold tr. unfold names. rewrite (met_nth c (b * k)) by lia.
    cbn. destruct (nth_error (met c) (c / k)) as [s|] eqn:E; [| apply nth_error_None in E; lia].
    rewrite (nth_error_nth _ _ _ E). destruct (in_dec _ _ _) as [X | X]; auto. apply in_app_iff. right. now left.
  Qed.

  Lemma names_closed s i : In s names -> i < k -> In (next I s i) names.
  Proof.
    intros S' L. apply In_nth with (d := start I) in S' as [j [J <-]].
    destruct (split_transition j i L) as [E1 E2].
    assert (C : j * k + i < b * k). { pose proof names_few. fold count in J. nia. }
    assert (K : In (tr (j * k + i)) (met (S (j * k + i)))) by (apply known_after; [rewrite E1; exact J | exact C]).
    unfold tr in K. rewrite E1, E2 in K. destruct (met_prefix (S (j * k + i)) (b * k)) as [l E]; [lia |].
    unfold names at 2. rewrite E. apply in_app_iff. now left.
  Qed.

  (** Each number from [length first] on has a transition that enters it first; it begins at a smaller number. *)
  Lemma first_entry e : length first <= e < count -> exists c, c < e * k /\ c < b * k /\
    tr c = nth e names (start I) /\ (forall c', c' < c -> tr c' <> nth e names (start I)) /\ length (met c) = e.
  Proof.
    intros E. destruct (birth (b * k) e E) as [c [C [B1 B2]]]. pose proof (birth_before c e B1 B2) as B3.
    assert (Ce : c < e * k). { pose proof (Nat.div_mod c k ltac:(lia)). pose proof (Nat.mod_upper_bound c k ltac:(lia)). nia. }
    exists c. split; [exact Ce |]. split; [exact C |].
    assert (T : nth e names (start I) = tr c).
    { unfold names. rewrite (met_nth (S c) (b * k)) by lia.
      destruct (met_step c) as [X | [s [N [_ X]]]]; [rewrite X in B2; lia |].
      rewrite X, app_nth2, B1, Nat.sub_diag by lia. cbn. unfold tr, names. rewrite (met_nth c (b * k)) by lia.
      now rewrite (nth_error_nth _ _ _ N). }
    split; [now symmetry |]. split; auto. intros c' L X. rewrite T in X.
    assert (K : In (tr c') (met (S c'))).
    { apply known_after; [| lia]. eapply Nat.le_lt_trans; [apply Nat.div_le_mono with (b := c); lia |]. unfold count in *. lia. }
    destruct (met_prefix (S c') c) as [l El]; [lia |].
    assert (K' : In (tr c) (met c)) by (rewrite El, <- X; apply in_app_iff; now left).
    destruct (met_step c) as [Y | [s [N [Z Y]]]]; [rewrite Y in B2; lia |]. apply Z.
    unfold tr, names in K'. rewrite (met_nth c (b * k)) in K' by lia. now rewrite (nth_error_nth _ _ _ N) in K'.
  Qed.
End Scan.

(** A system over numbers, as the clauses speak of it: [m] of them are used, the others lead to 0. *)
Record numbered_system (k b r : nat) (nx ot : nat -> nat -> nat) (m : nat) : Prop := {
  used_few : r <= m <= b;
  used_closed : forall s i, i < k -> nx s i < m;
  unused : forall s i, m <= s -> nx s i = 0;
  entered_first : forall e, r <= e < m -> exists c, c < e * k /\ nx (c / k) (c mod k) = e /\
    (forall c', c' < c -> nx (c' / k) (c' mod k) <> e) /\
    (r < e -> exists d, d < c /\ d < (e - 1) * k /\ nx (d / k) (d mod k) = e - 1)
}.

Section Numbered.
  Variable I : machine.
  Variables k b : nat.
  Variable first : list (state I).
  Hypothesis some_inputs : 0 < k.
  Hypothesis some_first : 0 < length first.
  Hypothesis begins : nth 0 first (start I) = start I.
  Hypothesis bound : bounded I k b.
  Hypothesis reached : forall s, In s first ->
    forall l, In (start I) l -> (forall s i, In s l -> i < k -> In (next I s i) l) -> In s l.
  Hypothesis differ : NoDup first.

  Let known := names I k b first.
  Definition count : nat := length known.
  Definition next_of (s i : nat) : nat := if s <? count then next_number I known s i else 0.
  Definition out_of (s i : nat) : nat := out_number I known s i.

  Lemma discovered : numbered_system k b (length first) next_of out_of count /\
    (forall j, j < length first -> nth j known (start I) = nth j first (start I)) /\ NoDup known /\ In (start I) known /\
    (forall s i, In s known -> i < k -> In (next I s i) known).
  Proof.
    destruct bound as [all [Few [Start Closed]]].
    assert (Incl : incl first all) by (intros s S'; now apply (reached s S')).
    assert (Prefix : exists l, known = first ++ l) by (apply (met_prefix I k first 0); lia).
    assert (Nth : forall j, j < length first -> nth j known (start I) = nth j first (start I)).
    { intros j J. destruct Prefix as [l ->]. now apply app_nth1. }
    assert (Len : length first <= count) by (unfold count; destruct Prefix as [l ->]; rewrite app_length; lia).
    assert (Begin : In (start I) known).
    { rewrite <- begins, <- Nth by auto. apply nth_In. unfold count in Len. lia. }
    assert (ND : NoDup known) by (apply (met_differ I k first); auto).
    assert (Cl : forall s i, In s known -> i < k -> In (next I s i) known).
    { intros s i. apply (names_closed I k b first all some_inputs Few Closed Incl differ). }
    assert (Tr : forall c, c / k < count -> next_of (c / k) (c mod k) = number I known (tr I k b first c)).
    { intros c C. unfold next_of. apply Nat.ltb_lt in C. rewrite C. reflexivity. }
    assert (Num : forall e, e < count -> number I known (nth e known (start I)) = e).
    { intros e E. apply (index_nth I known); auto. }
    assert (TrIn : forall c, c / k < count -> In (tr I k b first c) known).
    { intros c C. apply Cl; [now apply nth_In | apply Nat.mod_upper_bound; lia]. }
    split; [| repeat split; auto]. split.
    - split; auto. unfold count. apply (names_few I k b first all some_inputs Few Closed Incl differ).
    - intros s i L. unfold next_of. destruct (s <? count) eqn:E.
      + apply Nat.ltb_lt in E. unfold next_number. apply index_lt, Cl; auto. now apply nth_In.
      + lia.
    - intros s i L. unfold next_of. apply Nat.ltb_ge in L. now rewrite L.
    - intros e E. destruct (first_entry I k b first all some_inputs Few e E) as [c [C1 [C2 [C3 [C4 C5]]]]].
      assert (Lt : forall x, x < e * k -> x / k < count).
      { intros x X. eapply Nat.lt_trans; [apply Nat.div_lt_upper_bound with (q := e); nia | lia]. }
      exists c. split; [exact C1 |]. split; [| split].
      + rewrite Tr by auto. rewrite C3. now apply Num.
      + intros c' L X. rewrite Tr in X by (apply Lt; lia). apply (C4 c' L). rewrite <- X at 1.
        symmetry. apply nth_index. apply TrIn, Lt. lia.
      + intros R. destruct (first_entry I k b first all some_inputs Few (e - 1)) as [d [D1 [D2 [D3 [D4 D5]]]]].
        { change (length (names I k b first)) with count. lia. }
        exists d. split; [| split].
        * destruct (Nat.lt_ge_cases d c) as [L | L]; auto. pose proof (met_length I k b first all some_inputs Few c d L). lia.
        * exact D1.
        * rewrite Tr by (apply Lt; nia). rewrite D3. apply Num. lia.
  Qed.
End Numbered.
