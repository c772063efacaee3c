# shellcheck shell=bash disable=SC2154  # lib.sh sets exit_simulation
# An opensm that stays while its fabric changes. Sourced after simulation.sh; the caller starts opensm with dumps (-D 0x47).

opensm_pid=${opensm_pid:-}   # the caller sets it
console=${console:-}         # start_simulation_with_console sets these two
console_log=${console_log:-}

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
  die "$exit_simulation" "opensm did not finish sweep $2 within a minute: $(tail_of "$1/opensm.log")"
}

# Sweeps that have begun and that have ended.
sweep_counts() {
  printf '%s %s\n' "$(grep -c 'INITIATING HEAVY SWEEP' "$1/opensm.log")" "$(sweeps_of "$1")"
}

# wait_until_settled DIR COUNTS QUIET SECONDS: until a sweep has ended since the sweep_counts were these, and none has begun or ended for
# so many tenths of a second; or so many seconds.
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

# obey COMMANDS: until ibsim has done all of them; it says again what begins with #.
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

# sweep_after_change DIR [COMMANDS]: has ibsim do something to the cabling, if anything is given, and opensm sweep; until it has
# settled.
sweep_after_change() {
  local before
  before=$(sweep_counts "$1")
  [[ -z ${2:-} ]] || obey "$2"
  kill -HUP "$opensm_pid"
  wait_until_settled "$1" "$before" 3 60
}

# stop_answered DIR HOST PID: stops a standby that asks now and then whether the master lives, where all that it has asked is answered: in
# ibsim's world there is no time-out for what one asks who is gone, so that a master that is killed at another moment leaves a standby that
# waits for ever. What it had asked comes before the question of sminfo at HOST, where no manager is, and the master answers in turn.
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
