#!/usr/bin/env bash
# All programs that compute give identical output with one thread and with eight (same_bytes.sh in its short form).
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"

expect 0 '^same: ' "$here/same_bytes.sh" --short "$bin"
expect 2 'usage' "$here/same_bytes.sh"
