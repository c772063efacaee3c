#include "tools/reroute_impact/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json_text.h"
#include "base/printable.h"
#include "base/text_table.h"
#include "base/version.h"

namespace pssp {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_channels_displayed = 10;

struct NamedTally {
  const char* name;
  const char* meaning;
  FlowTally FlowChanges::*tally;
};

constexpr std::array flow_kinds{
    NamedTally{"same", "the same path", &FlowChanges::same},
    NamedTally{"moved", "another path", &FlowChanges::moved},
    NamedTally{"longer", "of these over more channels", &FlowChanges::longer},
    NamedTally{"lost", "no route any more", &FlowChanges::lost},
    NamedTally{"gained", "no route before", &FlowChanges::gained},
    NamedTally{"unrouted", "neither before nor after", &FlowChanges::unrouted},
    NamedTally{"lane", "another service level", &FlowChanges::lane}};

double percent(std::uint64_t part, std::uint64_t all) {
  return all == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

std::string name_of(const RerouteReport& report, const ChannelLoadChange& each) {
  return each.after.valid() ? report.fabric_after.channel_label(each.after)
                            : report.fabric_before.channel_label(each.before);
}

/// The maximum or sum of a figure over the random orders.
template <class Figure>
std::uint64_t largest_of(const RerouteReport& report, const Figure& figure) {
  std::uint64_t largest = 0;
  for (std::size_t i = 1; i < report.orders.size(); ++i) {
    largest = std::max<std::uint64_t>(largest, figure(report.orders[i]));
  }
  return largest;
}
template <class Figure>
std::string mean_of(const RerouteReport& report, const Figure& figure) {
  double sum = 0;
  for (std::size_t i = 1; i < report.orders.size(); ++i) {
    sum += static_cast<double>(figure(report.orders[i]));
  }
  return fmt::format("{:.1f}", sum / static_cast<double>(report.orders.size() - 1));
}

/// A row of figures, computed from the orders by `value`.
template <class Value>
std::vector<std::string> order_row(std::string name, const Value& value) {
  return {std::move(name),
          value([](const OrderImpact& each) { return each.no_route.flows; }),
          value([](const OrderImpact& each) { return each.no_route.most; }),
          value([](const OrderImpact& each) { return each.no_route.longest; }),
          value([](const OrderImpact& each) { return each.loop.flows; }),
          value([](const OrderImpact& each) { return each.loop.most; }),
          value([](const OrderImpact& each) { return each.loop.longest; }),
          value([](const OrderImpact& each) { return each.credit_loop_states; })};
}

std::string credit_loop_text(const RerouteReport& report, const OrderImpact& impact) {
  if (impact.credit_loop_states == 0) return "";
  std::string text =
      fmt::format("credit loop from transient state {} on{}:\n", impact.first_credit_loop,
                  impact.new_tables_have_one ? " (the tables afterwards have one, too)" : "");
  for (const ChannelId c : impact.credit_loop) {
    text += "  " + printable(report.fabric_after.channel_label(c)) + "\n";
  }
  return text;
}

double to_ms(std::int64_t ns) { return static_cast<double>(ns) / 1e6; }

std::string times_text(const RerouteReport& report) {
  if (!report.timed) return "";
  const TimedOrder& timed = *report.timed;
  return fmt::format(
      "  first write {:.1f} ms after the fault, last {:.1f} ms; a flow had no route for {:.1f} ms "
      "at "
      "most, and was in a loop for {:.1f} ms at most\n",
      to_ms(timed.first_ns), to_ms(timed.last_ns), to_ms(timed.seen.no_route.longest_ns),
      to_ms(timed.seen.loop.longest_ns));
}

std::string orders_text(const RerouteReport& report) {
  const OrderImpact& first = report.orders.front();
  std::string text = fmt::format(
      "\nwhile the {} blocks are written (only flows with a route in the new tables; longest in "
      "writes)\n  before the first write {} have no route, {} are in a loop\n",
      report.tables.writes.size(), first.no_route.at_first, first.loop.at_first);
  std::vector<TableRow> columns;
  columns.push_back({"order", "no route", "at once", "longest", "in a loop", "at once", "longest",
                     "writes with a credit loop"});
  columns.push_back(
      order_row(report.order, [&](const auto& figure) { return std::to_string(figure(first)); }));
  if (report.orders.size() > 1) {
    const std::size_t count = report.orders.size() - 1;
    columns.push_back(
        order_row(fmt::format("worst of {} random orders", count),
                  [&](const auto& figure) { return std::to_string(largest_of(report, figure)); }));
    columns.push_back(order_row("mean of the random orders",
                                [&](const auto& figure) { return mean_of(report, figure); }));
  }
  return text + text_table(columns, {.indent = 2}) + times_text(report) +
         credit_loop_text(report, first);
}

Json to_json(const AffectedFlows& affected) {
  Json json;
  json["at_first"] = affected.at_first;
  json["flows"] = affected.flows;
  json["at_once"] = affected.most;
  json["longest"] = affected.longest;
  return json;
}

Json orders_json(const RerouteReport& report) {
  Json orders = Json::array();
  for (std::size_t i = 0; i < report.orders.size(); ++i) {
    const OrderImpact& impact = report.orders[i];
    Json order;
    order["order"] = i == 0 ? report.order : fmt::format("random {}", i - 1);
    order["no_route"] = to_json(impact.no_route);
    order["loop"] = to_json(impact.loop);
    if (i == 0 && report.timed) {
      order["no_route"]["longest_ms"] = to_ms(report.timed->seen.no_route.longest_ns);
      order["loop"]["longest_ms"] = to_ms(report.timed->seen.loop.longest_ns);
      order["first_ms"] = to_ms(report.timed->first_ns);
      order["last_ms"] = to_ms(report.timed->last_ns);
    }
    order["credit_loop"]["writes"] = impact.credit_loop_states;
    order["credit_loop"]["first"] =
        impact.credit_loop.empty() ? Json() : Json(impact.first_credit_loop);
    order["credit_loop"]["afterwards"] = impact.new_tables_have_one;
    order["credit_loop"]["channels"] = Json::array();
    for (const ChannelId c : impact.credit_loop) {
      order["credit_loop"]["channels"].push_back(report.fabric_after.channel_label(c));
    }
    orders.push_back(std::move(order));
  }
  return orders;
}

Json json_of(const RerouteReport& report, const FlowTally& tally) {
  if (!report.has_bytes) return tally.flows;
  Json json;
  json["flows"] = tally.flows;
  json["bytes"] = tally.bytes;
  return json;
}

Json loads_json(const RerouteReport& report) {
  const LoadChanges& loads = report.routes.loads;
  Json json;
  json["all"] = loads.channels;
  json["largest_before"] = loads.largest_before;
  json["largest_after"] = loads.largest_after;
  json["changed"] = Json::array();
  for (const ChannelLoadChange& each : loads.changed) {
    Json channel;
    channel["name"] = name_of(report, each);
    channel["before"] = each.before.valid() ? Json(each.load_before) : Json();
    channel["after"] = each.after.valid() ? Json(each.load_after) : Json();
    json["changed"].push_back(std::move(channel));
  }
  return json;
}

}  // namespace

std::string flows_text(const RerouteReport& report) {
  const FlowChanges& flows = report.routes.flows;
  std::vector<TableRow> columns;
  std::vector<std::string> head{"flows", "number", "%"};
  if (report.has_bytes) head.insert(head.end(), {"bytes", "%"});
  columns.push_back(std::move(head));
  for (const NamedTally& kind : flow_kinds) {
    const FlowTally& tally = flows.*kind.tally;
    std::vector<std::string> row{fmt::format("{}: {}", kind.name, kind.meaning),
                                 std::to_string(tally.flows),
                                 fmt::format("{:.2f}", percent(tally.flows, flows.all.flows))};
    if (report.has_bytes) {
      row.push_back(std::to_string(tally.bytes));
      row.push_back(fmt::format("{:.2f}", percent(tally.bytes, flows.all.bytes)));
    }
    columns.push_back(std::move(row));
  }
  return text_table(columns, {.indent = 2});
}

std::string loads_text(const RerouteReport& report) {
  const LoadChanges& loads = report.routes.loads;
  std::string text = fmt::format(
      "\n{} of {} channels carry over 25 % more or less than before; the largest load was {} and "
      "is {}\n",
      loads.changed.size(), loads.channels, loads.largest_before, loads.largest_after);
  if (loads.changed.empty()) return text;
  std::vector<TableRow> columns;
  columns.push_back({"channel", "before", "after"});
  for (std::size_t i = 0; i < std::min(most_channels_displayed, loads.changed.size()); ++i) {
    const ChannelLoadChange& each = loads.changed[i];
    columns.push_back({printable(name_of(report, each)),
                       each.before.valid() ? std::to_string(each.load_before) : "-",
                       each.after.valid() ? std::to_string(each.load_after) : "-"});
  }
  return text + text_table(columns, {.indent = 2});
}

std::string to_text(const RerouteReport& report) {
  return fmt::format("{} -> {}: {} entries in {} blocks of {} switches are written\n",
                     report.before, report.after, report.tables.entries,
                     report.tables.writes.size(), report.tables.switches) +
         flows_text(report) + loads_text(report) + orders_text(report);
}

std::string to_json(const RerouteReport& report) {
  Json json;
  json["before"] = report.before;
  json["after"] = report.after;
  json["tables"]["entries"] = report.tables.entries;
  json["tables"]["blocks"] = report.tables.writes.size();
  json["tables"]["switches"] = report.tables.switches;
  json["flows"]["all"] = json_of(report, report.routes.flows.all);
  for (const NamedTally& kind : flow_kinds) {
    json["flows"][kind.name] = json_of(report, report.routes.flows.*kind.tally);
  }
  json["channels"] = loads_json(report);
  json["in_between"] = orders_json(report);
  json["version"] = version();
  return dump_json(json);
}

}  // namespace pssp
