// cc_apply: applies a parameter set to the switches and adapters of a fabric without opensm.
//
// Unlike OpenSM's congestion manager, it gives each switch its own victim mask (the thesis marks
// the ports to hosts, which differ between switches), supports tables with more than 128 entries,
// repeats lost MADs, and reports the outcome of each node. The ports to hosts and the LIDs come
// from a saved topology; nothing is discovered here.

#include "tools/cc_apply/apply.h"
#include "tools/kit/tool.h"

int main(int argc, char** argv) {
  return pssp::run_tool("cc_apply", [&] {
    const auto options = pssp::parse_apply_options(argc, argv);
    return options ? pssp::run_apply(*options) : 0;
  });
}
