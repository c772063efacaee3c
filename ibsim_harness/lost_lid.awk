# infiniband-diags 44.0: dump_fts leaves out the last LID of every switch when the highest LID is a multiple of 64.
# From a dump this prints, for each switch that lacks its last LID, the directed route to it and that LID. The port is
# then asked for by block (lib.sh), and restore_lid.awk puts the entry in.

function finish() {
    if (route != "" && top > 0 && top % 64 == 0 && last < top)
        print route, top
}

/^Unicast lids / {
    finish()
    route = last = ""
    top = 0
    if (match($0, /-0x[0-9a-fA-F]+\]/))
        top = from_hex(substr($0, RSTART + 3, RLENGTH - 4))
    if (match($0, /dlid 0; [0-9,]+ guid /))
        route = substr($0, RSTART + 8, RLENGTH - 14)
    next
}

/^0x[0-9a-fA-F]+ / { last = from_hex(substr($1, 3)) }

END { finish() }

function from_hex(digits,   i, value) {
    value = 0
    for (i = 1; i <= length(digits); i++)
        value = 16 * value + index("0123456789abcdef", tolower(substr(digits, i, 1))) - 1
    return value
}
