#!/usr/bin/env bash
# Rules for output files of all programs: outputs overwrite neither inputs nor each other, an interrupted program leaves no
# partial file, and a standard error that cannot be written has no effect.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
cd "$scratch"

"$bin/make_topo" mesh 3x3 --hosts 2 --lids -o f.net 2>err
"$bin/cc_params" print opensm >p.cc 2>err || "$bin/cc_params" print "$("$bin/cc_params" list | sed -n '1s/:.*//p')" >p.cc
cp f.net before.net
cp p.cc before.cc
ln -s f.net link.net
ln -s circle circle

expect 2 'is the input' "$bin/convert_fabric" f.net --to dot -o f.net
expect 2 'is the input' "$bin/convert_fabric" f.net --to dot -o link.net
expect 2 'is the input' "$bin/cc_params" emit-opensm-conf p.cc -o p.cc
expect 2 'is the input' "$bin/opensm_hints" --roots f.net -o link.net
"$bin/route_lft" -e pssp f.net -o t.lft 2>err
cp t.lft before.lft
ln t.lft hard.lft
expect 2 'is the input' "$bin/route_lft" -e pssp f.net -o f.net
expect 2 'is the input' "$bin/route_lft" -e pssp f.net -o link.net
expect 2 'is the input' "$bin/route_lft" -e pssp f.net -o other.lft --write-topology ./f.net
expect 2 '' "$bin/route_lft" -e pssp f.net -o same --lanes 2 --service-levels same
for option in -o --csv --host-csv --plot --map; do
  expect 2 'is the input' "$bin/eval_lft" t.lft f.net "$option" f.net
  expect 2 'is the input' "$bin/eval_lft" t.lft f.net "$option" hard.lft
done
expect 2 '' "$bin/eval_lft" t.lft f.net --csv same --host-csv same
expect 2 '' "$bin/eval_lft" t.lft f.net -o same --csv ./same
[[ ! -e same && ! -e other.lft ]] || fail 'a refused command wrote something'
# --stable reads its file completely first, so the new tables may replace the file.
expect 0 '' "$bin/route_lft" --stable t.lft f.net -o t.lft
if [[ -x $bin/cc_apply ]]; then
  expect 2 'is the input' "$bin/cc_apply" p.cc f.net --save f.net
  expect 2 'is the input' "$bin/cc_apply" p.cc f.net --save p.cc
  expect 2 '' "$bin/cc_apply" - -
  expect 2 '' "$bin/cc_query" - --profile -
fi
# Files that are named inside the value of an option are inputs, too.
printf '0 1\n' >two.pattern
printf 'num_ranks 2\nrank 0 {\nsend 5b to 1\n}\nrank 1 {\nrecv 5b from 0\n}\n' >two.goal
sed -n 's/^\(Ca\|Hca\)[[:space:]].*"\([^"]*\)".*/\2/p' f.net >hosts
cat two.pattern two.goal hosts >before.mentioned
# not_over FILE COMMAND...: the command must not overwrite FILE, which it reads.
not_over() {
  expect 2 "is the input (\\./)?$1, which would be overwritten" "$bin/$2" "${@:3}" -o "$1"
}
not_over p.cc simulate_fabric t.lft f.net --uniform --time 1us --cc off --cc p.cc
not_over p.cc tune_cc t.lft f.net --uniform --base p.cc
not_over p.cc simulate_application t.lft f.net -a incast,1 --network packets --cc p.cc
not_over two.goal simulate_application t.lft f.net --job 'incast,1@leaf 2' --job 'two.goal@others start 1us'
not_over hosts simulate_application t.lft f.net --job incast,1@hosts
not_over two.pattern simulate_application t.lft f.net -a pattern:file:./two.pattern,1KiB,2
not_over two.pattern eval_lft t.lft f.net -p file:two.pattern
not_over two.pattern simulate_fabric t.lft f.net -p file:two.pattern
not_over hosts eval_lft t.lft f.net --structured-suite --host-order file:hosts
not_over two.pattern order_nodes t.lft f.net --for file:two.pattern
not_over hosts order_nodes t.lft f.net --nodes hosts
not_over hosts fault_impact t.lft f.net --switches hosts
not_over hosts fault_impact t.lft f.net --links hosts
not_over hosts convert_fabric f.net --to slurm --from-slurm hosts
expect_same <(cat two.pattern two.goal hosts) before.mentioned
expect_same hard.lft before.lft
expect_same f.net before.net
expect_same p.cc before.cc

expect 2 'empty' "$bin/convert_fabric" f.net --to net -o ''
expect 8 'circle' "$bin/convert_fabric" f.net --to net -o circle

# Writing messages to /dev/full fails.
for command in "convert_fabric f.net -o a.dot" "make_topo mesh 3x3 -o a.net"; do
  # shellcheck disable=SC2086 # words of a command
  "$bin/"$command 2>/dev/full || fail "'$command' failed because stderr is full"
done

# The first file is complete but not yet renamed while the pipe, which is written directly, has no reader.
mkfifo pipe
waits_or_has_ended() { compgen -G 'late.lft.*.tmp' >tmp.list || ! kill -0 "$program" 2>null; }
for signal in INT TERM HUP; do
  # Background processes of bash ignore SIGINT by default.
  env --default-signal=INT "$bin/route_lft" --engine pssp f.net -o late.lft --write-topology pipe 2>err &
  program=$!
  eventually waits_or_has_ended
  [[ -s tmp.list ]] || fail "route_lft did not wait for a reader of the pipe: $(<err)"
  kill -"$signal" "$program"
  status=0
  wait "$program" || status=$?
  ((status == 128 + $(kill -l "$signal"))) || fail "ended with $status after SIG$signal"
  if compgen -G 'late.lft*'; then fail "SIG$signal left files"; fi
done

# A program whose reader closes the pipe ends as usual, and leaves no partial file either.
open_lost_pipe
expect_left() {
  local wanted=$1 status=0
  shift
  "$@" >&9 2>err || status=$?
  expect_equal "status of $*" "$status" "$wanted"
  if compgen -G 'late.lft*'; then fail "left behind by: $*"; fi
}
expect_left 141 env --default-signal=PIPE "$bin/route_lft" --engine pssp f.net -o late.lft --write-topology -
# If SIGPIPE is ignored, as under systemd, the program reports the error itself.
expect_left 8 env --ignore-signal=PIPE "$bin/route_lft" --engine pssp f.net -o late.lft --write-topology -
expect_line err '^route_lft: cannot write standard output: Broken pipe'
