(** Evidence with extra states: windows behind transitions are refuted (docs/proofs/window-walks.md, theorem 2). *)

Require Import List Arith Bool NArith PArith Lia.
From Fullproof Require Import Rup Mealy Discovery Tree Encoding Truth Checker Words Levels.
Import ListNotations.

(** Where a system may be: at the state of an access word, at an extra state, or anywhere. *)
Inductive config : Type := AtV (q : nat) | AtE (l : nat) | Anywhere.

Definition depth_limit : nat := 500.
Opaque depth_limit.

Section Line.
  Variable p : problem.
  Variable t : tree.
  Variable a : nat.

  (** What looks for nodes, inputs and orders need not be trusted. *)
  Variable good_node : nat * nat -> list nat -> nat -> config -> N.
  Variable move : nat * nat -> list nat -> bool * list nat -> N -> config -> option N -> nat.
  Variable order_of : nat * nat -> list nat -> list nat.

  Definition mem (k : nat) (l : list nat) : bool := existsb (Nat.eqb k) l.
  Definition mem_pair (x : nat * nat) (l : list (nat * nat)) : bool :=
    existsb (fun y => (fst x =? fst y) && (snd x =? snd y)) l.
  Definition certain (q i : nat) : bool := list_eqb (nth q (pins p) [] ++ [i]) (nth (delta p q i) (pins p) []).

  Section Window.
    Variable earlier : list (nat * nat).
    Variables s x : nat.
    Variable m : list nat.
    Let aim := delta p s x.

    Definition risky (q i : nat) : bool := (delta p q i =? aim) && negb (certain q i) && negb (mem_pair (q, i) earlier).

    Fixpoint clean (q : nat) (w : list nat) : bool :=
      match w with [] => true | i :: rest => negb (risky q i) && clean (delta p q i) rest end.

    Definition good (u : N) : bool := (label_of p t u =? s) && clean 0 (word t u).

    Definition t_of (l : nat) : nat := after (delta p) aim (firstn (l - 1) m).
    Definition z_of (k : nat) : nat := delta p (t_of a) k.
    Definition child_at (v : N) (k : nat) : option N := descendant t v [k].
    Definition access_node (q : nat) : option N := descendant t 0 (nth q (pins p) []).

    Definition window_node (k : nat) (c : config) : option N :=
      let u := good_node (s, x) m k c in if good u then descendant t u (x :: m ++ [k]) else None.

    Definition state_of (c : config) : option nat :=
      match c with AtV q => Some q | AtE l => Some (t_of l) | Anywhere => None end.

    Definition followers (trust : bool) (closed : list nat) (c : config) (k : nat) : list config :=
      match c with
      | Anywhere => [Anywhere]
      | AtV q => AtV (delta p q k) :: (if risky q k then [AtE 1] else [])
      | AtE l =>
          let y := delta p (t_of l) k in
          if l <? a then AtV y :: map AtE (filter (fun h => t_of h =? y) (seq 1 a))
          else if trust then AtV y :: map AtE (filter (fun h => negb (mem k closed) || (t_of h =? y)) (seq 1 a))
          else [Anywhere]
      end.

    Fixpoint refute (fuel : nat) (trust : bool) (closed : list nat) (w : N) (c : config) (g : option N) : bool :=
      match fuel with
      | 0 => false
      | S fuel' =>
          let k := move (s, x) m (trust, closed) w c g in
          match child_at w k with
          | None => false
          | Some w' =>
              let b := lambda p (label_of p t w) k in
              let g' := match g with Some v => child_at v k | None => None end in
              match g, g' with Some v, Some _ => negb (lambda p (label_of p t v) k =? b) | _, _ => false end
              || match state_of c with Some q => negb (lambda p q k =? b) | None => false end
              || forallb (fun c' => refute fuel' trust closed w' c' g') (followers trust closed c k)
          end
      end.

    Definition item (k : nat) (trust : bool) (closed : list nat) (c : config) (g : option N) : bool :=
      match window_node k c, g with
      | Some w, Some v => refute depth_limit trust closed w c (Some v)
      | _, _ => false
      end.

    Definition v_items : bool :=
      forallb (fun k => match window_node k Anywhere with Some _ => true | None => false end &&
                        forallb (fun q => (q =? z_of k) || item k false [] (AtV q) (access_node q)) (seq 0 (pinned p)))
              (seq 0 (inputs p)).

    Definition e_node (l : nat) : option N :=
      match access_node s with Some v => descendant t v (x :: firstn (l - 1) m) | None => None end.

    Fixpoint e_items (closed order : list nat) : bool :=
      match order with
      | [] => forallb (fun k => mem k closed) (seq 0 (inputs p))
      | k :: rest =>
          (k <? inputs p) &&
          forallb (fun l => (t_of l =? z_of k) || item k true closed (AtE l) (e_node l)) (seq 1 a) &&
          e_items (k :: closed) rest
      end.

    Definition window : bool := v_items && e_items [] (order_of (s, x) m).

    (** * Soundness of one window *)

    Hypothesis whole : faithful (suite p) t.
    Hypothesis root_word : backwards t 0 = [].
    Hypothesis well : well_formed p = true.
    Hypothesis complete : pinned p = states p.
    Variables nx ot : nat -> nat -> nat.
    Variables ex tl : nat -> nat.
    Hypothesis pass : passes (system nx ot) (model p) (suite p).
    Hypothesis lead : forall j, j < pinned p -> after nx 0 (nth j (pins p) []) = j.
    Hypothesis some_extra : 0 < a.
    Hypothesis range : forall l, 1 <= l <= a -> pinned p <= ex l.
    Hypothesis differ : forall l h, 1 <= l <= a -> 1 <= h <= a -> ex l = ex h -> l = h.
    Hypothesis every : forall q i, i < inputs p -> nx q i < pinned p \/ exists l, 1 <= l <= a /\ nx q i = ex l.
    Hypothesis step_v : forall q i, q < pinned p -> i < inputs p ->
      ot q i = lambda p q i /\ (nx q i = delta p q i \/ (nx q i = ex 1 /\ delta p q i = tl 1)).
    Hypothesis step_e : forall l i, 1 <= l < a -> i < inputs p ->
      ot (ex l) i = lambda p (tl l) i /\
      (nx (ex l) i = delta p (tl l) i \/ exists h, 1 <= h <= a /\ nx (ex l) i = ex h /\ tl h = delta p (tl l) i).
    Hypothesis s_lt : s < pinned p.
    Hypothesis x_lt : x < inputs p.
    Hypothesis astray : nx s x = ex 1.
    Hypothesis minimal : forall q i, In (q, i) earlier -> nx q i <> ex 1.
    Hypothesis m_in : word_in (inputs p) m.
    Hypothesis m_length : length m = a - 1.
    Hypothesis m_follows : forall l, 1 <= l <= a -> after nx (ex 1) (firstn (l - 1) m) = ex l.
    Hypothesis accepted : window = true.

    Let f (v : N) : nat := after nx 0 (word t v).

    Lemma delta_pinned q i : q < pinned p -> i < inputs p -> delta p q i < pinned p.
    Proof. destruct (well_split p well) as [_ [D _]]. rewrite complete. auto. Qed.

    Lemma aim_label : aim = tl 1.
    Proof.
      destruct (step_v s x s_lt x_lt) as [_ [E | [_ E]]]; auto. exfalso.
      pose proof (delta_pinned s x s_lt x_lt). pose proof (range 1). lia.
    Qed.

    Lemma risky_astray q i : q < pinned p -> i < inputs p -> nx q i = ex 1 -> risky q i = true.
    Proof.
      intros Q I E. pose proof (range 1 ltac:(lia)) as R. pose proof (delta_pinned q i Q I) as D.
      unfold risky. apply andb_true_iff. split; [apply andb_true_iff; split |].
      - destruct (step_v q i Q I) as [_ [E' | [_ E']]]; [lia |]. rewrite aim_label, E'. apply Nat.eqb_refl.
      - apply negb_true_iff. destruct (certain q i) eqn:C; auto. exfalso. apply list_eqb_eq in C.
        assert (X : after nx 0 (nth q (pins p) [] ++ [i]) = delta p q i) by (rewrite C; now apply lead).
        rewrite after_app, lead in X by auto. cbn in X. lia.
      - apply negb_true_iff. destruct (mem_pair (q, i) earlier) eqn:C; auto. exfalso.
        apply existsb_exists in C as [[q' i'] [In' C]]. cbn in C. apply andb_true_iff in C as [C1 C2].
        apply Nat.eqb_eq in C1, C2. subst. now apply (minimal q' i').
    Qed.

    Lemma clean_stays w : word_in (inputs p) w -> forall q, q < pinned p -> clean q w = true -> after nx q w = after (delta p) q w.
    Proof.
      induction w as [| i w IH]; intros W q Q C; cbn in *; auto. inversion W; subst. apply andb_true_iff in C as [C1 C2].
      apply negb_true_iff in C1. assert (E : nx q i = delta p q i).
      { destruct (step_v q i Q H1) as [_ [E | [E _]]]; auto. rewrite (risky_astray q i) in C1; auto. discriminate. }
      rewrite E. apply IH; auto. now apply delta_pinned.
    Qed.

    Lemma word_fits v : word_in (inputs p) (word t v).
    Proof.
      destruct (well_split p well) as [_ [_ [F _]]]. destruct (backwards_known p t whole v) as [E | [w [W [u E]]]].
      - unfold word. rewrite E. constructor.
      - apply F in W. rewrite E in W. apply Forall_app in W. tauto.
    Qed.

    Lemma good_at u : good u = true -> f u = s /\ label_of p t u = s.
    Proof.
      intros G. apply andb_true_iff in G as [G1 G2]. apply Nat.eqb_eq in G1. split; auto.
      destruct (well_split p well) as [_ [_ [_ [P0 _]]]]. unfold f. rewrite clean_stays; auto. apply word_fits.
    Qed.

    Lemma behind v w u : descendant t v w = Some u ->
      f u = after nx (f v) w /\ outputs nx ot (f v) w = outputs (delta p) (lambda p) (label_of p t v) w /\
      label_of p t u = after (delta p) (label_of p t v) w /\ (w <> [] -> word_in (inputs p) w).
    Proof.
      intros D. apply (descendant_word p t whole) in D as [W K].
      split; [unfold f; rewrite W; apply after_app |].
      split; [now apply (suffix_outputs p t (system nx ot) v w pass) |].
      split; [unfold label_of; rewrite W; apply after_app |].
      intros N. destruct K as [K | [y [Ky [z Kz]]]]; [contradiction |].
      destruct (well_split p well) as [_ [_ [F _]]]. apply F in Ky. rewrite Kz in Ky.
      apply Forall_app in Ky as [Ky _]. now apply Forall_app in Ky.
    Qed.

    Lemma child_behind v k u : child_at v k = Some u ->
      f u = nx (f v) k /\ ot (f v) k = lambda p (label_of p t v) k /\ k < inputs p.
    Proof.
      intros C. apply behind in C as [C1 [C2 [_ C4]]]. cbn in C1, C2. repeat split; auto; [congruence |].
      assert (W : word_in (inputs p) [k]) by (apply C4; discriminate). now inversion W.
    Qed.

    Lemma access_at q v : q < pinned p -> access_node q = Some v -> f v = q.
    Proof.
      intros Q A. apply behind in A as [A _]. unfold f at 2, word in A. rewrite root_word in A. cbn in A.
      rewrite A. now apply lead.
    Qed.

    Lemma t_label l : 1 <= l <= a -> t_of l = tl l.
    Proof.
      intros L. unfold t_of. assert (G : forall j, j < a -> after (delta p) aim (firstn j m) = tl (S j)).
      { induction j as [| j IH]; intros J; [cbn; apply aim_label |].
        assert (Lm : j < length m) by lia.
        assert (Sp : firstn (S j) m = firstn j m ++ [nth j m 0]).
        { rewrite <- (firstn_skipn (S j) m) at 2. clear - Lm. revert j Lm. induction m as [| y r IH]; intros j Lm; cbn in *; [lia |].
          destruct j; cbn; auto. f_equal. apply IH. lia. }
        rewrite Sp, after_app, IH by lia. cbn.
        assert (I : nth j m 0 < inputs p) by (unfold word_in in m_in; rewrite Forall_forall in m_in; apply m_in, nth_In; lia).
        assert (N : nx (ex (S j)) (nth j m 0) = ex (S (S j))).
        { rewrite <- (m_follows (S j)), <- (m_follows (S (S j))) by lia. replace (S j - 1) with j by lia. replace (S (S j) - 1) with (S j) by lia.
          rewrite Sp, after_app. reflexivity. }
        destruct (step_e (S j) (nth j m 0)) as [_ [E | [h [Lh [E1 E2]]]]]; auto; [lia | |].
        - exfalso. pose proof (range (S (S j)) ltac:(lia)) as R.
          assert (Lt : tl (S j) < pinned p).
          { rewrite <- IH by lia. clear - m_in s_lt x_lt well complete. assert (A : forall w, word_in (inputs p) w -> forall q, q < pinned p -> after (delta p) q w < pinned p).
            { induction w as [| i w IHw]; intros W q Q; cbn; auto. inversion W; subst. apply IHw; auto. now apply delta_pinned. }
            apply A; [| now apply delta_pinned]. unfold word_in in *. rewrite Forall_forall in *. intros y Y. apply m_in.
            rewrite <- (firstn_skipn j m). apply in_app_iff. now left. }
          pose proof (delta_pinned (tl (S j)) (nth j m 0) Lt I). lia.
        - rewrite N in E1. apply differ in E1; [| lia | lia]. now subst h. }
      replace l with (S (l - 1)) at 2 by lia. apply G. lia.
    Qed.

    Lemma m_whole : after nx (ex 1) m = ex a.
    Proof. rewrite <- (m_follows a) by lia. f_equal. now rewrite firstn_all2 by lia. Qed.

    (** All nodes of the window are at one state; the last extra state answers right. *)
    Lemma window_at k c w : k < inputs p -> window_node k c = Some w ->
      f w = nx (ex a) k /\ ot (ex a) k = lambda p (tl a) k.
    Proof.
      intros K W. unfold window_node in W. destruct (good _) eqn:G; [| discriminate]. apply good_at in G as [G1 G2].
      apply behind in W as [W1 [W2 _]]. rewrite G1 in W1, W2. rewrite G2 in W2.
      change (x :: m ++ [k]) with ((x :: m) ++ [k]) in W1, W2.
      assert (A : after nx s (x :: m) = ex a) by (cbn; rewrite astray; apply m_whole).
      rewrite after_app, A in W1. split; [exact W1 |].
      rewrite !outputs_app, A in W2. apply app_inj_tail in W2 as [_ W2] || idtac.
      assert (B : after (delta p) s (x :: m) = tl a).
      { rewrite <- (t_label a) by lia. unfold t_of. rewrite firstn_all2 by lia. reflexivity. }
      rewrite B in W2. cbn in W2. first [congruence | (apply (f_equal (fun l => nth (length (outputs nx ot s (x :: m))) l 0)) in W2; congruence)].
    Qed.

    Lemma last_answers k : k < inputs p -> ot (ex a) k = lambda p (tl a) k.
    Proof.
      intros K. pose proof accepted as A. unfold window, v_items in A. apply andb_true_iff in A as [A _].
      rewrite forallb_forall in A. assert (J : In k (seq 0 (inputs p))) by (apply in_seq; lia). apply A in J.
      apply andb_true_iff in J as [J _]. destruct (window_node k Anywhere) as [w|] eqn:W; [| discriminate].
      now apply (window_at k Anywhere w K).
    Qed.

    Definition described (c : config) (st : nat) : Prop :=
      match c with AtV q => st = q /\ q < pinned p | AtE l => 1 <= l <= a /\ st = ex l | Anywhere => True end.

    Lemma described_answers c st q k : described c st -> state_of c = Some q -> k < inputs p -> ot st k = lambda p q k.
    Proof.
      destruct c as [r | l |]; cbn; intros D S' K; try discriminate; injection S' as <-.
      - destruct D as [-> R]. now apply step_v.
      - destruct D as [L ->]. rewrite t_label by auto. destruct (Nat.eq_dec l a) as [-> | N]; [now apply last_answers |].
        now apply step_e; [lia |].
    Qed.

    (** What is known of where the last extra state leads. *)
    Definition known (trust : bool) (closed : list nat) : Prop :=
      trust = true -> (forall k, k < inputs p -> nx (ex a) k = z_of k \/ exists h, 1 <= h <= a /\ nx (ex a) k = ex h) /\
                      (forall k h, mem k closed = true -> 1 <= h <= a -> nx (ex a) k = ex h -> tl h = z_of k).

    Lemma t_pinned l : 1 <= l <= a -> tl l < pinned p.
    Proof.
      intros L. rewrite <- t_label by auto. unfold t_of.
      assert (A : forall w, word_in (inputs p) w -> forall q, q < pinned p -> after (delta p) q w < pinned p).
      { induction w as [| i w IHw]; intros W q Q; cbn; auto. inversion W; subst. apply IHw; auto. now apply delta_pinned. }
      apply A; [| now apply delta_pinned]. unfold word_in in *. rewrite Forall_forall in *. intros y Y. apply m_in.
      rewrite <- (firstn_skipn (l - 1) m). apply in_app_iff. now left.
    Qed.

    Lemma z_pinned k : k < inputs p -> z_of k < pinned p.
    Proof. intros K. unfold z_of. rewrite t_label by lia. apply delta_pinned; auto. apply t_pinned. lia. Qed.

    Lemma described_follows trust closed c st k : known trust closed -> described c st -> k < inputs p ->
      exists c', In c' (followers trust closed c k) /\ described c' (nx st k).
    Proof.
      intros Kn D K. destruct c as [q | l |]; cbn [described followers] in D |- *.
      - destruct D as [-> Q]. destruct (step_v q k Q K) as [_ [E | [E _]]].
        + exists (AtV (delta p q k)). split; [apply in_eq |]. cbn. split; auto. now apply delta_pinned.
        + exists (AtE 1). rewrite (risky_astray q k Q K E). split; [apply in_cons, in_eq |]. cbn. split; [lia | auto].
      - destruct D as [L ->]. destruct (l <? a) eqn:La.
        + apply Nat.ltb_lt in La. rewrite t_label by lia. destruct (step_e l k) as [_ [E | [h [Lh [E1 E2]]]]]; [lia | auto | |].
          * exists (AtV (delta p (tl l) k)). split; [apply in_eq |]. cbn. split; auto. apply delta_pinned; auto. now apply t_pinned.
          * exists (AtE h). split; [| cbn; auto]. apply in_cons, in_map, filter_In. split; [apply in_seq; lia |].
            rewrite t_label by lia. now apply Nat.eqb_eq.
        + apply Nat.ltb_ge in La. assert (l = a) by lia. subst l. destruct trust.
          * destruct (Kn eq_refl) as [K1 K2]. destruct (K1 k K) as [E | [h [Lh E]]].
            -- exists (AtV (z_of k)). split; [apply in_eq |]. cbn. split; auto. now apply z_pinned.
            -- exists (AtE h). split; [| cbn; auto]. apply in_cons, in_map, filter_In. split; [apply in_seq; lia |].
               destruct (mem k closed) eqn:M; cbn; auto. rewrite t_label by lia. apply Nat.eqb_eq. now apply (K2 k h).
          * exists Anywhere. split; [apply in_eq | exact I].
      - exists Anywhere. split; [apply in_eq | exact I].
    Qed.

    Lemma refute_sound trust closed : known trust closed -> forall fuel w c g,
      refute fuel trust closed w c g = true -> described c (f w) -> (forall v, g = Some v -> f v = f w) -> False.
    Proof.
      intros Kn. induction fuel as [| fuel IH]; intros w c g R D G; cbn in R; [discriminate |].
      set (k := move (s, x) m (trust, closed) w c g) in *.
      destruct (child_at w k) as [w'|] eqn:W; [| discriminate]. apply child_behind in W as [W1 [W2 W3]].
      apply orb_true_iff in R as [R | R]; [apply orb_true_iff in R as [R | R] |].
      - destruct g as [v|]; [| discriminate]. destruct (child_at v k) as [v'|] eqn:V; [| discriminate].
        apply child_behind in V as [_ [V2 _]]. rewrite (G v eq_refl) in V2. apply negb_true_iff, Nat.eqb_neq in R. congruence.
      - destruct (state_of c) as [q|] eqn:S'; [| discriminate]. apply negb_true_iff, Nat.eqb_neq in R.
        rewrite (described_answers c (f w) q k D S' W3) in W2. congruence.
      - rewrite forallb_forall in R. destruct (described_follows trust closed c (f w) k Kn D W3) as [c' [C1 C2]].
        apply R in C1. rewrite <- W1 in C2. apply (IH w' c' _ C1 C2).
        intros v E. destruct g as [v0|]; [| discriminate]. apply child_behind in E as [E _].
        rewrite (G v0 eq_refl) in E. congruence.
    Qed.

    Lemma v_items_sound k q : k < inputs p -> q < pinned p -> nx (ex a) k = q -> q = z_of k.
    Proof.
      intros K Q E. pose proof accepted as A. unfold window, v_items in A. apply andb_true_iff in A as [A _].
      rewrite forallb_forall in A. assert (J : In k (seq 0 (inputs p))) by (apply in_seq; lia). apply A in J.
      apply andb_true_iff in J as [_ J]. rewrite forallb_forall in J.
      assert (Jq : In q (seq 0 (pinned p))) by (apply in_seq; lia). apply J in Jq.
      apply orb_true_iff in Jq as [Jq | Jq]; [now apply Nat.eqb_eq |]. exfalso. unfold item in Jq.
      destruct (window_node k (AtV q)) as [w|] eqn:W; [| discriminate]. destruct (access_node q) as [v|] eqn:V; [| discriminate].
      apply window_at in W as [W _]; auto.
      apply (refute_sound false [] ltac:(discriminate)) in Jq; auto.
      - cbn. split; auto. congruence.
      - intros v' X. injection X as <-. rewrite (access_at q v Q V). congruence.
    Qed.

    Lemma last_leads k : k < inputs p -> nx (ex a) k = z_of k \/ exists h, 1 <= h <= a /\ nx (ex a) k = ex h.
    Proof.
      intros K. destruct (every (ex a) k K) as [V | E]; auto. left. now apply v_items_sound.
    Qed.

    Lemma e_node_at l v : 1 <= l <= a -> e_node l = Some v -> f v = ex l.
    Proof.
      intros L E. unfold e_node in E. destruct (access_node s) as [u|] eqn:U; [| discriminate].
      apply behind in E as [E _]. rewrite (access_at s u s_lt U) in E. cbn in E. rewrite astray in E.
      rewrite E. now apply m_follows.
    Qed.

    Lemma e_items_sound order : forall closed,
      (forall k h, mem k closed = true -> 1 <= h <= a -> nx (ex a) k = ex h -> tl h = z_of k) ->
      e_items closed order = true ->
      forall k h, k < inputs p -> 1 <= h <= a -> nx (ex a) k = ex h -> tl h = z_of k.
    Proof.
      induction order as [| j order IH]; intros closed C E.
      - cbn in E. rewrite forallb_forall in E. intros k h K. apply C. apply E, in_seq. lia.
      - cbn in E. apply andb_true_iff in E as [E E3]. apply andb_true_iff in E as [E1 E2]. apply Nat.ltb_lt in E1.
        rewrite forallb_forall in E2. apply (IH (j :: closed)); auto. intros k h M Lh N.
        unfold mem in M. cbn in M. apply orb_true_iff in M as [M | M]; [| now apply C].
        apply Nat.eqb_eq in M. subst k.
        assert (Jl : In h (seq 1 a)) by (apply in_seq; lia). apply E2 in Jl.
        apply orb_true_iff in Jl as [Jl | Jl]; [rewrite t_label in Jl by auto; now apply Nat.eqb_eq |].
        exfalso. unfold item in Jl. destruct (window_node j (AtE h)) as [w|] eqn:W; [| discriminate].
        destruct (e_node h) as [v|] eqn:V; [| discriminate]. apply window_at in W as [W _]; auto.
        apply (refute_sound true closed) in Jl; auto.
        + intros _. split; auto. intros k K. now apply last_leads.
        + cbn. split; auto. congruence.
        + intros v' X. injection X as <-. rewrite (e_node_at h v Lh V). congruence.
    Qed.

    Lemma last_right k h : k < inputs p -> 1 <= h <= a -> nx (ex a) k = ex h -> tl h = z_of k.
    Proof.
      pose proof accepted as A. unfold window in A. apply andb_true_iff in A as [_ A].
      apply (e_items_sound (order_of (s, x) m) []); auto. intros j g M. discriminate.
    Qed.

    (** The system is equivalent: every state has a label. *)
    Lemma window_equivalent w : word_in (inputs p) w ->
      (forall q, q < pinned p -> outputs nx ot q w = outputs (delta p) (lambda p) q w) /\
      (forall l, 1 <= l <= a -> outputs nx ot (ex l) w = outputs (delta p) (lambda p) (tl l) w).
    Proof.
      induction w as [| i w IH]; intros W; [now split |]. inversion W; subst. destruct (IH H2) as [IHv IHe]. split.
      - intros q Q. cbn. destruct (step_v q i Q H1) as [O [E | [E1 E2]]]; rewrite O; f_equal.
        + rewrite E. apply IHv. now apply delta_pinned.
        + rewrite E1, E2. apply IHe. lia.
      - intros l L. cbn. destruct (Nat.eq_dec l a) as [-> | N].
        + rewrite last_answers by auto. f_equal. assert (Z : z_of i = delta p (tl a) i) by (unfold z_of; now rewrite t_label by lia).
          destruct (last_leads i H1) as [E | [h [Lh E]]].
          * rewrite E, Z. apply IHv. rewrite <- Z. now apply z_pinned.
          * rewrite E, <- Z, <- (last_right i h H1 Lh E). now apply IHe.
        + destruct (step_e l i) as [O [E | [h [Lh [E1 E2]]]]]; auto; [lia | |]; rewrite O; f_equal.
          * rewrite E. apply IHv. apply delta_pinned; auto. now apply t_pinned.
          * rewrite E1, <- E2. now apply IHe.
    Qed.
  End Window.
End Line.
