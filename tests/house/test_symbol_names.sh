#!/usr/bin/env bash
# Two functions of one name and signature in two files: the linker takes one of them for both, and says nothing where one is
# inline. So nothing is defined in two object files of our libraries, and nothing inline in one is not inline in another.
# (Two inline ones are not told from one in a header; test_type_names.sh sees types.)
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"

# clashes FILE...: a line for each name that the object files or libraries define more than once.
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

# It sees both kinds.
printf 'int f(int x) { return x + 1; } int g() { return 1; }\n' >"$scratch/a.cpp"
printf 'int g() { return 2; }\n' >"$scratch/b.cpp"
printf 'inline int f(int x) { return x; }\nint (*pointer)(int) = f;\n' >"$scratch/c.cpp"
for each in a b c; do c++ -c "$scratch/$each.cpp" -o "$scratch/$each.o"; done
expect_equal 'what is defined twice' "$(clashes "$scratch"/?.o)" 'f(int) is in a.o, and inline in c.o'$'\n''g() is in a.o b.o'

# Libraries, not object files: of those a folder that was built before has some of sources that are gone. tools/launch is one or
# the other of two.
mapfile -t libraries < <(find "$PSSP_BUILD_DIR" -name 'libpssp_*.a' -not -path '*/tests/*' -not -name 'libpssp_launch_*')
((${#libraries[@]} > 10)) || fail "no libraries in $PSSP_BUILD_DIR"
found=$(clashes "${libraries[@]}")
[[ -z $found ]] || fail "$(wc -l <<<"$found") names are defined twice:"$'\n'"$found"
