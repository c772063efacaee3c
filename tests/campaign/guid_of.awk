# Prints the node GUID, without leading zeros, that ibsim gives to the node `name` of a topology file: the GUID in the
# file, or, if it has none, a GUID that depends on the order of the adapters.

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
