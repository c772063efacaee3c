#!/usr/bin/env bash
# Every program behaves as docs/reference/exit-codes.md describes when the reader of its standard output closes the pipe. SIGPIPE
# ends it (a shell shows 141), or it ends with 8 if the signal is ignored or the program must complete what it began. No program
# reports success.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
cd "$scratch"

open_lost_pipe

# lost WANTED HANDLING COMMAND...: HANDLING of SIGPIPE is default or ignore.
lost() {
  local wanted=$1 status=0
  timeout 60 env "--$2-signal=PIPE" "${@:3}" >&9 2>err </dev/null || status=$?
  ((status == wanted)) || fail "status $status instead of $wanted with SIGPIPE at $2: ${*:3}"$'\n'"$(<err)"
  [[ $2 == default ]] || expect_line err "^$(basename "$3"): .*Broken pipe"
}

"$bin/make_topo" xgft 2,2 1,2 --lids 2>null | sed 's/"leaf \([0-9]*\) host \([0-9]*\)"/"node\1-\2 HCA-1"/' >f.net
"$bin/route_lft" -e pssp f.net -o t.lft 2>null
"$bin/route_lft" -e updown f.net -o u.lft 2>null
"$bin/cc_params" print thesis-mesh >p.cc
printf 'H0 H1 1e9\n' >rates
declare -A answer=(
  [cc_apply]='--dry-run thesis-mesh f.net'
  [cc_params]=list
  [compare_fabric]='f.net f.net'
  [convert_fabric]='f.net --to dot -o -'
  [deploy_tables]='guard --help'
  [eval_lft]='t.lft f.net'
  [fault_impact]='t.lft f.net'
  [ibsim_files]='playable f.net copy.net'
  [make_topo]='mesh 2x2'
  [monitor_fabric]='serve --check-config'
  [opensm_hints]='--roots f.net'
  [order_nodes]='t.lft f.net'
  [plan_pairs]='t.lft f.net'
  [reroute_impact]='t.lft u.lft f.net'
  [route_lft]='-e pssp f.net -o -'
  [simulate_application]='t.lft f.net -a incast,1KiB'
  [pssp]=''
  [simulate_fabric]='t.lft f.net -p ring --bytes 4KiB'
  [tune_cc]='t.lft f.net --incast 2 --time 20us --budget 29 -j 1'
)
# These programs need a simulated or a real fabric, so only --help and --version are tested.
without_answer=' bench_opensm cc_query compare_engines dry_run locate_slow play_traffic '
printed=0
for folder in "$PSSP_SOURCE_DIR"/tools/*/; do
  name=$(basename "$folder")
  [[ -e $folder/$name.cpp && -x $bin/$name ]] || continue
  for option in --help --version; do
    lost 141 default "$bin/$name" "$option"
    lost 8 ignore "$bin/$name" "$option"
  done
  if [[ $without_answer == *" $name "* ]]; then continue; fi
  [[ -v answer[$name] ]] || fail "$name has no answer in this test"
  # shellcheck disable=SC2086 # words of a command
  lost 141 default "$bin/$name" ${answer[$name]}
  # shellcheck disable=SC2086
  lost 8 ignore "$bin/$name" ${answer[$name]}
  ((++printed))
done
((printed >= 12)) || fail "only $printed programs have printed an answer"
