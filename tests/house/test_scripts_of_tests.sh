#!/usr/bin/env bash
# Test scripts compare files with the kit's functions, which print both sides, and never compare mpirun's own messages. No script
# pipes into a program that ends before it has read everything: SIGPIPE may end the producer, which pipefail makes a failure.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
cd "$PSSP_SOURCE_DIR"

# misuse FILE...: prints lines that compare without showing differences, or that mix the launcher's messages with the program's
# output.
misuse() {
  grep -nHE '(^|[^[:alnum:]_./-])(cmp|diff -q)[[:space:]]|(^|[[:space:]])diff [^|]*>/dev/null' "$@" | sed 's/$/   # expect_same, expect_different or same_bytes compares/'
  grep -nHE '^[^#]*mpirun[^#]*(2>&1|&>)' "$@" | sed 's/$/   # in_ranks and same_in_processes keep the two apart/'
}
printf '%s\n' 'cmp -s a b' 'check cmp a b || fail x' 'if diff -q <(a) b; then' 'diff a b >/dev/null || fail' 'mpirun -n 2 program >out 2>&1' \
  'diff a b >difference' 'mpirun -n 2 program >out 2>err' 'expect_same a b' >"$scratch/example.sh"
expect_equal 'lines of the example that are found' "$(misuse "$scratch/example.sh" | wc -l)" 5

# broken_pipes FILE...: prints lines with such pipes. Process substitutions are allowed because their status is ignored, and so is
# | true.
broken_pipes() {
  grep -nHE '(^|[^|])\|&? *(head -[nc] *"?[^- ]|head *$|grep (-[a-zA-Z]+ )*-[a-zA-Z]*[qm]|sed (-[a-zA-Z]+ )*[^|]*[0-9/$}]q\b|awk [^|]*\bexit\b)' "$@" |
    grep -vE '^[^:]*:[0-9]+: *#|< <\(|\|\| true|END \{' | sed 's/$/   # sed -n 1,Np reads everything; grep -q X < <(command)/'
}
printf '%s\n' 'a | head -n 1' 'a | head -c 7' 'if a | grep -qx b; then' 'a | grep -E -m 1 b' 'a | sed 3q' "a | awk '/b/ { exit }'" \
  'a || grep -q b c' 'read -r b < <(a | head -n 1)' 'a | head -n -1' 'a | head -c 9 || true' '# a | head -n 1' "a | awk 'END { exit !b }'" \
  'a | sed -n 1p' 'head -n 1 a | b' >"$scratch/example.sh"
expect_equal 'broken pipes of the example' "$(broken_pipes "$scratch/example.sh" | wc -l)" 6
mapfile -t all_scripts < <(git ls-files 2>/dev/null | while read -r file; do
  [[ ! -f $file || $file == tests/house/test_scripts_of_tests.sh ]] && continue
  [[ $file == *.sh || ($file != *.* && $(LC_ALL=C tr -d '\0' <"$file" | LC_ALL=C sed -n '1p') == '#!'*sh) ]] && printf '%s\n' "$file"
done)
if ((${#all_scripts[@]} > 0)); then
  broken_pipes "${all_scripts[@]}" >"$scratch/found" || true
  [[ ! -s $scratch/found ]] || fail "readers that end early:"$'\n'"$(<"$scratch/found")"
fi

mapfile -t scripts < <(find tests -name '*.sh' ! -path tests/kit/expect.sh ! -path tests/house/test_scripts_of_tests.sh)
((${#scripts[@]} > 100)) || fail "only ${#scripts[@]} scripts found"
misuse "${scripts[@]}" >"$scratch/found" || true
[[ ! -s $scratch/found ]] || fail "use the functions of tests/kit:"$'\n'"$(<"$scratch/found")"
