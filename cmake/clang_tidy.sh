#!/usr/bin/env bash
# clang-tidy over all that is shipped, which is all that the preset lint would compile; headers are looked at where they are
# included. Not the tests and benchmarks: the analyzer reports errors in the headers of Boost and Google Benchmark that they
# include. The compile commands are g++'s, and clang does not know all of its warnings.
#
# Most of the time that clang-tidy takes for a file goes into the standard library's headers. So it gets batches: CMake's unity
# builds, in which each #include of a source has become the source itself. (Most checks, and the analyzer, look at the main file
# alone, and what it includes is not the main file.) Findings are told by the source that they are in. Unused using-declarations
# that a later source of the batch uses are missed; scripts/check looks at what was touched file by file. Shadowed names are g++'s to
# report: here they would be those of other sources of the batch, too.
#
# What passed before, in whichever clone, is not looked at again: clang_tidy_batch.sh.
#
# The analyzer gives up on a function after 10,000 states, of the 225,000 that it would look at by itself: most of its time
# went into the few functions that reach the limit either way. scripts/check does not limit it.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

readonly folder=build-lint/batches
log=$folder/clang-tidy.log

# joined FILE: a unity source with its sources in it. What another source of the batch has included already is left out, or it
# would be said to be included twice; lines keep their numbers.
joined() {
  awk '
    !/^#include ".*\.cpp"$/ { print; next }
    {
      source = $2
      gsub(/"/, "", source)
      printf "#line 1 \"%s\"\n", source
      split("", own)
      while ((getline line < source) > 0) {
        print line ~ /^#include / && line in included && !(line in own) ? "" : line
        if (line ~ /^#include /) own[line]
      }
      close(source)
      for (line in own) included[line]
    }' "$1"
}

# findings: of the log's, a line each, by the source that it is in.
findings() {
  sed 's/\x1b\[[0-9;]*m//g' "$log" | grep -E '(warning|error):' | sort -u | awk -F : '
    $1 !~ /\/unity_[0-9]+_cxx\.cxx$/ { print; next }
    {
      at = 0
      while ((getline line < $1) > 0 && ++at < $2) {
        if (line ~ /^#line 1 "/) {
          source = substr(line, 10, length(line) - 10)
          start = at
        }
      }
      close($1)
      print source ":" $2 - start substr($0, length($1 $2) + 2)
    }' | sort -u
}

cmake --preset lint -B $folder -DPSSP_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=24 >/dev/null
find $folder -name 'unity_*.cxx' | while read -r unity; do
  joined "$unity" >"$unity.joined"
  mv "$unity.joined" "$unity"
done
jq -r '.[].file' $folder/compile_commands.json | sort -u | tr '\n' '\0' |
  xargs -0 -n 1 -P "$(nproc)" cmake/clang_tidy_batch.sh $folder -extra-arg=-Wno-unknown-warning-option -extra-arg=-Wno-shadow \
    -extra-arg=-Xclang -extra-arg=-analyzer-config -extra-arg=-Xclang -extra-arg=max-nodes=10000 >"$log" 2>&1 || {
  findings >&2 || tail -n 20 "$log" >&2
  exit 1
}
