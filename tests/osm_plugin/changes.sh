# shellcheck shell=bash
# Fabrics that change while opensm runs. Sourced after common.sh.

opensm_pid=${opensm_pid:-} # start_opensm sets it
console=${console:-}       # start_simulation_with_console sets it

# Sweeps that have begun and that have ended.
sweep_counts() {
  printf '%s %s\n' "$(grep -c 'INITIATING HEAVY SWEEP' "$1/opensm.log")" "$(sweeps_of "$1")"
}

# change DIR COMMAND...: has ibsim do something to the cabling, if it is given, and opensm sweep; until it has settled.
change() {
  local dir=$1 before now last='' quiet=0 tries
  shift
  before=$(sweep_counts "$dir")
  [[ -z $* ]] || printf '%s\n' "$*" >&"$console"
  sleep 0.1
  kill -HUP "$opensm_pid"
  for ((tries = 0; tries < 600; tries++)); do
    sleep 0.1
    now=$(sweep_counts "$dir")
    if [[ $now == "$last" && ${now#* } -gt ${before#* } ]]; then
      ((++quiet < 3)) || return 0
    else
      quiet=0
    fi
    last=$now
  done
  fail "opensm did not settle in a minute: $(tail_of "$dir/opensm.log")"
}

# expect_routing DIR PATTERN: the last routing's line in the log.
expect_routing() {
  plugin_lines "$1" | grep ' switches, ' | tail -n 1 >"$1/routing"
  expect_line "$1/routing" "$2"
}

# entries DUMP: "switch LID port" of the tables that opensm has written.
entries() { awk '/^Unicast/ { for (i = 1; i < NF; i++) if ($i == "guid") s = $(i + 1) } /^0x/ { print s, $1, $2 }' "$1" | sort; }

# differing DUMP NAME: lines by which the entries are not those that were written to NAME.
differing() { entries "$1" | comm -3 "$2" - | wc -l; }

# Of a net file, in an order of their own: cables between switches as "id port", and switches without hosts as "id".
cables() { awk '/^Switch/ { from = $3 } /^\[/ && $2 ~ /^"S/ { split($1, part, /[][]/); if (from < $2) print from "[" part[2] "]" }' "$1" | shuf --random-source=<(yes home); }
switches_without_hosts() { awk '/^Switch/ { if (id != "" && !hosts) print id; id = $3; hosts = 0 } /^\[/ && $2 ~ /^"H/ { hosts = 1 } /^(Ca|Hca)/ { if (id != "" && !hosts) print id; exit }' "$1" | shuf --random-source=<(yes home); }
