#!/usr/bin/env bash
# systemd accepts the unit of the daemon and rates its exposure as low.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
skip_without systemd-analyze
# Neither the program nor its man page must be installed for this test.
sed -e "s#@CMAKE_INSTALL_FULL_BINDIR@/monitor_fabric#/bin/true#" -e '/^Documentation=/d' \
  "$PSSP_SOURCE_DIR/monitor/systemd/monitor_fabric.service.in" >"$scratch/monitor_fabric.service"
expect 0 '' systemd-analyze verify "$scratch/monitor_fabric.service"
said_nothing stderr
expect 0 'Overall exposure level' systemd-analyze security --no-pager --offline=true --threshold=30 "$scratch/monitor_fabric.service"
