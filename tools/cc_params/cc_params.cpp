// cc_params: checks, explains and compares parameter sets of InfiniBand congestion control, and
// writes them for OpenSM. See docs/reference/cc-params.md.

#include <optional>

#include "tools/cc_params/cc_params_commands.h"
#include "tools/cc_params/cc_params_options.h"
#include "tools/kit/tool.h"

int main(int argc, char** argv) {
  return pssp::run_tool("cc_params", [&] {
    const std::optional<pssp::CcParamsOptions> options = pssp::parse_cc_params_options(argc, argv);
    return options ? pssp::run_command(*options) : 0;
  });
}
