# What the harness must know of an ibsim net file or ibnetdiscover output before ibsim reads it, on one line: nodes,
# switches, ports as ibsim counts them (a switch has a port 0 too), adapters, and the identifier of the adapter at
# which opensm attaches: of those in the largest island the first whose port 1 is cabled (ibsim attaches clients
# there), aggregation nodes aside. ibsim cuts the name of that adapter at 31 characters, so a longer one cannot be it.

function root_of(node) {
    while (parent[node] != node) {
        parent[node] = parent[parent[node]]
        node = parent[node]
    }
    return node
}

function unite(a, b) {
    a = root_of(a)
    b = root_of(b)
    if (a != b) {
        parent[b] = a
        size[a] += size[b]
    }
}

function add(node) {
    if (!(node in parent)) {
        parent[node] = node
        size[node] = 1
    }
}

{ sub(/\r$/, "") }

/^(Switch|Hca|Ca|Rt)[ \t]/ {
    split($0, quoted, "\"")
    current = quoted[2]
    add(current)
    nodes++
    ports += $2
    if ($1 == "Switch") {
        switches++
        ports++
        attachable = 0
    } else {
        adapters++
        attachable = length(current) <= 31 && $0 !~ /Aggregation Node/
    }
    next
}

/^\[[0-9]+\]/ && current != "" {
    split($0, quoted, "\"")
    if (quoted[2] != "") {
        add(quoted[2])
        unite(current, quoted[2])
        if (attachable && /^\[1\]/)
            candidate[++candidates] = current
    }
    next
}

END {
    for (i = 1; i <= candidates; i++) {
        island = size[root_of(candidate[i])]
        if (island > 1 && island > largest) {
            largest = island
            host = candidate[i]
        }
    }
    printf "%d %d %d %d %s\n", nodes, switches, ports, adapters, host
}
