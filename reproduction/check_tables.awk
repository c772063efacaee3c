# Checks items.tsv and the files published/ID.tsv. Prints each error with file and line, and exits with 1 if there are errors.
function wrong(place, what) { printf "reproduce: %s: %s\n", place, what; bad = 1 }

BEGIN { FS = "\t" }
FNR == 1 { if (NF != 9) wrong(FILENAME ":1", NF " columns; expected id, source, place, title, kind, status, script, seconds, note"); next }
{
  place = FILENAME ":" FNR
  if (NF != 9) { wrong(place, NF " columns; expected 9"); next }
  if ($1 in line) wrong(place, "item " $1 " is already in line " line[$1])
  line[$1] = FNR
  if ($6 !~ /^(done|like|differs|definition|hardware)$/) wrong(place, "status '" $6 "'; expected done, like, differs, definition or hardware")
  if ($8 !~ /^[0-9]+$/) wrong(place, "seconds '" $8 "': expected a whole number")
  if (($7 == "-") != ($6 == "definition" || $6 == "hardware")) wrong(place, "expected - as the script if, and only if, the status is definition or hardware")
  if ($7 != "-") {
    split($7, words, " ")
    script = folder "/items/" words[1]
    if ((getline text < script) <= 0) wrong(place, "script " script " does not exist or is empty")
    close(script)
  }
  check_published(folder "/published/" $1 ".tsv", $7 != "-")
}
END { exit bad }

# name, value, unit, tolerance, how, place
function check_published(file, needed,    text, columns, row, count, names) {
  while ((getline text < file) > 0) {
    if (++row == 1) continue
    count = split(text, columns, "\t")
    if (count != 6) { wrong(file ":" row, count " columns; expected name, value, unit, tolerance, how, place"); continue }
    if (columns[1] in names) wrong(file ":" row, "value " columns[1] " is listed twice")
    names[columns[1]]
    if (columns[5] !~ /^(equal|text|relative|order(:[a-z0-9]+)?|sign|least|most|shown)$/)
      wrong(file ":" row, "how '" columns[5] "'; expected equal, text, relative, order, order:GROUP, sign, least, most or shown")
    else if (columns[5] !~ /^(text|shown)$/ && !is_number(columns[2])) wrong(file ":" row, "value '" columns[2] "' is not a number")
    if (columns[4] != "" && !is_number(columns[4])) wrong(file ":" row, "tolerance '" columns[4] "' is not a number")
  }
  close(file)
  if (needed && row < 2) wrong(file, "the file is missing or has no values")
}

function is_number(text) { return text ~ /^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$/ }
