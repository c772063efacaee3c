#!/usr/bin/env bash
# demo.sh builds only what its comparison needs. A build with only those programs must suffice, with our plugin and without
# messages about missing programs.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/testing.sh"

targets=$(sed -n "s/^provide '[^']*' '[^']*' '\([^']*\)'.*/\1/p" "$PSSP_SOURCE_DIR/demo.sh")
[[ -n $targets ]] || fail "demo.sh does not print the targets that it builds"
mkdir -p "$scratch/build/bin" "$scratch/build/lib"
for target in $targets; do
  file=bin/$target
  [[ -e $PSSP_BUILD_DIR/$file ]] || file=lib/lib$target.so
  # Copy the files, because a link would lead to the build that has everything.
  cp "$PSSP_BUILD_DIR/$file" "$scratch/build/$file"
done

demo() { expect 0 '' env PSSP_BUILD_DIR="$scratch/build" PATH=/usr/sbin:/usr/bin:/sbin:/bin "$PSSP_SOURCE_DIR/demo.sh" "$@" --patterns 20; }
demo --small
for engine in pssp minhop; do
  said stdout "^$engine .*[0-9] +\+- "
done
! grep -E 'missing|not built' "$scratch/stderr" || fail 'something is missing'
printf 'a demo of a tree works with %s alone\n' "$targets"
