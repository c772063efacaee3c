#!/usr/bin/env bash
# reproduction/reproduce: its output for correct and for changed tables, what it refuses, and the state after an interruption.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
skip_without jq
# Enable job control, because background jobs of a script otherwise ignore SIGINT.
set -m
reproduce=$PSSP_SOURCE_DIR/reproduction/reproduce
cd "$scratch"

# ---- the list ----

expect 0 '^M03 +crossbars ' "$reproduce" --list
expect_equal 'items' "$(wc -l <stdout)" 132
expect 0 '^C11 ' "$reproduce" --list --only congestion
expect_equal 'items of one source' "$(wc -l <stdout)" 35
expect 2 'no such item or source' "$reproduce" --list --only NOSUCH
expect 2 'unknown argument' "$reproduce" --frobnicate
expect 2 'needs a value' "$reproduce" --only
expect 2 'expected minutes' "$reproduce" --budget soon
expect 2 'the folder does not exist' "$reproduce" --originals nowhere
expect 20 'not built' env PSSP_BUILD_DIR="$scratch" "$reproduce" --out R --only M03
touch file
expect 8 'cannot be written' "$reproduce" --out file/R --only M03

# ---- figures ----

expect 0 '^2 items: 2 equal' "$reproduce" --out R --only M03 --only C11
said stderr '^M03: equal'
expect_line R/items/M03/values.tsv '^congestion	3,3,3,1,1,1,1,1	'
expect_line R/report.md '^\| C11 \|.*H112 .* 0\.25;.*H211 .* 0\.5;.*\| equal \|'
expect_line R/report.html '^<tr id=C11>'
if grep -qE '(src|href)="?(https?:)?//' R/report.html; then fail 'the report loads files from the network'; fi
# Existing results are not computed again.
expect 0 '^2 items: 2 equal' "$reproduce" --out R --only M03 --only C11
if grep -q '^M03' stderr; then fail 'M03 was computed again although its results exist'; fi

# ---- changed tables ----

cp -r "$PSSP_SOURCE_DIR/reproduction" ours
export PSSP_REPRODUCTION_TABLES=$scratch/ours
sed -i 's/80\.89/80.99/' ours/published/M24.tsv
expect 7 'unexpected differences or failures: M24' "$reproduce" --out R --only M24
said stderr '^M24: differs: POP Thunderbird: 80.89, published 80.99'
expect_line R/report.md '^\| M24 \|.*differs.*80.89, published 80.99'

# broken FILE EXPRESSION REGEX: a table that sed changes must be refused, with file and line.
broken() {
  cp "ours/$1" kept
  sed -i "$2" "ours/$1"
  expect 3 "$3" "$reproduce" --list
  cp kept "ours/$1"
}
broken published/M24.tsv '2s/80\.99/about 81/' "published/M24.tsv:2: value 'about 81' is not a number"
broken published/M24.tsv '2s/equal/eqal/' "published/M24.tsv:2: how 'eqal'"
broken published/M24.tsv '2s/equal/order:/' "published/M24.tsv:2: how 'order:'"
broken published/M24.tsv '3s/\t[^\t]*$//' 'published/M24.tsv:3: 5 columns'
broken published/M24.tsv '2,4d' 'published/M24.tsv: the file is missing or has no values'
broken items.tsv '3{p}' 'items.tsv:4: item O02 is already in line 3'
broken items.tsv '/^M24/s/application_times/no_such/' 'script .* does not exist or is empty'
broken items.tsv '/^M24/s/\t[0-9]*\t\([^\t]*\)$/\tsoon\t\1/' "seconds 'soon': expected a whole number"

# ---- orders within noise ----

cp ours/published/M24.tsv ours/items/application_times.sh .
# said_of ROWS VALUES REGEX: checks the verdict for an item with these rows (name, value, how) and values (name, value, standard
# error), all separated by blanks.
said_of() {
  {
    printf 'name\tvalue\tunit\ttolerance\thow\tplace\n'
    # shellcheck disable=SC2086  # words
    printf '%s\t%s\t\t\t%s\there\n' $1
  } >ours/published/M24.tsv
  # shellcheck disable=SC2016  # for the script
  printf 'printf "%%s\\t%%s\\t%%s\\n" %s >"$OUT/values.tsv"\n' "$2" >ours/items/application_times.sh
  "$reproduce" --out R --only M24 --again >stdout 2>stderr || true
  said stderr "^M24: $3"
}
said_of 'a 1 order b 2 order' "a 5 '' b 6 ''" 'order holds'
said_of 'a 1 order b 2 order' "a 6 '' b 5 ''" 'order fails: a is not below b'
# Each group is compared separately.
said_of 'a 1 order:x b 2 order:x c 1 order:y d 2 order:y' "a 7 '' b 8 '' c 1 '' d 2 ''" 'order holds'
said_of 'a 1 order:x b 2 order:x c 1 order:y d 2 order:y' "a 7 '' b 8 '' c 2 '' d 1 ''" 'order fails: c is not below d'
# Differences within two standard errors allow no statement; larger ones do.
said_of 'a 1 order b 2 order' "a 5 .3 b 5.9 .4" 'shown: a and b differ by less than two standard errors'
said_of 'a 1 order b 2 order' "a 5.9 .3 b 5 .4" 'shown: a and b differ by less than two standard errors'
said_of 'a 1 order b 2 order' "a 5 .3 b 6.1 .4" 'order holds'
said_of 'a 1 order b 2 order' "a 6.1 .3 b 5 .4" 'order fails: a is not below b'
said_of 'gain 30 sign' "gain 3 2" 'shown: gain differs from 0 by less than two standard errors'
said_of 'gain 30 sign' "gain 3 1" 'order holds'
said_of 'gain 30 sign' "gain -3 1" 'order fails: gain: -3, published 30'
mv M24.tsv ours/published/M24.tsv
mv application_times.sh ours/items/application_times.sh

# ---- scripts that fail, wait, or cannot run ----

printf 'exit 0\n' >ours/items/application_times.sh
expect 7 'failed' "$reproduce" --out R --only M24 --again
said stderr 'the script did not store the value POP Thunderbird'
# shellcheck disable=SC2016  # for the script
printf 'printf "POP Thunderbird\\tmuch\\nneighbours\\t37.4\\ntree\\t57.4\\n" >"$OUT/values.tsv"\n' >ours/items/application_times.sh
expect 7 'failed' "$reproduce" --out R --only M24
said stderr "POP Thunderbird is 'much', which is not a number"
printf 'echo ibsim is not here >&2; exit 77\n' >ours/items/application_times.sh
expect 20 '^1 items: 1 not run' "$reproduce" --out R --only M24
expect_line R/report.md '^\| M24 \|.*not run.*ibsim is not here'
expect 20 '1 not run' "$reproduce" --out R --only M24 --budget 0

# ---- the page contains the pictures ----

# shellcheck disable=SC2016  # for the script
printf '%s\n' 'echo "<svg>it'"'"'s</svg>" >"$OUT/a b.svg"' 'printf "POP Thunderbird\t80.99\nneighbours\t37.4\ntree\t57.4\n" >"$OUT/values.tsv"' >ours/items/application_times.sh
mkdir originals
printf 'picture' >originals/M24.png
expect 0 '1 equal' "$reproduce" --out R --only M24 --originals originals
for picture in "svg+xml;base64,$(base64 -w 0 "R/items/M24/a b.svg")" "png;base64,$(printf 'picture' | base64)"; do
  grep -qF "src=\"data:image/$picture\"" R/report.html || fail "R/report.html lacks $picture"
done

# ---- an interruption ----

# shellcheck disable=SC2016  # for the script
printf 'sleep 1000 & echo $! >"%s/sleeper"; wait\n' "$scratch" >ours/items/application_times.sh
sleeper_has_ended() { [[ ! -r /proc/$(<sleeper)/stat || $(sed 's/.*) //; s/ .*//' "/proc/$(<sleeper)/stat" 2>/dev/null) == [ZX] ]]; }
for signal in INT:130 TERM:143; do
  rm -f sleeper
  status=0
  "$reproduce" --out R --only M03 --only M24 >stdout 2>stderr &
  run=$!
  eventually test -s sleeper
  expect 8 'another call is writing' "$reproduce" --out R --only M24
  kill "-${signal%:*}" "$run"
  wait "$run" || status=$?
  expect_equal "status after SIG${signal%:*}" "$status" "${signal#*:}"
  eventually sleeper_has_ended
  expect_line R/report.md '^\*\*Incomplete'
done
unset PSSP_REPRODUCTION_TABLES
expect 0 '^2 items: 2 equal' "$reproduce" --out R --only M03 --only M24
