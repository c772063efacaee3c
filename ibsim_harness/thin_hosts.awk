# A net file with fewer hosts: of `switches` switches that have some, in the order of the file, `hosts` each. Nodes are
# paragraphs, and each host is cabled to one switch at its port 1.

BEGIN {
    RS = ""
    FS = "\n"
}

function name_in(line, quoted) {
    split(line, quoted, "\"")
    return quoted[2]
}

# First pass: which hosts stay.
FNR == NR {
    is_switch = 0
    for (i = 1; i <= NF; i++) {
        if ($i ~ /^Switch[ \t]/) {
            is_switch = 1
            taken = 0
        } else if (is_switch && $i ~ /^\[[0-9]+\]/ && name_in($i) ~ /^H/) {
            if (!taken && used == switches)
                break
            if (!taken)
                used++
            if (taken++ < hosts)
                stays[name_in($i)] = 1
        }
    }
    next
}

{
    text = ""
    for (i = 1; i <= NF; i++) {
        if ($i ~ /^(Hca|Ca)[ \t]/ && !(name_in($i) in stays))
            next
        if ($i ~ /^\[[0-9]+\]/ && name_in($i) ~ /^H/ && !(name_in($i) in stays))
            continue
        text = text $i "\n"
    }
    print text
}
