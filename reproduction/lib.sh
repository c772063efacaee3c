# shellcheck shell=bash
# What the scripts of items share. Sourced first; `reproduce` sets OUT (folder of the item), CACHE and BIN (folder of the programs), and
# counts what a script leaves in $OUT/values.tsv: name, value, standard error, unit. A script that cannot run here ends in `unable`.
set -euo pipefail
: "${OUT:?is set by reproduce}" "${CACHE:?is set by reproduce}" "${BIN:?is set by reproduce}" "${PROGRAMS:?is set by reproduce}"
# shellcheck disable=SC2034  # for the scripts
top=$(readlink -f "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/..")
export PATH=$BIN:$PATH:/usr/sbin:/sbin
work=$(mktemp -d "$OUT/work.XXXXXX")
trap 'rm -rf "$work"' EXIT

# value NAME VALUE [STANDARD_ERROR] [UNIT]
value() { printf '%s\t%s\t%s\t%s\n' "$1" "$2" "${3:-}" "${4:-}" >>"$OUT/values.tsv"; }

# unable REASON: what the item needs is not here; it is listed as not run.
unable() {
  printf '%s\n' "$*" >&2
  exit 77
}

# need PROGRAM...: ends the item where one is missing.
need() {
  local program
  for program; do command -v "$program" >/dev/null || unable "$program is not here"; done
}

# A word of a command as the cache knows it: of a file its content, since names differ from call to call.
word_of_key() {
  if [[ -f $1 ]]; then sha256sum <"$1"; else printf '%s\n' "$1"; fi
}

# key_of COMMAND...: the name under which the cache has what a command writes, which depends on its words, on the content of the files among
# them, on the programs, and of a function on its text.
key_of() {
  local word
  {
    printf '%s\n' "$PROGRAMS"
    declare -f "$1" || true
    for word; do word_of_key "$word"; done
  } | sha256sum | cut -c 1-40
}

# kept_file SUFFIX COMMAND...: prints the path of a file with what the command writes on standard output; the command runs once for all items. It
# may end with 0, and with 7 where `accepted` is 7. A function says by its last command whether all went well: within it `set -e` is off.
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
# fabric WORD...: what make_topo makes of the words, with LIDs.
fabric() { kept_file net make_topo "$@" --lids; }
# tables FABRIC ENGINE [OPTION...]: forwarding tables of one of our engines.
tables() { kept_file lft route_lft -e "$2" "$1" "${@:3}"; }

# run_opensm FABRIC ENGINE [OPTION...]: what the switches hold after opensm has routed the fabric.
run_opensm() {
  local folder
  folder=$(mktemp -d "$work/dry_run.XXXXXX")
  "$BIN/dry_run" --engine "$2" "$1" --patterns 1 --out "$folder" "${@:3}" >/dev/null &&
    cat "$folder/routing.lft" &&
    rm -rf "$folder"
}

# opensm_tables FABRIC ENGINE: those of the stock opensm on ibsim.
opensm_tables() {
  need opensm ibsim
  kept_file lft run_opensm "$1" "$2"
}

# is_ours ENGINE: by name, not OpenSM's.
is_ours() { [[ $1 =~ ^(pssp|p2ssp|best|updown|dmodk|heal|cassp|meshdor)$ ]]; }

# tables_of FABRIC ENGINE: of ours or of OpenSM's.
tables_of() {
  if is_ours "$2"; then tables "$1" "$2"; else opensm_tables "$1" "$2"; fi
}

# flows_file FILE: reads lines "FROM TO [LEVEL]" of host names; writes the hosts in order to FILE.hosts and the pattern by rank to FILE.
flows_file() {
  awk -v hosts="$1.hosts" -v pattern="$1" '
    function rank(name) { if (!(name in ranks)) { ranks[name] = count++; print name > hosts } return ranks[name] }
    { from = rank($1); to = rank($2); if (NR > 1 && $3 != level) print "level" > pattern; level = $3; print from, to > pattern }'
}
