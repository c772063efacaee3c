# Prints statistics of all logs of opensm in a campaign as JSON. Each start of opensm has its own log.

function stamp() {
    split($3, t, ":")
    return ((t[1] * 60 + t[2]) * 60 + t[3]) * 1000 + $4 / 1000
}

function add(table, name) { table[name]++ }

FNR == 1 { begun = -1 }

/^[A-Z][a-z][a-z] [0-9][0-9] / { now = stamp() }
/^\*+ INITIATING HEAVY SWEEP \*+$/ { heavy++; begun = now }
/^\*+ INITIATING LIGHT SWEEP \*+$/ { light++ }
/^\*+ ERRORS DURING INITIALIZATION \*+$/ { troubled++ }

/^\*+ SUBNET UP \*+$/ && begun >= 0 {
    up++
    span = now - begun
    if (span < 0) span += 86400000
    if (span > longest) longest = span
    sum += span
    begun = -1
}

/ tables configured on all switches/ { engines[$(NF - 5)]++; routings++ }

/osmpssp: routing: / {
    if (match($0, / seconds=[0-9.]+/)) {
        total = 1000 * substr($0, RSTART + 9, RLENGTH - 9)
        if (total > slowest) slowest = total
    }
}

/osmpssp: ERR 7A20: / { refusals++ }
/osmpssp: ERR 7A1/ { bad_options++ }
/osmpssp: ERR 7A21: / { unusable++ }
/osmpssp: ERR 7A24: / { odd_nodes++ }
/ 0x01 -> / { errors++ }

END {
    printf "{\"heavy_sweeps\": %d, \"light_sweeps\": %d, \"subnet_up\": %d, \"sweeps_with_errors\": %d, ", heavy, light, up, troubled
    printf "\"mean_sweep_ms\": %.1f, \"largest_sweep_ms\": %.1f, \"largest_plugin_ms\": %.1f, ", up ? sum / up : 0, longest, slowest
    printf "\"refusals\": %d, \"wrong_options_lines\": %d, \"unusable_tables\": %d, \"odd_nodes\": %d, \"error_lines\": %d, ", \
        refusals, bad_options, unusable, odd_nodes, errors
    printf "\"routings\": {"
    for (engine in engines) printf "%s\"%s\": %d", separator++ ? ", " : "", engine, engines[engine]
    print "}}"
}
