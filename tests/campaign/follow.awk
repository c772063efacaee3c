# Summarizes a part of opensm's log on one line: bytes of its complete lines, heavy sweeps that began, light sweeps that
# began, sweeps that ended with the subnet up, the last banner (or `same`), and the last state of the subnet manager (or
# `same`). The variable size is the size of the part in bytes. An incomplete last line is left for the next call.

BEGIN {
    heavy = light = ups = used = 0
    phase = state = "same"
}

{
    used += length($0) + 1
    if (used > size) {
        used -= length($0) + 1
        exit
    }
}

/^\*+ INITIATING HEAVY SWEEP \*+$/ { heavy++; phase = "heavy-begun" }
/^\*+ INITIATING LIGHT SWEEP \*+$/ { light++; phase = "light-begun" }
/^\*+ LIGHT SWEEP COMPLETE \*+$/ { phase = "light-complete" }
/^\*+ HEAVY SWEEP COMPLETE \*+$/ { phase = "discovered" }
/^\*+ SUBNET UP \*+$/ { ups++; phase = "up" }
/^\*+ ERRORS DURING INITIALIZATION \*+$/ { phase = "errors" }
/ -> Entering [A-Z]+ state$/ { state = $(NF - 1) }

END { print used, heavy, light, ups, phase, state }
