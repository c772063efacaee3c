#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/json_text.h"
#include "base/text_table.h"
#include "base/untrusted_text.h"
#include "base/version.h"
#include "evaluator/report/comparison_report.h"
#include "evaluator/report/structured_report.h"
#include "fabric/nodes/node_description.h"
#include "tools/deploy_tables/plan.h"

namespace pssp {
namespace {

using PlanJson = nlohmann::ordered_json;

constexpr std::size_t most_switches_displayed = 10;

std::string name_of(const Fabric& fabric, std::uint32_t s) {
  const Switch& node = fabric.switch_at(SwitchId(s));
  return untrusted_text(description_or_name(node));
}

std::string switches_text(const Plan& plan, const Fabric& fabric) {
  if (plan.switches.empty()) return "";
  std::vector<TableRow> columns;
  columns.push_back({"switch", "entries", "blocks"});
  for (std::size_t i = 0; i < std::min(most_switches_displayed, plan.switches.size()); ++i) {
    const SwitchWrites& each = plan.switches[i];
    columns.push_back({name_of(fabric, each.at_switch), std::to_string(each.entries),
                       std::to_string(each.blocks)});
  }
  std::string text = text_table(columns, {.indent = 2});
  if (plan.switches.size() > most_switches_displayed) {
    text += fmt::format("  and {} more switches\n", plan.switches.size() - most_switches_displayed);
  }
  return text;
}

std::string moves_text(const Plan& plan) {
  const FlowChanges& flows = plan.routes.flows;
  const LoadChanges& loads = plan.routes.loads;
  return fmt::format(
      "\n{1} of {0} flows move to another path ({2:.2f} %), {3} of them to a longer one; {4} lose "
      "their path, {5} gain one\nthe largest load of a link changes from {6} to {7}\n",
      flows.all.flows, flows.moved.flows, plan.moved_percent, flows.longer.flows, flows.lost.flows,
      flows.gained.flows, loads.largest_before, loads.largest_after);
}

struct WorstOrder {
  std::uint64_t loops = 0, no_route = 0;
};

WorstOrder worst_order(const Plan& plan) {
  WorstOrder worst;
  for (std::size_t i = 1; i < plan.orders.size(); ++i) {
    worst.loops = std::max(worst.loops, plan.orders[i].loop.flows);
    worst.no_route = std::max(worst.no_route, plan.orders[i].no_route.flows);
  }
  return worst;
}

std::string orders_text(const Plan& plan) {
  const OrderImpact& first = plan.orders.front();
  std::string text = fmt::format(
      "while opensm writes the blocks in its order, {} flows are briefly in a loop and {} without "
      "route",
      first.loop.flows, first.no_route.flows);
  if (plan.orders.size() > 1) {
    const WorstOrder worst = worst_order(plan);
    text += fmt::format("; in the worst of {} random orders {} and {}", plan.orders.size() - 1,
                        worst.loops, worst.no_route);
  }
  return text + "\n";
}

PlanJson comparison_json(const Plan& plan) {
  PlanJson list = PlanJson::array();
  for (std::size_t i = 0; i < plan.comparison.tables.size(); ++i) {
    const ComparedTables& each = plan.comparison.tables[i];
    PlanJson row;
    row["name"] = each.name;
    row["bandwidth"] = each.metric.mean;
    row["stderr"] = each.metric.standard_error;
    row["edge_forwarding_index"] = each.edge_forwarding_index;
    row["hops_mean"] = each.mean_hops;
    row["usable"] = each.usable;
    row["credit_loop"] = each.credit_loop ? PlanJson(*each.credit_loop) : PlanJson();
    const StructuredTraffic& structured = plan.structured[i];
    row["S"] = structured.left_out ? PlanJson() : PlanJson(structured.times.structured_slowdown);
    list.push_back(std::move(row));
  }
  return list;
}

PlanJson flows_json(const Plan& plan) {
  const FlowChanges& flows = plan.routes.flows;
  PlanJson json;
  json["all"] = flows.all.flows;
  json["same"] = flows.same.flows;
  json["moved"] = flows.moved.flows;
  json["moved_percent"] = plan.moved_percent;
  json["longer"] = flows.longer.flows;
  json["lost"] = flows.lost.flows;
  json["gained"] = flows.gained.flows;
  return json;
}

}  // namespace

std::string to_text(const Plan& plan, const Fabric& fabric) {
  std::string text =
      fmt::format("{} -> {}: apply writes {} entries in {} blocks of {} switches\n", plan.before,
                  plan.after, plan.tables.entries, plan.tables.writes.size(), plan.tables.switches);
  text += switches_text(plan, fabric) + moves_text(plan) + orders_text(plan) + "\n";
  text += to_text(plan.comparison);
  for (std::size_t i = 0; i < plan.structured.size(); ++i) {
    text +=
        fmt::format("  {}: {}\n", plan.comparison.tables[i].name, summary_line(plan.structured[i]));
  }
  return text;
}

std::string to_json(const Plan& plan, const Fabric& fabric) {
  PlanJson json;
  json["before"] = plan.before;
  json["after"] = plan.after;
  json["tables"]["entries"] = plan.tables.entries;
  json["tables"]["blocks"] = plan.tables.writes.size();
  json["tables"]["switches"] = plan.tables.switches;
  json["switches"] = PlanJson::array();
  for (const SwitchWrites& each : plan.switches) {
    PlanJson row;
    row["guid"] = fmt::format("{:#018x}", fabric.switch_at(SwitchId(each.at_switch)).guid);
    row["name"] = name_of(fabric, each.at_switch);
    row["entries"] = each.entries;
    row["blocks"] = each.blocks;
    json["switches"].push_back(std::move(row));
  }
  json["flows"] = flows_json(plan);
  json["largest_load"]["before"] = plan.routes.loads.largest_before;
  json["largest_load"]["after"] = plan.routes.loads.largest_after;
  json["in_between"] = PlanJson::array();
  for (const OrderImpact& each : plan.orders) {
    PlanJson order;
    order["loop"] = each.loop.flows;
    order["no_route"] = each.no_route.flows;
    json["in_between"].push_back(std::move(order));
  }
  json["scores"] = comparison_json(plan);
  json["seed"] = plan.comparison.seed;
  json["version"] = version();
  return dump_json(json);
}

}  // namespace pssp
