// One table of all variants, followed by details. Every figure has a unit.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text_table.h"
#include "simulator/report/losses.h"
#include "simulator/values.h"
#include "tools/simulate_fabric/report.h"

namespace pssp {
namespace {

constexpr double giga_bytes = 1e9;
constexpr double ns_per_us = 1e3;

/// A mean over the seeds of a variant that began.
template <class Figure>
double mean_over_seeds(const std::vector<SimulatedRun>& runs, const Figure& figure) {
  double sum = 0;
  double count = 0;
  for (const SimulatedRun& run : runs) {
    if (!run.began) continue;
    sum += static_cast<double>(figure(run));
    ++count;
  }
  return count == 0 ? 0 : sum / count;
}

/// Picoseconds in which port figures are counted; 0 if the run ended within its warm-up.
double measured_ps(const SimulatedRun& run, const Traffic& traffic) {
  return static_cast<double>(std::max<SimulatedTime>(0, run.outcome.simulated - traffic.warmup));
}

/// "-" without a measurement.
std::string percent_text(double part, double whole, int decimals) {
  return whole > 0 ? fmt::format("{:.{}f} %", 100 * part / whole, decimals) : std::string("-");
}

/// Over seeds if there are several, else over batches of the single run.
MeanEstimate throughput_over_seeds(const std::vector<SimulatedRun>& runs) {
  std::vector<double> means;
  for (const SimulatedRun& run : runs) {
    if (run.began) means.push_back(run.summary.throughput.mean);
  }
  return means.size() == 1 ? runs.front().summary.throughput : mean_of(means);
}

/// When the runs ended: for patterns, when everything had arrived, long before their time limit.
std::string ends_text(const Simulation& simulation) {
  SimulatedTime first = never;
  SimulatedTime last = 0;
  for (const std::vector<SimulatedRun>& runs : simulation.runs) {
    for (const SimulatedRun& run : runs) {
      if (!run.began) continue;
      first = std::min(first, run.outcome.simulated);
      last = std::max(last, run.outcome.simulated);
    }
  }
  if (first >= last) return time_text(last);
  return fmt::format("{} .. {}", time_text(first), time_text(last));
}

std::string headline(const SimulateReport& report) {
  const Simulation& simulation = report.simulation;
  const SimulatedTables& first = simulation.input.tables.front();
  const Traffic& traffic = simulation.traffic.front().traffic;
  std::string text = fmt::format(
      "{}: {} switches, {} hosts; {}\n  {} simulated, measured from {} on; {}\n", first.name,
      first.fabric.switch_count(), first.fabric.endpoints().size(),
      simulation.input.scenario != nullptr ? "scenario " + report.options.scenario
                                           : "traffic " + simulation.input.traffic.front().name,
      ends_text(simulation), time_text(traffic.warmup),
      simulation.seeds.size() == 1
          ? fmt::format("seed {}", simulation.seeds.front())
          : fmt::format("seeds {} .. {}", simulation.seeds.front(), simulation.seeds.back()));
  text += changes_text(summarize_changes(simulation.first_state(), simulation.later->states));
  if (simulation.interrupted) text += "  INTERRUPTED: partial results\n";
  return text;
}

std::string variants_text(const Simulation& simulation) {
  std::vector<TableRow> columns;
  columns.push_back({"run", "GByte/s", "95 % interval", "of the links", "latency mean us", "p50 us",
                     "p99 us", "Jain", "marks", "BECNs"});
  for (std::size_t v = 0; v < simulation.variants.size(); ++v) {
    const std::vector<SimulatedRun>& runs = simulation.runs[v];
    const MeanEstimate throughput = throughput_over_seeds(runs);
    const auto mean = [&](auto figure) { return mean_over_seeds(runs, figure); };
    columns.push_back(
        {simulation.variants[v].name, fmt::format("{:.3f}", throughput.mean / giga_bytes),
         throughput.values < 2 ? std::string("-")
                               : fmt::format("{:.3f} .. {:.3f}", throughput.lower_95 / giga_bytes,
                                             throughput.upper_95 / giga_bytes),
         fmt::format("{:.1f} %", 100 * mean([](const auto& r) { return r.summary.of_links; })),
         fmt::format("{:.2f}",
                     mean([](const auto& r) { return r.summary.latency.mean; }) / ns_per_us),
         fmt::format("{:.2f}",
                     mean([](const auto& r) { return r.summary.latency.p50; }) / ns_per_us),
         fmt::format("{:.2f}",
                     mean([](const auto& r) { return r.summary.latency.p99; }) / ns_per_us),
         fmt::format("{:.3f}", mean([](const auto& r) { return r.summary.jain; })),
         fmt::format("{:.0f}", mean([](const auto& r) { return r.outcome.marks; })),
         fmt::format("{:.0f}", mean([](const auto& r) { return r.outcome.becns; }))});
  }
  return text_table(columns, {.indent = 2});
}

/// For each run, if the fabric changes.
std::string lost_text(const Simulation& simulation) {
  if (simulation.later->for_run() == nullptr) return "";
  std::string text = "\neffects of the fabric changes\n";
  for (std::size_t v = 0; v < simulation.variants.size(); ++v) {
    for (std::size_t s = 0; s < simulation.seeds.size(); ++s) {
      const SimulatedRun& run = simulation.runs[v][s];
      if (!run.began) continue;
      text += fmt::format("  {}, seed {}: {}\n", simulation.variants[v].name, simulation.seeds[s],
                          losses_text(run.outcome.losses));
    }
  }
  return text;
}

std::string comparison_text(const SimulateReport& report) {
  if (report.comparisons.empty()) return "";
  const Simulation& simulation = report.simulation;
  const bool of_flows = simulation.compares_flows();
  const double unit = of_flows ? 1 : giga_bytes;
  std::vector<TableRow> columns;
  columns.push_back({fmt::format("compared with {}", simulation.variants.front().name),
                     of_flows ? "flow's share of its link" : "GByte/s more", "95 % interval",
                     "relative"});
  for (const VariantComparison& each : report.comparisons) {
    columns.push_back({simulation.variants[each.variant].name,
                       fmt::format("{:+.4f}", each.difference.mean / unit),
                       each.known
                           ? fmt::format("{:+.4f} .. {:+.4f}", each.difference.lower_95 / unit,
                                         each.difference.upper_95 / unit)
                           : std::string("- (one seed)"),
                       fmt::format("{:+.1f} %", 100 * each.relative)});
  }
  return "\n" + text_table(columns, {.indent = 2});
}

/// Mean over the seeds in whose measured time the flow was active; "-" if there are none.
std::string flow_share_text(const std::vector<SimulatedRun>& runs, std::size_t flow) {
  std::vector<double> values;
  for (const SimulatedRun& run : runs) {
    if (run.began && run.summary.flows[flow].measured) {
      values.push_back(run.summary.flows[flow].share);
    }
  }
  return values.empty() ? std::string("-") : fmt::format("{:.3f}", mean_of(values).mean);
}

/// The flows of the traffic, one column per variant.
std::string flows_text(const Simulation& simulation) {
  constexpr std::size_t most_flows = 40;
  constexpr std::size_t most_variants = 6;
  const std::vector<StaticFlow>& flows = simulation.traffic.front().traffic.flows;
  const std::size_t variants = std::min(most_variants, simulation.variants.size());
  if (flows.empty() || !simulation.runs.front().front().began) return "";
  std::vector<TableRow> columns;
  std::vector<std::string> head{"flow, share of its sender's link", "fair share"};
  for (std::size_t v = 0; v < variants; ++v) head.push_back(simulation.variants[v].name);
  columns.push_back(std::move(head));
  for (std::size_t f = 0; f < std::min(flows.size(), most_flows); ++f) {
    const FlowSummary& first = simulation.runs.front().front().summary.flows[f];
    std::vector<std::string> row{first.name + (first.victim ? " (victim)" : ""),
                                 first.fair_share ? fmt::format("{:.3f}", *first.fair_share) : "-"};
    for (std::size_t v = 0; v < variants; ++v) {
      row.push_back(flow_share_text(simulation.runs[v], f));
    }
    columns.push_back(std::move(row));
  }
  std::string text = "\n" + text_table(columns, {.indent = 2});
  if (flows.size() > most_flows) {
    text += fmt::format("  and {} more flows (--json, --csv)\n", flows.size() - most_flows);
  }
  return text;
}

/// Mean over the seeds whose patterns arrived, in microseconds; "-" if there are none.
std::string completion_text(const std::vector<SimulatedRun>& runs) {
  std::vector<double> values;
  for (const SimulatedRun& run : runs) {
    if (run.summary.completion_ns) values.push_back(*run.summary.completion_ns / ns_per_us);
  }
  return values.empty() ? std::string("-") : fmt::format("{:.2f}", mean_of(values).mean);
}

std::string finite_text(const Simulation& simulation) {
  if (!simulation.runs.front().front().summary.finite_flow_share) return "";
  std::vector<TableRow> columns;
  columns.push_back({"finite flows", "mean share of their links", "completion us"});
  for (std::size_t v = 0; v < simulation.variants.size(); ++v) {
    const auto& runs = simulation.runs[v];
    columns.push_back(
        {simulation.variants[v].name,
         fmt::format("{:.4f}", mean_over_seeds(runs,
                                               [](const auto& run) {
                                                 return run.summary.finite_flow_share.value_or(0);
                                               })),
         completion_text(runs)});
  }
  return "\n" + text_table(columns, {.indent = 2});
}

/// Percentiles of each run, averaged over the seeds.
std::string flow_completion_text(const Simulation& simulation) {
  if (!simulation.runs.front().front().summary.completions) return "";
  std::vector<TableRow> columns;
  columns.push_back({"completion of flows", "ended", "median us", "95 %", "99 %", "largest",
                     "slowdown: median", "95 %", "99 %", "largest"});
  for (std::size_t v = 0; v < simulation.variants.size(); ++v) {
    std::size_t flows = 0;
    std::size_t ended = 0;
    std::vector<FlowPercentiles> times, slowdowns;
    for (const SimulatedRun& run : simulation.runs[v]) {
      if (!run.began || !run.summary.completions) continue;
      const CompletionSummary& of = *run.summary.completions;
      flows += of.flows;
      ended += of.ended;
      if (of.ended > 0) times.push_back(of.time);
      if (of.slowdown) slowdowns.push_back(*of.slowdown);
    }
    std::vector<std::string> row{simulation.variants[v].name,
                                 fmt::format("{} of {}", ended, flows)};
    const auto add = [&row](const std::vector<FlowPercentiles>& all, double unit) {
      for (const auto which : {&FlowPercentiles::p50, &FlowPercentiles::p95, &FlowPercentiles::p99,
                               &FlowPercentiles::most}) {
        double sum = 0;
        for (const FlowPercentiles& each : all) sum += each.*which;
        const auto count = static_cast<double>(all.size());
        row.push_back(all.empty() ? "-" : fmt::format("{:.2f}", sum / count / unit));
      }
    };
    add(times, ns_per_us);
    add(slowdowns, 1);
    columns.push_back(std::move(row));
  }
  return "\n" + text_table(columns, {.indent = 2});
}

std::string victims_text(const SimulateReport& report) {
  const Simulation& simulation = report.simulation;
  constexpr std::size_t most_contributors = 8;
  std::string text;
  for (std::size_t v = 0; v < simulation.variants.size(); ++v) {
    const SimulatedRun& run = simulation.runs[v].front();
    const SimulatedTables& tables = simulation.tables_of(simulation.variants[v]);
    const PortDirectory ports(tables.fabric, simulation.model);
    if (run.victims.empty() || !simulation.variants[v].cell.empty()) continue;
    const double measured = measured_ps(run, simulation.traffic.front().traffic);
    text += fmt::format("\nvictims with {}, seed {}\n", simulation.variants[v].name,
                        simulation.seeds.front());
    for (const Victim& victim : run.victims) {
      const FlowSummary& flow = run.summary.flows[victim.flow];
      text +=
          fmt::format("  {}: {:.3f} of its link{}\n", flow.name, flow.share,
                      flow.fair_share ? fmt::format(", fair share {:.3f}", *flow.fair_share) : "");
      if (victim.tree.empty()) continue;
      for (std::size_t i = 0; i < victim.tree.size(); ++i) {
        const PortOutcome& port = run.outcome.ports[victim.tree[i]];
        const auto part = [&](SimulatedTime time) {
          return percent_text(static_cast<double>(time), measured, 0);
        };
        const bool counts = counts_congestion(simulation.variants[v]);
        text += fmt::format("    {} {}: {}without credits {} of the time\n",
                            i + 1 == victim.tree.size() ? "root"
                            : i == 0                    ? "held at"
                                                        : "then",
                            ports.name(victim.tree[i]),
                            counts ? fmt::format("congested {}, ", part(port.congested)) : "",
                            part(port.blocked));
      }
      std::string names;
      for (std::size_t i = 0; i < std::min(most_contributors, victim.contributors.size()); ++i) {
        names += (i == 0 ? "" : ", ") + run.summary.flows[victim.contributors[i]].name;
      }
      if (victim.contributors.size() > most_contributors) {
        names += fmt::format(" and {} more", victim.contributors.size() - most_contributors);
      }
      if (!names.empty()) text += "    contributors: " + names + "\n";
    }
  }
  return text;
}

std::string holds_text(const Simulation& simulation) {
  std::string text;
  for (const Variant& variant : simulation.variants) {
    if (!variant.congestion || !variant.cell.empty() || variant.tables != 0) continue;
    const SimulatedTables& tables = simulation.tables_of(variant);
    const PortDirectory ports(tables.fabric, simulation.model);
    for (const Hold& hold : find_holds(tables.fabric, simulation.traffic.front().traffic,
                                       simulation.model, *variant.congestion)) {
      text += fmt::format(
          "  {}: {}: {} contributors, one notification every {:.2f} us, CCTI_Timer {:.2f} us: {}\n",
          variant.name, ports.name(hold.root), hold.contributors, hold.notification_ns / ns_per_us,
          hold.timer_ns / ns_per_us, hold.holds() ? "hold" : "NO HOLD");
    }
  }
  return text.empty() ? ""
                      : "\nhold of congestion control on the contributors of each root\n" + text;
}

std::string ports_text(const SimulateReport& report) {
  const Simulation& simulation = report.simulation;
  const SimulatedRun& run = simulation.runs.front().front();
  if (report.options.top == 0 || !run.began) return "";
  const SimulatedTables& tables = simulation.input.tables.front();
  const PortDirectory ports(tables.fabric, simulation.model);
  std::vector<std::uint32_t> order(run.outcome.ports.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto held = [&](std::uint32_t port) {
    return std::max(run.outcome.ports[port].blocked, run.outcome.ports[port].congested);
  };
  std::ranges::stable_sort(order, std::ranges::greater{}, held);
  const Traffic& traffic = simulation.traffic.front().traffic;
  const double measured = measured_ps(run, traffic);
  if (measured <= 0) {
    return fmt::format("\nno port figures: the run ended at {}, within its warm-up of {}\n",
                       time_text(run.outcome.simulated), time_text(traffic.warmup));
  }
  std::vector<TableRow> columns;
  columns.push_back({fmt::format("ports with {}", simulation.variants.front().name), "used",
                     "congested", "without credits", "marks", "longest queue bytes"});
  const bool counts = counts_congestion(simulation.variants.front());
  std::size_t listed = 0;
  for (const std::uint32_t port : order) {
    const PortOutcome& outcome = run.outcome.ports[port];
    if (listed == report.options.top || held(port) == 0) break;
    const double carried = ports.rate(port) * measured / double{picoseconds_per_second};
    columns.push_back({ports.name(port),
                       percent_text(static_cast<double>(outcome.sent_bytes), carried, 1),
                       counts ? percent_text(static_cast<double>(outcome.congested), measured, 1)
                              : std::string("-"),
                       percent_text(static_cast<double>(outcome.blocked), measured, 1),
                       std::to_string(outcome.marks), std::to_string(outcome.max_queue_bytes)});
    ++listed;
  }
  return listed == 0 ? "" : "\n" + text_table(columns, {.indent = 2});
}

std::string endings_text(const Simulation& simulation) {
  std::string text;
  for (std::size_t v = 0; v < simulation.variants.size(); ++v) {
    for (std::size_t s = 0; s < simulation.seeds.size(); ++s) {
      const SimulatedRun& run = simulation.runs[v][s];
      if (!run.began || run.outcome.end == RunEnd::duration ||
          run.outcome.end == RunEnd::all_delivered) {
        continue;
      }
      const SimulatedTables& tables = simulation.tables_of(simulation.variants[v]);
      const PortDirectory ports(tables.fabric, simulation.model);
      text +=
          fmt::format("\n{}, seed {}: ended by {} at {}, {} packets in the network\n",
                      simulation.variants[v].name, simulation.seeds[s], end_name(run.outcome.end),
                      time_text(run.outcome.simulated), run.outcome.in_flight);
      for (const std::uint32_t port : run.outcome.deadlock) {
        text += fmt::format("  {} waits for the next channel\n", ports.name(port));
      }
    }
  }
  return text;
}

std::string checked_text(const SimulateReport& report) {
  if (report.checked.empty()) return "";
  std::vector<TableRow> columns;
  columns.push_back({"published or expected", "run", "value", "found", "deviation", "allowed",
                     "unit", "", "source"});
  for (const CheckedFigure& each : report.checked) {
    const auto bound = [](const std::optional<double>& value) {
      return value ? fmt::format("{:.4g}", *value) : std::string();
    };
    columns.push_back(
        {each.what, each.run, fmt::format("{:.4g}", each.expected),
         fmt::format("{:.4g}", each.found),
         each.expected == 0 || each.is_rank ? std::string("-")
                                            : fmt::format("{:+.1f} %", 100 * each.deviation()),
         each.least || each.most ? fmt::format("{} .. {}", bound(each.least), bound(each.most))
                                 : std::string("-"),
         each.unit, each.verdict(), each.source});
  }
  return "\n" + text_table(columns, {.indent = 2});
}

}  // namespace

std::string to_text(const SimulateReport& report) {
  const Simulation& simulation = report.simulation;
  std::string text = headline(report) + variants_text(simulation) + lost_text(simulation) +
                     comparison_text(report);
  if (simulation.runs.front().front().began) {
    text += finite_text(simulation) + flow_completion_text(simulation) + flows_text(simulation) +
            victims_text(report) + holds_text(simulation) + ports_text(report);
  }
  return text + endings_text(simulation) + checked_text(report);
}

}  // namespace pssp
