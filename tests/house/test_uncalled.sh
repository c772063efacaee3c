#!/usr/bin/env bash
# Every function has a caller. Only the functions listed here may be called by tests alone.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
skip_without python3
cd "$PSSP_SOURCE_DIR"

# The check detects functions that are only declared and defined. A call does not count as a definition, nor a comment as a call.
mkdir "$scratch/code"
printf '%s\n' 'int lost(int x);' 'int called(int x);  // lost(1)' 'struct S { bool is_lost() const { return true; } int kept() const; };' >"$scratch/code/a.h"
printf '%s\n' 'int lost(int x) { return called(x); }' 'int called(int x) { return x > kept(); }' 'int S::kept() const { return 1; }' >"$scratch/code/a.cpp"
expect_equal 'uncalled functions' "$(python3 tests/house/uncalled.py "$scratch/code")" 'is_lost'$'\n''lost'

# Functions for tests: readers of text in memory and their writers, tables that pages are compared with, the other side of a
# protocol, and functions that programs call indirectly. parse_plugin_options is the strict form of the tolerant reader, which
# handles options one by one.
doors='api_paths digest_of_cables encode_port_counters find_best_tables log_code_table log_topic_table markdown_rows owner_count parse_jobs parse_lft parse_plugin_options replay_on_links to_lft_dump'

mapfile -t folders < <(find . -mindepth 1 -maxdepth 1 -type d ! -name 'build*' ! -name tests ! -name dist ! -name '.*' -printf '%f\n' | sort)
python3 tests/house/uncalled.py "${folders[@]}" >"$scratch/uncalled"
tr ' ' '\n' <<<"$doors" | sort >"$scratch/doors"
comm -23 "$scratch/uncalled" "$scratch/doors" >"$scratch/lost"
[[ ! -s $scratch/lost ]] || fail "only tests call $(paste -sd ' ' "$scratch/lost"): remove it, or list it with its purpose in this test"
comm -13 "$scratch/uncalled" "$scratch/doors" >"$scratch/gone"
[[ ! -s $scratch/gone ]] || fail "no longer called by tests alone, or removed: $(paste -sd ' ' "$scratch/gone"); remove it from the list in this test"
