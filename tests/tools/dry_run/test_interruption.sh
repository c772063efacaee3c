#!/usr/bin/env bash
# A dry run that is interrupted, ended or killed, or that exceeds its timeout, leaves no process behind. A stand-in for opensm
# never finishes.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/../../ibsim_harness/testing.sh"
# Enable job control, because background jobs of a script otherwise ignore SIGINT.
set -m

use_stand_in_build
mesh 4 4 >"$scratch/mesh.net"
mkdir "$scratch/endless"
printf '#!/bin/sh\nexec sleep 1000\n' >"$scratch/endless/opensm"
chmod +x "$scratch/endless/opensm"
export PATH=$scratch/endless:$PATH

running() { [[ $(processes_of_test | wc -l) == "$1" ]]; }

# interrupted SIGNAL STATUS ENGINES...: sends SIGNAL to a dry run, which must end with STATUS and leave no process.
interrupted() {
  local signal=$1 wanted=$2 status=0 run
  shift 2
  "$bin/dry_run" "$@" "$scratch/mesh.net" --out "$scratch/out" >/dev/null 2>"$scratch/stderr" &
  run=$!
  eventually running 2
  kill "-$signal" "$run"
  wait "$run" 2>/dev/null || status=$?
  ((status == wanted)) || fail "SIG$signal: status $status instead of $wanted: $(<"$scratch/stderr")"
  eventually nothing_is_left
  [[ ! -e $scratch/out/routing.lft ]] || fail "SIG$signal: an interrupted run left tables"
}

interrupted INT 130 --engine minhop
interrupted TERM 143 --engine minhop
interrupted KILL 137 --engine minhop
interrupted INT 130 --engine minhop --engine sssp
interrupted TERM 143 --engine minhop --engine sssp
interrupted KILL 137 --engine minhop --engine sssp

expect 21 '' "$bin/dry_run" --engine minhop "$scratch/mesh.net" --out "$scratch/out" --timeout 1
said stderr 'did not finish within 1 s'
nothing_runs || fail "a timed out dry run left processes"

# Two dry runs must not write into one folder.
"$bin/dry_run" --engine minhop "$scratch/mesh.net" --out "$scratch/out" >/dev/null 2>&1 &
run=$!
eventually running 2
expect 8 '' "$bin/dry_run" --engine minhop "$scratch/mesh.net" --out "$scratch/out"
said stderr 'another dry run is writing'
kill -TERM "$run"
wait "$run" || true
eventually nothing_is_left
