# Prints the service level, as a hexadecimal digit, of the route from the adapter with LID `from` to LID `to`. The first
# file is the output of ibnetdiscover; the second is the plugin's dump of service levels.

FNR == 1 { file++ }

file == 1 && /^[A-Z]/ { adapter = /^Ca/ }
file == 1 && adapter && /^\[/ && match($0, /# lid [0-9]+/) && substr($0, RSTART + 6, RLENGTH - 6) == from {
    match($0, /"S-[0-9a-f]+"/)
    guid = "0x" substr($0, RSTART + 3, RLENGTH - 4)
}

file == 2 && $1 == guid { print substr($2, to + 1, 1) }
