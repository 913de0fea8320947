(* Evidence "transitions": section 5 of the format, with the reasons that the proven checker replays. *)

open Files
open Question

(* An edge of the graph: the node behind it, and the node of the tree at which it was seen. *)
type edge = { behind : int; seen_at : int }

let check lines tree access written problem =
  let model = tree.model in
  let base = nodes tree access in
  let size = Array.length tree.child in
  let state = Array.make size (-1) in
  Array.iteri (fun q v -> state.(v) <- q) base;
  let edges = Array.init size (fun v ->
      let copy = Hashtbl.create (Hashtbl.length tree.child.(v)) in
      Hashtbl.iter (fun i w -> Hashtbl.replace copy i { behind = w; seen_at = v }) tree.child.(v);
      copy) in
  let merged = Array.make size (-1) in
  let rec find x = if merged.(x) < 0 then x else find merged.(x) in
  let both x y = List.sort compare (Hashtbl.fold (fun i _ all -> if Hashtbl.mem edges.(y) i then i :: all else all) edges.(x) []) in
  (* Why two nodes are told apart, breadth first. *)
  let told_apart x y =
    let seen = Hashtbl.create 97 and queue = Queue.create () in
    Hashtbl.replace seen (x, y) ();
    Queue.add (x, y, Fun.id) queue;
    let rec search () =
      if Queue.is_empty queue then None
      else begin
        let x, y, around = Queue.pop queue in
        if tree.label.(x) = tree.label.(y) then search ()
        else if state.(x) >= 0 && state.(y) >= 0 then Some (around (Core.States (nat state.(x), nat state.(y))))
        else begin
          let common = both x y in
          let one = model.say.(tree.label.(x)) and other = model.say.(tree.label.(y)) in
          let at i = (Hashtbl.find edges.(x) i, Hashtbl.find edges.(y) i) in
          match List.find_opt (fun i -> one.(i) <> other.(i)) common with
          | Some i -> let a, b = at i in Some (around (Core.Outputs (binary a.seen_at, binary b.seen_at, nat i)))
          | None ->
              List.iter (fun i ->
                  let a, b = at i in
                  let pair = (find a.behind, find b.behind) in
                  if not (Hashtbl.mem seen pair) then begin
                    Hashtbl.replace seen pair ();
                    Queue.add (fst pair, snd pair, fun d -> around (Core.Behind (binary a.seen_at, binary b.seen_at, nat i, d))) queue
                  end) common;
              search ()
        end
      end in
    search () in
  let steps = ref [] and taken = Hashtbl.create 97 in
  let emit step = steps := step :: !steps in
  while more lines do
    let q, i = match numbers lines "take" with [ q; i ] -> (q, i) | _ -> raise (Refused "a transition was expected") in
    demand (q < model.states && i < model.inputs) "there is no such transition";
    demand (not (Hashtbl.mem taken (q, i))) "a transition is taken twice";
    Hashtbl.replace taken (q, i) ();
    let aim = model.go.(q).(i) in
    let right = base.(aim) in
    demand (Hashtbl.mem edges.(base.(q)) i) "a transition is not observed";
    let edge = Hashtbl.find edges.(base.(q)) i in
    let x = find edge.behind in
    if x <> right then begin
      let why = List.filter_map (fun r ->
          if r = aim then None
          else match told_apart x base.(r) with
            | Some d -> Some (nat r, d)
            | None -> raise (Refused "a transition is not verified")) (List.init model.states Fun.id) in
      emit (Core.Take (nat q, nat i, binary edge.seen_at, why))
    end;
    let todo = ref [ (x, right) ] in
    while !todo <> [] do
      let x, y = List.hd !todo in
      todo := List.tl !todo;
      let x = find x and y = find y in
      if x <> y then begin
        let x, y = if state.(x) >= 0 then (y, x) else (x, y) in
        merged.(x) <- y;
        Hashtbl.iter (fun i a ->
            match Hashtbl.find_opt edges.(y) i with
            | Some b ->
                if a.seen_at <> b.seen_at then emit (Core.Join (binary a.seen_at, binary b.seen_at, nat i));
                todo := (a.behind, b.behind) :: !todo
            | None -> Hashtbl.replace edges.(y) i a) edges.(x)
      end
    done
  done;
  demand (Hashtbl.length taken = model.states * model.inputs) "not every transition is taken";
  let places = List.concat (List.init model.states (fun q -> List.init model.inputs (fun i ->
      binary (Hashtbl.find edges.(base.(q)) i).seen_at))) in
  demand (Core.check_transitions written problem (words_apart tree base) (List.rev !steps) places) "the proven checker does not accept the transitions"
