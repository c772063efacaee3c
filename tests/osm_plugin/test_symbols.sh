#!/usr/bin/env bash
# The plugin exports only its entry point, and the opensm binary or a library defines all symbols that the plugin leaves
# undefined.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without opensm nm ldd

plugin=$PSSP_BUILD_DIR/lib/libosmpssp.so
[[ -e $plugin ]] || fail "$plugin is not built"
expect_equal 'exported symbols' "$(nm -D --defined-only "$plugin" | awk '{ print $3 }')" osm_event_plugin
nm -D --defined-only "$(command -v opensm)" | awk '{ print $3 }' | sort >"$scratch/opensm"
ldd -r "$plugin" 2>&1 | awk '/undefined symbol/ { sub(",", "", $3); print $3 }' | sort -u >"$scratch/undefined"
[[ -s $scratch/undefined ]] || fail "the plugin calls nothing of opensm; is this the plugin?"
expect_equal 'symbols that neither the libraries nor opensm have' "$(comm -23 "$scratch/undefined" "$scratch/opensm")" ''
