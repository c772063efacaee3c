#!/usr/bin/env bash
# If two files define functions of the same name and signature, the linker uses one of them for both, without an error if one is
# inline. So no symbol may be defined in two object files of our libraries, and no symbol may be inline in one and not in another.
# (Two inline definitions look like one in a header; test_type_names.sh checks types.)
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"

# clashes FILE...: prints a line for each name that the object files or libraries define more than once.
clashes() {
  nm -A --defined-only "$@" 2>/dev/null |
    awk '
      NF < 3 { next }
      {
        kind = $(NF - 1)
        name = $NF
        file = $1
        sub(/:[^:]*$/, "", file)
        sub(/.*[\/:]/, "", file)
      }
      kind == "T" { strong[name] = strong[name] " " file; count[name]++ }
      kind == "W" { weak[name] = file }
      END {
        for (name in strong) {
          if (count[name] > 1) print name " is in" strong[name]
          else if (name in weak) print name " is in" strong[name] ", and inline in " weak[name]
        }
      }' | c++filt | sort
}

# The check detects both kinds.
printf 'int f(int x) { return x + 1; } int g() { return 1; }\n' >"$scratch/a.cpp"
printf 'int g() { return 2; }\n' >"$scratch/b.cpp"
printf 'inline int f(int x) { return x; }\nint (*pointer)(int) = f;\n' >"$scratch/c.cpp"
for each in a b c; do c++ -c "$scratch/$each.cpp" -o "$scratch/$each.o"; done
expect_equal 'names that are defined twice' "$(clashes "$scratch"/?.o)" 'f(int) is in a.o, and inline in c.o'$'\n''g() is in a.o b.o'

# Check libraries instead of object files, because a build folder may have object files of deleted sources. tools/launch has two
# alternative libraries.
mapfile -t libraries < <(find "$PSSP_BUILD_DIR" -name 'libpssp_*.a' -not -path '*/tests/*' -not -name 'libpssp_launch_*')
((${#libraries[@]} > 10)) || fail "no libraries in $PSSP_BUILD_DIR"
found=$(clashes "${libraries[@]}")
[[ -z $found ]] || fail "$(wc -l <<<"$found") names are defined twice:"$'\n'"$found"
