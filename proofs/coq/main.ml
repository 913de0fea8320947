(* fpcheck MODEL.json SUITE.jsonl CERTIFICATE: accepted, or refused and why. What is trusted here and what is proven:
   docs/proofs/coq.md. *)

open Files
open Question

(* A lemma follows by unit propagation along its hints, and the last hint is the conflict. *)
let follows clauses known lemma hints =
  let false_ = Hashtbl.create 97 in
  List.iter (fun x -> Hashtbl.replace false_ x ()) lemma;
  let rec go = function
    | [] -> false
    | hint :: rest ->
        if hint < 1 || hint > known () then false
        else
          let left = List.sort_uniq compare (List.filter (fun x -> not (Hashtbl.mem false_ x)) (clauses hint)) in
          match left with
          | [] -> rest = []
          | [ x ] -> Hashtbl.replace false_ (-x) (); go rest
          | _ -> false in
  go hints

let problem_of model words pins extra : Core.problem =
  let table a = List.map (fun row -> List.map nat (Array.to_list row)) (Array.to_list a) in
  { Core.inputs = nat model.inputs; targets = table model.go; answers = table model.say; symbols = nat model.symbols;
    bound = nat (model.states + extra); suite = List.map word words; pins = List.map word pins }

let check_refutation lines tree written words access extra =
  let pins = Array.of_list (numbers lines "pins") in
  demand (Array.length pins > 0 && pins.(0) = 0) "the pins are not 0 and increasing";
  Array.iteri (fun j q -> demand (q < tree.model.states && (j = 0 || pins.(j - 1) < q)) "the pins are not 0 and increasing") pins;
  let pin_words = Array.map (fun q -> access.(q)) pins in
  let pin_nodes = nodes tree pin_words in
  let problem = problem_of tree.model words (Array.to_list pin_words) extra in
  let core_tree = Core.tree_of problem.Core.suite in
  let counter = ref 0 in
  let fresh_id () = incr counter; positive !counter in
  let question, literal = make tree problem core_tree pins pin_nodes extra fresh_id in
  let total = Array.length question.clauses in
  demand (numbers lines "clauses" = [ total ]) "the number of clauses is not what the question has";
  let lemmas = ref [||] and count = ref 0 in
  let push x = if !count = Array.length !lemmas then begin
      let larger = Array.make (2 * !count + 64) ([], []) in Array.blit !lemmas 0 larger 0 !count; lemmas := larger end;
    !lemmas.(!count) <- x; incr count in
  let clause h = if h <= total then fst question.clauses.(h - 1) else fst !lemmas.(h - total - 1) in
  let ended = ref false in
  while more lines do
    demand (not !ended) "lines follow the empty lemma";
    let fields = next lines "lemma" in
    let rec cut acc = function [] -> raise (Refused "a line is no lemma") | "0" :: rest -> (List.rev acc, rest) | x :: rest -> cut (x :: acc) rest in
    let literals, hints = cut [] fields in
    let literals = List.map Files.literal literals and hints = List.map number hints in
    demand (follows clause (fun () -> total + !count) literals hints) "a lemma does not follow";
    demand (List.for_all (fun x -> abs x <= Array.length question.variables) literals) "a lemma has a variable that there is not";
    push (literals, hints);
    if literals = [] then ended := true
  done;
  demand !ended "the last lemma is not the empty clause";
  (* Only what the empty clause needs is handed to the proven checker. *)
  counter := total + !count;
  let needed = Array.make (total + !count + 1) false in
  needed.(total + !count) <- true;
  for number = total + !count downto total + 1 do
    if needed.(number) then List.iter (fun h -> needed.(h) <- true) (snd !lemmas.(number - total - 1))
  done;
  let wanted = List.filter (fun h -> needed.(h)) (List.init total (fun h -> h + 1)) in
  let inputs = question.steps_of wanted in
  let steps = List.filter_map (fun j ->
      let number = total + j in
      if not needed.(number) then None
      else let literals, hints = !lemmas.(j - 1) in
        Some (Core.Lemma_ (positive number, List.map literal literals, List.map positive hints))) (List.init !count (fun j -> j + 1)) in
  demand (Core.check_refutation written problem (words_apart tree pin_nodes) (inputs @ steps)) "the proven checker does not accept the refutation"

(* Section 4 as the format has it, (b) to (d); what the theorem needs is checked once more by the proven checker. *)
let check_k_a lines tree written words access extra =
  demand (not (more lines)) "lines follow the evidence";
  let base = nodes tree access in
  let inside = Hashtbl.create 97 in
  Array.iter (fun v -> Hashtbl.replace inside v ()) base;
  let near = ref [] and level = ref (Array.to_list base) in
  for distance = 0 to extra do
    demand (List.for_all (fun v -> Hashtbl.length tree.child.(v) = tree.model.inputs) !level) "not every word follows the state cover";
    if distance > 0 then near := !near @ !level;
    level := List.concat_map (fun v -> Hashtbl.fold (fun _ w all -> if Hashtbl.mem inside w then all else w :: all) tree.child.(v) []) !level
  done;
  let kinds nodes = let seen = Hashtbl.create 97 in
    List.filter (fun v -> let fresh = not (Hashtbl.mem seen tree.kind.(v)) in Hashtbl.replace seen tree.kind.(v) (); fresh) nodes in
  let candidates v = List.filter (fun q -> not (apart tree v base.(q))) (List.init (Array.length base) Fun.id) in
  let near_kinds = List.map (fun y -> (y, candidates y)) (kinds !near) in
  List.iter (fun x ->
      let own = candidates x in
      demand (List.length own = 1) "a node behind the state cover is not identified";
      List.iter (fun (y, theirs) -> demand (theirs = own || apart tree x y) "two nodes behind the state cover are not told apart") near_kinds)
    (kinds !level);
  let problem = problem_of tree.model words (Array.to_list access) extra in
  let ints w = List.map int_of w in
  let tree_word u w = match apart_word tree (node_of tree (ints u)) (node_of tree (ints w)) with Some x -> word x | None -> [] in
  demand (Core.check_k_a written problem tree_word) "the proven checker does not accept the conditions"

let check model_text suite_text certificate_text =
  let machine = read_model model_text in
  let words, suite_hash = read_suite suite_text machine.names in
  String.iter (fun c -> demand (Char.code c < 128) "the certificate is not ASCII") certificate_text;
  let lines = lines_of certificate_text in
  demand (next lines "fullproof-certificate" = [ "1" ]) "the certificate has another version of the format";
  demand (next lines "model" = [ digest machine ]) "the certificate is for another model";
  demand (next lines "suite" = [ suite_hash ]) "the certificate is for another suite";
  demand (next lines "relation" = [ "equivalence" ]) "the certificate claims another relation";
  let one key = match numbers lines key with [ x ] -> x | _ -> raise (Refused ("one number was expected after " ^ key)) in
  let n = one "states" in
  let extra = one "extra" in
  let model, classes, say = quotient machine (numbers lines "classes") n in
  let tree = tree_of model words in
  let size = Array.length tree.child and p = model.inputs in
  let rec power count bound = if p <= 1 || count = 0 then bound else if bound > size then bound else power (count - 1) (bound * p) in
  demand (extra < size && (if p > 1 then power (extra + 1) n else n * p) <= size) "the suite is too small for the claim";
  let access = read_states lines model in
  let table a = List.map (fun row -> List.map nat (Array.to_list row)) (Array.to_list a) in
  let written = { Core.all_targets = table machine.target; all_answers = table say; classes = List.map nat (Array.to_list classes) } in
  let kind = String.concat " " (next lines "evidence") in
  (match kind with
   | "k-A" -> check_k_a lines tree written words access extra
   | "transitions" when extra = 0 ->
       Merged_nodes.check lines tree access written (problem_of model words (Array.to_list access) 0)
   | "windows" when extra > 0 ->
       Window_walks.check lines tree access written extra (problem_of model words (Array.to_list access) extra)
   | "refutation" -> check_refutation lines tree written words access extra
   | _ -> raise (Refused "the kind of evidence is unknown, or not for this number of extra states"));
  Printf.sprintf "complete for equivalence and machines with at most %d states (%d + %d), by %s" (n + extra) n extra kind

let read name = let file = open_in_bin name in
  Fun.protect ~finally:(fun () -> close_in file) (fun () -> really_input_string file (in_channel_length file))

let () =
  match Array.to_list Sys.argv with
  | [ _; model; suite; certificate ] ->
      let refused why = print_string ("refused: " ^ String.concat " " (String.split_on_char '\n' why) ^ "\n"); exit 1 in
      (match check (read model) (read suite) (read certificate) with
       | claim -> print_string "accepted\n"; prerr_endline claim
       | exception Refused why -> refused why
       | exception Json.Bad why -> refused ("a file is no JSON: " ^ why)
       | exception Sys_error why -> refused why
       | exception (Stack_overflow | Out_of_memory) -> refused "the certificate is too large to check here")
  | _ -> prerr_endline "usage: fpcheck MODEL.json SUITE.jsonl CERTIFICATE"; exit 4
