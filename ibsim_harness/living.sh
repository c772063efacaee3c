# shellcheck shell=bash disable=SC2154  # lib.sh sets exit_simulation
# An opensm that stays while its fabric changes. Sourced after simulation.sh; the caller starts opensm with dumps (-D 0x47).

opensm_pid=${opensm_pid:-} # the caller sets it
console=${console:-}       # start_simulation_with_console sets it

# Sweeps that have ended in SUBNET UP, with all dumps written.
sweeps_of() {
  local sweeps
  sweeps=$(grep -sc '\*\*\* SUBNET UP \*\*\*' "$1/opensm.log") || true
  printf '%d\n' "${sweeps:-0}"
}

# wait_for_sweeps DIR COUNT: until so many sweeps have ended.
wait_for_sweeps() {
  local tries
  for ((tries = 0; tries < 600; tries++)); do
    is_running "$opensm_pid" ||
      die "$exit_simulation" "opensm ended: $(tail_of "$1/opensm.out") $(tail_of "$1/opensm.log")"
    (($(sweeps_of "$1") >= $2)) && return
    sleep 0.1
  done
  die "$exit_simulation" "opensm did not end sweep $2 in a minute: $(tail_of "$1/opensm.log")"
}

# Sweeps that have begun and that have ended.
sweep_counts() {
  printf '%s %s\n' "$(grep -c 'INITIATING HEAVY SWEEP' "$1/opensm.log")" "$(sweeps_of "$1")"
}

# sweep_after_change DIR [COMMANDS]: has ibsim do something to the cabling, if anything is given, and opensm sweep; until it has
# settled.
sweep_after_change() {
  local dir=$1 before now last='' quiet=0 tries
  before=$(sweep_counts "$dir")
  [[ -z ${2:-} ]] || printf '%s\n' "$2" >&"$console"
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
  die "$exit_simulation" "opensm did not settle in a minute: $(tail_of "$dir/opensm.log")"
}
