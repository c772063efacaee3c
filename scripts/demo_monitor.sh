#!/usr/bin/env bash
# Demonstrates the fabric monitor on a laptop without InfiniBand hardware. Uses packages or builds the programs, and starts the
# InfiniBand simulator with a fabric of 528 hosts, the stock opensm with our plugin, jobs with traffic, and the monitor. Ctrl-C
# stops all of them.
set -euo pipefail
here=$(dirname "$(dirname "$(readlink -f "$0")")")
# shellcheck source=scripts/demo_parts.sh
. "$here/scripts/demo_parts.sh"

usage() {
  cat <<'EOF'
usage: demo_monitor.sh [--port N] [--out DIR] [--for S] [--cut S] [TOPO]

Simulates a fabric of 528 hosts (or TOPO) with the stock opensm, our plugin and
seven jobs (on TOPO: 20 random jobs), and serves the pages of pssp monitor on
127.0.0.1. Uses the installed packages of this version, or installs the packages
in dist/, or installs the build dependencies and builds the programs. Prints the
address when the pages are available. After one minute a cable fails, and after
another minute it is repaired: the pages Health, Reroutes and Subnet manager
show the failure, and the page Record has a recording of each minute.
Ctrl-C stops all programs.

  --port N      port of the pages (default: 9684)
  --out DIR     keep the database, logs and truth.json in DIR
  --for S       end S seconds after the pages are available
  --cut S       disconnect the cable after S seconds (default: 60)
  -h, --help    print this text

PSSP_BUILD_DIR  existing build to use, without installing or building anything

Exit codes: 0 success, 2 usage, 130 interrupted; otherwise those of
pssp play-traffic.
EOF
}

wrong() {
  printf 'demo_monitor.sh: %s; see --help\n' "$*" >&2
  exit 2
}

port=9684 out='' seconds='' cut=60 topology=''
while (($# > 0)); do
  case $1 in
    -h | --help)
      usage
      exit 0
      ;;
    --port | --out | --for | --cut)
      (($# > 1)) || wrong "$1 needs a value"
      case $1 in
        --port) port=$2 ;;
        --out) out=$2 ;;
        --for) seconds=$2 ;;
        --cut) cut=$2 ;;
      esac
      shift
      ;;
    -*) wrong "unknown option '$1'" ;;
    *)
      [[ -z $topology ]] || wrong "expected at most one topology, got '$topology' and '$1'"
      topology=$1
      ;;
  esac
  shift
done
[[ $port =~ ^[0-9]{1,5}$ ]] || wrong "--port $port is not a port number"
[[ -z $seconds || $seconds =~ ^[0-9]{1,6}$ ]] || wrong "--for $seconds is not a number of seconds"
[[ $cut =~ ^[1-9][0-9]{0,5}$ ]] || wrong "--cut $cut is not a number of seconds greater than 0"
[[ -z $topology || -r $topology ]] || wrong "cannot read '$topology'"

provide 'pssp-tools opensm-plugin-pssp pssp-monitor' --monitor 'pssp make_topo play_traffic monitor_fabric osmpssp' -DPSSP_BUILD_MONITOR=ON -DPSSP_BUILD_MONITOR_PAGES=ON

playing='' recording=''
work=$(mktemp -d)
# Ends all started processes before this script ends, for whatever reason.
end_all() {
  trap '' INT TERM HUP
  local each
  for each in $recording $playing; do
    kill "$each" 2>/dev/null || true
    wait "$each" 2>/dev/null || true
  done
  rm -rf "$work"
}
trap end_all EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP
out=${out:-$work/out}
mkdir -p "$out"
out=$(readlink -f "$out")

traffic=(--pace 10 --cut "$cut")
if [[ -z $topology ]]; then
  topology=$work/chic.net
  "$build/bin/pssp" make-topo chic --rate 4xSDR -o "$topology" 2>/dev/null
  cat >"$work/jobs" <<'EOF'
{"id": "1001", "name": "cfd", "user": "anna", "hosts": 96, "pattern": "all_to_all", "rate": 0.9}
{"id": "1002", "name": "weather", "user": "ben", "hosts": 100, "pattern": "neighbor2d", "activity": "drifting", "rate": 0.8}
{"id": "1003", "name": "fft", "user": "anna", "hosts": 64, "pattern": "shift:7", "rate": 0.9}
{"id": "1004", "name": "training", "user": "chen", "hosts": 64, "pattern": "recdbl", "rate": 0.8, "storage_share": 0.05}
{"id": "1005", "name": "genome", "user": "dora", "hosts": 40, "pattern": "rand", "activity": "constant", "rate": 0.4, "storage_share": 0.1}
{"id": "1006", "name": "lattice", "user": "emil", "hosts": 48, "pattern": "dissemination", "activity": "drifting", "rate": 0.7}
{"id": "1007", "name": "md", "user": "ben", "hosts": 27, "pattern": "neighbor2d", "rate": 0.6}
EOF
  traffic+=(--jobs "$work/jobs")
fi

# Discover often enough to notice the fault early, long before it is repaired.
discovery=$((cut < 30 ? (cut + 2) / 3 : 10))
cat >"$work/monitor.conf" <<EOF
[sweep]
interval_s = 5
discovery_interval_s = $discovery
[store]
database = $out/fabric.sqlite
[server]
listen = 127.0.0.1:$port
EOF
# Older monitors do not support job files, so the section is added only if the monitor accepts it.
if printf '[jobs]\nsource = file\nfile = %s\n' "$out/play/jobs.jsonl" >"$work/jobs.conf" &&
  "$build/bin/pssp" monitor serve --check-config --config "$work/jobs.conf" >"$work/checked" 2>&1; then
  cat "$work/jobs.conf" >>"$work/monitor.conf"
fi

page_answers() {
  {
    exec 3<>"/dev/tcp/127.0.0.1/$port" || return 1
    printf 'GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3
    grep -q '^HTTP/1.[01] 200' <&3
  } 2>"$work/not_yet"
}

# play-traffic ends with this script even after SIGKILL, and the monitor ends with play-traffic.
setpriv --pdeathsig TERM -- "$build/bin/pssp" play-traffic "$topology" "${traffic[@]}" --out "$out/play" -- \
  "$build/bin/pssp" monitor serve --config "$work/monitor.conf" &
playing=$!
until page_answers; do
  kill -0 "$playing" 2>/dev/null || {
    status=0
    wait "$playing" || status=$?
    playing=''
    exit "$status"
  }
  sleep 0.2
done
printf '\n  The pages of the monitor: http://127.0.0.1:%s/\n  Ctrl-C stops all programs.\n\n' "$port"

# Makes two recordings, one of the complete fabric and one without the cable, for comparison on the page Record.
record_both() {
  trap 'kill $(jobs -p) 2>/dev/null; exit 143' TERM
  local name
  for name in 'all cables' 'one cable less'; do
    setpriv --pdeathsig TERM -- "$out/play/attach.sh" "$build/bin/pssp" monitor record --database "$out/fabric.sqlite" \
      --for "$cut" --name "$name" >"$work/recorded" 2>&1 &
    wait $! || return 0
  done
}
record_both &
recording=$!
if [[ -n $seconds ]]; then
  sleep "$seconds" &
  wait $!
  exit 0
fi
wait "$playing"
