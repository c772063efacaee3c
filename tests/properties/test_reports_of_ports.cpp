// Writes random plans in the formats of ibnetdiscover -p and both forms of iblinkinfo. Everything
// in the text must be in the fabric or in a warning. These formats lack the node GUIDs of adapters,
// so the tests compare names, ports, LIDs and rates.

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/text_lines.h"
#include "fabric/formats/net_file_writer.h"
#include "fabric/formats/port_report.h"
#include "tests/properties/plan_text.h"

namespace pssp {
namespace {

using test::PlannedCable;
using test::PlannedNode;
using test::PlannedPort;
using test::RandomPlan;

enum class ReportForm : std::uint8_t { ports, links, link_lines };

class ReportText {
 public:
  ReportText(const RandomPlan& plan, const std::vector<std::string>& names, ReportForm form)
      : plan_(plan), names_(names), form_(form) {
    for (const PlannedCable& cable : plan.cables) {
      far_[cable.a] = {cable.b, to_string(cable.rate)};
      far_[cable.b] = {cable.a, to_string(cable.rate)};
    }
  }

  std::string run() {
    for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
      const PlannedNode& node = plan_.nodes[n];
      if (form_ == ReportForm::links) {
        text_ += node.is_switch ? fmt::format("Switch: 0x{:016x} {}:\n", node.guid, names_[n])
                 : node.kind == EndPortKind::router ? fmt::format("Router: {}:\n", names_[n])
                                                    : fmt::format("CA: {}:\n", names_[n]);
      }
      for (unsigned port = 1; port <= node.ports; ++port) write_port({n, port});
    }
    return std::move(text_);
  }

 private:
  unsigned lid(PlannedPort port) const {
    return test::lids_at(plan_, plan_.nodes[port.node].is_switch ? PlannedPort{port.node, 0} : port)
        .first;
  }
  Guid guid(PlannedPort port) const {
    return plan_.nodes[port.node].guid + (plan_.nodes[port.node].is_switch ? 0 : port.port);
  }
  std::string of_port_list(PlannedPort port) const {
    const PlannedNode& node = plan_.nodes[port.node];
    const char* const type = node.is_switch ? "SW" : node.kind == EndPortKind::router ? "RT" : "CA";
    return fmt::format("{} {:5} {:2} 0x{:016x}", type, lid(port), port.port, guid(port));
  }

  void write_port(PlannedPort here) {
    const auto found = far_.find(here);
    const std::string& name = names_[here.node];
    const bool has_cable = found != far_.end();
    const std::string rate = has_cable ? found->second.second : "4xSDR";
    const std::string width = rate.substr(0, rate.find('x'));
    if (form_ == ReportForm::ports) {
      text_ += fmt::format("{} {}x {} ", of_port_list(here), rate.empty() ? "4" : width,
                           rate.empty() ? "???" : rate.substr(width.size() + 1));
      text_ += !has_cable ? fmt::format("                 '{}'\n", name)
                          : fmt::format("- {} ( '{}' - '{}' )\n", of_port_list(found->second.first),
                                        name, names_[found->second.first.node]);
      return;
    }
    const bool is_line = form_ == ReportForm::link_lines;
    if (is_line) text_ += fmt::format("0x{:016x} \"{:>30}\" ", guid(here), name);
    if (!is_line && !plan_.nodes[here.node].is_switch)
      text_ += fmt::format("      0x{:016x} ", guid(here));
    text_ += fmt::format("{:6} {:4}[  ] ==(", lid(here), here.port);
    if (!has_cable) {
      text_ += "                Down/ Polling)==>             [  ] \"\" ( )\n";
      return;
    }
    const PlannedPort there = found->second.first;
    text_ += fmt::format("{}X {} Gbps Active/  LinkUp)==> ", rate.empty() ? "4" : width,
                         rate.empty()            ? "undefined"
                         : rate.ends_with("QDR") ? "10.0"
                                                 : "2.5");
    if (is_line) text_ += fmt::format("0x{:016x} ", guid(there));
    text_ += fmt::format("{:6} {:4}[  ] \"{}\" ( )\n", lid(there), there.port, names_[there.node]);
  }

  const RandomPlan& plan_;
  const std::vector<std::string>& names_;
  ReportForm form_;
  std::map<PlannedPort, std::pair<PlannedPort, std::string>> far_;
  std::string text_;
};

/// Names, cable ends and LIDs, without GUIDs, the LMC and the node IDs of the file.
struct NamedInventory {
  std::multiset<std::string> names, cable_ends, lids;
};

NamedInventory planned_inventory(const RandomPlan& plan, const std::vector<std::string>& names,
                                 ReportForm form) {
  NamedInventory planned;
  for (const std::string& name : names) planned.names.insert(std::string(trimmed(name)));
  for (const PlannedCable& cable : plan.cables) {
    for (const auto& [near, far] : {std::pair(cable.a, cable.b), std::pair(cable.b, cable.a)}) {
      planned.cable_ends.insert(fmt::format("{}[{}] {}[{}] {}", trimmed(names[near.node]),
                                            near.port, trimmed(names[far.node]), far.port,
                                            to_string(cable.rate)));
    }
  }
  for (const test::PlannedLids& each : plan.lids) {
    // iblinkinfo -l prints no node types: the reader takes a node with one port for an adapter.
    const PlannedNode& node = plan.nodes[each.owner.node];
    const bool is_taken_for_adapter = form == ReportForm::link_lines && node.ports == 1;
    planned.lids.insert(fmt::format("{}[{}] lid {}", trimmed(names[each.owner.node]),
                                    is_taken_for_adapter ? 1 : each.owner.port, each.first));
  }
  return planned;
}

NamedInventory read_inventory(const std::string& net) {
  const test::Inventory found = test::inventory_of(net);
  NamedInventory read;
  std::map<std::string, std::string> name_of;
  const auto word = [](const std::string& text) {
    return text.substr(0, text.find_first_of("[ "));
  };
  for (const std::string& each : found.names) {
    name_of[word(each)] = each.substr(each.find(' ') + 1);
    read.names.insert(name_of[word(each)]);
  }
  for (const std::string& each : found.cable_ends) {
    const std::size_t at = each.find(' ') + 1;
    const std::string far = each.substr(at);
    read.cable_ends.insert(name_of[word(each)] +
                           each.substr(word(each).size(), at - word(each).size()) +
                           name_of[word(far)] + far.substr(word(far).size()));
  }
  for (const std::string& each : found.lids) {
    const std::string id = word(each),
                      rest = each.substr(id.size(), each.find(" lmc ") - id.size());
    read.lids.insert(name_of[id] + (rest.starts_with('[') ? "" : "[0]") + rest);
  }
  return read;
}

TEST_CASE("everything in a port report is in the fabric or reported as left out") {
  const test::PlanSeeds seeds = test::seeds_from_environment();
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    const RandomPlan plan = test::draw_plan(seed);
    if (plan.nodes.size() < 2) continue;
    const std::vector<std::string> names = test::odd_names(plan, seed);
    const auto unstated = static_cast<std::size_t>(std::ranges::count_if(
        plan.cables, [](const PlannedCable& cable) { return to_string(cable.rate).empty(); }));
    const bool all_have_lids = std::ranges::all_of(plan.cables, [&](const PlannedCable& cable) {
      const auto has_lid = [&](PlannedPort end) {
        return plan.nodes[end.node].is_switch || test::lids_at(plan, end).first != 0;
      };
      return has_lid(cable.a) && has_lid(cable.b);
    });
    for (const ReportForm form : {ReportForm::ports, ReportForm::links, ReportForm::link_lines}) {
      // In this form only the LID identifies the far end, so the reader rejects a far end without a
      // LID.
      if (form == ReportForm::links && !all_have_lids) continue;
      const std::string text = ReportText(plan, names, form).run();
      INFO("seed " << seed << ": " << plan.recipe << "\n" << text);
      TopologyFile file =
          form == ReportForm::ports ? parse_port_report(text, "f") : parse_link_info(text, "f");
      CHECK(test::warned_of(file.warnings, "unknown rate\\(s\\)") == 2 * unstated);
      const NamedInventory in = planned_inventory(plan, names, form);
      const NamedInventory out = read_inventory(to_net_file(std::move(file.builder).build()));
      CHECK(in.names == out.names);
      CHECK(in.cable_ends == out.cable_ends);
      CHECK(in.lids == out.lids);
    }
  }
}

}  // namespace
}  // namespace pssp
