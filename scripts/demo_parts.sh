# shellcheck shell=bash
# Functions that demo.sh and demo_monitor.sh share: they provide the programs and the plugin. Scripts source this file after `set
# -euo pipefail` and set $here to the folder of the sources.
: "${here:?}"

# Prints the version of these sources.
own_version() { sed -n 's/^ *VERSION \([0-9.]*\)$/\1/p' "$here/CMakeLists.txt" | sed -n 1p; }

# are_installed PACKAGES: succeeds if all packages are installed in the version of these sources.
are_installed() {
  local package version
  version=$(own_version)
  command -v dpkg-query >/dev/null || return 1
  for package in $1; do
    # shellcheck disable=SC2016  # of dpkg-query
    [[ $(dpkg-query --show --showformat='${db:Status-Status} ${Version}' "$package" 2>/dev/null) == "installed $version" ]] || return 1
  done
}

# are_in_dist PACKAGES: succeeds if dist/ has all packages in this version and for this architecture, and their checksums are
# correct.
are_in_dist() {
  local package
  [[ -e $here/dist/SHA256SUMS ]] && command -v dpkg >/dev/null || return 1
  for package in $1; do
    [[ -e $here/dist/${package}_$(own_version)_$(dpkg --print-architecture).deb ]] || return 1
  done
  (cd "$here/dist" && sha256sum --check --quiet --strict SHA256SUMS) && return
  printf '%s: the packages in dist/ do not match SHA256SUMS and are not used\n' "${0##*/}" >&2
  return 1
}

# provide PACKAGES DEPENDENCIES TARGETS [OPTION...]: sets build to a folder with bin/. If the programs must be built, DEPENDENCIES
# is an option of install_dependencies.sh, TARGETS the build targets (empty: all), and each OPTION is passed to CMake.
provide() {
  local packages=$1 dependencies=$2 targets=$3
  shift 3
  build=${PSSP_BUILD_DIR:-}
  [[ -z $build ]] || return 0
  if are_installed "$packages"; then
    printf '%s: using the installed packages, version %s\n' "${0##*/}" "$(own_version)" >&2
    build=/usr
    "$here/scripts/install_dependencies.sh" --run
  elif are_in_dist "$packages"; then
    printf '%s: using the packages in dist/, version %s\n' "${0##*/}" "$(own_version)" >&2
    # shellcheck disable=SC2086  # several words
    "$here/scripts/install_dependencies.sh" --packages $packages
    build=/usr
  else
    printf '%s: no packages of version %s; building from source\n' "${0##*/}" "$(own_version)" >&2
    build=$here/build
    "$here/scripts/install_dependencies.sh" ${dependencies:+"$dependencies"}
    (
      cd "$here" || exit
      cmake --preset default "$@" >/dev/null
      # shellcheck disable=SC2086  # several words
      cmake --build --preset default --parallel "$(nproc)" ${targets:+--target $targets}
    )
  fi
}
