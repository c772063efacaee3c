#!/usr/bin/env bash
# ccache_clang.sh COMPILER ARGUMENT...: a compiler launcher that lets clones share objects that clang compiles with precompiled
# headers. ccache alone does not find them: CMake passes absolute paths in arguments that ccache does not recognize as paths, and
# clang writes them into its output. This script makes names below the build folder, the working directory, relative. It also
# writes the digest of the headers' text beside each precompiled header; ccache compares this digest if CCACHE_PCH_EXTSUM is set.
set -euo pipefail

arguments=("${@//"$PWD/"/}")
ccache "${arguments[@]}"

output=
for ((i = 0; i + 1 < ${#arguments[@]}; ++i)); do
  [[ ${arguments[i]} != -o ]] || output=${arguments[i + 1]}
done
[[ $output == *.pch ]] || exit 0

# Repeat the call, but print the preprocessed headers instead of precompiling them.
for ((i = 0; i < ${#arguments[@]}; ++i)); do
  case ${arguments[i]} in
    -emit-pch) arguments[i]=-E ;;
    "$output") arguments[i]=- ;;
  esac
done
"${arguments[@]}" | sed '/^#/d' | sha256sum >"$output.sum"
