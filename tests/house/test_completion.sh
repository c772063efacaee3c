#!/usr/bin/env bash
# The build generates a completion for every program and script that users call. bash accepts it, and it offers every option of
# --help, the commands, and the values of options that have a list. The completion of pssp offers the commands, and then the same.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
cd "$scratch"

# offered NAME WORD...: prints the completions of the last word.
offered() {
  bash --norc -c '. "$1/$2" && shift && COMP_WORDS=("$@") && COMP_CWORD=$(($# - 1)) && "_pssp_${1//[.-]/_}" && printf "%s\n" "${COMPREPLY[@]}"' \
    bash "$PSSP_BUILD_DIR/completions" "$@"
}

checked=0
for program in "$PSSP_SOURCE_DIR"/tools/*/ start_ibsim.sh start_osm.sh dump_routes.sh stop_ibsim.sh; do
  name=$(basename "$program")
  if [[ $name == *.sh ]]; then program=$PSSP_SOURCE_DIR/ibsim_harness/$name; else program=$bin/$name; fi
  [[ -x $program && $name != pssp && $name != ibsim_files ]] || continue
  [[ -s $PSSP_BUILD_DIR/completions/$name ]] || fail "no completion of $name"
  offered "$name" - >options
  "$program" --help | sed -nE 's/^  ((-[A-Za-z],)?--[a-z0-9_-]+).*/\1/p' | tr ',' '\n' | while read -r option; do
    grep -qxF -- "$option" options || fail "$name: $option is not offered"
  done
  ((++checked))
done
((checked >= 10)) || fail "only $checked programs found"

expect_equal 'engines' "$(offered route_lft --engine p | paste -sd ' ')" 'pssp p2ssp'
expect_equal "opensm's" "$(offered dry_run --engine ft)" ftree
expect_equal 'metrics' "$(offered eval_lft a b --metric hist_m)" hist_max_cong
expect_equal 'patterns' "$(offered eval_lft a b -p bis | paste -sd ' ')" 'bisect bisect_fb_sym'
expect_equal 'one of' "$(offered eval_lft a b --striping f)" free
expect_equal 'scenarios' "$(offered simulate_fabric --scenario thesis-b | paste -sd ' ')" 'thesis-b1 thesis-b2'
expect_equal 'profiles' "$(offered simulate_fabric --cc thesis-s)" thesis-start
expect_equal 'commands' "$(offered make_topo xg)" xgft
expect_equal 'options of a command' "$(offered make_topo mesh 3x3 --parall)" --parallel
if [[ -x $bin/monitor_fabric ]]; then expect_equal 'commands' "$(offered monitor_fabric serv)" serve; fi

# offered_by_pssp WORD...: the same after `pssp`.
offered_by_pssp() {
  bash --norc -c '. "$1/pssp" && shift && COMP_WORDS=(pssp "$@") && COMP_CWORD=$# && _pssp && printf "%s\n" "${COMPREPLY[@]}"' \
    bash "$PSSP_BUILD_DIR/completions" "$@"
}
expect_equal 'commands of pssp' "$(offered_by_pssp c | paste -sd ' ')" 'cc compare-engines compare-fabric convert'
expect_equal 'commands after help' "$(offered_by_pssp help ro)" route
expect_equal 'commands of two words' "$(offered_by_pssp cc '' | paste -sd ' ')" 'apply params query'
expect_equal 'options of a command of two words' "$(offered_by_pssp cc apply --confirm-w)" --confirm-within
expect_equal 'engines after a command' "$(offered_by_pssp route --engine p | paste -sd ' ')" 'pssp p2ssp'
expect_equal 'commands of a command' "$(offered_by_pssp make-topo xg)" xgft
expect_equal 'files after a command' "$(offered_by_pssp eval a)" ''
expect_equal 'after a wrong command' "$(offered_by_pssp rout --eng)" ''
# bash completes file names itself if there is no list.
expect_equal 'files' "$(offered eval_lft a)" ''
