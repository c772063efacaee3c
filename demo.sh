#!/usr/bin/env bash
# From a fresh Debian 12 to the main job in one command: installs what is missing, builds tools and plugin, lets the
# stock opensm route a simulated fabric with each engine, and prints the comparison. Arguments go to
# ibsim_harness/dry_run.sh.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")

"$here/install_dependencies.sh"
(
  cd "$here"
  cmake --preset default >/dev/null
  cmake --build --preset default --parallel "$(nproc)"
)
PSSP_BUILD_DIR=$here/build exec "$here/ibsim_harness/dry_run.sh" "$@"
