# shellcheck shell=bash
# What the end-to-end tests of the plugin share. Sourced with the build directory as argument. A test is one script; it has a
# scratch directory of its own, ends what it started, and prints "skipped: ..." where a program is not installed.
set -euo pipefail

PSSP_BUILD_DIR=$(readlink -f "${1:?usage: $0 BUILD_DIR}")
export PSSP_BUILD_DIR
tests_dir=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=ibsim_harness/simulation.sh
. "$tests_dir/../../ibsim_harness/simulation.sh"

scratch=$(mktemp -d)
own_children
trap 'end_children; rm -rf "$scratch"' EXIT

skip_without() {
  local tool
  for tool; do
    command -v "$tool" >/dev/null || {
      printf 'skipped: %s is not installed\n' "$tool"
      exit 0
    }
  done
}

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

# expect_equal WHAT FOUND EXPECTED
expect_equal() { [[ $2 == "$3" ]] || fail "$1: found '$2', expected '$3'"; }

# expect_line FILE PATTERN: some line matches the extended regular expression.
expect_line() { grep -Eq -- "$2" "$1" || fail "$1 has no line that matches '$2':"$'\n'"$(tail_of "$1" 20)"; }

# expect_same FILE FILE
expect_same() { cmp -s "$1" "$2" || fail "$1 and $2 differ:"$'\n'"$(diff "$1" "$2" | head -n 10)"; }

# ---- fabrics ----

# make_tree LEAFS SPINES HOSTS PARALLEL: two levels; HOSTS a leaf, PARALLEL links from each leaf to each spine.
make_tree() {
  awk -v leafs="$1" -v spines="$2" -v hosts="$3" -v parallel="$4" 'BEGIN {
    for (h = 0; h < leafs * hosts; h++) printf "Hca\t1 \"H%d\"\n[1]\t\"L%d\"[%d]\n\n", h, int(h / hosts), h % hosts + 1
    for (l = 0; l < leafs; l++) {
      printf "Switch\t%d \"L%d\"\n", hosts + spines * parallel, l
      for (h = 0; h < hosts; h++) printf "[%d]\t\"H%d\"[1]\n", h + 1, l * hosts + h
      for (s = 0; s < spines; s++) for (p = 1; p <= parallel; p++)
        printf "[%d]\t\"S%d\"[%d]\n", hosts + s * parallel + p, s, l * parallel + p
      print ""
    }
    for (s = 0; s < spines; s++) {
      printf "Switch\t%d \"S%d\"\n", leafs * parallel, s
      for (l = 0; l < leafs; l++) for (p = 1; p <= parallel; p++)
        printf "[%d]\t\"L%d\"[%d]\n", l * parallel + p, l, hosts + s * parallel + p
      print ""
    }
  }'
}

# make_mesh WIDTH HEIGHT HOSTS: ports 1 to 4 lead right, left, up and down, hosts follow.
make_mesh() {
  awk -v width="$1" -v height="$2" -v hosts="$3" '
    function link(port, x, y, far) {
      if (x >= 0 && x < width && y >= 0 && y < height) printf "[%d]\t\"M%d_%d\"[%d]\n", port, x, y, far
    }
    BEGIN {
      for (y = 0; y < height; y++) for (x = 0; x < width; x++) {
        printf "Switch\t%d \"M%d_%d\"\n", 4 + hosts, x, y
        link(1, x + 1, y, 2); link(2, x - 1, y, 1); link(3, x, y + 1, 4); link(4, x, y - 1, 3)
        for (h = 1; h <= hosts; h++) printf "[%d]\t\"H%d_%d_%d\"[1]\n", 4 + h, x, y, h
        print ""
        for (h = 1; h <= hosts; h++) printf "Hca\t1 \"H%d_%d_%d\"\n[1]\t\"M%d_%d\"[%d]\n\n", x, y, h, x, y, 4 + h
      }
    }'
}

# ---- opensm ----

plugin_options=
extra_conf=

# route DIR ENGINE TOPOLOGY [opensm options]: one sweep; dumps are in DIR/osm, the log is DIR/opensm.log.
route() {
  local dir=$1 engine=$2 topology=$3
  shift 3
  simulate "$dir" "$topology"
  sweep_once "$dir" "$engine" "$@"
  stop_simulation "$dir"
}

simulate() {
  mkdir -p "$1"
  start_simulation "$1" "$2" start_child
}

sweep_once() {
  local dir=$1 engine=$2
  shift 2
  write_opensm_conf "$dir" "$engine" "$plugin_options" "$extra_conf"
  prepare_opensm "$dir" "$engine" once -D 0x47 "$@"
  run_child 120 "${opensm_command[@]}" >"$dir/opensm.out" 2>&1 ||
    fail "opensm -R $engine ended with status $?: $(tail_of "$dir/opensm.out")"
}

# Leaves opensm running; sets opensm_pid.
start_opensm() {
  local dir=$1 engine=$2
  shift 2
  write_opensm_conf "$dir" "$engine" "$plugin_options" "$extra_conf"
  prepare_opensm "$dir" "$engine" stay -D 0x47 "$@"
  start_child "${opensm_command[@]}" >"$dir/opensm.out" 2>&1
  opensm_pid=$child_pid
  wait_for_sweeps "$dir" 1
}

# wait_for_sweeps DIR COUNT: until so many sweeps have ended in SUBNET UP and all dumps are written.
wait_for_sweeps() {
  local tries sweeps
  for ((tries = 0; tries < 600; tries++)); do
    is_running "$opensm_pid" || fail "opensm ended: $(tail_of "$1/opensm.out") $(tail_of "$1/opensm.log")"
    sweeps=$(grep -sc '\*\*\* SUBNET UP \*\*\*' "$1/opensm.log") || true
    ((${sweeps:-0} >= $2)) && return
    sleep 0.1
  done
  fail "opensm did not end sweep $2 in a minute: $(tail_of "$1/opensm.log")"
}

# in_fabric DIR HOST COMMAND...: runs a diagnostic at a host.
in_fabric() {
  local dir=$1 host=$2
  shift 2
  attach_to "$dir"
  timeout 60 "${in_simulation[@]/#SIM_HOST=*/SIM_HOST=$host}" "$@"
}
