// One line per statement, beginning with its fault. The final count of correct cables shows that a
// short answer is complete.

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/no_index.h"
#include "base/version.h"
#include "operations/cabling/cabling_statements.h"

namespace pssp {
namespace {

std::string_view word_of(CablingMove::Kind kind) {
  constexpr std::array<std::string_view, 4> words{"exchange", "replug", "connect", "remove"};
  return words[static_cast<std::size_t>(kind)];
}

std::string_view word_of(MatchedBy how) {
  constexpr std::array<std::string_view, 5> words{"nothing", "guid", "name", "neighbours", "cable"};
  return words[static_cast<std::size_t>(how)];
}

std::string spoken(CablingFault fault) {
  std::string word(word_of(fault));
  for (char& c : word) c = c == '_' ? ' ' : c;
  return word;
}

nlohmann::ordered_json json_of(const CablingStatement& statement) {
  nlohmann::ordered_json json;
  json["fault"] = word_of(statement.fault);
  json["text"] = statement.text;
  json["ports"] = statement.ports;
  json["count"] = statement.count;
  json["of_rails"] = statement.of_rails;
  json["moves"] = nlohmann::ordered_json::array();
  for (const CablingMove& move : statement.moves) {
    json["moves"].push_back({{"move", word_of(move.kind)}, {"from", move.from}, {"to", move.to}});
  }
  return json;
}

nlohmann::ordered_json json_of(std::span<const CablingStatement> statements) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const CablingStatement& each : statements) json.push_back(json_of(each));
  return json;
}

std::string worth_text(const RoutedWorth& worth) {
  if (!worth.refused.empty()) return "no tables: " + worth.refused;
  return fmt::format("bandwidth {:.4f}, S {:.3f}, {} hosts", worth.bandwidth, worth.slowdown,
                     worth.hosts);
}

std::string costs_text(const CablingCosts& costs) {
  std::string text =
      fmt::format("routed by {}, {} bisections:\n  as planned  {}\n  as it is    {}\n",
                  costs.engine, costs.patterns, worth_text(costs.planned), worth_text(costs.real));
  if (costs.in_force) {
    text += fmt::format("  in force    {}, with the given tables\n", worth_text(*costs.in_force));
  }
  return text + fmt::format("  repaired    {}\n", worth_text(costs.repaired));
}

nlohmann::ordered_json json_of(const RoutedWorth& worth) {
  nlohmann::ordered_json json;
  json["hosts"] = worth.hosts;
  json["refused"] =
      worth.refused.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(worth.refused);
  if (!worth.refused.empty()) return json;
  json["ebb"] = worth.bandwidth;
  json["S"] = worth.slowdown;
  return json;
}

nlohmann::ordered_json json_of(const CablingCosts& costs) {
  nlohmann::ordered_json json;
  json["engine"] = costs.engine;
  json["patterns"] = costs.patterns;
  json["planned"] = json_of(costs.planned);
  json["real"] = json_of(costs.real);
  if (costs.in_force) json["in_force"] = json_of(*costs.in_force);
  json["repaired"] = json_of(costs.repaired);
  return json;
}

}  // namespace

std::string_view word_of(CablingFault fault) {
  constexpr std::array<std::string_view, cabling_fault_count> words{
      "swapped",      "moved",      "missing",     "extra",          "slower", "missing_node",
      "unknown_node", "wrong_rail", "fewer_rails", "uneven_uplinks", "renamed"};
  return words[static_cast<std::size_t>(fault)];
}

std::string line_of(const CablingStatement& statement) {
  return fmt::format("{}: {}", spoken(statement.fault), statement.text);
}

std::string to_text(std::span<const CablingStatement> statements) {
  std::string text;
  for (const CablingStatement& each : statements) text += line_of(each) + "\n";
  return text;
}

std::string to_json(std::span<const CablingStatement> statements, std::string_view fabric_name) {
  nlohmann::ordered_json json;
  json["plan"] = nullptr;
  json["fabric"] = fabric_name;
  json["statements"] = json_of(statements);
  json["version"] = version();
  return dump_json(json);
}

std::string to_text(const CablingComparison& comparison) {
  std::string text = to_text(comparison.statements);
  text += fmt::format("{} of {} planned cables are in place, {} cables in the fabric, {} {}\n",
                      comparison.cables_in_place, comparison.planned_cables,
                      comparison.found_cables, comparison.statements.size(),
                      comparison.statements.size() == 1 ? "statement" : "statements");
  if (comparison.costs) text += costs_text(*comparison.costs);
  return text;
}

std::string to_json(const CablingComparison& comparison, std::string_view plan_name,
                    std::string_view fabric_name) {
  nlohmann::ordered_json json;
  json["plan"] = plan_name;
  json["fabric"] = fabric_name;
  json["planned_cables"] = comparison.planned_cables;
  json["found_cables"] = comparison.found_cables;
  json["cables_in_place"] = comparison.cables_in_place;
  json["matched_nodes"] = comparison.matched_nodes;
  json["statements"] = json_of(comparison.statements);
  if (comparison.costs) json["costs"] = json_of(*comparison.costs);
  json["version"] = version();
  return dump_json(json);
}

std::string node_map_text(const Cabling& plan, const Cabling& fabric,
                          const NodeMatching& matching) {
  std::string text = "# node of the plan, node of the fabric, matched by\n";
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const std::uint32_t found = matching.fabric_of[n];
    if (found == no_index) {
      text += fmt::format("\"{}\" - nothing\n", plan.nodes[n].name);
    } else {
      text += fmt::format("\"{}\" \"{}\" {}\n", plan.nodes[n].name, fabric.nodes[found].name,
                          word_of(matching.how[n]));
    }
  }
  for (std::size_t n = 0; n < fabric.nodes.size(); ++n) {
    if (matching.plan_of[n] == no_index) {
      text += fmt::format("- \"{}\" nothing\n", fabric.nodes[n].name);
    }
  }
  return text;
}

}  // namespace pssp
