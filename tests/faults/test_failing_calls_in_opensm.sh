#!/usr/bin/env bash
# One system call after the other fails in opensm where the plugin or the C++ library makes it (fail_call.c). opensm must end
# normally. The subnet must be up with the requested engine, or with one of opensm's own and a message in the log. Files of the
# plugin must be complete.
#
# Memory allocations are only sampled, unless --all is given, which takes a night.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/../osm_plugin/common.sh"
skip_without opensm ibsim ibsim-run
all=0
[[ ${1:-} != --all ]] || all=1
shim=$PSSP_BUILD_DIR/tests/faults/libfail_call.so
[[ -e $shim ]] || skip 'this build has no libfail_call.so'

# ibsim-run preloads only its own library, so a wrapper of opensm adds ours.
mkdir "$scratch/path"
cat >"$scratch/path/opensm" <<EOF
#!/bin/sh
LD_PRELOAD="$shim:\$LD_PRELOAD" exec $(command -v opensm) "\$@"
EOF
chmod +x "$scratch/path/opensm"
PATH=$scratch/path:$PATH

make_tree 3 2 2 1 >"$scratch/tree.net"
dir=$scratch/sim
mkdir "$scratch/dumps"
printf 'deadlock.policy=prefer\npssp.max_extra_hops=1\n' >"$scratch/options"
"$bin/cc_params" print thesis-mesh -o "$scratch/set.cc"
plugin_options="options_file=$scratch/options service_level_dump=$scratch/dumps/levels congestion_control=$scratch/set.cc stable=on"
simulate "$dir" "$scratch/tree.net"

runs=0
# sweep CALL NTH: sets hit to whether this call was made.
sweep() {
  rm -f "$scratch/hit" "$scratch"/dumps/*
  write_opensm_conf "$dir" pssp "$plugin_options"
  prepare_opensm "$dir" pssp once -Q
  status=0
  FAULT_CALL=$1 FAULT_NTH=$2 FAULT_HIT=$scratch/hit FAULT_CALLER=libosmpssp,libstdc++ \
    run_child 60 "${opensm_command[@]}" >"$dir/opensm.out" 2>&1 || status=$?
  hit=0
  [[ ! -e $scratch/hit ]] || hit=1
  ((++runs))
}

check() {
  local place="call $2 of $1 fails" used file
  ((status == 0)) || fail "$place: opensm ended with status $status: $(tail_of "$dir/opensm.out")"
  subnet_is_up "$dir" || fail "$place: the subnet is not up: $(tail_of "$dir/opensm.log")"
  used=$(used_engine "$dir")
  case $used in
    pssp) ;;
    minhop) grep -Eq '0x01 -> .*osmpssp|^osmpssp: ' "$dir/opensm.log" "$dir/opensm.out" || fail "$place: opensm used minhop, but logged nothing about pssp" ;;
    *) fail "$place: opensm used engine '$used', expected pssp or minhop" ;;
  esac
  for file in "$scratch"/dumps/* "$dir"/osm/*.tmp "$dir"/osm/.*.tmp; do
    [[ ! -e $file || ${file##*/} == levels ]] || fail "$place: ${file##*/} remains"
  done
  [[ ! -e $scratch/dumps/levels ]] || expect_same "$scratch/dumps/levels" "$scratch/levels" "$place: the dump of service levels is incomplete"
}

sweep none 0
[[ $(used_engine "$dir") == pssp && -s $scratch/dumps/levels ]] || fail "pssp did not route: $(tail_of "$dir/opensm.log")"
cp "$scratch/dumps/levels" "$scratch/levels"
for call in open read write fsync close rename pthread_create malloc; do
  step=0
  for ((nth = 1; ; nth += 1 + step)); do
    ((all)) || [[ $call != malloc ]] || step=$((2 * nth))
    sweep "$call" "$nth"
    check "$call" "$nth"
    ((hit || nth > 1)) || [[ $call != @(open|read|write|close|rename|malloc) ]] || fail "the plugin never called $call"
    ((hit)) || break
  done
done
echo "$runs runs of opensm"
stop_simulation "$dir"
