#include "tools/order_nodes/options.h"

#include "tools/kit/command_line.h"

namespace pssp {
namespace {

constexpr const char* about =
    "In which order are the nodes of a job to be started? Orders a list of nodes so that what the "
    "ranks send each other shares as few channels as the tables allow, and writes it for the "
    "program that starts them. Never worse than the order that was given.";

}  // namespace

std::optional<OrderNodesOptions> parse_order_nodes_options(int argc, const char* const* argv) {
  OrderNodesOptions options;
  std::string format = "plain";
  CommandLine line("order_nodes", about);
  line.option(
          "files", options.files,
          "Tables and topology (routing.lft topo.osm), or one file that has both; - is standard "
          "input")
      .required()
      .values(1, 2)
      .type_name("FILE")
      .reads();
  options.choice.add_options(line);
  line.option("--for", options.pattern,
              "What the job does: ring, all-to-all, recursive-doubling, stencil:AxBxC, moe:G, "
              "pipeline, file:PATH, or any other pattern of eval_lft --list")
      .type_name("PATTERN")
      .mentions()
      .show_default();
  line.option("--ranks-per-node", options.ranks_per_node,
              "Ranks of each node, one after the other; with several each sends by one rail, with "
              "one by all")
      .range(1, 4096)
      .type_name("N")
      .show_default();
  line.option("--as", format, "Who reads the order").one_of(order_format_names()).show_default();
  line.option("--seed", options.seed, "Seed of the search, and of patterns that draw")
      .show_default();
  line.flag("--json", options.json, "The order, and what each order costs, as JSON");
  line.option("-o,--output", options.output, "File for the order; - is standard output")
      .show_default()
      .writes();
  if (!line.parse(argc, argv)) return std::nullopt;
  options.format = order_format(format);
  return options;
}

}  // namespace pssp
