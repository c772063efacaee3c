#!/usr/bin/env bash
# A dump of 200 MB is read, compared and written again with 100 MB of address space, from a file and from a pipe.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"

PATH=$bin:$PATH
cd "$scratch"

make_topo thunderbird -o fabric.net 2>/dev/null
route_lft --engine pssp fabric.net -o tables.lft 2>/dev/null
(($(stat -c %s tables.lft) > 200000000)) || fail "the dump is smaller than this test means it to be"

ulimit -v 100000
convert_fabric tables.lft -o again.lft 2>/dev/null || fail "reading the dump takes more than 100 MB"
expect_same tables.lft again.lft 'a dump that was read and written again'
rm again.lft
# An endless line does not use up the memory.
status=0
{
  head -n 3 tables.lft
  yes x | tr -d '\n' | head -c 300000000 || true
} 2>/dev/null | convert_fabric - -o again.lft 2>err.txt || status=$?
((status != 0)) || fail "an endless line was accepted"
grep -q 'the line is longer than 65536 bytes' err.txt || fail "an endless line: $(cat err.txt)"
[[ ! -e again.lft ]] || fail "a file was left"
