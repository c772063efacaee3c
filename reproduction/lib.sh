# shellcheck shell=bash
# Functions that the scripts of items share. The scripts source this file first. `reproduce` sets OUT (folder of the item), CACHE and BIN
# (folder of the programs), and evaluates the lines in $OUT/values.tsv: name, value, standard error, unit. A script that cannot run on this
# machine calls `unable`.
set -euo pipefail
: "${OUT:?is set by reproduce}" "${CACHE:?is set by reproduce}" "${BIN:?is set by reproduce}" "${PROGRAMS:?is set by reproduce}"
# shellcheck disable=SC2034  # for the scripts
top=$(readlink -f "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/..")
export PATH=$BIN:$PATH:/usr/sbin:/sbin
work=$(mktemp -d "$OUT/work.XXXXXX")
trap 'rm -rf "$work"' EXIT

# value NAME VALUE [STANDARD_ERROR] [UNIT]: stores a value of the item.
value() { printf '%s\t%s\t%s\t%s\n' "$1" "$2" "${3:-}" "${4:-}" >>"$OUT/values.tsv"; }

# unable REASON: ends the script of an item whose prerequisites are missing. The item counts as not run.
unable() {
  printf '%s\n' "$*" >&2
  exit 77
}

# need PROGRAM...: ends the script if a program is missing.
need() {
  local program
  for program; do command -v "$program" >/dev/null || unable "$program is not installed"; done
}

# Prints a word of a command for the key of the cache: the digest of the content if the word is a file, because file names differ
# from call to call.
word_of_key() {
  if [[ -f $1 ]]; then sha256sum <"$1"; else printf '%s\n' "$1"; fi
}

# key_of COMMAND...: prints the key of the cache for the output of a command. The key depends on the words of the command, on the content of
# files among them, on the programs, and on the text of a function.
key_of() {
  local word
  {
    printf '%s\n' "$PROGRAMS"
    declare -f "$1" || true
    for word; do word_of_key "$word"; done
  } | sha256sum | cut -c 1-40
}

# kept_file SUFFIX COMMAND...: prints the path of a file with the standard output of the command, which runs once for all items. The command
# must end with status 0, or with the status in `accepted`. `set -e` has no effect in a function, so its last command must fail on errors.
kept_file() {
  local suffix=$1 file status=0
  shift
  file=$CACHE/$(key_of "$@").$suffix
  exec 8>"$file.lock"
  flock 8
  if [[ ! -e $file ]]; then
    "$@" >"$file.part" 2>"$file.err" 8>&- || status=$?
    if ((status != 0 && status != ${accepted:-0})); then
      printf '%s ended with %d: %s\n' "$*" "$status" "$(tail -n 2 "$file.err")" >&2
      rm -f "$file.part"
      exit "$status"
    fi
    mv "$file.part" "$file"
  fi
  exec 8>&-
  printf '%s\n' "$file"
}

kept() { kept_file txt "$@"; }
# fabric WORD...: prints the path of the topology that make_topo generates from the words, with LIDs.
fabric() { kept_file net make_topo "$@" --lids; }
# tables FABRIC ENGINE [OPTION...]: prints the path of the forwarding tables of one of our engines.
tables() { kept_file lft route_lft -e "$2" "$1" "${@:3}"; }

# run_opensm FABRIC ENGINE [OPTION...]: prints the tables of the switches after opensm has routed the fabric.
run_opensm() {
  local folder
  folder=$(mktemp -d "$work/dry_run.XXXXXX")
  "$BIN/dry_run" --engine "$2" "$1" --patterns 1 --out "$folder" "${@:3}" >/dev/null &&
    cat "$folder/routing.lft" &&
    rm -rf "$folder"
}

# opensm_tables FABRIC ENGINE: prints the path of the tables of the stock opensm on ibsim.
opensm_tables() {
  need opensm ibsim
  kept_file lft run_opensm "$1" "$2"
}

# is_ours ENGINE: succeeds if the engine is one of ours and not of OpenSM.
is_ours() { [[ $1 =~ ^(pssp|p2ssp|best|updown|dmodk|heal|cassp|meshdor)$ ]]; }

# tables_of FABRIC ENGINE: prints the path of the tables of an engine, ours or OpenSM's.
tables_of() {
  if is_ours "$2"; then tables "$1" "$2"; else opensm_tables "$1" "$2"; fi
}

# flows_file FILE: reads lines "FROM TO [LEVEL]" of host names. Writes the hosts in order to FILE.hosts, and the pattern with ranks to FILE.
flows_file() {
  awk -v hosts="$1.hosts" -v pattern="$1" '
    function rank(name) { if (!(name in ranks)) { ranks[name] = count++; print name > hosts } return ranks[name] }
    { from = rank($1); to = rank($2); if (NR > 1 && $3 != level) print "level" > pattern; level = $3; print from, to > pattern }'
}
