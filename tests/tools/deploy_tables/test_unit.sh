#!/usr/bin/env bash
# systemd accepts the unit that runs at boot, and the times that apply gives its timers.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
skip_without systemd-analyze
# Neither the program nor its man page needs to be installed for this.
unit=$PSSP_SOURCE_DIR/tools/deploy_tables/systemd/deploy_tables.service.in
sed -e "s#@CMAKE_INSTALL_FULL_BINDIR@/pssp#/bin/true#" -e '/^Documentation=/d' "$unit" >"$scratch/deploy_tables.service"
expect 0 '' systemd-analyze verify "$scratch/deploy_tables.service"
said_nothing stderr
# The program accepts the unit's command line, also if no change is pending.
deploy=$PSSP_BUILD_DIR/bin/deploy_tables
[[ -x $deploy ]] || skip 'deploy_tables is not built'
read -r -a words <<<"$(sed -n 's#^ExecStart="@CMAKE_INSTALL_FULL_BINDIR@/pssp" deploy ##p' "$unit")"
mkdir -p "$scratch/state/history" "$scratch/state/topology"
expect 0 '' "$deploy" "${words[@]}" --state "$scratch/state"
