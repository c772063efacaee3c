// draw_faults: prints the events of a fault campaign (campaign.sh, docs/explanation/campaign.md),
// or compares a discovered fabric with the fabric that the events leave.
//
// The plan is text with one step per line and words separated by tabs. A fault begins with a line
// `event NUMBER KIND WHAT STATE`, in which STATE is the state of the fabric after the fault; its
// steps follow.

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "fabric/formats/topology_file.h"
#include "tests/campaign/fault_plan.h"
#include "tools/kit/command_line.h"
#include "tools/kit/tool.h"

namespace {

using namespace pssp;
using namespace pssp::campaign;

struct Arguments {
  std::string topology;
  std::string manager;
  unsigned managers = 2;
  std::uint64_t seed = 1;
  std::uint64_t first = 1;
  std::uint64_t events = 0;
  std::string found;
  std::string theme = "fabric";
};

std::string text_of(std::size_t number, const Fault& fault, const std::string& state) {
  std::string text = fmt::format("event\t{}\t{}\t{}\t{}\n", number, fault.kind, fault.what, state);
  for (const Step& step : fault.steps) text += step + '\n';
  return text;
}

int print_plan(const Arguments& arguments, FaultPlan plan,
               const std::vector<std::uint32_t>& managers) {
  std::string text;
  for (const std::uint32_t node : managers) text += "manager\t" + plan.cabling().name(node) + '\n';
  for (std::size_t event = 1; event < arguments.first; ++event) plan.next();
  text += text_of(arguments.first - 1, plan.resume(), plan.state());
  const std::size_t last = arguments.first + arguments.events - 1;
  for (std::size_t event = arguments.first; event <= last; ++event) {
    const Fault fault = plan.next();
    text += text_of(event, fault, plan.state());
  }
  const Fault end = plan.restore();
  text += text_of(last + 1, end, plan.state());
  write_file("-", text);
  return 0;
}

/// Compares the discovered fabric with the plan after the first `arguments.events` events; 0 is the
/// original or restored fabric.
int compare(const Arguments& arguments, const Fabric& original, FaultPlan plan,
            std::uint32_t manager) {
  for (std::size_t event = 0; event < arguments.events; ++event) plan.next();
  const Fabric found = read_topology(arguments.found).builder.build();
  const std::vector<std::string> lines = differences(original, plan.cabling(), manager, found);
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  write_file("-", text);
  return lines.empty() ? 0 : static_cast<int>(ErrorKind::verification_failed);
}

std::optional<Arguments> parse_arguments(int argc, char** argv) {
  Arguments arguments;
  CommandLine line(
      "draw_faults",
      "Draws the faults of a campaign, or compares a discovered fabric with the plan.");
  line.option("topology", arguments.topology, "Fabric before the first fault").required().reads();
  line.option("--manager", arguments.manager, "Adapter of the first subnet manager").required();
  line.option("--managers", arguments.managers, "Number of subnet managers").range(1, 2);
  line.option("--seed", arguments.seed, "Seed of the faults");
  line.option("--theme", arguments.theme, "Subject of most faults").one_of({"fabric", "managers"});
  line.option("--first", arguments.first, "First event to print").range(1, 1'000'000);
  line.option("--events", arguments.events,
              "Number of events; with --found: events before the discovery")
      .range(0, 1'000'000)
      .required();
  line.option("--found", arguments.found,
              "Fabric discovered after --events events (0: original or restored fabric); "
              "prints missing links as lost and unexpected links as surplus");
  if (!line.parse(argc, argv)) return std::nullopt;
  return arguments;
}

int run(const Arguments& arguments) {
  const Fabric fabric = read_topology(arguments.topology).builder.build();
  const std::vector<std::uint32_t> managers =
      choose_managers(fabric, arguments.manager, arguments.managers);
  const FaultTheme theme =
      arguments.theme == "managers" ? FaultTheme::managers : FaultTheme::fabric;
  FaultPlan plan(fabric, managers, arguments.seed, theme);
  if (!arguments.found.empty()) {
    return compare(arguments, fabric, std::move(plan), managers.front());
  }
  return print_plan(arguments, std::move(plan), managers);
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool("draw_faults", [&] {
    const std::optional<Arguments> arguments = parse_arguments(argc, argv);
    return arguments ? run(*arguments) : 0;
  });
}
