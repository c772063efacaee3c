#!/usr/bin/env bash
# The same bytes on one thread and on eight, of all programs that compute (same_bytes.sh, in its short form).
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"

expect 0 '^same: ' "$here/same_bytes.sh" --short "$bin"
expect 2 'usage' "$here/same_bytes.sh"
