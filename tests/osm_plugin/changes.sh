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
