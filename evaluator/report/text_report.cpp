#include "evaluator/report/text_report.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "evaluator/report/bound_report.h"
#include "evaluator/report/fairness_report.h"
#include "evaluator/report/lane_report.h"
#include "evaluator/report/structured_report.h"
#include "evaluator/report/text_writer.h"
#include "evaluator/report/worst_pairs_report.h"
#include "evaluator/scoring/fabric_summary.h"
#include "evaluator/scoring/index_over_bound.h"
#include "fabric/lid_counts.h"

// First errors, in words and with names; then the figures.

namespace pssp {
namespace {

constexpr std::size_t cut_names = 2;

void write_fabric(TextWriter& writer, const Fabric& fabric) {
  const FabricSummary summary = summarise(fabric);
  writer.section("Fabric");
  const std::string without_lid =
      summary.without_lid == 0 ? "" : fmt::format(", {} without LID", summary.without_lid);
  const std::string routers =
      summary.routers == 0 ? "" : fmt::format(", {} of routers", summary.routers);
  writer.row("hosts", fmt::format("{} end ports in traffic, of {}{} ({} of aggregation nodes{})",
                                  summary.hosts, summary.end_ports, without_lid,
                                  summary.aggregation_nodes, routers));
  writer.row("switches", fmt::format("{}", summary.switches));
  writer.row("links", fmt::format("{}, {} of them between switches ({} channels)", summary.links,
                                  summary.channels / 2, summary.channels));
  writer.row("LIDs", fmt::format("{}", summary.lids));
  if (summary.reference_capacity != 0) {
    writer.row("unit of bandwidth", fmt::format("{} Gbit/s, the usual link of an end port",
                                                summary.reference_capacity / 1000.0));
  }
}

void write_credit_loop(TextWriter& writer, const Fabric& fabric, const Evaluation& evaluation) {
  const VerifyReport& verify = evaluation.verify;
  if (!evaluation.options.verify.credit_loops) {
    writer.row("credit loop", "not searched for");
    return;
  }
  if (evaluation.lanes == 1U) {
    writer.row("credit loop", "none: deadlock-free on one virtual lane");
    return;
  }
  if (verify.has_credit_loop()) {
    writer.row("credit loop",
               fmt::format("YES: {} channels wait for each other in a cycle and can deadlock,",
                           verify.credit_loop.size()));
    writer.row("", "unless virtual lanes separate their traffic:");
    for (const ChannelId channel : verify.credit_loop) writer.line(fabric.channel_label(channel));
  } else {
    writer.row("credit loop", "none between end ports, but one with the routes to and from the");
    writer.row("", "management ports of switches");
  }
  writer.row("virtual lanes", describe_lanes(evaluation.lanes));
}

void write_findings(TextWriter& writer, const Fabric& fabric, const Evaluation& evaluation) {
  const VerifyReport& verify = evaluation.verify;
  writer.section(verify.usable() ? "Forwarding tables: usable" : "Forwarding tables: BROKEN");
  const auto count = [&](std::string_view name, std::uint64_t number, std::string_view meaning) {
    if (number != 0) writer.row(name, fmt::format("{} {}", number, meaning));
  };
  count("unreachable pairs", verify.unreachable_pairs,
        "ordered pairs of end ports (each LID) have no route");
  count("", verify.separated_pairs, "of them lie on different islands: no tables can join them");
  count("switches cut off", verify.unreachable_switch_pairs,
        "pairs (end port, switch) have no route: management is lost");
  count("forwarding loops", verify.forwarding_loops,
        "loops: packets circle until they are dropped");
  count("dead ports", verify.dead_port_entries,
        "entries lead to a port without a live link or to a wrong end port");
  if (verify.unreachable_pairs == 0 && verify.usable()) {
    writer.line("every end port reaches every other; no loop, no entry to a dead port");
  }
  for (const std::string& example : verify.examples) writer.line("e.g. " + example);

  write_credit_loop(writer, fabric, evaluation);
}

/// "   (0.895 of at most 0.8076: one LID per host)". The ceiling is that of the mean over all
/// bisections; if a small sample exceeds it, no share is shown.
std::string share_of_ceiling(const Evaluation& evaluation) {
  if (!evaluation.ceiling || !evaluation.ceiling->value()) return "";
  const double ceiling = *evaluation.ceiling->value();
  const double share = evaluation.bandwidth.mean / ceiling;
  const std::string_view kind = evaluation.ceiling->value() == evaluation.ceiling->one_stage
                                    ? "one LID per host"
                                    : "any paths, split at will";
  constexpr double displayed_as_one = 1.0005;
  if (share >= displayed_as_one) {
    return fmt::format(
        "   (by chance above {:.4f}, the upper bound for any tables over all bisections: {})",
        ceiling, kind);
  }
  return fmt::format("   ({:.3f} of at most {:.4f}: {})", share, ceiling, kind);
}

/// Names the LIDs of striped flows, or notes that further LIDs are unused.
void write_lids(TextWriter& writer, const Fabric& fabric, const Evaluation& evaluation) {
  const LidUse& use = evaluation.options.lids;
  if (use.lids > 1) {
    writer.row("LIDs", describe_striping(use));
  } else if (const unsigned most = most_lids_of_a_host(fabric);
             most > 1 && !evaluation.options.lids_chosen) {
    writer.row(
        "LIDs",
        fmt::format(
            "only base LIDs are scored, of up to {} LIDs per host; --lids all scores all LIDs",
            most));
  }
}

void write_bandwidth(TextWriter& writer, const Fabric& fabric, const Evaluation& evaluation) {
  const EffectiveBisectionBandwidth& bandwidth = evaluation.bandwidth;
  if (bandwidth.patterns == 0) {
    writer.section("Effective bisection bandwidth");
    writer.line("undefined: fewer than two hosts");
    return;
  }
  writer.section(fmt::format("Effective bisection bandwidth ({} random bisections, seed {})",
                             bandwidth.patterns, bandwidth.seed));
  if (std::isnan(bandwidth.standard_error)) {
    writer.row("mean", fmt::format("{:.5f} (one bisection: no standard error)", bandwidth.mean));
    return;
  }
  writer.row("mean", fmt::format("{:.5f}{}", bandwidth.mean, share_of_ceiling(evaluation)));
  writer.row("standard error", fmt::format("{:.5f}", bandwidth.standard_error));
  writer.row("95 % interval",
             fmt::format("{:.5f} .. {:.5f}", bandwidth.lower_95, bandwidth.upper_95));
  if (!evaluation.precise) {
    writer.row("", fmt::format("wider than the requested precision of {:g}",
                               evaluation.options.precision->half_width));
  }
  writer.row("single bisections", fmt::format("{:.5f} .. {:.5f}", bandwidth.min, bandwidth.max));
  std::string percentiles;
  for (std::size_t i = 0; i < percentile_levels.size(); ++i) {
    percentiles += fmt::format("{}{} % {:.4f}", i == 0 ? "" : ", ", percentile_levels[i],
                               bandwidth.percentiles[i]);
  }
  writer.row("percentiles", percentiles);
  write_lids(writer, fabric, evaluation);
}

/// One line if only S was computed, the table if all patterns were.
void write_structured(TextWriter& writer, const Evaluation& evaluation) {
  if (!evaluation.structured) return;
  const StructuredTraffic& traffic = *evaluation.structured;
  std::string text = traffic.summary_only
                         ? fmt::format("Structured traffic   {}\n", summary_line(traffic))
                         : to_text(traffic);
  text.pop_back();  // the writer adds it again
  writer.section(text);
}

void write_index(TextWriter& writer, const Fabric& fabric, const Evaluation& evaluation) {
  const EdgeForwardingIndex& index = evaluation.index;
  writer.section("Edge forwarding index (routes over a channel, relative to its capacity)");
  writer.row("largest", fmt::format("{:g}", index.max));
  writer.row("lower bound",
             fmt::format("{:g} for any tables of this fabric; largest / bound {:.3f}",
                         evaluation.bound.value, index_over_bound(index.max, evaluation.bound)));
  writer.row("", describe_bound(fabric, evaluation.bound, cut_names));
  writer.row("mean", fmt::format("{:.2f}", index.mean));
  writer.row("deviation", fmt::format("{:.2f}", index.deviation));
  if (index.busiest.empty()) return;
  writer.section("Busiest channels (index, routes, channel)");
  for (const BusyChannel& busy : index.busiest) {
    writer.line(fmt::format("{:>9g} {:>9} {}", busy.index, busy.routes,
                            fabric.channel_label(busy.channel)));
  }
}

void write_hops(TextWriter& writer, const HopStatistics& hops) {
  writer.section("Hops (channels between switches on a route)");
  writer.row("mean", fmt::format("{:.3f}", hops.mean));
  writer.row("largest", fmt::format("{}", hops.max));
  std::uint64_t pairs = 0;
  for (const std::uint64_t count : hops.histogram) pairs += count;
  for (std::size_t length = 0; length < hops.histogram.size(); ++length) {
    const double share =
        100.0 * static_cast<double>(hops.histogram[length]) / static_cast<double>(pairs);
    writer.line(fmt::format("{:>9} {:>9} pairs {:>6.2f} %", length, hops.histogram[length], share));
  }
}

}  // namespace

std::string to_text_report(const Fabric& fabric, const ForwardingTables& tables,
                           const Evaluation& evaluation) {
  TextWriter writer;
  write_fabric(writer, fabric);
  write_findings(writer, fabric, evaluation);
  write_bandwidth(writer, fabric, evaluation);
  write_structured(writer, evaluation);
  write_index(writer, fabric, evaluation);
  write_hops(writer, evaluation.hops);
  std::string text = writer.take();
  if (evaluation.assigned) text += "\n" + to_text(fabric, *evaluation.assigned);
  text += "\n" + to_text(fabric, evaluation.fairness, evaluation.options.worst_hosts);
  if (!evaluation.worst.pairs.empty()) {
    text += "\n" + to_text(fabric, tables, evaluation.worst, evaluation.loads);
  }
  return text;
}

}  // namespace pssp
