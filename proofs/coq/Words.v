(** Words that are in the tree of a suite, and what any system that passes shows along them. *)

Require Import List Arith Bool NArith Lia.
From Fullproof Require Import Rup Mealy Tree Encoding Truth Checker.
Import ListNotations.

Section Words.
  Variable p : problem.
  Variable t : tree.

  Definition successors (u : list nat) : list (list nat) := map (fun i => u ++ [i]) (seq 0 (inputs p)).
  Definition in_tree (u : list nat) : bool := match descendant t 0 u with Some _ => true | None => false end.
  Definition state_after (u : list nat) : nat := after (delta p) 0 u.
  Definition differ_on (q r : nat) (v : list nat) : bool :=
    negb (list_eqb (outputs (delta p) (lambda p) q v) (outputs (delta p) (lambda p) r v)).

  Definition apart_by (u w v : list nat) : bool :=
    in_tree (u ++ v) && in_tree (w ++ v) && differ_on (state_after u) (state_after w) v.

  Hypothesis whole : faithful (suite p) t.
  Hypothesis root_word : backwards t 0 = [].
  Hypothesis well : well_formed p = true.

  Lemma in_successors u i : i < inputs p -> In (u ++ [i]) (successors u).
  Proof. intros L. apply in_map_iff. exists i. split; auto. apply in_seq. lia. Qed.

  Lemma in_tree_known u : in_tree u = true -> u = [] \/ exists w, In w (suite p) /\ prefix u w.
  Proof.
    unfold in_tree. destruct (descendant t 0 u) as [x|] eqn:E; [| discriminate].
    intros _. apply (descendant_word p t whole) in E as [_ E].
    assert (W : word t 0 = []) by (unfold word; now rewrite root_word). rewrite W in E. exact E.
  Qed.

  Lemma in_tree_in u : in_tree u = true -> word_in (inputs p) u.
  Proof.
    intros U. apply in_tree_known in U as [-> | [w [W [v ->]]]]; [constructor |].
    destruct (well_split p well) as [_ [_ [F _]]]. apply F in W. apply Forall_app in W. tauto.
  Qed.

  Lemma in_tree_outputs I u v : passes I (model p) (suite p) -> in_tree (u ++ v) = true ->
    outputs (next I) (out I) (after (next I) (start I) u) v = outputs (delta p) (lambda p) (state_after u) v.
  Proof.
    intros Pass U. apply in_tree_known in U as [E | [w [W Q]]].
    - apply app_eq_nil in E as [-> ->]. reflexivity.
    - pose proof (passes_prefix _ _ _ _ _ Pass W Q) as E. unfold reacts in E. rewrite !outputs_app in E.
      assert (E1 : reacts I u = reacts (model p) u).
      { apply (passes_prefix _ _ _ _ _ Pass W). destruct Q as [x ->]. exists (v ++ x). now rewrite app_assoc. }
      unfold reacts in E1. rewrite E1 in E. now apply app_inv_head in E.
  Qed.

  Lemma apart_by_sound I u w v : passes I (model p) (suite p) -> apart_by u w v = true ->
    after (next I) (start I) u <> after (next I) (start I) w.
  Proof.
    intros Pass A E. unfold apart_by in A. apply andb_true_iff in A as [A D]. apply andb_true_iff in A as [A1 A2].
    apply (in_tree_outputs I) in A1; auto. apply (in_tree_outputs I) in A2; auto. unfold differ_on in D.
    rewrite <- A1, <- A2, E in D. unfold list_eqb in D. destruct (list_eq_dec Nat.eq_dec _ _); easy.
  Qed.
End Words.
