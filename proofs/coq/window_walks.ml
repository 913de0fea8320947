(* Evidence "windows": section 6 of the format. What is found here is replayed by the proven checker. *)

open Files
open Question

type config = V of int | E of int | Any

(* What was found for the windows of a transition that differ in their last input alone. *)
type found = { good : (int * config, int) Hashtbl.t; moves : (bool * int * config * int option, int) Hashtbl.t; mutable order : int list }

let config_of = function Core.AtV q -> V (int_of q) | Core.AtE l -> E (int_of l) | Core.Anywhere -> Any

let rec words_of p n = if n = 0 then [ [] ] else List.concat_map (fun w -> List.init p (fun i -> i :: w)) (words_of p (n - 1))

let check lines tree access written extra problem =
  let model = tree.model in
  let base = nodes tree access in
  let n = model.states and p = model.inputs in
  let in_base = Hashtbl.create 97 in
  Array.iter (fun v -> Hashtbl.replace in_base v ()) base;
  let literal = Hashtbl.copy in_base and level = ref (Array.to_list base) in
  for _ = 1 to extra do
    demand (List.for_all (fun v -> Hashtbl.length tree.child.(v) = p) !level) "not every word follows an access word";
    level := List.concat_map (fun v -> Hashtbl.fold (fun _ w all -> if Hashtbl.mem literal w then all else (Hashtbl.replace literal w (); w :: all)) tree.child.(v) []) !level
  done;
  let kinds = Hashtbl.create 97 in
  Hashtbl.iter (fun v () -> Hashtbl.replace kinds tree.kind.(v) v) literal;
  List.iter (fun (v, w) -> demand (tree.label.(v) = tree.label.(w) || apart tree v w) "two nodes of the base are not told apart")
    (pairs_of (Hashtbl.fold (fun _ v all -> v :: all) kinds []));
  let certain q i = match Hashtbl.find_opt tree.child.(base.(q)) i with Some w -> Hashtbl.mem in_base w | None -> false in
  let left = Hashtbl.create 97 and edges = Hashtbl.create 997 in
  for q = 0 to n - 1 do for i = 0 to p - 1 do if not (certain q i) then Hashtbl.replace left (q, i) () done done;
  for v = 1 to Array.length tree.child - 1 do Hashtbl.add edges (tree.label.(tree.parent.(v)), tree.symbol.(v)) v done;
  let table = Hashtbl.create 97 and takes = ref [] in
  let check_line s x =
    let aim = model.go.(s).(x) in
    let risky q i = model.go.(q).(i) = aim && Hashtbl.mem left (q, i) in
    let rec is_good u = u = 0 || (not (risky tree.label.(tree.parent.(u)) tree.symbol.(u)) && is_good tree.parent.(u)) in
    let starts = List.filter_map (fun v -> if is_good tree.parent.(v) then Some (tree.parent.(v), v) else None) (Hashtbl.find_all edges (s, x)) in
    let check_middle middle =
      let labels = Array.make extra aim and near = Array.make extra (Hashtbl.find tree.child.(base.(s)) x) and ends = ref starts in
      List.iteri (fun j i ->
          labels.(j + 1) <- model.go.(labels.(j)).(i);
          near.(j + 1) <- Hashtbl.find tree.child.(near.(j)) i;
          ends := List.filter_map (fun (u, v) -> Option.map (fun w -> (u, w)) (Hashtbl.find_opt tree.child.(v) i)) !ends) middle;
      let found = { good = Hashtbl.create 97; moves = Hashtbl.create 97; order = [] } in
      let closed = Hashtbl.create 17 and trust = ref false in
      let known = function V q -> q | E l -> labels.(l - 1) | Any -> -1 in
      let successors c k = match c with
        | Any -> [ Any ]
        | V q -> V model.go.(q).(k) :: (if risky q k then [ E 1 ] else [])
        | E l when l = extra && not !trust -> [ Any ]
        | E l ->
            let y = model.go.(labels.(l - 1)).(k) in
            let free = l = extra && not (Hashtbl.mem closed k) in
            V y :: List.filter_map (fun h -> if free || labels.(h - 1) = y then Some (E h) else None) (List.init extra (fun h -> h + 1)) in
      let rec refutes w c g left =
        let own = tree.label.(w) and q = known c in
        if (q = -1 || q = own) && (match g with None -> true | Some v -> tree.label.(v) = own) then false
        else
          let inputs = List.sort compare (Hashtbl.fold (fun k _ all -> k :: all) tree.child.(w) []) in
          List.exists (fun k ->
              let right = model.say.(own).(k) in
              let twin = Option.bind g (fun v -> Hashtbl.find_opt tree.child.(v) k) in
              let here =
                (match g, twin with Some v, Some _ -> model.say.(tree.label.(v)).(k) <> right | _ -> false)
                || (q >= 0 && model.say.(q).(k) <> right)
                || (left > 1 && List.for_all (fun c' -> refutes (Hashtbl.find tree.child.(w) k) c' twin (left - 1)) (successors c k)) in
              if here then Hashtbl.replace found.moves (!trust, w, c, g) k;
              here) inputs in
      let goal = model.go.(labels.(extra - 1)) in
      let behind k = List.filter_map (fun (u, v) -> Option.map (fun w -> (u, w)) (Hashtbl.find_opt tree.child.(v) k)) !ends in
      let where = Array.init p behind in
      let item k c g =
        match List.find_opt (fun (_, w) -> refutes w c (Some g) depth) where.(k) with
        | Some (u, _) -> Hashtbl.replace found.good (k, c) u; true
        | None -> false in
      Array.iteri (fun k nodes ->
          (match nodes with [] -> raise (Refused "a window is applied after no good node") | (u, _) :: _ -> Hashtbl.replace found.good (k, Any) u);
          for q = 0 to n - 1 do demand (q = goal.(k) || item k (V q) base.(q)) "a window is open" done) where;
      trust := true;
      let pending = ref (List.init p Fun.id) in
      while !pending <> [] do
        match List.find_opt (fun k -> List.for_all (fun l -> labels.(l - 1) = goal.(k) || item k (E l) near.(l - 1)) (List.init extra (fun l -> l + 1))) !pending with
        | None -> raise (Refused "a window is open")
        | Some k -> Hashtbl.replace closed k (); found.order <- k :: found.order; pending := List.filter (fun j -> j <> k) !pending
      done;
      found.order <- List.rev found.order;
      Hashtbl.replace table ((s, x), middle) found in
    List.iter check_middle (words_of p (extra - 1)) in
  while more lines do
    let s, x = match numbers lines "take" with [ s; x ] -> (s, x) | _ -> raise (Refused "a transition was expected") in
    demand (s < n && x < p && Hashtbl.mem left (s, x)) "a transition is taken twice, or it is certain";
    check_line s x;
    Hashtbl.remove left (s, x);
    takes := (nat s, nat x) :: !takes
  done;
  demand (Hashtbl.length left = 0) "not every transition is taken";
  let ints w = List.map int_of w in
  let context (s, x) m = Hashtbl.find_opt table ((int_of s, int_of x), ints m) in
  let tree_word u w = match apart_word tree (node_of tree (ints u)) (node_of tree (ints w)) with Some y -> word y | None -> [] in
  let good_node cell m k c = match context cell m with
    | Some found -> binary (Option.value (Hashtbl.find_opt found.good (int_of k, config_of c)) ~default:0)
    | None -> binary 0 in
  let move cell m (trust, _) w c g = match context cell m with
    | Some found -> nat (Option.value (Hashtbl.find_opt found.moves (trust, int_n w, config_of c, Option.map int_n g)) ~default:0)
    | None -> Core.O in
  let order_of cell m = match context cell m with Some found -> word found.order | None -> [] in
  demand (Core.check_windows written problem (nat extra) tree_word good_node move order_of (List.rev !takes))
    "the proven checker does not accept the windows"
