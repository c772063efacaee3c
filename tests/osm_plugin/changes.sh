# shellcheck shell=bash
# Functions for fabrics that change while opensm runs. Sourced after common.sh.

# change DIR [COMMAND WORD...]: lets ibsim execute a command, if one is given, triggers a sweep of opensm, and waits until opensm
# has settled.
change() { sweep_after_change "$1" "${*:2}"; }

# expect_routing DIR PATTERN: the report of the last routing in the log must match.
expect_routing() {
  plugin_lines "$1" | grep '^routing: ' | tail -n 1 >"$1/routing"
  expect_line "$1/routing" "$2"
}

# entries DUMP: prints "switch LID port" for the tables that opensm wrote.
entries() { awk '/^Unicast/ { for (i = 1; i < NF; i++) if ($i == "guid") s = $(i + 1) } /^0x/ { print s, $1, $2 }' "$1" | sort; }

# differing DUMP NAME: counts the entries that differ from those in the file NAME.
differing() { entries "$1" | comm -3 "$2" - | wc -l; }

# Print the cables between switches of a net file as "id port", and the switches without hosts as "id", in a fixed random order.
cables() { awk '/^Switch/ { from = $3 } /^\[/ && $2 ~ /^"S/ { split($1, part, /[][]/); if (from < $2) print from "[" part[2] "]" }' "$1" | shuf --random-source=<(yes home); }
switches_without_hosts() { awk '/^Switch/ { if (id != "" && !hosts) print id; id = $3; hosts = 0 } /^\[/ && $2 ~ /^"H/ { hosts = 1 } /^(Ca|Hca)/ { if (id != "" && !hosts) print id; exit }' "$1" | shuf --random-source=<(yes home); }

# leaves FILE HOST: prints the switches with hosts as "id" in a fixed random order, without the switch of HOST.
leaves() {
  awk -v host="\"$2\"[" '/^Switch/ { id = $3; seen = 0 } /^\[/ && index($2, host) == 1 { kept[id] } /^\[/ && $2 ~ /^"H/ && !seen++ { all[++n] = id }
    END { for (i = 1; i <= n; i++) if (!(all[i] in kept)) print all[i] }' "$1" | shuf --random-source=<(yes home)
}
