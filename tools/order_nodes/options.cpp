#include "tools/order_nodes/options.h"

#include "tools/kit/command_line.h"
#include "tools/kit/fabric_options.h"

namespace pssp {
namespace {

constexpr const char* about =
    "Orders the nodes of a job so that the traffic between its ranks has little contention. The "
    "result is never worse than the given order.";

}  // namespace

std::optional<OrderNodesOptions> parse_order_nodes_options(int argc, const char* const* argv) {
  OrderNodesOptions options;
  std::string format = "plain";
  CommandLine line("order_nodes", about);
  add_tables_and_topology(line, options.files).required();
  options.choice.add_options(line);
  line.option("--for", options.pattern,
              "Traffic pattern of the job: ring, all-to-all, recursive-doubling, stencil:AxBxC, "
              "moe:G, pipeline, file:PATH, or any pattern of pssp eval --list")
      .type_name("PATTERN")
      .mentions()
      .show_default();
  line.option(
          "--ranks-per-node", options.ranks_per_node,
          "Consecutive ranks per node; each of several ranks uses one rail, a single rank uses all")
      .range(1, 4096)
      .type_name("N")
      .show_default();
  line.option("--as", format, "Output format: the launcher that will read the order")
      .one_of(order_format_names())
      .show_default();
  line.option("--seed", options.seed, "Random seed of the search and of random patterns")
      .show_default();
  line.flag("--json", options.json, "Write the order and the cost of all candidates as JSON");
  line.output(options.output, "Write the order to FILE; - is standard output");
  if (!line.parse(argc, argv)) return std::nullopt;
  options.format = order_format(format);
  return options;
}

}  // namespace pssp
