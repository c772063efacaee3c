# shellcheck shell=bash disable=SC2154  # lib.sh sets exit_simulation
# Functions for an opensm that keeps running while its fabric changes. Sourced after simulation.sh. The caller starts opensm with
# logging of its dumps (-D 0x47).

opensm_pid=${opensm_pid:-}   # the caller sets it
console=${console:-}         # start_simulation_with_console sets these two
console_log=${console_log:-}

# Prints the number of sweeps that ended in SUBNET UP with all dumps written.
sweeps_of() {
  local sweeps
  sweeps=$(grep -sc '\*\*\* SUBNET UP \*\*\*' "$1/opensm.log") || true
  printf '%d\n' "${sweeps:-0}"
}

# wait_for_sweeps DIR COUNT: waits until COUNT sweeps have ended.
wait_for_sweeps() {
  local tries
  for ((tries = 0; tries < 600; tries++)); do
    is_running "$opensm_pid" ||
      die "$exit_simulation" "opensm ended: $(tail_of "$1/opensm.out") $(tail_of "$1/opensm.log")"
    (($(sweeps_of "$1") >= $2)) && return
    sleep 0.1
  done
  die "$exit_simulation" "opensm did not finish sweep $2 within a minute: $(tail_of "$1/opensm.log")"
}

# Prints the number of sweeps that have begun and the number that have ended.
sweep_counts() {
  printf '%s %s\n' "$(grep -c 'INITIATING HEAVY SWEEP' "$1/opensm.log")" "$(sweeps_of "$1")"
}

# wait_until_settled DIR COUNTS QUIET SECONDS: waits until a sweep has ended since sweep_counts printed COUNTS, and no sweep has
# begun or ended for QUIET tenths of a second. Fails after SECONDS.
wait_until_settled() {
  local now last='' quiet=0 tries
  for ((tries = 0; tries < 10 * $4; tries++)); do
    sleep 0.1
    now=$(sweep_counts "$1")
    if [[ $now == "$last" && ${now#* } -gt ${2#* } ]]; then
      ((++quiet < $3)) || return 0
    else
      quiet=0
    fi
    last=$now
  done
  die "$exit_simulation" "opensm still swept after $4 s: $(tail_of "$1/opensm.log")"
}

# obey COMMANDS: sends COMMANDS to ibsim and waits until all are executed. ibsim echoes lines that begin with #, so an echoed
# comment marks the end.
obeyed=0
obey() {
  local tries
  printf '%s\n#obeyed %d \n' "$1" "$((++obeyed))" >&"$console"
  for ((tries = 0; tries < 1200; tries++)); do
    ! grep -qs "#obeyed $obeyed " "$console_log" || return 0
    sleep 0.05
  done
  die "$exit_simulation" "ibsim did not execute the commands: $(tail_of "$console_log")"
}

# sweep_after_change DIR [COMMANDS]: lets ibsim execute COMMANDS, which change the cabling, triggers a sweep of opensm, and waits
# until opensm has settled.
sweep_after_change() {
  local before
  before=$(sweep_counts "$1")
  [[ -z ${2:-} ]] || obey "$2"
  kill -HUP "$opensm_pid"
  wait_until_settled "$1" "$before" 3 60
}

# stop_answered DIR HOST PID: stops the process PID, a standby opensm that polls the master, at a moment when all its requests are
# answered. ibsim never reports a timeout for requests to a process that is gone, so a standby with an open request to a killed
# master would wait forever. The master answers requests in order. Therefore, once it has answered sminfo at HOST, a host without
# subnet manager, it has answered all earlier requests of the standby.
stop_answered() {
  local tries
  need_tool sminfo infiniband-diags
  kill -STOP "$3"
  for ((tries = 0; tries < 600; tries++)); do
    [[ $(sed 's/.*) //; s/ .*//' "/proc/$3/stat") != T ]] || break
    sleep 0.05
  done
  attach_to "$1"
  "${in_simulation[@]/#SIM_HOST=*/SIM_HOST=$2}" sminfo >"$1/state/sminfo" 2>&1 || true
  grep -q SMINFO_MASTER "$1/state/sminfo" ||
    die "$exit_simulation" "the master does not answer: $(tail_of "$1/state/sminfo")"
}
