# Who owns `lid` (a decimal number) in ibnetdiscover output, in the words of dump_fts' destination comment. An LMC of
# n gives a port 2^n LIDs.

function number_after(word,   rest) {
    if (!match($0, "(^|[ \t])" word " [0-9]+"))
        return -1
    rest = substr($0, RSTART, RLENGTH)
    sub(/.* /, "", rest)
    return rest + 0
}

function owns(   base, lmc) {
    base = number_after("lid")
    lmc = number_after("lmc")
    return base > 0 && lid >= base && lid < base + 2 ^ (lmc < 0 ? 0 : lmc)
}

function report(type, guid, description) {
    while (length(guid) < 16)
        guid = "0" guid
    printf "%s portguid 0x%s: '%s'\n", type, guid, description
    exit
}

function in_quotes(   first, rest) {
    first = index($0, "# \"")
    rest = substr($0, first + 3)
    sub(/"[^"]*$/, "", rest)
    return rest
}

/^switchguid=/ {
    switch_guid = $0
    sub(/.*\(/, "", switch_guid)
    sub(/\).*/, "", switch_guid)
}

/^Switch/ && owns() { report("Switch", switch_guid, in_quotes()) }

/^(Ca|Rt)/ {
    kind = /^Ca/ ? "Channel Adapter" : "Router"
    description = in_quotes()
    adapter = 1
}

/^[ \t\r]*$/ { adapter = 0 }

adapter && /^\[[0-9]+\]\(/ && owns() {
    guid = $1
    sub(/.*\(/, "", guid)
    sub(/\).*/, "", guid)
    report(kind, guid, description)
}
