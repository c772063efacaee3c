# Puts entries that dump_fts lost back into its dump. First file: lines `directed-route port`, one a switch; second
# file: the dump. Variables: lid (0xNNNN) and owner, the destination comment as dump_fts words it.

FNR == NR {
    port[$1] = $2
    next
}

/^Unicast lids / {
    route = ""
    if (match($0, /dlid 0; [0-9,]+ guid /))
        route = substr($0, RSTART + 8, RLENGTH - 14)
}

/^[0-9]+ valid lids dumped/ && (route in port) {
    printf "%s %03d : (%s)\n", lid, port[route], owner
    print $1 + 1 " valid lids dumped "
    next
}

{ print }
