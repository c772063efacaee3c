# Prints the node GUID, without leading zeros, that ibsim gives the node `name` of a topology file: the one that the
# file states, else by the order of the adapters in it.

/^(caguid|switchguid|rtguid)=0x/ {
    split($0, parts, /=0x|\(/)
    stated = parts[2]
    sub(/^0+/, "", stated)
}

/^(Hca|Ca|Rt|Switch)[ \t]/ {
    split($0, quoted, "\"")
    if (quoted[2] == name) {
        print stated != "" ? stated : sprintf("%x", 1048576 + before)
        exit
    }
    stated = ""
    if ($1 != "Switch") before += $2 + 1
}
