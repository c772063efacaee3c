#!/usr/bin/env bash
set -euo pipefail

usage() {
  cat <<'EOF'
usage: install_dependencies.sh [--monitor | --tests | --run | --packages NAME ...]

Installs missing Debian 12 packages with apt-get, without asking. Without an
option, these are the packages for building and for dry runs.

  --monitor            also packages that the fabric monitor needs
  --tests              as --monitor, and packages for tests and benchmarks
  --run                only packages that dry runs need
  --packages NAME ...  as --run, and the packages NAME of this project in dist/
  -h, --help           print this text

Exit codes: 0 all packages are installed, 1 the installation failed (the reason
is printed), 2 usage.
EOF
}

# The complete list of the distribution's packages that this project needs.
readonly build_packages=(cmake g++ libarchive-dev libcli11-dev libfmt-dev libibumad-dev libopensm-dev libtbb-dev ninja-build nlohmann-json3-dev zlib1g-dev)
readonly run_packages=(gnuplot-nox graphviz ibsim-utils infiniband-diags opensm)
readonly monitor_packages=(libasio-dev libcurl4-openssl-dev librestinio-dev libsqlitecpp-dev)
readonly test_packages=(apache2-utils catch2 ccache chromium chromium-driver clang clang-format clang-tidy curl ibutils jq libbenchmark-dev libboost-graph-dev libclang-rt-dev libibmad-dev libopenmpi-dev libseccomp-dev mkdocs mkdocs-material openmpi-bin prometheus prometheus-alertmanager pybind11-dev python3-dev python3-networkx python3-numpy python3-pytest shellcheck slurm-client slurmctld slurmd sqlite3 time)

fail() {
  printf 'install_dependencies.sh: %s\n' "$*" >&2
  exit 1
}

is_installed() { [[ $(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

find_missing() {
  local package
  missing=()
  for package in "$@"; do
    is_installed "$package" || missing+=("$package")
  done
}

# Debian starts the services of packages that it installs. On a machine with an InfiniBand fabric, installing opensm would start a
# second subnet manager, which this script must not do.
require_no_fabric() {
  local adapters=(/sys/class/infiniband/*)
  if [[ " ${missing[*]} " == *' opensm '* && -e ${adapters[0]} ]]; then
    fail "this machine has InfiniBand adapters (${adapters[*]##*/}): the package opensm would start a subnet manager on their fabric." \
      "Install it yourself, masked (systemctl mask opensm), and run this again"
  fi
}

# Sets the command prefix for root privileges. Without a terminal sudo must not ask for a password.
set_privilege() {
  privileged=(env DEBIAN_FRONTEND=noninteractive)
  [[ $EUID -ne 0 ]] || return 0
  command -v sudo >/dev/null || fail "not root, and sudo is not installed; run as root: apt-get install ${missing[*]}"
  if [[ -t 0 ]]; then
    privileged=(sudo "${privileged[@]}")
  else
    sudo -n true 2>/dev/null || fail "not root, and sudo needs a password; run as root: apt-get install ${missing[*]}"
    privileged=(sudo -n "${privileged[@]}")
  fi
}

wanted=("${build_packages[@]}" "${run_packages[@]}")
ours=()
case ${1:-} in
  '') ;;
  --monitor) wanted+=("${monitor_packages[@]}") ;;
  --tests) wanted+=("${monitor_packages[@]}" "${test_packages[@]}") ;;
  --run) wanted=("${run_packages[@]}") ;;
  --packages)
    wanted=("${run_packages[@]}")
    for name in "${@:2}"; do
      files=("$(dirname "$(dirname "$(readlink -f "$0")")")/dist/${name}"_*.deb)
      [[ ${#files[@]} -eq 1 && -e ${files[0]} ]] || fail "expected exactly one package $name in dist/; build the packages with scripts/make_packages.sh"
      ours+=("${files[0]}")
    done
    ;;
  -h | --help)
    usage
    exit 0
    ;;
  *)
    printf "install_dependencies.sh: unknown argument '%s'; see --help\n" "$1" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  fail "this system is not Debian; install its equivalents of these packages: ${wanted[*]}"
fi
# npm downloads the libraries of the web pages. Any npm suffices; some installations of Node.js have their own.
if [[ ${1:-} == --monitor || ${1:-} == --tests ]] && ! command -v npm >/dev/null; then wanted+=(npm); fi
find_missing "${wanted[@]}"
((${#missing[@]} + ${#ours[@]} > 0)) || exit 0
require_no_fabric
set_privilege
printf 'installing %s\n' "${missing[*]}${ours[*]:+ ${ours[*]##*/}}"
"${privileged[@]}" apt-get update -qq || fail "apt-get update failed; check the network and the package sources"
"${privileged[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" "${ours[@]}" ||
  fail "apt-get could not install ${missing[*]}; all of them are in section main of Debian 12 (bookworm)"
find_missing "${wanted[@]}"
((${#missing[@]} == 0)) || fail "still missing after apt-get: ${missing[*]}"
