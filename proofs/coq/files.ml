(* Models, suites and certificates as docs/certificate-format.md defines them (sections 1 to 3), and the tree of a suite. *)

exception Refused of string

let demand condition reason = if not condition then raise (Refused reason)

type machine = { names : string array; target : int array array; output : string array array }

let digest machine =
  let buffer = Buffer.create 4096 in
  let line text = Buffer.add_string buffer text; Buffer.add_char buffer '\n' in
  let name text = Printf.sprintf "%d:%s" (String.length text) text in
  line "fullproof-machine 1";
  line (Printf.sprintf "inputs %d" (Array.length machine.names));
  Array.iter (fun text -> line (name text)) machine.names;
  line (Printf.sprintf "states %d" (Array.length machine.target));
  Array.iteri (fun s row -> Array.iteri (fun i t -> line (Printf.sprintf "%d %s" t (name machine.output.(s).(i)))) row) machine.target;
  Sha256.hex (Buffer.contents buffer)

let field key = function Json.Object pairs -> List.assoc_opt key pairs | _ -> None
let name_of = function Some (Json.Text text) -> text | _ -> raise (Refused "a name in the model is not a text")

let read_model text =
  let file = Json.parse text in
  demand (field "machine" file = Some (Json.Text "fsm")) "the model is not a finite machine";
  demand (field "ignore" file = None && field "constants" file = None) "the model has ignore or constants: convert it first";
  let states = match field "states" file with Some (Json.Object pairs) -> pairs | _ -> raise (Refused "the model has no states") in
  let listed = match field "inputs" file with None -> [] | Some (Json.List l) -> l | _ -> raise (Refused "inputs is not a list") in
  let known = Hashtbl.create 97 and cells = Hashtbl.create 997 and inputs = Hashtbl.create 97 in
  List.iter (fun (state, _) -> Hashtbl.replace known state ()) states;
  List.iter (fun input -> Hashtbl.replace inputs (name_of (Some input)) ()) listed;
  List.iter (fun (state, rows) ->
      let rows = match rows with Json.List l -> l | _ -> raise (Refused "a state has no transitions") in
      List.iter (fun row ->
          (match row with Json.Object _ -> () | _ -> raise (Refused "a state has no transitions"));
          let symbol = name_of (field "when" row) and answer = name_of (field "then" row) in
          let aim = match field "to" row with Some (Json.Text t) when Hashtbl.mem known t -> t | _ -> raise (Refused "a transition leads to no state") in
          demand (not (Hashtbl.mem cells (state, symbol))) "the model is nondeterministic";
          Hashtbl.add cells (state, symbol) (aim, answer);
          Hashtbl.replace inputs symbol ()) rows) states;
  let names = Array.of_list (List.sort compare (Hashtbl.fold (fun name () all -> name :: all) inputs [])) in
  List.iter (fun (state, _) -> Array.iter (fun i -> demand (Hashtbl.mem cells (state, i)) "the model is not completely specified") names) states;
  let initial = match field "initial" file with Some (Json.Text t) when Hashtbl.mem known t -> t | _ -> raise (Refused "the initial state of the model is not one of its states") in
  let order = Hashtbl.create 97 and queue = Queue.create () and rows = ref [] in
  Hashtbl.add order initial 0;
  Queue.add initial queue;
  while not (Queue.is_empty queue) do
    let state = Queue.pop queue in
    let row = Array.map (fun i -> Hashtbl.find cells (state, i)) names in
    Array.iter (fun (aim, _) ->
        if not (Hashtbl.mem order aim) then (Hashtbl.add order aim (Hashtbl.length order); Queue.add aim queue)) row;
    rows := row :: !rows
  done;
  let rows = Array.of_list (List.rev !rows) in
  { names; target = Array.map (Array.map (fun (aim, _) -> Hashtbl.find order aim)) rows; output = Array.map (Array.map snd) rows }

let read_suite text names =
  let text = if text <> "" && text.[String.length text - 1] = '\n' then String.sub text 0 (String.length text - 1) else text in
  match String.split_on_char '\n' text with
  | [] -> raise (Refused "the suite is empty")
  | head :: lines ->
      let head = Json.parse head in
      demand (field "fullproof" head = Some (Json.Text "suite/1")) "the suite has no header suite/1";
      demand (match field "observe" head with None | Some Json.Null -> true | _ -> false) "the tests of the suite observe more than outputs";
      let number = Hashtbl.create 97 in
      Array.iteri (fun i name -> Hashtbl.add number name i) names;
      let word line =
        match field "inputs" (Json.parse line) with
        | Some (Json.List inputs) ->
            List.map (function
                | Json.Text t when Hashtbl.mem number t -> Hashtbl.find number t
                | _ -> raise (Refused "a test has an input that the model does not have")) inputs
        | _ -> raise (Refused "a line of the suite is no test") in
      let words = List.map word lines in
      let buffer = Buffer.create 4096 in
      Buffer.add_string buffer (Printf.sprintf "fullproof-tests 1\ntests %d\n" (List.length words));
      List.iter (fun w -> Buffer.add_string buffer (String.concat " " (List.map string_of_int w) ^ "\n")) words;
      (words, Sha256.hex (Buffer.contents buffer))

(* Numbers in their only spelling. *)
let spelt signed text =
  let digits = if signed && text <> "" && text.[0] = '-' then String.sub text 1 (String.length text - 1) else text in
  let right =
    digits <> "" && String.length digits <= 18
    && String.for_all (fun c -> c >= '0' && c <= '9') digits
    && (digits = "0" || digits.[0] <> '0') && (digits == text || digits <> "0") in
  demand right "a number is not as the format writes it";
  int_of_string text

type lines = { lines : string array; mutable at : int }

let lines_of text =
  let mark = "\nend " in
  let rec last place =
    if place < 0 then raise (Refused "the certificate is damaged: it has no end")
    else if place + 5 <= String.length text && String.sub text place 5 = mark then place
    else last (place - 1) in
  let place = last (String.length text - 5) in
  let body = String.sub text 0 place in
  let tail = String.sub text (place + 5) (String.length text - place - 5) in
  demand (tail = Sha256.hex (body ^ "\n") ^ "\n") "the certificate is damaged: its last line is not the hash of the others";
  { lines = Array.of_list (String.split_on_char '\n' body); at = 0 }

let more lines = lines.at < Array.length lines.lines

let next lines key =
  demand (more lines) ("the certificate ends where " ^ key ^ " was expected");
  match String.split_on_char ' ' lines.lines.(lines.at) with
  | first :: fields when first = key -> lines.at <- lines.at + 1; fields
  | _ -> raise (Refused (Printf.sprintf "line %d of the certificate: %s was expected" (lines.at + 1) key))

let number = spelt false
let literal = spelt true
let numbers lines key = List.map number (next lines key)

(* The machine of the classes: numbers of outputs in the order of their bytes. *)
type model = { states : int; inputs : int; go : int array array; say : int array array; symbols : int }

let quotient machine classes n =
  let classes = Array.of_list classes in
  demand (Array.length classes = Array.length machine.target) "classes does not name each state once";
  let member = Array.make (Array.length classes + 1) (-1) and count = ref 0 in
  Array.iteri (fun state c ->
      demand (c <= !count) "classes are not numbered in the order in which they occur";
      if c = !count then (member.(c) <- state; incr count);
      demand (machine.output.(state) = machine.output.(member.(c))) "states of a class answer differently";
      let after s = Array.map (fun t -> classes.(t)) machine.target.(s) in
      demand (after state = after member.(c)) "states of a class have successors of different classes") classes;
  demand (!count = n) "the number of classes is not the number of states claimed";
  let all = List.sort_uniq compare (List.concat_map Array.to_list (Array.to_list machine.output)) in
  let number = Hashtbl.create 97 in
  List.iteri (fun b name -> Hashtbl.add number name b) all;
  let say s = Array.map (Hashtbl.find number) machine.output.(s) in
  let model =
    { states = n; inputs = Array.length machine.names; symbols = List.length all;
      go = Array.init n (fun c -> Array.map (fun t -> classes.(t)) machine.target.(member.(c)));
      say = Array.init n (fun c -> say member.(c)) } in
  (model, classes, Array.init (Array.length classes) say)

let read_states lines model =
  let access = Array.init model.states (fun q ->
      let word = numbers lines "access" in
      let state = List.fold_left (fun s i -> demand (i < model.inputs) "there is no such input"; model.go.(s).(i)) 0 word in
      demand (state = q && (q > 0 || word = [])) "an access word does not lead to its state";
      word) in
  for q = 0 to model.states - 1 do
    for r = q + 1 to model.states - 1 do
      match numbers lines "apart" with
      | a :: b :: (_ :: _ as word) when a = q && b = r ->
          let rec follow s t = function
            | [] -> ()
            | i :: rest ->
                demand (i < model.inputs) "there is no such input";
                demand ((model.say.(s).(i) <> model.say.(t).(i)) = (rest = [])) "a word does not tell two states apart";
                follow model.go.(s).(i) model.go.(t).(i) rest in
          follow q r word
      | _ -> raise (Refused "a word that tells two states apart was expected")
    done
  done;
  access

(* The tree of the suite. *)
type tree = { model : model; child : (int, int) Hashtbl.t array; parent : int array; symbol : int array; label : int array;
              kind : int array; memo : (int * int, int list option) Hashtbl.t }

let tree_of model words =
  let size = 1 + List.fold_left (fun n w -> n + List.length w) 0 words in
  let child = Array.init size (fun _ -> Hashtbl.create 0) in
  let parent = Array.make size 0 and symbol = Array.make size 0 and label = Array.make size 0 in
  let count = ref 1 in
  List.iter (fun word ->
      ignore (List.fold_left (fun node i ->
          match Hashtbl.find_opt child.(node) i with
          | Some after -> after
          | None ->
              let after = !count in
              incr count;
              Hashtbl.add child.(node) i after;
              parent.(after) <- node; symbol.(after) <- i; label.(after) <- model.go.(label.(node)).(i);
              after) 0 word)) words;
  let cut a = Array.sub a 0 !count in
  let kind = Array.make !count 0 and known = Hashtbl.create 997 in
  for v = !count - 1 downto 0 do
    let below = List.sort compare (Hashtbl.fold (fun i w all -> (i, kind.(w)) :: all) child.(v) []) in
    let key = (label.(v), below) in
    (match Hashtbl.find_opt known key with
     | Some number -> kind.(v) <- number
     | None -> kind.(v) <- Hashtbl.length known; Hashtbl.add known key kind.(v))
  done;
  { model; child = cut child; parent = cut parent; symbol = cut symbol; label = cut label; kind; memo = Hashtbl.create 997 }

let depth = 400

(* A word below both nodes that is answered differently. *)
let rec search tree v w left =
  let one = tree.label.(v) and other = tree.label.(w) in
  if one = other || left = 0 then None
  else begin
    let both = Hashtbl.fold (fun i _ all -> if Hashtbl.mem tree.child.(w) i then i :: all else all) tree.child.(v) [] in
    match List.find_opt (fun i -> tree.model.say.(one).(i) <> tree.model.say.(other).(i)) both with
    | Some i -> Some [ i ]
    | None ->
        List.fold_left (fun found i ->
            match found with
            | Some _ -> found
            | None ->
                Option.map (fun word -> i :: word) (search tree (Hashtbl.find tree.child.(v) i) (Hashtbl.find tree.child.(w) i) (left - 1)))
          None both
  end

let apart_word tree v w =
  let key = (tree.kind.(v), tree.kind.(w)) in
  match Hashtbl.find_opt tree.memo key with
  | Some found -> found
  | None ->
      let found = search tree v w depth in
      Hashtbl.add tree.memo key found;
      found

let apart tree v w = apart_word tree v w <> None

let node_of tree word =
  List.fold_left (fun node i ->
      match Hashtbl.find_opt tree.child.(node) i with
      | Some after -> after
      | None -> raise (Refused "an access word is not applied by the suite")) 0 word

let nodes tree words =
  let found = Array.map (node_of tree) words in
  Array.iteri (fun j v -> for k = j + 1 to Array.length found - 1 do demand (apart tree v found.(k)) "two access words are not told apart" done) found;
  found
