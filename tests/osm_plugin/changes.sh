# shellcheck shell=bash
# Fabrics that change while opensm runs. Sourced after common.sh.

# change DIR [COMMAND WORD...]: has ibsim do something to the cabling, if it is given, and opensm sweep; until it has settled.
change() { sweep_after_change "$1" "${*:2}"; }

# expect_routing DIR PATTERN: the report of the last routing in the log.
expect_routing() {
  plugin_lines "$1" | grep '^routing: ' | tail -n 1 >"$1/routing"
  expect_line "$1/routing" "$2"
}

# entries DUMP: "switch LID port" of the tables that opensm has written.
entries() { awk '/^Unicast/ { for (i = 1; i < NF; i++) if ($i == "guid") s = $(i + 1) } /^0x/ { print s, $1, $2 }' "$1" | sort; }

# differing DUMP NAME: lines by which the entries are not those that were written to NAME.
differing() { entries "$1" | comm -3 "$2" - | wc -l; }

# Of a net file, in an order of their own: cables between switches as "id port", and switches without hosts as "id".
cables() { awk '/^Switch/ { from = $3 } /^\[/ && $2 ~ /^"S/ { split($1, part, /[][]/); if (from < $2) print from "[" part[2] "]" }' "$1" | shuf --random-source=<(yes home); }
switches_without_hosts() { awk '/^Switch/ { if (id != "" && !hosts) print id; id = $3; hosts = 0 } /^\[/ && $2 ~ /^"H/ { hosts = 1 } /^(Ca|Hca)/ { if (id != "" && !hosts) print id; exit }' "$1" | shuf --random-source=<(yes home); }

# leaves FILE HOST: switches with hosts as "id", in an order of their own, without the one where HOST is.
leaves() {
  awk -v host="\"$2\"[" '/^Switch/ { id = $3; seen = 0 } /^\[/ && index($2, host) == 1 { kept[id] } /^\[/ && $2 ~ /^"H/ && !seen++ { all[++n] = id }
    END { for (i = 1; i <= n; i++) if (!(all[i] in kept)) print all[i] }' "$1" | shuf --random-source=<(yes home)
}
