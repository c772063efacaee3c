#!/usr/bin/env bash
# ibsim simulates topologies of make_topo, and ibnetdiscover finds the switches, hosts and cables that make_topo reports.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"

make_topo=$bin/make_topo
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
skip_without ibsim ibsim-run ibnetdiscover

ibsim_pid=
cleanup() {
  [[ -z $ibsim_pid ]] || kill "$ibsim_pid" 2>/dev/null || true
  clean_up
}
trap cleanup EXIT

# Succeeds if ibsim accepts clients or has ended.
is_loaded() { grep -q "@$IBSIM_SOCKNAME:ctl" /proc/net/unix || ! kill -0 "$ibsim_pid" 2>/dev/null; }

# discover HOST: simulates $scratch/topo.net, and writes the output of ibnetdiscover at HOST to $scratch/found.
discover() {
  export IBSIM_SOCKNAME=make-topo-test-$$-$RANDOM SIM_HOST=$1
  ibsim -s -n -N 8000 -S 2000 -P 120000 "$scratch/topo.net" >"$scratch/ibsim.log" 2>&1 &
  ibsim_pid=$!
  eventually is_loaded
  kill -0 "$ibsim_pid" 2>/dev/null || fail "ibsim: $(tail -n 3 "$scratch/ibsim.log")"
  ibsim-run ibnetdiscover >"$scratch/found" 2>"$scratch/ibnetdiscover.log" || fail "$(tail -n 3 "$scratch/ibnetdiscover.log")"
  kill "$ibsim_pid"
  wait "$ibsim_pid" 2>/dev/null || true
  ibsim_pid=
}

# discovered HOST ARGUMENTS...: ibnetdiscover at HOST must find everything that make_topo ARGUMENTS reports.
discovered() {
  local host=$1 switches hosts links ends
  shift
  "$make_topo" "$@" -o "$scratch/topo.net" 2>"$scratch/promise"
  read -r hosts switches links < <(sed 's/[^0-9 ]//g' "$scratch/promise")
  discover "$host"
  (($(grep -c '^Switch' "$scratch/found") == switches)) || fail "$*: not $switches switches"
  (($(grep -c '^Ca' "$scratch/found") == hosts)) || fail "$*: not $hosts hosts"
  ends=$(awk '/^Switch/ { in_switch = 1 } /^Ca/ { in_switch = 0 } in_switch && /^\[/ && $2 ~ /"S-/' "$scratch/found" | wc -l)
  ((ends == 2 * links)) || fail "$*: $ends ends of links between switches instead of 2 * $links"
  ! grep -q 'WARN\|PANIC' "$scratch/ibsim.log" || fail "$*: $(grep 'WARN\|PANIC' "$scratch/ibsim.log" | sed -n 1,3p)"
}

discovered H00000 k-ary-n-tree 4 2
discovered H00000 xgft 4,3,2 1,2,3
discovered H00000 director 288
discovered H00000 odin
discovered H00000 chic
discovered H00000 deimos --shuffle-guids
discovered H00000 leaf-director --leafs 8 --hosts 64 --directors 2 --uplinks 6 --director-ports 144
discovered H00000 director-chain --directors 2 --cables 10 --hosts 100 --director-ports 144
discovered H00000 mesh 3x4x2 --hosts 2 --parallel 2 --lids
discovered H111 mesh 3x3 --hosts 2 --ports thesis --lids=hosts-first
discovered H00000 torus 4x4 --rate 4xQDR
discovered H00000 hyperx 4x4
discovered H00000 hypercube 5 --lmc 2
discovered H00000 full-mesh 8 --hosts 2
discovered H00000 random-regular 20 --degree 5 --hosts 3
discovered H00000 dragonfly --switches 4 --global-links 2 --hosts 2
discovered H00000 chic --kill-links 20 --seed 7
discovered H00000 thunderbird
grep -q '"director 8 spine 12"' "$scratch/found" || fail 'ibsim does not pass descriptions on'
grep -q '^switchguid=0x200000(' "$scratch/found" || fail 'ibsim does not take the GUIDs of the file'
