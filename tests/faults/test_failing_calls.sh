#!/usr/bin/env bash
# Any system call may fail (fail_call.c). The program must then report an error and end with a documented code, or succeed with
# the usual output. No partial and no temporary file may remain.
#
# Memory allocations are only sampled, and so are the programs that run opensm. With --all, which takes a night, each call fails
# once.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$(readlink -f "$0")")/../ibsim_harness/testing.sh"
all=0
[[ ${1:-} != --all ]] || all=1
shim=$PSSP_BUILD_DIR/tests/faults/libfail_call.so
[[ -e $shim ]] || skip 'this build has no libfail_call.so'
cd "$scratch"

# Hardened programs call the same functions by other names, which must fail as well; otherwise these calls would silently not be
# tested.
fortified='^__(open|openat|read|pread|write|pwrite|fsync|close|rename|malloc|calloc|realloc)(64)?(_2|_chk)$'
nm -D --defined-only "$shim" | awk '{ print $3 }' | sort -u >known
find "$bin" "$PSSP_BUILD_DIR/lib" -type f \( -perm -u+x -o -name '*.so' \) -exec nm -D --undefined-only {} + 2>/dev/null |
  awk '$1 == "U" { sub("@.*", "", $2); print $2 }' | { grep -E "$fortified" || true; } | sort -u >called
expect_equal 'calls of programs that cannot be made to fail' "$(comm -13 known called | tr '\n' ' ')" ''

"$bin/make_topo" xgft 3,3 1,2 --lids -o tree.net 2>/dev/null
"$bin/route_lft" tree.net -e pssp -o tree.lft --lanes 2 2>/dev/null
"$bin/cc_params" print thesis-mesh -o set.cc

runs=0
# Allowed exit codes after a failed system call: 3, 8 and 70, and those that the caller adds.
allowed='3 8 70'

# fails CALL NTH COMMAND...: sets status, and sets hit to whether this call was made. If $from is set, all later calls fail, too.
fails() {
  local call=$1 nth=$2
  shift 2
  rm -rf work hit
  mkdir work
  status=0
  # env sets the variables last, so that the call fails in the program and not in timeout or env.
  (cd work && exec timeout 60 env "LD_PRELOAD=$shim" "FAULT_CALL=$call" "FAULT_NTH=$nth" ${from:+FAULT_FROM=1} "FAULT_HIT=$scratch/hit" "$@") \
    >stdout 2>stderr <"${input:-/dev/null}" || status=$?
  hit=0
  [[ ! -e hit ]] || hit=1
  ((++runs))
}

# check CALL NTH NAME: compares the result with the folder `whole`.
check() {
  local file place="$3: call $2 of $1 fails${from:+, and all later calls}"
  for file in work/*; do
    [[ -e $file ]] || continue
    [[ -e whole/${file#work/} ]] || fail "$place: ${file#work/} remains"
    [[ -d $file ]] || expect_same "$file" "whole/${file#work/}" "$place: status $status, and ${file#work/} is incomplete or wrong"
  done
  if ((status == 0)); then
    [[ $(cd work && find . | sort) == "$(cd whole && find . | sort)" ]] || fail "$place: status 0, but files are missing"
    expect_same stdout whole.stdout "$place: status 0, but the output differs"
  else
    [[ " $allowed " == *" $status "* ]] || fail "$place: status $status: $(<stderr)"
    [[ -s stderr ]] || fail "$place: status $status, but no message"
  fi
}

# survives NAME COMMAND...: tests a command that writes its files into its working directory.
survives() {
  local name=$1 call nth step from=
  shift
  fails none 0 "$@"
  ((status == 0)) || fail "$name: status $status: $(<stderr)"
  rm -rf whole
  mv work whole
  cp stdout whole.stdout
  for from in '' 1; do
    for call in open read write fsync close rename pthread_create malloc; do
      # Full disk or exhausted memory: all later calls fail as well. Other calls do so only with --all.
      ((all)) || [[ -z $from || $call == @(write|malloc) ]] || continue
      step=0
      for ((nth = 1; ; nth += 1 + step)); do
        ((all)) || [[ $call != malloc ]] || step=$((3 * nth))
        fails "$call" "$nth" "$@"
        check "$call" "$nth" "$name"
        ((hit || nth > 1)) || [[ $call != @(open|malloc) ]] || fail "$name never called $call"
        ((hit)) || break
      done
    done
  done
}

# survives_simulating CALL NTH COMMAND...: tests a program that starts others, and whose files differ from run to run.
survives_simulating() {
  local call=$1 nth=$2
  shift 2
  local place="${1##*/}: call $nth of $call fails"
  fails "$call" "$nth" "$@"
  [[ " 0 5 20 21 $allowed " == *" $status "* ]] || fail "$place: status $status: $(<stderr)"
  ((status == 0)) || [[ -s stderr || -s stdout ]] || fail "$place: status $status, but no message"
  [[ -z $(find work -name '*.tmp' -o -name '*.part') ]] || fail "$place: temporary files remain: $(find work -name '*.tmp' -o -name '*.part')"
  nothing_runs || fail "$place: started processes are still running"
}

survives 'route_lft' "$bin/route_lft" ../tree.net -e pssp --lanes 4 -o t.lft --write-topology t.net
survives 'route_lft best' "$bin/route_lft" ../tree.net -e best -o t.lft
survives 'eval_lft' "$bin/eval_lft" ../tree.lft ../tree.net --patterns 200 --threads 2 --csv t.csv --host-csv h.csv -o t.txt
input=tree.net survives 'eval_lft with standard streams' "$bin/eval_lft" ../tree.lft - --patterns 20
survives 'eval_lft --json' "$bin/eval_lft" ../tree.lft ../tree.net --patterns 20 --json
survives 'fault_impact' "$bin/fault_impact" --switches 1 --patterns 20 ../tree.lft ../tree.net -o t.txt
survives 'compare_fabric' "$bin/compare_fabric" ../tree.net ../tree.net --map who.txt -o t.txt
survives 'simulate_fabric' "$bin/simulate_fabric" ../tree.lft ../tree.net --uniform --time 20us --series t.csv -o t.txt
survives 'tune_cc' "$bin/tune_cc" ../tree.lft ../tree.net --uniform --time 5us --budget 29 -o t.cc --report t.txt
survives 'convert_fabric' "$bin/convert_fabric" ../tree.net ../tree.lft --to dot -o t.dot
survives 'make_topo' "$bin/make_topo" mesh 3x3 --hosts 1 -o t.net
survives 'cc_params' "$bin/cc_params" emit-opensm-conf ../set.cc -o t.conf
survives 'opensm_hints' "$bin/opensm_hints" --roots ../tree.net -o roots.txt
survives 'ibsim_files' "$bin/ibsim_files" playable ../tree.net copy.net

if command -v ibsim >/dev/null && PATH=$PATH:/usr/sbin command -v opensm >/dev/null; then
  simulate_with() {
    local call nth
    for call in open read write close rename; do
      for ((nth = 1; ; nth += (all ? 1 : 7 * nth))); do
        survives_simulating "$call" "$nth" "$@"
        ((hit)) || break
      done
    done
  }
  simulate_with "$bin/compare_engines" --engines minhop --patterns 20 --out out ../tree.net
  simulate_with "$bin/dry_run" --engine minhop --patterns 20 --out out ../tree.net
fi
echo "$runs runs"
