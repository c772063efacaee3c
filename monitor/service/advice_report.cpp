// The report of `monitor_fabric advise`, for people and for programs. Its proposals are lines to
// copy; nothing is executed.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/json_text.h"
#include "base/text_table.h"
#include "base/untrusted_text.h"
#include "base/utc_time.h"
#include "fabric/nodes/node_description.h"
#include "monitor/service/advice_run.h"

namespace pssp {
namespace {

using AdviceJson = nlohmann::ordered_json;

constexpr std::size_t most_pairs_in_text = 20;

std::string channel_name(const TrafficWindow& window, ChannelId channel) {
  const Fabric& fabric = *window.observed.fabric;
  if (channel.value() >= fabric.channel_count()) return "none";
  const auto end = [&](std::uint32_t s, PortNumber port) {
    const Switch& each = fabric.switch_at(SwitchId(s));
    return port_label(untrusted_text(description_or_name(each)), port);
  };
  const std::uint32_t c = channel.value();
  return fmt::format("{} -> {}", end(fabric.channel_tail()[c], fabric.channel_out_port()[c]),
                     end(fabric.channel_head()[c], fabric.channel_in_port()[c]));
}

std::string switch_name(const TrafficWindow& window, SwitchId s) {
  const Switch& each = window.observed.fabric->switch_at(s);
  return untrusted_text(description_or_name(each));
}

std::string job_name(const TrafficWindow& window, std::uint32_t job) {
  if (job >= window.jobs.size()) return "no job";
  return untrusted_text(window.jobs[job].stored.job.id);
}

std::string lanes_text(unsigned lanes) { return lanes == 0 ? "> 8" : std::to_string(lanes); }

/// Returns 0 if the percentage would be rounded to 0, so that no minus sign appears.
double percent(double part) { return std::abs(part) < 5e-4 ? 0 : 100 * part; }

std::string gain_text(const AdvisedQuantity& quantity) {
  return fmt::format("{:.1f} [{:6.1f} .. {:5.1f}]", percent(quantity.gain), percent(quantity.lower),
                     percent(quantity.upper));
}

std::string manager_line(const std::string& name) {
  return name == stable_tables ? "event_plugin_options stable=on, with the current routing_engine"
                               : "routing_engine " + name;
}

std::string route_command(const std::string& name) {
  return name == stable_tables ? "pssp route --stable RUNNING.lft fabric.net -o new.lft"
                               : fmt::format("pssp route --engine {} fabric.net -o new.lft", name);
}

bool is_compared(const ProposedTables& each) {
  return each.candidate.problem.empty() && !each.same;
}

/// With stable=on, a running engine keeps its baseline even if it could compute a better one.
std::string baseline_line(const ProposedTables& each) {
  return fmt::format(
      "a new baseline of {} would give {}; if OpenSM already uses this engine, create the file "
      "osmpssp-{}.rebaseline in OpenSM's cache folder and send SIGHUP to opensm",
      each.candidate.name, describe(*each.baseline), each.candidate.name);
}

void add_baselines(std::string& text, const Advice& advice) {
  for (const ProposedTables& each : advice.proposals) {
    if (each.baseline) text += baseline_line(each) + "\n";
  }
}

void add_table(std::string& text, const Advice& advice) {
  std::vector<TableRow> rows{
      {"", "busiest channel,", "mean over bytes,", "bisection bandwidth,", "", "", "", ""},
      {"tables", "% less [95 %]", "% less [95 %]", "% more [95 %]", "entries", "pairs moved",
       "bytes moved", "lanes"}};
  for (const ProposedTables& each : advice.proposals) {
    if (!is_compared(each)) continue;
    rows.push_back({each.candidate.name, gain_text(each.busiest), gain_text(each.mean),
                    gain_text(each.bandwidth), fmt::to_string(each.entries),
                    fmt::to_string(each.moved.flows),
                    fmt::format("{:.1f} %", 100 * each.bytes_moved), lanes_text(each.lanes)});
  }
  text += "\n" + text_table(rows) + "\n";
}

bool is_parallel(const AdviceRun& run, const ExtraCable& cable) {
  const Fabric& fabric = *run.window->observed.fabric;
  const std::uint32_t c = run.channel->channel.value();
  return cable.from.value() == fabric.channel_tail()[c] &&
         cable.to.value() == fabric.channel_head()[c];
}

void add_cables(std::string& text, const AdviceRun& run) {
  text += "additional cables that would help (one cable at a time, other LFT entries unchanged):\n";
  for (const ExtraCable& each : run.cables.cables) {
    fmt::format_to(
        std::back_inserter(text),
        "  {} - {}{}: takes over {} flows ({:.1f} % of the bytes) with {} changed entries; busy "
        "time relative to the channel's current busy time: channel {:.0f} %, cable {:.0f} %; flows "
        "of the channel gain {:.1f} %; ports without a cable: {} and {}\n",
        switch_name(*run.window, each.from), switch_name(*run.window, each.to),
        is_parallel(run, each) ? " (parallel to the channel)" : "", each.flows,
        100 * each.bytes / run.channel->bytes, each.destinations.size(), 100 * each.busy,
        100 * each.seconds / run.channel->busy_seconds, 100 * each.gain,
        run.free_ports[each.from.value()], run.free_ports[each.to.value()]);
  }
  if (run.cables.cables.empty()) {
    text += run.cables.without_ports == 0
                ? "  no cable helps: the flows are also held up on other channels\n"
                : "  no cable helps between switches that have a port without a cable\n";
  }
  if (run.cables.without_ports != 0) {
    fmt::format_to(std::back_inserter(text),
                   "  useful cables left out, because an end has no port without a cable: {}\n",
                   run.cables.without_ports);
  }
}

void add_channel(std::string& text, const AdviceRun& run) {
  const ChannelFlows& asked = *run.channel;
  fmt::format_to(std::back_inserter(text),
                 "\n{}: {} flows, {:.4g} GB, busy for {:.1f} % of the time\n",
                 channel_name(*run.window, asked.channel), asked.flows, asked.bytes / 1e9,
                 100 * asked.busy_seconds / run.advice.seconds);
  for (std::size_t i = 0; i < std::min(asked.pairs.size(), most_pairs_in_text); ++i) {
    const LeafPair& each = asked.pairs[i];
    fmt::format_to(
        std::back_inserter(text), "  {:>5.1f} %  {} -> {}, {}: {} flows\n",
        asked.bytes > 0 ? 100 * each.bytes / asked.bytes : 0, switch_name(*run.window, each.from),
        switch_name(*run.window, each.to),
        each.job < run.window->jobs.size() ? "job " + job_name(*run.window, each.job) : "no job",
        each.flows);
  }
  if (asked.pairs.size() > most_pairs_in_text) {
    fmt::format_to(std::back_inserter(text), "  and {} more pairs of switches\n",
                   asked.pairs.size() - most_pairs_in_text);
  }
  for (const AvoidingFlows& each : asked.avoiding) {
    fmt::format_to(std::back_inserter(text),
                   "with {}: {} of the flows ({:.1f} % of the bytes) avoid the channel; its busy "
                   "time is {:.0f} % of the current busy time\n",
                   each.name, each.flows, 100 * each.bytes, 100 * each.busy);
  }
  add_cables(text, run);
}

AdviceJson quantity_json(const AdvisedQuantity& quantity) {
  return {{"in_force", quantity.in_force},
          {"proposed", quantity.proposed},
          {"gain", quantity.gain},
          {"lower", quantity.lower},
          {"upper", quantity.upper}};
}

AdviceJson proposal_json(const ProposedTables& each) {
  AdviceJson json = {{"tables", each.candidate.name},
                     {"recommended", each.recommended},
                     {"reason", untrusted_text(each.reason)},
                     {"same", each.same}};
  if (!is_compared(each)) return json;
  json["busiest_channel"] = quantity_json(each.busiest);
  json["mean_congestion"] = quantity_json(each.mean);
  json["bisection_bandwidth"] = quantity_json(each.bandwidth);
  json["entries"] = each.entries;
  json["blocks"] = each.blocks;
  json["switches"] = each.switches;
  json["pairs"] = each.flows.flows;
  json["pairs_moved"] = each.moved.flows;
  json["bytes_moved"] = each.bytes_moved;
  json["lanes"] = each.lanes == 0 ? AdviceJson() : AdviceJson(each.lanes);
  if (each.baseline) {
    json["new_baseline"] = {
        {"S_in_force", each.baseline->before.slowdown},
        {"S", each.baseline->after.slowdown},
        {"bandwidth_gain", each.baseline->after.bandwidth / each.baseline->before.bandwidth - 1},
        {"score_gain", each.baseline->gain() / 100},
        {"entries", each.baseline->entries}};
  }
  json["opensm"] = manager_line(each.candidate.name);
  json["command"] = route_command(each.candidate.name);
  return json;
}

AdviceJson channel_json(const AdviceRun& run) {
  const ChannelFlows& asked = *run.channel;
  AdviceJson pairs = AdviceJson::array(), avoiding = AdviceJson::array();
  for (const LeafPair& each : asked.pairs) {
    pairs.push_back(
        {{"from", switch_name(*run.window, each.from)},
         {"to", switch_name(*run.window, each.to)},
         {"job", each.job < run.window->jobs.size() ? AdviceJson(job_name(*run.window, each.job))
                                                    : AdviceJson()},
         {"flows", each.flows},
         {"bytes", each.bytes}});
  }
  for (const AvoidingFlows& each : asked.avoiding) {
    avoiding.push_back(
        {{"tables", each.name}, {"flows", each.flows}, {"bytes", each.bytes}, {"busy", each.busy}});
  }
  AdviceJson cables = AdviceJson::array();
  for (const ExtraCable& each : run.cables.cables) {
    cables.push_back(
        {{"from", switch_name(*run.window, each.from)},
         {"to", switch_name(*run.window, each.to)},
         {"parallel", is_parallel(run, each)},
         {"flows", each.flows},
         {"bytes", each.bytes},
         {"entries", each.destinations.size()},
         {"busy", each.busy},
         {"cable_busy", each.seconds / run.channel->busy_seconds},
         {"gain", each.gain},
         {"free_ports", {run.free_ports[each.from.value()], run.free_ports[each.to.value()]}}});
  }
  return {{"name", channel_name(*run.window, asked.channel)},
          {"flows", asked.flows},
          {"bytes", asked.bytes},
          {"busy", asked.busy_seconds / run.advice.seconds},
          {"pairs", std::move(pairs)},
          {"avoiding", std::move(avoiding)},
          {"cables", std::move(cables)},
          {"cables_without_ports", run.cables.without_ports}};
}

}  // namespace

std::string advice_text(const AdviceRun& run) {
  const Advice& advice = run.advice;
  const TrafficWindow& window = *run.window;
  std::string text = fmt::format(
      "{} .. {}: {} sweeps, {:.0f} s, {:.4g} GB between {} pairs of hosts\n",
      utc_text(window.time_ms.front() - static_cast<std::int64_t>(1e3 * window.seconds.front())),
      utc_text(window.time_ms.back()), advice.sweeps, advice.seconds, advice.bytes / 1e9,
      advice.flows);
  fmt::format_to(
      std::back_inserter(text),
      "tables in force: busiest channel {}, busy for {:.1f} % of the time; lanes needed: {}\n",
      channel_name(window, advice.busiest_channel), 100 * advice.busiest, lanes_text(advice.lanes));
  for (const std::string& remark : window.remarks) text += "note: " + untrusted_text(remark) + "\n";
  for (const std::string& remark : advice.remarks) text += "note: " + remark + "\n";
  if (std::ranges::any_of(advice.proposals, is_compared)) add_table(text, advice);
  for (const ProposedTables& each : advice.proposals) text += untrusted_text(each.reason) + "\n";
  add_baselines(text, advice);
  if (advice.recommended) {
    const ProposedTables& best = advice.proposals[*advice.recommended];
    fmt::format_to(std::back_inserter(text),
                   "\nrecommended: {}; {} entries in {} blocks of {} switches would change\n"
                   "  opensm.conf: {}\n"
                   "  to inspect the tables first: pssp monitor export -d DATABASE "
                   "--topology-at {} -o fabric.net; {}\n",
                   best.candidate.name, best.entries, best.blocks, best.switches,
                   manager_line(best.candidate.name), utc_text(window.time_ms.back()),
                   route_command(best.candidate.name));
  }
  if (run.channel) add_channel(text, run);
  return text;
}

std::string advice_json(const AdviceRun& run) {
  const Advice& advice = run.advice;
  const TrafficWindow& window = *run.window;
  AdviceJson json = {
      {"since", window.time_ms.front() - static_cast<std::int64_t>(1e3 * window.seconds.front())},
      {"until", window.time_ms.back()},
      {"seconds", advice.seconds},
      {"sweeps", advice.sweeps},
      {"bytes", advice.bytes},
      {"flows", advice.flows},
      {"draws", advice.draws},
      {"bisections", advice.bisections},
      {"busiest",
       {{"channel", channel_name(window, advice.busiest_channel)},
        {"share_of_time", advice.busiest}}},
      {"lanes", advice.lanes == 0 ? AdviceJson() : AdviceJson(advice.lanes)},
      {"recommended", advice.recommended
                          ? AdviceJson(advice.proposals[*advice.recommended].candidate.name)
                          : AdviceJson()}};
  AdviceJson remarks = AdviceJson::array(), proposals = AdviceJson::array();
  for (const std::string& remark : window.remarks) remarks.push_back(untrusted_text(remark));
  for (const std::string& remark : advice.remarks) remarks.push_back(remark);
  for (const ProposedTables& each : advice.proposals) proposals.push_back(proposal_json(each));
  json["remarks"] = std::move(remarks);
  json["proposals"] = std::move(proposals);
  if (run.channel) json["channel"] = channel_json(run);
  return dump_json(json);
}

}  // namespace pssp
