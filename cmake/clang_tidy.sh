#!/usr/bin/env bash
# Runs clang-tidy on everything that is shipped, which is what the preset lint compiles; headers are checked where they are
# included. Tests and benchmarks are excluded, because the analyzer reports errors in the headers of Boost and Google Benchmark.
# The compile commands are those of g++, and clang does not know all of its warning options.
#
# For each file, clang-tidy spends most of its time on the headers of the standard library. It therefore gets batches: CMake's
# unity sources, with each #include of a source replaced by the source's text, because most checks and the analyzer only report
# findings in the main file. Findings are mapped back to the original source. Batches miss unused using-declarations that a later
# source uses; scripts/check finds them because it checks changed files one by one. The check for shadowed names is off, because
# it would report names of other sources in the batch; g++ reports them.
#
# clang_tidy_batch.sh skips text that passed before, in any clone.
#
# The analyzer explores at most 10,000 states of a function instead of the default of 225,000: most of its time went into a few
# functions that reach either limit. scripts/check uses the default.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

readonly folder=build-lint/batches
log=$folder/clang-tidy.log

# joined FILE: prints a unity source with the text of its sources. Repeated #include lines become empty, because clang-tidy would
# report them as duplicates; line numbers do not change.
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

# findings: prints each finding in the log on one line, with the name and line number of the original source.
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
