#!/usr/bin/env bash
# topology_summary.awk: counts as ibsim makes them, and where opensm attaches. Expected lines are counted by hand.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/testing.sh"

survey() { awk -f "$harness/topology_summary.awk" -- "$1"; }

# summary EXPECTED: of the topology on standard input.
summary() {
  local got
  cat >"$scratch/topology"
  got=$(survey "$scratch/topology")
  [[ $got == "$1" ]] || fail "'$got' instead of '$1' from:"$'\n'"$(<"$scratch/topology")"
}

mesh 2 2 | summary '8 4 40 4 H0_0'
: | summary '0 0 0 0 '
printf 'no topology at all\n[1] "x"[1]\n' | summary '0 0 0 0 '

# Attach neither to an aggregation node, nor where port 1 is not cabled, nor under a name that ibsim would cut.
summary '5 1 13 4 B' <<'EOF'
Ca 1 "A"  # "Mellanox Technologies Aggregation Node"
[1] "S"[1]

Ca 4 "TWO"
[2] "S"[2]

Ca 1 "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"
[1] "S"[3]

Ca 1 "B"
[1] "S"[4]

Switch 5 "S"
[1] "A"[1]
EOF

# The larger island; carriage returns; a host of no island.
printf '%s\r\n' 'Hca 1 "LONE"' '' 'Hca 1 "P"' '[1] "S1"[1]' '' 'Switch 2 "S1"' '[1] "P"[1]' '' 'Hca 1 "Q"' '[1] "S2"[1]' '' 'Hca 1 "R"' \
  '[1] "S2"[2]' '' 'Switch 2 "S2"' '[1] "Q"[1]' '[2] "R"[1]' | summary '6 2 10 4 Q'
