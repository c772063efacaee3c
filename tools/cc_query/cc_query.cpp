// cc_query: reads the congestion control settings of all switches and adapters of a fabric, and
// reports differences from a parameter set. It verifies sets from any source: opensm, the plugin or
// cc_apply. It changes nothing.

#include "tools/cc_query/query.h"
#include "tools/kit/tool.h"

int main(int argc, char** argv) {
  return pssp::run_tool("cc_query", [&] {
    const auto options = pssp::parse_query_options(argc, argv);
    return options ? pssp::run_query(*options) : 0;
  });
}
