#!/usr/bin/env bash
# Installed programs, plugin and module are hardened according to the headers and symbols that the linker wrote.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
skip_without readelf nm
grep -q '^PSSP_HARDENING:BOOL=ON$' "$PSSP_BUILD_DIR/CMakeCache.txt" || skip 'this build is not hardened (PSSP_HARDENING)'
grep -Eq '^PSSP_SANITIZE:[A-Z]*=OFF$' "$PSSP_BUILD_DIR/CMakeCache.txt" || skip 'a build with sanitizers is not hardened'

# hardened FILE: prints the missing properties.
hardened() {
  local dynamic symbols missing=
  dynamic=$(readelf --wide --dynamic --program-headers "$1")
  symbols=$(nm -D --undefined-only "$1")
  [[ $dynamic == *BIND_NOW* || $dynamic =~ FLAGS_1\).*NOW ]] || missing+=' BIND_NOW'
  [[ $dynamic == *GNU_RELRO* ]] || missing+=' GNU_RELRO'
  [[ $symbols == *__stack_chk_fail* ]] || missing+=' stack-protector'
  [[ $symbols =~ __[a-z]+_chk(@|$|[[:space:]]) ]] || missing+=' fortified-calls'
  [[ $(readelf --file-header "$1") == *'DYN ('* ]] || missing+=' position-independent'
  printf '%s' "${missing# }"
}

# The check recognizes a program without any hardening.
printf '#include <stdio.h>\nint main(void) { char text[64]; return fgets(text, 64, stdin) != NULL; }\n' >"$scratch/soft.c"
cc -O1 -U_FORTIFY_SOURCE -fno-stack-protector -no-pie -fno-pie -Wl,-z,norelro,-z,lazy "$scratch/soft.c" -o "$scratch/soft"
expect_equal 'a program that is not hardened lacks' "$(hardened "$scratch/soft")" 'BIND_NOW GNU_RELRO stack-protector fortified-calls position-independent'

looked_at=0
for file in "$bin"/* "$PSSP_BUILD_DIR"/lib/libosmpssp.so "$PSSP_BUILD_DIR"/python/pssp.*.so; do
  # Not every build has the Python module.
  [[ $file != *'*'* ]] || continue
  # Check only installed programs; the folder also has benchmarks and tests.
  [[ $file == *.so || -d $PSSP_SOURCE_DIR/tools/${file##*/} ]] || continue
  expect_equal "$file lacks" "$(hardened "$file")" ''
  looked_at=$((looked_at + 1))
done
((looked_at > 10)) || fail "only $looked_at programs in $bin"
echo "$looked_at files"
