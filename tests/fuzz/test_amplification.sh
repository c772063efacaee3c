#!/usr/bin/env bash
# Half-megabyte files that refer to one long text many times, read with 400 MB of address space: memory must not grow with the
# product of the two.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"

PATH=$bin:$PATH
cd "$scratch"

printf -v long '%60000s' ''
long=${long// /x}
ulimit -v 400000

# All edges share the long label.
{
  printf 'digraph {\nS0'
  seq -f ' -> S%.0f' 1 39999
  printf '[label="%s"]; }\n' "$long"
} >chain.dot
convert_fabric chain.dot -o chain.net 2>err.txt || fail "a chain of edges with one label: $(cut -c1-200 err.txt)"
[[ $(grep -c '^Switch' chain.net) == 40000 ]] || fail 'nodes of the chain are missing'

# The long module name prefixes the names of all nodes.
{
  printf 'module="%s"\n' "$long"
  seq -f 'Switch 1 "S%.0f"' 1 20000
} >module.net
status=0
convert_fabric module.net -o again.net 2>err.txt || status=$?
((status == 3)) || fail "the long name of a module: exit code $status, $(cut -c1-200 err.txt)"
grep -q 'module.net:1: the name of a module has 60000 bytes' err.txt || fail "the long name of a module: $(cut -c1-200 err.txt)"
