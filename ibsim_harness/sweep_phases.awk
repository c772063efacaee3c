# The phases of every sweep in a log of opensm that ended with the subnet up, one line each, tab-separated: engine
# whose tables were configured, then microseconds: from opensm's first word to the sweep (0 but for the first),
# discovery, partitions, LID of the manager, LIDs of the subnet, routes (until the tables are on their way to the
# switches), tables (until all have confirmed them, and QoS), multicast, ports, links to armed and active. Needs level
# 0x04 for osm_state_mgr.c and 0x02 for osm_ucast_mgr.c.

# The line above a box has its time.
/^[A-Z][a-z][a-z] [0-9 ][0-9] [0-9][0-9]:/ {
    split($3, clock, ":")
    now = ((clock[1] * 60 + clock[2]) * 60 + clock[3]) * 1000000 + $4
    if (first == "")
        first = now
    if (/ tables configured on all switches/) {
        engine = $(NF - 5)
        mark(6)
    }
    next
}

/\* INITIATING HEAVY SWEEP \*/ {
    if (!sweeping) {
        sweeping = 1
        begun = now
        seen = 1
        at[1] = now
    }
}
/\* HEAVY SWEEP COMPLETE \*/ { mark(2) }
/\* PKEY setup completed/ { mark(3) }
/\* SM LID ASSIGNMENT COMPLETE/ { mark(4) }
/\*\* LID ASSIGNMENT COMPLETE/ { mark(5) }
/\* SWITCHES CONFIGURED FOR UNICAST \*/ { mark(7) }
/\* SWITCHES CONFIGURED FOR MULTICAST \*/ { mark(8) }
/\* LINKS PORTS CONFIGURED/ { mark(9) }
/\* ERRORS DURING INITIALIZATION \*/ { sweeping = 0 }
/\* SUBNET UP \*/ {
    mark(10)
    if (sweeping && seen == 10)
        print_sweep()
    sweeping = 0
}

# A sweep that began anew takes its last time of each mark.
function mark(number) {
    if (sweeping && seen >= number - 1) {
        at[number] = now
        seen = number
    }
}

function since(from, to, span) {
    span = to - from
    # The log has no year, and its clock starts anew at midnight.
    return span < 0 ? span + 86400000000 : span
}

function print_sweep(i) {
    printf "%s\t%.0f", engine, swept++ ? 0 : since(first, begun)
    for (i = 2; i <= 10; i++)
        printf "\t%.0f", since(at[i - 1], at[i])
    printf "\n"
}
