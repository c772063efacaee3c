#!/usr/bin/env bash
# Test scripts compare files by the kit's functions, which show both sides, and never compare what mpirun prints itself.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
cd "$PSSP_SOURCE_DIR"

# misuse FILE...: lines that compare without evidence, or mix the launcher's messages with the program's output.
misuse() {
  grep -nHE '(^|[^[:alnum:]_./-])(cmp|diff -q)[[:space:]]|(^|[[:space:]])diff [^|]*>/dev/null' "$@" | sed 's/$/   # expect_same, expect_different or same_bytes compares/'
  grep -nHE '^[^#]*mpirun[^#]*(2>&1|&>)' "$@" | sed 's/$/   # in_ranks and same_in_processes keep the two apart/'
}
printf '%s\n' 'cmp -s a b' 'check cmp a b || fail x' 'if diff -q <(a) b; then' 'diff a b >/dev/null || fail' 'mpirun -n 2 program >out 2>&1' \
  'diff a b >difference' 'mpirun -n 2 program >out 2>err' 'expect_same a b' >"$scratch/example.sh"
expect_equal 'lines of the example that are found' "$(misuse "$scratch/example.sh" | wc -l)" 5

mapfile -t scripts < <(find tests -name '*.sh' ! -path tests/kit/expect.sh ! -path tests/house/test_scripts_of_tests.sh)
((${#scripts[@]} > 100)) || fail "only ${#scripts[@]} scripts found"
misuse "${scripts[@]}" >"$scratch/found" || true
[[ ! -s $scratch/found ]] || fail "use the functions of tests/kit:"$'\n'"$(<"$scratch/found")"
