// cc_apply: gives a parameter set to the switches and adapters of a fabric, by itself, without
// opensm.
//
// What it can do and OpenSM's own congestion manager cannot: each switch gets a victim mask of its
// own (the thesis marks the ports that lead to hosts, and which these are differs from switch to
// switch), tables may have more than 128 entries, a MAD that got lost is sent again, and the
// outcome is told node by node. Which ports lead to hosts, and the LIDs, are taken from a saved
// topology; nothing is discovered here.

#include "tools/cc_apply/apply.h"
#include "tools/kit/tool.h"

int main(int argc, char** argv) {
  return pssp::run_tool("cc_apply", [&] {
    const auto options = pssp::parse_apply_options(argc, argv);
    return options ? pssp::run_apply(*options) : 0;
  });
}
