(* JSON, as far as models and suites need it: strict, and a key may stand only once in an object. *)

type t = Null | Bool of bool | Number of string | Text of string | List of t list | Object of (string * t) list

exception Bad of string

(* A number as RFC 8259 has it: no leading zero, digits on both sides of a point, digits in an exponent. *)
let is_number text =
  let length = String.length text in
  let at place = if place < length then text.[place] else ' ' in
  let rec digits place = match at place with '0' .. '9' -> digits (place + 1) | _ -> place in
  let some place = let after = digits place in if after > place then after else length + 1 in
  let whole = if at 0 = '-' then 1 else 0 in
  let place = if at whole = '0' then whole + 1 else some whole in
  let place = if at place = '.' then some (place + 1) else place in
  let place =
    match at place with
    | 'e' | 'E' -> some (match at (place + 1) with '+' | '-' -> place + 2 | _ -> place + 1)
    | _ -> place in
  place = length

(* Whether bytes are UTF-8: no byte too many, no code spelt longer than it has to be, no surrogate. *)
let is_utf8 text =
  let length = String.length text in
  let byte place = if place < length then Char.code text.[place] else 0 in
  let rec tail place count = count = 0 || (byte place land 0xc0 = 0x80 && tail (place + 1) (count - 1)) in
  let rec from place =
    place >= length
    ||
    let one = byte place and two = byte (place + 1) in
    if one < 0x80 then from (place + 1)
    else if one < 0xc2 then false
    else if one < 0xe0 then tail (place + 1) 1 && from (place + 2)
    else if one < 0xf0 then
      tail (place + 1) 2 && (one <> 0xe0 || two >= 0xa0) && (one <> 0xed || two < 0xa0) && from (place + 3)
    else
      one < 0xf5 && tail (place + 1) 3 && (one <> 0xf0 || two >= 0x90) && (one <> 0xf4 || two < 0x90) && from (place + 4) in
  from 0

let parse (text : string) : t =
  if not (is_utf8 text) then raise (Bad "no UTF-8");
  let length = String.length text in
  let place = ref 0 in
  let fail why = raise (Bad (Printf.sprintf "%s at byte %d" why !place)) in
  let peek () = if !place < length then text.[!place] else '\000' in
  let rec blank () =
    match peek () with ' ' | '\t' | '\n' | '\r' when !place < length -> incr place; blank () | _ -> () in
  let expect word value =
    let n = String.length word in
    if !place + n <= length && String.sub text !place n = word then (place := !place + n; value) else fail "no JSON" in
  let utf8 buffer code =
    let add n = Buffer.add_char buffer (Char.chr n) in
    if code < 0x80 then add code
    else if code < 0x800 then (add (0xc0 lor (code lsr 6)); add (0x80 lor (code land 0x3f)))
    else if code < 0x10000 then
      (add (0xe0 lor (code lsr 12)); add (0x80 lor ((code lsr 6) land 0x3f)); add (0x80 lor (code land 0x3f)))
    else
      (add (0xf0 lor (code lsr 18)); add (0x80 lor ((code lsr 12) land 0x3f)); add (0x80 lor ((code lsr 6) land 0x3f));
       add (0x80 lor (code land 0x3f))) in
  let hex () =
    if !place + 4 > length then fail "no JSON";
    let digits = String.sub text !place 4 in
    String.iter (function '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> () | _ -> fail "no JSON") digits;
    place := !place + 4;
    int_of_string ("0x" ^ digits) in
  let string () =
    incr place;
    let buffer = Buffer.create 16 in
    let rec go () =
      if !place >= length then fail "a text does not end";
      match text.[!place] with
      | '"' -> incr place
      | '\\' ->
          incr place;
          let c = peek () in
          incr place;
          (match c with
           | '"' | '\\' | '/' -> Buffer.add_char buffer c
           | 'b' -> Buffer.add_char buffer '\b'
           | 'f' -> Buffer.add_char buffer '\012'
           | 'n' -> Buffer.add_char buffer '\n'
           | 'r' -> Buffer.add_char buffer '\r'
           | 't' -> Buffer.add_char buffer '\t'
           | 'u' ->
               let code = hex () in
               if code >= 0xd800 && code < 0xdc00 && !place + 6 <= length && String.sub text !place 2 = "\\u" then begin
                 let mark = !place in
                 place := !place + 2;
                 let low = hex () in
                 if low >= 0xdc00 && low < 0xe000 then
                   utf8 buffer (0x10000 + ((code - 0xd800) lsl 10) + (low - 0xdc00))
                 else (place := mark; fail "a name cannot be encoded in UTF-8")
               end
               else if code >= 0xd800 && code < 0xe000 then fail "a name cannot be encoded in UTF-8"
               else utf8 buffer code
           | _ -> fail "no JSON");
          go ()
      | c when Char.code c < 0x20 -> fail "no JSON"
      | c -> Buffer.add_char buffer c; incr place; go () in
    go ();
    Buffer.contents buffer in
  let rec value depth =
    if depth > 500 then fail "too deep";
    blank ();
    let found =
      match peek () with
      | '"' -> Text (string ())
      | '{' ->
          incr place; blank ();
          if peek () = '}' then (incr place; Object [])
          else
            let seen = Hashtbl.create 16 in
            let rec pairs acc =
              blank ();
              if peek () <> '"' then fail "no JSON";
              let key = string () in
              if Hashtbl.mem seen key then fail "a key stands twice in an object";
              Hashtbl.add seen key ();
              blank ();
              if peek () <> ':' then fail "no JSON";
              incr place;
              let item = value (depth + 1) in
              blank ();
              match peek () with
              | ',' -> incr place; pairs ((key, item) :: acc)
              | '}' -> incr place; List.rev ((key, item) :: acc)
              | _ -> fail "no JSON" in
            Object (pairs [])
      | '[' ->
          incr place; blank ();
          if peek () = ']' then (incr place; List [])
          else
            let rec items acc =
              let item = value (depth + 1) in
              blank ();
              match peek () with
              | ',' -> incr place; items (item :: acc)
              | ']' -> incr place; List.rev (item :: acc)
              | _ -> fail "no JSON" in
            List (items [])
      | 't' -> expect "true" (Bool true)
      | 'f' -> expect "false" (Bool false)
      | 'n' -> expect "null" Null
      | '-' | '0' .. '9' ->
          let start = !place in
          while (match peek () with '-' | '+' | '.' | 'e' | 'E' | '0' .. '9' -> !place < length | _ -> false) do incr place done;
          let number = String.sub text start (!place - start) in
          if not (is_number number) then fail "no JSON";
          Number number
      | _ -> fail "no JSON" in
    blank ();
    found in
  let found = value 0 in
  if !place <> length then fail "something follows";
  found
