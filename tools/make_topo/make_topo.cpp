// make_topo: writes the topology of a made-up fabric as an ibsim net file
// (docs/reference/make-topo.md).

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/file_io.h"
#include "fabric/formats/net_file_writer.h"
#include "tools/kit/report.h"
#include "tools/kit/tool.h"
#include "tools/make_topo/make_topo_options.h"

namespace {

using namespace pssp;

constexpr const char* tool = "make_topo";

int run(int argc, char** argv) {
  MakeTopoOptions options;
  if (!options.parse(tool, argc, argv)) return 0;
  const CablingPlan plan = options.request.draw();
  const Fabric fabric = options.request.make(plan).build();
  write_file(options.output, to_net_file(fabric));
  const PlanCounts counts = plan.counts();
  Report(tool).print_line(fmt::format("{} hosts, {} switches, {} links between switches",
                                      counts.hosts, counts.switches, counts.switch_cables));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool(tool, [&] { return run(argc, argv); });
}
