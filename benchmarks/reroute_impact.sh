#!/usr/bin/env bash
# What does a failure cost running traffic, by engine, with and without OpenSM's cache of unicast routes?
# shellcheck source=benchmarks/dry_runs.sh
. "$(dirname "$(readlink -f "$0")")/dry_runs.sh"

usage() {
  cat <<'EOT'
usage: reroute_impact.sh [--orders N] [--trials A,B] [--out FOLDER] [SPEC]

The experiment of figure 3.16 of "OpenSM analysis and INAM" on ibsim: a stock opensm stays on a fabric (SPEC as for make_topo, or the
name of a topology file; default k-ary-n-tree 6 3) and gets a SIGHUP, then loses a link between switches, gets it back, loses a switch that
has no hosts, and loses a host. Tables before and after each event go through reroute_impact. TRIALS are engines, with +cache for
use_ucast_cache and +stable for stable=on (default: minhop, ftree, dfsssp, pssp, pssp+stable, best+stable, each without and with +cache).

A line of tab-separated values an event: entries, blocks and switches written; flows moved, and lost; flows without a route before the
first write, and at some moment; flows in a loop at some moment; writes with a credit loop; the largest number of flows in a loop in one of
N random orders (default 100); milliseconds of opensm's routing phase, "-" where it did not route; management packets that opensm sent
from the event on until it had settled, counted by the relay of the tests, "-" where that is not built. FOLDER keeps tables and topologies.
EOT
}

orders=100 trials=minhop,ftree,dfsssp,pssp,pssp+stable,best+stable keep='' spec='k-ary-n-tree 6 3'
trials=$trials,${trials//,/+cache,}+cache
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --orders) orders=$2 && shift 2 ;;
    --trials) trials=$2 && shift 2 ;;
    --out) keep=$2 && shift 2 ;;
    -*) usage >&2 && exit 2 ;;
    *) spec=$1 && shift ;;
  esac
done
need_tool jq jq
need_tool ibnetdiscover infiniband-diags
own_children
trap 'end_children; rm -rf "$scratch"' EXIT
take_fabric "$spec"

# The switch without hosts in the middle of the file, and its first link to another one.
victim=$(awk '/^Switch/ { at = $3; name[++n] = at } /^\[/ && /"H/ { hosts[at] = 1 }
  END { for (i = 1; i <= n; i++) if (!(name[i] in hosts)) bare[++m] = name[i]; print bare[int((m + 1) / 2)] }' "$topology")
[[ -n $victim ]] || {
  echo "${0##*/}: every switch of $spec has hosts; a fabric is needed in which one can be lost" >&2
  exit 2
}
read -r port far < <(awk -v at="$victim" '/^(Switch|Hca|Ca)/ { here = $3 } here == at && /^\[/ { print $1, $2; exit }' "$topology")

lone_host=$(awk '/^(Ca|Hca)/ { last = $3 } END { print last }' "$topology")
recorder=$PSSP_BUILD_DIR/tests/mad_recorder

# Begins the relay between ibsim and opensm, which then takes its name.
count_packets() {
  local dir=$1 own
  [[ -x $recorder ]] || return 0
  own=$(<"$dir/state/socket")-relay
  start_child "$recorder" --log "$dir/packets" --timeout 200 "$(<"$dir/state/socket")" "$own" 2>"$dir/relay.err"
  until has_socket "$own"; do sleep 0.05; done
  printf '%s\n' "$own" >"$dir/state/socket"
}
packets() { if [[ -f $1/packets ]]; then wc -l <"$1/packets"; else echo 0; fi; }

# sweep DIR COMMAND: has ibsim do something, if there is a command, and opensm sweep; until it has settled.
sweep() {
  local dir=$1 before now last='' quiet=0 tries
  before=$(grep -c 'SUBNET UP' "$dir/opensm.log" || true)
  [[ -z $2 ]] || printf '%s\n' "$2" >&"$console"
  sleep 0.2
  kill -HUP "$opensm_pid"
  for ((tries = 0; tries < 1200; tries++)); do
    sleep 0.1
    now=$(grep -c -e 'SUBNET UP' -e 'INITIATING HEAVY SWEEP' "$dir/opensm.log" || true)
    if [[ $now == "$last" ]] && (($(grep -c 'SUBNET UP' "$dir/opensm.log") > before)); then
      ((++quiet < 5)) || return 0
    else
      quiet=0
    fi
    last=$now
  done
  die "$exit_simulation" "opensm did not settle: $(tail_of "$dir/opensm.log")"
}

# take DIR NAME: tables and topology as they are.
take() {
  cp "$1/osm/opensm-lfts.dump" "$1/$2.lft"
  attach_to "$1"
  "${in_simulation[@]}" ibnetdiscover >"$1/$2.topo" 2>"$1/ibnetdiscover.err"
}

# compare DIR TRIAL EVENT BEFORE AFTER LINES PACKETS: a line of the table; of the log only what is behind so many lines counts.
compare() {
  local dir=$1 log=$1/new.log time=-
  tail -n +"$(($6 + 1))" "$dir/opensm.log" >"$log"
  if grep -q 'tables configured on all switches' "$log"; then
    mkdir -p "$dir/phase"
    cp "$log" "$dir/phase/opensm.log"
    time=$(routing_milliseconds "$dir/phase")
  fi
  "$PSSP_BUILD_DIR/bin/reroute_impact" "$dir/$4.lft" "$dir/$5.lft" "$dir/$4.topo" --after-topology "$dir/$5.topo" --orders "$orders" \
    --json -o "$dir/$3.json" 2>>"$dir/warnings" || cat "$dir/warnings" >&2
  jq -r --arg trial "$2" --arg event "$3" --arg time "$time" --arg packets "$7" '[$trial, $event, .tables.entries, .tables.blocks, .tables.switches,
    .flows.moved, .flows.lost, .in_between[0].no_route.at_first, .in_between[0].no_route.flows, .in_between[0].loop.flows,
    .in_between[0].credit_loop.writes, ([.in_between[1:][].loop.flows] | max), $time, $packets] | @tsv' "$dir/$3.json"
}

# try TRIAL: all events with one opensm.
try() {
  local trial=$1 dir=$scratch/$1 engine=${1%%+*} options='' lines own known sent
  mkdir -p "$dir"
  : >"$dir/extra"
  [[ $trial != *+cache* ]] || echo 'use_ucast_cache TRUE' >"$dir/extra"
  [[ $trial != *+stable* ]] || options='stable=on stable_state=off'
  start_simulation_with_console "$dir" "$topology"
  own=$(<"$dir/state/socket")
  count_packets "$dir"
  write_opensm_conf "$dir" "$engine" "$options" "$dir/extra"
  prepare_opensm "$dir" "$engine" stay -D 0x47
  start_child "${opensm_command[@]}" >"$dir/opensm.out" 2>&1
  opensm_pid=$child_pid
  for ((tries = 0; tries < 1200; tries++)); do
    if subnet_is_up "$dir"; then break; fi
    sleep 0.1
  done
  require_engine "$dir" "$engine"
  printf '%s\n' "$own" >"$dir/state/socket"
  sweep "$dir" ''
  take "$dir" start
  local event before=start
  for event in sighup link mended switch host; do
    lines=$(wc -l <"$dir/opensm.log")
    known=$(packets "$dir")
    case $event in
      sighup) sweep "$dir" '' ;;
      link) sweep "$dir" "Unlink $victim$port" ;;
      mended) sweep "$dir" "Link $victim$port $far" ;;
      switch) sweep "$dir" "Unlink $victim" ;;
      host) sweep "$dir" "Unlink $lone_host" ;;
    esac
    sent=-
    [[ ! -x $recorder ]] || sent=$(($(packets "$dir") - known))
    take "$dir" "$event"
    compare "$dir" "$trial" "$event" "$before" "$event" "$lines" "$sent"
    before=$event
  done
  end_process "$opensm_pid"
  stop_simulation "$dir"
  if [[ -n $keep ]]; then
    mkdir -p "$keep/$trial"
    cp "$dir"/*.lft "$dir"/*.topo "$dir"/*.json "$dir/opensm.log" "$keep/$trial"
  fi
}

printf '%s\t' engine event entries blocks switches moved lost 'no route at first' 'no route' loop 'credit loop'
printf '%s\n' 'loop, random'$'\t''routing ms'$'\t''packets'
IFS=, read -ra names <<<"$trials"
for trial in "${names[@]}"; do
  (try "$trial") || echo "${0##*/}: $trial was not measured" >&2
done
