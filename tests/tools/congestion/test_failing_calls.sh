#!/usr/bin/env bash
# One system call after the other fails in cc_query and cc_apply (tests/faults/fail_call.c). They must end with an exit code and a
# message. Nothing is set unless the previous settings are saved, and the saved file is complete. With --all, all memory
# allocations fail as well.
# shellcheck source=tests/tools/congestion/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
all=0
[[ ${1:-} != --all ]] || all=1
shim=$PSSP_BUILD_DIR/tests/faults/libfail_call.so
[[ -e $shim ]] || skip 'this build cannot make calls fail'

make_tree 2 1 2 1 >"$scratch/tree.net"
dir=$scratch/tree
bring_up "$dir" "$scratch/tree.net" H0 --timeout 300
topo=$dir/fabric.topo
# ibsim-run preloads a library of its own, so a wrapper adds ours.
cat >"$scratch/refused_call" <<EOF
#!/bin/sh
LD_PRELOAD="$shim:\$LD_PRELOAD" exec "\$@"
EOF
chmod +x "$scratch/refused_call"

runs=0
sets() { grep -c ' method 02' "$dir/requests" || true; }

# try CALL NTH COMMAND...: sets status, hit and sent, the number of Set requests that were sent.
try() {
  local call=$1 nth=$2
  shift 2
  rm -rf "$scratch/hit" work
  mkdir work
  sent=$(sets)
  status=$(cd work && FAULT_CALL=$call FAULT_NTH=$nth FAULT_HIT=$scratch/hit FAULT_CALLER=bin/cc_,libstdc++ \
    status_of "$dir" H0 "$scratch/answer" "$scratch/refused_call" "$@")
  sent=$(($(sets) - sent))
  hit=0
  [[ ! -e $scratch/hit ]] || hit=1
  ((++runs))
}

# survives NAME COMMAND...: tests a command with all failing calls.
survives() {
  local name=$1 call nth step place file
  shift
  for call in open read write fsync close rename malloc; do
    step=0
    for ((nth = 1; ; nth += 1 + step)); do
      ((all)) || [[ $call != malloc ]] || step=$((4 * nth))
      try "$call" "$nth" "$@"
      ((hit || nth > 1)) || [[ $call != @(open|malloc) ]] || fail "$name never called $call"
      place="$name when $call number $nth fails"
      [[ " 0 3 7 8 9 70 " == *" $status "* ]] || fail "$place: status $status: $(<"$scratch/answer.err")"
      ((status == 0)) || [[ -s $scratch/answer.err ]] || fail "$place: status $status and not a word"
      for file in work/*; do
        [[ ! -e $file || ${file##*/} == saved ]] || fail "$place: left ${file##*/} behind"
      done
      if [[ -e work/saved ]]; then
        expect_same work/saved whole.saved "$place: saved settings"
      elif ((sent > 0)); then
        fail "$place: $sent Sets, and nothing saved"
      fi
      ((hit)) || break
    done
  done
}

# The second run finds the settings of the first, as all later runs do.
for _ in 1 2; do
  try none 0 "$cc_apply" thesis-mesh "$topo" --save saved
  ((status == 0 && sent > 0)) || fail "cc_apply: status $status, $sent Sets: $(<"$scratch/answer.err")"
done
mv work/saved whole.saved
survives cc_query "$cc_query" "$topo" --profile thesis-mesh
survives cc_apply "$cc_apply" thesis-mesh "$topo" --save saved
echo "$runs runs"
