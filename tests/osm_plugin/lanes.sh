# shellcheck shell=bash
# Functions that the tests of service levels and virtual lanes share. Sourced after common.sh.

query_paths=$PSSP_BUILD_DIR/tests/osm_plugin/query_paths
[[ -x $query_paths ]] || skip 'query_paths is not built (libibmad-dev is not installed)'

# positions DIR: prints for all base LIDs, from opensm's list of links: LID, GUID of the switch that the LID is attached to, GUID
# of its node, and CA or SW.
positions() {
  awk '
    function hex(digits,   n, i) {
      for (i = 1; i <= length(digits); i++) n = 16 * n + index("0123456789abcdef", tolower(substr(digits, i, 1))) - 1
      return n
    }
    function field(text, name) {
      match(text, name ":[0-9A-Fa-f]+")
      return substr(text, RSTART + length(name) + 1, RLENGTH - length(name) - 1)
    }
    {
      split($0, half, /} [{]/)
      kind = half[1] ~ /^[{] SW/ ? "SW" : "CA"
      print hex(field(half[1], "LID")), "0x" field(half[kind == "SW" ? 1 : 2], "NodeGUID"),
        "0x" field(half[1], "NodeGUID"), kind
    }' "$1/osm/opensm-subnet.lst" | sort -nu
}

# at_any_host DIR COMMAND...: runs a diagnostic at the adapter of opensm.
at_any_host() {
  local dir=$1
  shift
  in_fabric "$dir" "$(<"$dir/state/host")" "$@"
}

# ask_paths DIR KIND [STEP [LMC]]: queries the subnet administrator for the service levels of paths between ports of the kind (CA,
# or . for all), from every STEP-th LID to all others. Writes source LID, destination LID and level to DIR/paths. With LMC
# adapters have several LIDs.
ask_paths() {
  positions "$1" |
    awk -v lids="$((1 << ${4:-0}))" '{ for (k = 0; k < ($4 == "CA" ? lids : 1); k++) print $1 + k, $2, $3, $4 }' >"$1/positions"
  awk -v kind="$2" -v step="${3:-1}" '$4 ~ kind { lid[n++] = $1 }
    END { for (i = 0; i < n; i += step) for (j = 0; j < n; j++) if (i != j) print lid[i], lid[j] }' "$1/positions" >"$1/pairs"
  at_any_host "$1" "$query_paths" <"$1/pairs" >"$1/paths" || fail "query_paths ended with status $?"
  expect_equal "paths in $1" "$(wc -l <"$1/paths")" "$(wc -l <"$1/pairs")"
}

# expect_levels_of_dump DIR DUMP: all paths in DIR/paths must have the service level of the dump.
expect_levels_of_dump() {
  local wrong
  wrong=$(awk '
    FILENAME ~ /\/positions$/ { at[$1] = $2 }
    FILENAME !~ /\/(positions|paths)$/ && /^0x/ { row[$1] = $2 }
    FILENAME ~ /\/paths$/ {
      level = substr(row[at[$1]], $2 + 1, 1)
      if (index("0123456789abcdef", level) - 1 != $3) print "from " $1 " to " $2 ": " $3 ", the dump has " level
    }' "$1/positions" "$2" "$1/paths")
  expect_equal "paths that do not have the level of the dump" "$(head -n 5 <<<"$wrong")" ''
}

# levels_in DUMP: prints the levels that occur, in one line.
levels_in() { sed -n 's/^0x[0-9a-f]* //p' "$1" | fold -w 1 | grep -v '\.' | sort -u | tr -d '\n'; }
