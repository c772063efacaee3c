#!/usr/bin/env bash
# An option has one name, one letter and one form in all commands, and usage lines name the operands. The test compares the --help
# of all commands.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
cd "$scratch"

# ---- the --help of all commands and subcommands ----
mkdir help
sed -nE 's/^\{"[^"]*", "([^"]+)", "([^"]+)",.*/\1\t\2/p' "$PSSP_SOURCE_DIR/tools/pssp/commands.inc" | while IFS=$'\t' read -r command program; do
  [[ -x $bin/$program ]] || continue
  read -ra words <<<"$command"
  "$bin/pssp" "${words[@]}" --help >"help/$command"
  sed -n '/^Commands:$/,/^$/s/^  \([a-z0-9][a-z0-9-]*\) .*/\1/p' "help/$command" | while read -r inner; do
    "$bin/pssp" "${words[@]}" "$inner" --help >"help/$command $inner"
  done
done
(($(find help -type f | wc -l) >= 30)) || fail 'too few commands'

# ---- a row for each option: name, letter (or -), form (flag or value), command ----
for file in help/*; do
  sed -nE 's/\{[^}]*\}//; s/^  (-[A-Za-z])?,?(--[a-z0-9_-]+)(,[^ ]*)?( .*)?$/\2\t\1\t\4/p' "$file" |
    awk -F '\t' -v command="${file#help/}" '{
      form = $3 ~ /^( +[^ ].*)?$/ && $3 !~ /^ [^ ]/ || $3 ~ /^ (Excludes|Needs):/ ? "flag" : "value"
      print $1 "\t" ($2 == "" ? "-" : $2) "\t" form "\t" command }'
done >options
(($(wc -l <options) >= 300)) || fail "only $(wc -l <options) options"

# one_for KEY VALUE WHAT FILE: all rows with the same text in column KEY must have the same text in column VALUE.
one_for() {
  sort -t $'\t' -k "$1,$1" "$4" | awk -F '\t' -v key="$1" -v value="$2" '
    $key in known && known[$key] != $value { print $key ": " known[$key] " in " where[$key] ", " $value " in " $4 }
    !($key in known) { known[$key] = $value; where[$key] = $4 }' >differ
  [[ ! -s differ ]] || fail "$3:"$'\n'"$(<differ)"
}
# Scripts for ORCS call `eval` with the letters of ORCS.
grep -vP '^--(no-shuffle|commsize|ptrn-level|part-commsize)\t' options >lettered
one_for 1 2 'an option with two letters' lettered
grep -v -P '\t-\t' lettered >with_letter
one_for 2 1 'a letter of two options' with_letter
one_for 1 3 'an option with and without a value' options
# Each of these options has the same type of value in all commands.
for pair in '--csv FILE' '--timeout SECONDS' '--mad-timeout MS' '--server-timeout S' '--ack-timeout T'; do
  read -r option value <<<"$pair"
  grep -E "^  (-[A-Za-z],)?$option " help/* >lines || fail "no command has $option"
  ! grep -vE -e "$option ${value}[ :]" lines || fail "$option has another value than $value"
done

# ---- options that mean the same everywhere ----
for option in --json --quiet --verbose; do
  ! grep -P "^$option\t.*\tvalue\t" options || fail "$option takes a value"
done
for pair in '--output -o' '--threads -j' '--quiet -q' '--verbose -v' '--help -h'; do
  read -r option letter <<<"$pair"
  ! grep -P "^$option\t" options | grep -vP "^$option\t$letter\t" || fail "$option is not $letter"
done

# Every command supports --quiet, which prints the result without warnings.
for file in help/*; do expect_line "$file" '^  -q,--quiet '; done
expect 0 'warning: switch\.victim_mask' "$bin/pssp" cc params emit-opensm-conf thesis-mesh
cp stdout loud
expect 0 '' "$bin/pssp" cc params emit-opensm-conf --quiet thesis-mesh
said_nothing stderr
expect_same loud stdout

# ---- usage lines ----
for file in help/*; do
  expect_line "$file" "^Usage: pssp ${file#help/}( |\$)"
  ! grep -E '^Usage: .*(\(.x\)|\.osm|\.lft|SUBCOMMAND| [a-z]+\])' "$file" || fail "${file#help/}: an operand without a name"
done
# Tables are the first operand, the topology the second.
for command in eval fault-impact order-nodes plan-pairs simulate simulate-app tune-cc; do
  expect_line "help/$command" '^Usage: pssp [a-z-]+ \[OPTIONS\] \[?TABLES TOPOLOGY\]?$'
done
expect_line help/locate-slow 'TABLES TOPOLOGY RATES'
expect_line help/dry-run '^Usage: .* \[TOPOLOGY\]$'

# ---- the nearest option and command ----
expect 2 "^pssp eval: unknown option '--jsn' .*did you mean --json\?$" "$bin/pssp" eval --jsn a b
expect 2 "unknown option '--paterns=3' .*did you mean --patterns\?$" "$bin/pssp" eval --paterns=3 a b
expect 2 "unknown option '--xyzzyx' \(see --help\)$" "$bin/pssp" eval --xyzzyx a b
expect 2 "unknown command 'chek' .*did you mean check\?$" "$bin/pssp" cc params chek
expect 2 "unknown option '--table-block' .*did you mean --table-blocks\?$" "$bin/pssp" cc params check --table-block 3 x
