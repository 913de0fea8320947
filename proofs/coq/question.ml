(* Evidence "refutation": the clauses of section 7 of the format, each with a derivation from clauses that the proven
   checker builds itself. What is wrong here is refused there. *)

open Files

let nat = let memo = Hashtbl.create 997 in
  let rec make x = if x = 0 then Core.O else match Hashtbl.find_opt memo x with
    | Some n -> n | None -> let n = Core.S (make (x - 1)) in Hashtbl.add memo x n; n in
  make
let rec positive x = if x = 1 then Core.XH else if x land 1 = 1 then Core.XI (positive (x lsr 1)) else Core.XO (positive (x lsr 1))
let binary x = if x = 0 then Core.N0 else Core.Npos (positive x)
let rec int_of = function Core.O -> 0 | Core.S n -> 1 + int_of n
let rec int_pos = function Core.XH -> 1 | Core.XO p -> 2 * int_pos p | Core.XI p -> 2 * int_pos p + 1
let int_n = function Core.N0 -> 0 | Core.Npos p -> int_pos p
let word w = List.map nat w
let rec pairs_of = function [] -> [] | x :: rest -> List.map (fun y -> (x, y)) rest @ pairs_of rest

(* For each pair of nodes, a word that shows that they lead to different states. *)
let words_apart tree nodes =
  List.map (fun (v, w) -> match apart_word tree v w with Some x -> word x | None -> raise (Refused "two access words are not told apart"))
    (pairs_of (Array.to_list nodes))

type literal = True | False | Var of int

type origin = Family of Core.family | Narrow of int * int  (* the last clause of 5.2.2, for a node and a state before it *)

type question = { clauses : (int list * origin) array; variables : Core.var array; steps_of : int list -> Core.proof_step list }

let no_place = (-1)

let make tree (problem : Core.problem) core_tree pins nodes extra fresh_id =
  let model = tree.model in
  let n = model.states and p = model.inputs and k = Array.length pins in
  let m = n + extra in
  let size = Array.length tree.child in
  let pin = Array.make size no_place in
  Array.iteri (fun j v -> pin.(v) <- j) nodes;
  let is_inner v = Hashtbl.length tree.child.(v) > 0 in
  let by_kind = Hashtbl.create 97 in
  let everything = Array.init m Fun.id in
  let domain = Array.init size (fun v ->
      if pin.(v) >= 0 then Some [| pin.(v) |]
      else if is_inner v then
        Some (match Hashtbl.find_opt by_kind tree.kind.(v) with
            | Some d -> d
            | None ->
                let free = List.filter (fun j -> not (apart tree v nodes.(j))) (List.init k Fun.id) in
                let d = Array.of_list (free @ List.init (m - k) (fun e -> k + e)) in
                Hashtbl.add by_kind tree.kind.(v) d; d)
      else None) in
  let behind s i = if s < k then Hashtbl.find_opt tree.child.(nodes.(s)) i else None in
  let way_domain = Array.init m (fun s -> Array.init p (fun i ->
      match behind s i with Some v -> (match domain.(v) with Some d -> d | None -> everything) | None -> everything)) in
  (* Variables, in their order. *)
  let variables = ref [] and count = ref 0 in
  let fresh v = incr count; variables := v :: !variables; !count in
  let index d t = let rec go lo hi = if lo > hi then -1 else let mid = (lo + hi) / 2 in
      if d.(mid) = t then mid else if d.(mid) < t then go (mid + 1) hi else go lo (mid - 1) in go 0 (Array.length d - 1) in
  let t_var = Array.init m (fun s -> Array.init p (fun i -> Array.map (fun t -> fresh (Core.T (nat s, nat i, nat t))) way_domain.(s).(i))) in
  let way s i t = match index way_domain.(s).(i) t with -1 -> False | j -> Var t_var.(s).(i).(j) in
  let given = Array.init p (fun i -> List.sort_uniq compare (List.init n (fun q -> model.say.(q).(i)))) in
  let a_var = Array.init m (fun s -> Array.init p (fun i -> List.map (fun b -> (b, fresh (Core.O0 (nat s, nat i, nat b)))) given.(i))) in
  let answer s i b = Var (List.assoc b a_var.(s).(i)) in
  let u_var = Array.make m 0 and l_var = Array.make m [||] and b_var = Array.make m [||] in
  for e = k to m - 1 do
    u_var.(e) <- fresh (Core.U (nat e));
    l_var.(e) <- Array.init n (fun q -> fresh (Core.L (nat e, nat q)));
    b_var.(e) <- Array.init (e * p) (fun c -> fresh (Core.B (nat e, nat c)))
  done;
  let used s = if s < k then True else Var u_var.(s) in
  let labelled s q = if s < k then (if pins.(s) = q then True else False) else Var l_var.(s).(q) in
  let entered e c = if c < 0 then False else Var b_var.(e).(c) in
  let faults = List.concat (List.init m (fun s -> List.concat (List.init p (fun i ->
      List.map (fun q ->
          let x = fresh (Core.X (nat s, nat i, nat q)) in
          let y = fresh (Core.Y (nat s, nat i, nat q)) in
          (s, i, q, x, y)) (if s < k then [ pins.(s) ] else List.init n Fun.id))))) in
  let p_var = Array.init size (fun v ->
      match domain.(v) with
      | Some d when pin.(v) < 0 && is_inner v && pin.(tree.parent.(v)) < 0 -> Array.map (fun t -> fresh (Core.P (binary v, nat t))) d
      | _ -> [||]) in
  let place v t =
    if pin.(v) >= 0 then (if pin.(v) = t then True else False)
    else
      let above = pin.(tree.parent.(v)) in
      if above >= 0 then way above tree.symbol.(v) t
      else match domain.(v) with
        | Some d -> (match index d t with -1 -> False | j -> Var p_var.(v).(j))
        | None -> False in
  (* Clauses, in their order. *)
  let clauses = ref [] and total = ref 0 in
  let add origin negative positive_ =
    if not (List.mem False negative) && not (List.mem True positive_) then begin
      incr total;
      let literals sign = List.filter_map (function Var x -> Some (sign * x) | _ -> None) in
      clauses := (literals (-1) negative @ literals 1 positive_, origin) :: !clauses
    end in
  let family f = Family f in
  let rec pairs f = function [] -> () | x :: rest -> List.iter (f x) rest; pairs f rest in
  for s = 0 to m - 1 do for i = 0 to p - 1 do
      let d = Array.to_list way_domain.(s).(i) in
      add (family (Core.Total (nat s, nat i))) [] (List.map (way s i) d);
      pairs (fun t u -> add (family (Core.Func (nat s, nat i, nat t, nat u))) [ way s i t; way s i u ] []) d
    done done;
  for s = 0 to m - 1 do for i = 0 to p - 1 do
      pairs (fun b c -> add (family (Core.OutFunc (nat s, nat i, nat b, nat c))) [ answer s i b; answer s i c ] []) given.(i)
    done done;
  for e = k to m - 1 do
    let all = List.init n Fun.id in
    pairs (fun q r -> add (family (Core.OneLabel (nat e, nat q, nat r))) [ labelled e q; labelled e r ] []) all;
    List.iter (fun q -> add (family (Core.LabelUsed (nat e, nat q))) [ labelled e q ] [ used e ]) all;
    for s = 0 to m - 1 do for i = 0 to p - 1 do
        add (family (Core.TargetUsed (nat s, nat i, nat e))) [ way s i e ] [ used e ]
      done done;
    for i = 0 to p - 1 do add (family (Core.Unused (nat e, nat i))) [] [ used e; way e i 0 ] done;
    for c = 0 to e * p - 1 do
      let s = c / p and i = c mod p in
      let entry = way s i e and before = entered e (c - 1) in
      add (family (Core.Enter (nat e, nat c))) [ entry ] [ entered e c ];
      add (family (Core.EnterMore (nat e, nat c))) [ before ] [ entered e c ];
      add (family (Core.EnterOnly (nat e, nat c))) [ entered e c ] [ before; entry ];
      if e > k then
        add (family (Core.Order (nat e, nat c))) [ entered e c ] [ (if c = 0 then False else entered (e - 1) (min c ((e - 1) * p) - 1)) ];
      for q = 0 to n - 1 do
        add (family (Core.Inherit (nat e, nat c, nat q))) [ entry; labelled s q ] [ before; labelled e model.go.(q).(i) ]
      done
    done;
    add (family (Core.UsedEntered (nat e))) [ used e ] [ entered e (e * p - 1) ]
  done;
  List.iter (fun (s, i, q, x, y) ->
      let here = labelled s q and right = model.go.(q).(i) in
      add (family (Core.XLabel (nat s, nat i, nat q))) [ Var x ] [ here ];
      add (family (Core.XOutput (nat s, nat i, nat q))) [ Var x; answer s i model.say.(q).(i) ] [];
      add (family (Core.YLabel (nat s, nat i, nat q))) [ Var y ] [ here ];
      Array.iter (fun t -> add (family (Core.YTarget (nat s, nat i, nat q, nat t))) [ Var y; way s i t; labelled t right ] []) way_domain.(s).(i)) faults;
  add (family Core.Differ) [] (List.concat_map (fun (_, _, _, x, y) -> [ Var x; Var y ]) faults);
  let inside d t = index d t >= 0 in
  for v = 1 to size - 1 do
    let u = tree.parent.(v) and i = tree.symbol.(v) in
    let b = model.say.(tree.label.(u)).(i) in
    let before = match domain.(u) with Some d -> d | None -> [||] in
    Array.iter (fun s -> add (family (Core.Obs (binary v, nat s))) [ place u s ] [ answer s i b ]) before;
    match domain.(v) with
    | Some there when pin.(v) >= 0 || pin.(u) < 0 ->
        add (family (Core.Place (binary v))) [] (List.map (place v) (Array.to_list there));
        Array.iter (fun s ->
            Array.iter (fun t ->
                add (family (Core.Step (binary v, nat s, nat t))) [ place u s; way s i t ] [ place v t ];
                add (family (Core.Back (binary v, nat s, nat t))) [ place u s; place v t ] [ way s i t ]) there;
            if Array.exists (fun t -> not (inside there t)) way_domain.(s).(i) then
              add (Narrow (v, s)) [ place u s ]
                (List.filter_map (fun t -> if inside way_domain.(s).(i) t then Some (way s i t) else None) (Array.to_list there))) before
    | _ -> ()
  done;
  let clauses = Array.of_list (List.rev !clauses) and variables = Array.of_list (List.rev !variables) in
  (* Derivations. *)
  let sizes = Core.sizes_of problem core_tree in
  let numbers = Hashtbl.create 9973 in
  let number_of v = match Hashtbl.find_opt numbers v with
    | Some x -> x | None -> let x = Core.number_of sizes v in Hashtbl.add numbers v x; x in
  let literal x = (x > 0, number_of variables.(abs x - 1)) in
  let steps = ref [] and inputs = Hashtbl.create 9973 and units = Hashtbl.create 9973 in
  let emit step = steps := step :: !steps in
  let input f = match Hashtbl.find_opt inputs f with
    | Some id -> id
    | None -> let id = fresh_id () in emit (Core.Input (id, f)); Hashtbl.add inputs f id; id in
  let pin_clause j = input (Core.Pin (nat j)) in
  let lemma literals hints = let id = fresh_id () in emit (Core.Lemma_ (id, literals, hints)); id in
  let memo key make = match Hashtbl.find_opt units key with
    | Some id -> id | None -> let id = make () in Hashtbl.add units key id; id in
  let not_place v t = memo (`Place (v, t)) (fun () ->
      match apart_word tree v nodes.(t) with
      | None -> raise (Refused "a domain is too small")
      | Some w ->
          lemma [ (false, number_of (Core.P (binary v, nat t))) ]
            [ pin_clause t; input (Core.Apart (binary v, binary nodes.(t), nat t, word w)) ]) in
  let not_way s i t = memo (`Way (s, i, t)) (fun () ->
      match behind s i with
      | None -> raise (Refused "a domain is too small")
      | Some v ->
          let first = [ pin_clause s; input (Core.Step (binary v, nat s, nat t)) ] in
          let rest = if pin.(v) >= 0 then [ pin_clause pin.(v); input (Core.Single (binary v, nat t, nat pin.(v))) ] else [ not_place v t ] in
          lemma [ (false, number_of (Core.T (nat s, nat i, nat t))) ] (first @ rest)) in
  (* What makes a literal of a full clause false, given that those of the clause of the format are. *)
  let hints_of (sign, v) = match v with
    | Core.T (s, i, t) ->
        let s = int_of s and i = int_of i and t = int_of t in
        if inside way_domain.(s).(i) t then [] else [ not_way s i t ]
    | Core.P (x, t) ->
        let x = int_n x and t = int_of t in
        if pin.(x) >= 0 then [ pin_clause pin.(x) ]
        else if not (match domain.(x) with Some d -> inside d t | None -> false) then [ not_place x t ]
        else
          let above = pin.(tree.parent.(x)) in
          if above < 0 then []
          else
            let f = if sign then Core.Back (binary x, nat above, nat t) else Core.Step (binary x, nat above, nat t) in
            [ pin_clause above; input f ]
    | _ -> [] in
  let distinct hints = List.rev (List.fold_left (fun l h -> if List.mem h l then l else h :: l) [] hints) in
  let derive number =
    let literals, origin = clauses.(number - 1) in
    let id = positive number in
    match origin with
    | Family f ->
        let full = match Core.clause_of problem core_tree f with Some c -> c | None -> raise (Refused "a clause cannot be built") in
        (match distinct (List.concat_map hints_of full) with
         | [] -> emit (Core.Input (id, f))
         | hints -> let last = input f in emit (Core.Lemma_ (id, List.map literal literals, hints @ [ last ])))
    | Narrow (v, s) ->
        let u = tree.parent.(v) and i = tree.symbol.(v) in
        let there = Option.get domain.(v) in
        let first = hints_of (false, Core.P (binary u, nat s)) in
        let ways = List.concat_map (fun t -> hints_of (true, Core.T (nat s, nat i, nat t))) (Array.to_list there) in
        let rest =
          if pin.(v) >= 0 then [ pin_clause pin.(v); input (Core.Back (binary v, nat s, nat pin.(v))) ]
          else
            List.map (fun t -> input (Core.Back (binary v, nat s, nat t))) (Array.to_list there)
            @ List.filter_map (fun t -> if inside there t then None else Some (not_place v t)) (List.init m Fun.id)
            @ [ input (Core.Place (binary v)) ] in
        emit (Core.Lemma_ (id, List.map literal literals, distinct (first @ ways @ rest))) in
  let steps_of wanted = steps := []; List.iter derive wanted; let found = List.rev !steps in steps := []; found in
  ({ clauses; variables; steps_of }, literal)
