// A table of the final comparison, then the choice with its reasons, and its effect at each root.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text_table.h"
#include "simulator/report/flow_ports.h"
#include "simulator/values.h"
#include "tools/tune_cc/report.h"

namespace pssp {
namespace {

constexpr double bytes_of_giga_byte = 1e9;
constexpr double ns_of_us = 1e3;

std::string tuning_headline(const TuneOptions& options, const Tuning& tuning) {
  const SimulatedTables& first = tuning.input.tables.front();
  std::string traffics;
  for (const TrafficSource& each : tuning.input.traffic) {
    traffics += (traffics.empty() ? "" : ", ") + each.name;
  }
  std::string text =
      fmt::format("{}: {} switches, {} hosts; traffic {}\n  {} runs of {}, {} sets; objective {}\n",
                  first.name, first.fabric.switch_count(), first.fabric.endpoints().size(),
                  traffics, tuning.result.runs, time_text(tuning.first_traffic.traffic.duration),
                  tuning.result.cells.size(), options.objective_name);
  if (tuning.interrupted) {
    text += options.resume.empty()
                ? "  INTERRUPTED: nothing is recommended\n"
                : fmt::format(
                      "  INTERRUPTED: nothing is recommended yet; repeat the command to resume "
                      "from {}\n",
                      options.resume);
  }
  if (options.seconds > 0 && tuning.plan.runs != 0) {
    text += fmt::format(
        "  --budget {} was converted to --budget {}, which gives the same result on any "
        "machine\n",
        options.budget, tuning.plan.runs);
  }
  if (tuning.result.cut_by_time) {
    text +=
        "  CUT SHORT: the time of --budget was too short for the search; --resume FILE keeps "
        "finished runs\n";
  }
  return text;
}

/// A run that is shorter than the time in which the base takes effect is not informative.
std::string settling_text(const Tuning& tuning) {
  double longest = 0;
  for (const std::vector<CongestionRoot>& roots : tuning.roots) {
    for (const CongestionRoot& root : roots) {
      longest = std::max(longest, settling_ns(root, tuning.base, tuning.model).value_or(0));
    }
  }
  const auto simulated = static_cast<double>(tuning.first_traffic.traffic.duration) /
                         double{picoseconds_per_nanosecond};
  if (longest <= simulated || std::isinf(longest)) return "";
  return fmt::format(
      "  SHORT: the base needs about {:.3g} ms to slow the contributors of a root to their "
      "share; use a longer --time, or vary CCTI_Increase\n",
      longest / 1e6);
}

std::string roots_text(const Tuning& tuning) {
  const PortDirectory ports(tuning.input.tables.front().fabric, tuning.model);
  constexpr std::size_t most = 20;
  std::string text;
  for (const std::vector<CongestionRoot>& roots : tuning.roots) {
    for (std::size_t i = 0; i < std::min(most, roots.size()); ++i) {
      text +=
          fmt::format("  {}: {} contributors, {:.2f} us per packet\n", ports.name(roots[i].port),
                      roots[i].contributors, roots[i].packet_ns / ns_of_us);
    }
    if (roots.size() > most) text += fmt::format("  and {} more\n", roots.size() - most);
  }
  return text.empty() ? "\nthe traffic has no root of congestion\n"
                      : "\nroots of congestion without congestion control\n" + text;
}

std::string interval(const MeanEstimate& estimate, double unit, int precision) {
  if (estimate.values < 2) return "-";
  return fmt::format("{:+.{}f} .. {:+.{}f}", estimate.lower_95 / unit, precision,
                     estimate.upper_95 / unit, precision);
}

void add_shortlisted(const Shortlisted& each, bool is_chosen, std::vector<TableRow>& columns) {
  constexpr double percent = 0.01;
  columns.push_back({(is_chosen ? "* " : "  ") + each.cell.name,
                     fmt::format("{:.3f}", each.throughput.mean / bytes_of_giga_byte),
                     fmt::format("{:+.2f}", each.gain.mean / percent),
                     interval(each.gain, percent, 2), interval(each.from_best, percent, 2),
                     fmt::format("{:.4f}", each.instability),
                     fmt::format("{:.1f}", each.p99_ns / ns_of_us),
                     fmt::format("{:.3f}", each.worst_part), fmt::format("{:.1f}", each.hurt),
                     each.victims_share < 0 ? "-" : fmt::format("{:.3f}", each.victims_share)});
}

std::string duel_text(const Tuning& tuning) {
  const TuningResult& result = tuning.result;
  if (result.shortlist.empty()) return "";
  std::vector<TableRow> columns;
  columns.push_back({"set", "GByte/s", "gain %", "95 % interval", "from the best %", "instability",
                     "p99 us", "worst flow", "flows hurt", "victims"});
  for (std::size_t i = 0; i < result.shortlist.size(); ++i) {
    add_shortlisted(result.shortlist[i], result.chosen == i, columns);
  }
  Shortlisted off = result.off;
  off.from_best = {};
  off.gain.values = 0;
  add_shortlisted(off, !result.chosen, columns);
  std::string text =
      fmt::format("\nfinal comparison, {} seeds from {} on; * marks the recommended set\n",
                  result.duel_seeds.size(), result.duel_seeds.front()) +
      text_table(columns, {.indent = 2});
  std::string equal;
  for (const Shortlisted& each : result.shortlist) {
    if (each.equal && &each != &result.shortlist.front()) {
      equal += (equal.empty() ? "" : "; ") + each.cell.name;
    }
  }
  text += equal.empty() ? "  the first is better than the others: their 95 % intervals 'from the "
                          "best %' are below 0\n"
                        : fmt::format("  statistically equal to the first: {}\n", equal);
  for (const Shortlisted& each : result.shortlist) {
    if (!each.refused.empty()) {
      text += fmt::format("  the guard rejects {}: {}\n", each.cell.name, each.refused);
    }
  }
  return text;
}

std::string traffics_text(const Tuning& tuning) {
  const TuningResult& result = tuning.result;
  if (tuning.input.traffic.size() < 2 || result.shortlist.empty()) return "";
  const Shortlisted& displayed_one = result.shortlist[result.chosen.value_or(0)];
  std::string text = fmt::format("\ngain of {} for each traffic file\n", displayed_one.cell.name);
  for (std::size_t t = 0; t < displayed_one.gains.size(); ++t) {
    text +=
        fmt::format("  {}: {:+.2f} % ({} %)\n", tuning.input.traffic[t].name,
                    100 * displayed_one.gains[t].mean, interval(displayed_one.gains[t], 0.01, 2));
  }
  return text;
}

}  // namespace

std::string holds_text(const Tuning& tuning) {
  const PortDirectory ports(tuning.input.tables.front().fabric, tuning.model);
  std::string text;
  for (const Hold& hold : tuning.holds()) {
    text += fmt::format(
        "  {}: {} contributors, one notification every {:.2f} us, CCTI_Timer {:.2f} us: {}\n",
        ports.name(hold.root), hold.contributors, hold.notification_ns / ns_of_us,
        hold.timer_ns / ns_of_us, hold.holds() ? "hold" : "NO HOLD");
  }
  return text;
}

std::string to_text(const TuneOptions& options, const Tuning& tuning) {
  std::string text = tuning_headline(options, tuning);
  if (tuning.interrupted) return text;
  text += settling_text(tuning) + roots_text(tuning) + duel_text(tuning) + traffics_text(tuning);
  text += "\nrecommended: " + tuning.result.reason + "\n";
  const std::string holds = holds_text(tuning);
  if (!holds.empty()) text += "\nhold on the contributors of each root\n" + holds;
  return text;
}

}  // namespace pssp
