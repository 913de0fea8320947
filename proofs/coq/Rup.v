(** Reverse unit propagation with hints (LRAT without RAT): a clause that is accepted follows from the clauses it cites. *)

Require Import List Bool PArith FMapPositive.
Import ListNotations.

Module PM := PositiveMap.

Definition lit : Type := bool * positive.
(** The sign and the variable: [(true, x)] holds where [x] does. *)

Definition clause : Type := list lit.
Definition valuation : Type := positive -> bool.

Definition holds (v : valuation) (l : lit) : bool := Bool.eqb (fst l) (v (snd l)).
Definition satisfies (v : valuation) (c : clause) : Prop := exists l, In l c /\ holds v l = true.

(** Partial assignments, as unit propagation finds them. *)
Definition partial : Type := PM.t bool.
Definition agrees (v : valuation) (p : partial) : Prop := forall x b, PM.find x p = Some b -> v x = b.

Definition value (p : partial) (l : lit) : option bool :=
  match PM.find (snd l) p with
  | Some b => Some (Bool.eqb (fst l) b)
  | None => None
  end.

Fixpoint negated (c : clause) (p : partial) : partial :=
  match c with
  | [] => p
  | l :: rest => negated rest (PM.add (snd l) (negb (fst l)) p)
  end.

Definition lit_eqb (l m : lit) : bool := Bool.eqb (fst l) (fst m) && Pos.eqb (snd l) (snd m).

(** What is left of a clause: nothing (a conflict), one literal, or more than that ([None]). The one literal may be true
    already: then the hint says nothing new, which the format allows. *)
Fixpoint reduced (p : partial) (c : clause) (found : option lit) : option (option lit) :=
  match c with
  | [] => Some found
  | l :: rest =>
      match value p l with
      | Some false => reduced p rest found
      | _ =>
          match found with
          | None => reduced p rest (Some l)
          | Some m => if lit_eqb l m then reduced p rest found else None
          end
      end
  end.

Fixpoint refutes (db : PM.t clause) (p : partial) (hints : list positive) : bool :=
  match hints with
  | [] => false
  | h :: rest =>
      match PM.find h db with
      | None => false
      | Some c =>
          match reduced p c None with
          | None => false
          | Some None => true
          | Some (Some l) => refutes db (PM.add (snd l) (fst l) p) rest
          end
      end
  end.

(** Whether a clause has a literal and its negation: then it holds, whatever its hints say. *)
Fixpoint tautology (c : clause) (p : partial) : bool :=
  match c with
  | [] => false
  | l :: rest => match value p l with
                 | Some true => true
                 | _ => tautology rest (PM.add (snd l) (negb (fst l)) p)
                 end
  end.

Definition follows (db : PM.t clause) (c : clause) (hints : list positive) : bool :=
  tautology c (PM.empty bool) || refutes db (negated c (PM.empty bool)) hints.

Definition models (v : valuation) (db : PM.t clause) : Prop := forall h c, PM.find h db = Some c -> satisfies v c.

Lemma agrees_add v p x b : agrees v p -> v x = b -> agrees v (PM.add x b p).
Proof.
  intros A V y c F. destruct (Pos.eq_dec x y) as [<- | D].
  - rewrite PM.gss in F. congruence.
  - rewrite PM.gso in F by congruence. auto.
Qed.

Lemma agrees_negated v c : ~ satisfies v c -> forall p, agrees v p -> agrees v (negated c p).
Proof.
  induction c as [| l rest IH]; intros N p A; cbn; auto.
  apply IH.
  - intros [m [I H]]. apply N. exists m. split; [now right | exact H].
  - apply agrees_add; auto.
    destruct (holds v l) eqn:H.
    + exfalso. apply N. exists l. split; [now left | exact H].
    + unfold holds in H. destruct (fst l), (v (snd l)); cbn in *; congruence.
Qed.

Lemma value_agrees v p l b : agrees v p -> value p l = Some b -> holds v l = b.
Proof.
  unfold value, holds. intros A H. destruct (PM.find (snd l) p) as [c|] eqn:F; [| discriminate].
  apply A in F. injection H as <-. now rewrite F.
Qed.

Lemma lit_eqb_eq l m : lit_eqb l m = true -> l = m.
Proof.
  destruct l, m. unfold lit_eqb. cbn. intros H. apply andb_true_iff in H as [A B].
  apply Bool.eqb_prop in A. apply Pos.eqb_eq in B. congruence.
Qed.

(** Where a clause holds, and all of it but what [reduced] leaves is false, what it leaves holds. *)
Lemma reduced_sound v p : agrees v p -> forall c found rest,
  reduced p c found = Some rest ->
  (satisfies v c \/ exists m, found = Some m /\ holds v m = true) ->
  exists m, rest = Some m /\ holds v m = true.
Proof.
  intros A. induction c as [| l c IH]; intros found rest R S; cbn in R.
  - injection R as <-. destruct S as [[m [[] _]] | S]; exact S.
  - destruct (value p l) as [[|]|] eqn:V.
    2: { apply (IH found rest R). destruct S as [[m [[<- | I] H]] | S]; auto.
         - apply (value_agrees v) in V; auto. congruence.
         - left. now exists m. }
    all: destruct found as [f|];
      [ destruct (lit_eqb l f) eqn:E; [apply lit_eqb_eq in E as -> | discriminate];
        apply (IH _ _ R); destruct S as [[m [[<- | I] H]] | S]; auto; [right; now exists f | left; now exists m]
      | apply (IH _ _ R); destruct S as [[m [[<- | I] H]] | [m [? _]]]; try discriminate;
        [right; now exists l | left; now exists m] ].
Qed.

Lemma refutes_sound v db : models v db -> forall hints p, agrees v p -> refutes db p hints = true -> False.
Proof.
  intros M. induction hints as [| h hints IH]; intros p A R; cbn in R; [discriminate |].
  destruct (PM.find h db) as [c|] eqn:F; [| discriminate].
  destruct (reduced p c None) as [[l|]|] eqn:E; try discriminate.
  - apply (reduced_sound v p A) in E as [m [Q H]]; [| left; eapply M; eauto].
    injection Q as <-. apply (IH _ ) in R; auto. apply agrees_add; auto.
    unfold holds in H. apply Bool.eqb_prop in H. congruence.
  - apply (reduced_sound v p A) in E as [m [Q H]]; [| left; eapply M; eauto]. discriminate.
Qed.

Lemma satisfies_dec v c : satisfies v c \/ ~ satisfies v c.
Proof.
  induction c as [| l c [S | N]].
  - right. intros [l [[] _]].
  - left. destruct S as [m [I H]]. exists m. split; [now right | exact H].
  - destruct (holds v l) eqn:H.
    + left. exists l. split; [now left | exact H].
    + right. intros [m [[<- | I] H']]; [congruence |]. apply N. now exists m.
Qed.

Lemma tautology_sound v c : forall p, agrees v p -> tautology c p = true -> satisfies v c.
Proof.
  induction c as [| l c IH]; intros p A T; cbn in T; [discriminate |].
  destruct (holds v l) eqn:H; [exists l; split; [now left | exact H] |].
  enough (satisfies v c) as [m [I Q]] by (exists m; split; [now right | exact Q]).
  destruct (value p l) as [[|]|] eqn:V.
  1: apply (value_agrees v) in V; auto; congruence.
  all: apply IH in T; auto; apply agrees_add; auto; unfold holds in H; destruct (fst l), (v (snd l)); cbn in *; congruence.
Qed.

Theorem follows_sound v db c hints : models v db -> follows db c hints = true -> satisfies v c.
Proof.
  intros M F. apply orb_true_iff in F as [T | F].
  1: { apply (tautology_sound v c (PM.empty bool)); auto. intros x b H. now rewrite PM.gempty in H. }
  destruct (satisfies_dec v c) as [S | N]; auto.
  exfalso. apply (refutes_sound v db M hints (negated c (PM.empty bool))); auto.
  apply agrees_negated; auto. intros x b H. now rewrite PM.gempty in H.
Qed.

Lemma models_add v db h c : models v db -> satisfies v c -> models v (PM.add h c db).
Proof.
  intros M S g d F. destruct (Pos.eq_dec h g) as [<- | D].
  - rewrite PM.gss in F. congruence.
  - rewrite PM.gso in F by congruence. eauto.
Qed.

Lemma models_remove v db h : models v db -> models v (PM.remove h db).
Proof.
  intros M g d F. destruct (Pos.eq_dec h g) as [<- | D].
  - now rewrite PM.grs in F.
  - rewrite PM.gro in F by congruence. eauto.
Qed.

Lemma models_empty v : models v (PM.empty clause).
Proof. intros h c F. now rewrite PM.gempty in F. Qed.
