// Figures are stored with all digits, so that a resumed search makes the same decisions as an
// uninterrupted one.

#include "simulator/tuning/trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <mutex>
#include <optional>
#include <type_traits>

#include "base/error.h"
#include "base/text_lines.h"
#include "base/workers.h"
#include "simulator/traffic/traffic_file.h"

namespace pssp {
namespace {

constexpr std::string_view trial_head =
    "cell,traffic,seed,throughput,unrest,worst_part,p99_ns,completion_ns,victims_share,hurt,"
    "ended_early";
constexpr std::string_view identity_mark = "# trials of ";
constexpr std::string_view runs_mark = "# runs ";
constexpr std::size_t trial_fields = 11;

/// Standard deviation of the complete samples of the measured time, relative to their mean.
double instability_of(const Traffic& traffic, const Outcome& outcome) {
  double sum = 0;
  double squares = 0;
  double count = 0;
  for (std::size_t i = 0; i < outcome.bytes_by_sample.size(); ++i) {
    const SimulatedTime from = static_cast<SimulatedTime>(i) * traffic.sample;
    if (from < traffic.warmup || from + traffic.sample > outcome.simulated) continue;
    const auto bytes = static_cast<double>(outcome.bytes_by_sample[i]);
    sum += bytes;
    squares += bytes * bytes;
    ++count;
  }
  if (sum == 0) return 0;
  const double mean = sum / count;
  return std::sqrt(std::max(0.0, squares / count - mean * mean)) / mean;
}

/// Rejects infinity and NaN, which cannot be compared.
template <class Number>
Number trial_number(std::string_view text, const TextLines& lines) {
  Number value{};
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool is_number = status == std::errc{} && rest == text.data() + text.size();
  if constexpr (std::is_floating_point_v<Number>) is_number = is_number && std::isfinite(value);
  if (!is_number) {
    lines.fail(fmt::format("'{}' is not a number", excerpt(text)));
  }
  return value;
}

std::vector<std::string_view> trial_parts(std::string_view line) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t comma = line.find(',');
    parts.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return parts;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace

TrialFigures figures_of(const Traffic& traffic, const Outcome& outcome, const RunSummary& summary) {
  constexpr double hurt_below = 0.5;
  TrialFigures figures;
  figures.throughput = summary.throughput.mean;
  figures.instability = instability_of(traffic, outcome);
  figures.p99_ns = summary.latency.p99;
  figures.completion_ns = summary.completion_ns.value_or(0);
  SimulatedTime last = 0;
  double victims = 0;
  double shares = 0;
  for (std::size_t i = 0; i < summary.flows.size(); ++i) {
    const FlowSummary& flow = summary.flows[i];
    last = std::max(last, outcome.flows[i].finished);
    if (!flow.measured) continue;
    const double part =
        flow.fair_share && *flow.fair_share > 0 ? flow.share / *flow.fair_share : flow.share;
    figures.worst_part = std::min(figures.worst_part, part);
    if (flow.fair_share && part < hurt_below) ++figures.hurt;
    if (!flow.victim) continue;
    ++victims;
    shares += flow.share;
  }
  if (victims > 0) figures.victims_share = shares / victims;
  if (all_ends(traffic) && !summary.flows.empty() && last != never) {
    figures.completion_ns = static_cast<double>(last) / double{picoseconds_per_nanosecond};
  }
  figures.ended_early = outcome.end == RunEnd::deadlock || outcome.end == RunEnd::most_events ||
                        outcome.end == RunEnd::most_bytes;
  return figures;
}

TuningCell off_cell() { return {"off", {}, {}}; }
TuningCell base_cell() { return {"base", {}, {}}; }

TuningCell cell_at(const ParameterSpace& space, TuningPoint point) {
  TuningCell cell;
  cell.changes = space.changes_at(point);
  for (const auto& [name, value] : cell.changes) {
    cell.name += fmt::format("{}{}={}", cell.name.empty() ? "" : " ", name, value);
  }
  cell.point = std::move(point);
  return cell;
}

std::string trials_text(const TrialTable& table, std::size_t runs, std::string_view identity) {
  std::string text =
      fmt::format("{}{}\n{}{}\n{}\n", identity_mark, identity, runs_mark, runs, trial_head);
  for (const auto& [key, each] : table) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", std::get<0>(key), std::get<1>(key),
                        std::get<2>(key), each.throughput, each.instability, each.worst_part,
                        each.p99_ns, each.completion_ns, each.victims_share, each.hurt,
                        each.ended_early ? 1 : 0);
  }
  return text;
}

KeptTrials parse_trials(std::string_view text, std::string_view name, std::string_view identity) {
  KeptTrials kept;
  TextLines lines(text, name);
  if (!lines.next() || !lines.line().starts_with(identity_mark)) {
    fail_at(name, 1, "expected a file of trials written by --resume");
  }
  if (lines.line().substr(identity_mark.size()) != identity) {
    throw Error(
        ErrorKind::mismatch,
        fmt::format("{} belongs to another search: fabric, tables, traffic, model, base, seed or "
                    "budget differ; expected the options of that search, or another file",
                    name));
  }
  if (!lines.next() || !lines.line().starts_with(runs_mark)) {
    fail_at(name, 2, fmt::format("expected {}N", runs_mark));
  }
  kept.runs = trial_number<std::size_t>(lines.line().substr(runs_mark.size()), lines);
  if (!lines.next() || lines.line() != trial_head) {
    fail_at(name, 3, fmt::format("expected the header line {}", trial_head));
  }
  while (lines.next()) {
    if (lines.line().empty()) continue;
    const auto parts = trial_parts(lines.line());
    if (parts.size() != trial_fields) {
      lines.fail(fmt::format("{} fields; expected {}", parts.size(), trial_fields));
    }
    const auto real = [&](std::size_t i) { return trial_number<double>(parts[i], lines); };
    TrialFigures each;
    each.throughput = real(3);
    each.instability = real(4);
    each.worst_part = real(5);
    each.p99_ns = real(6);
    each.completion_ns = real(7);
    each.victims_share = real(8);
    each.hurt = real(9);
    each.ended_early = real(10) != 0;
    kept.table[{std::string(parts[0]), trial_number<std::size_t>(parts[1], lines),
                trial_number<std::uint64_t>(parts[2], lines)}] = each;
  }
  return kept;
}

void Trials::simulate_run(const std::vector<TuningCell>& cells,
                          const std::vector<std::uint64_t>& seeds) {
  std::vector<Task> tasks;
  for (const std::uint64_t seed : seeds) {
    for (const TuningCell& cell : cells) {
      for (std::size_t traffic = 0; traffic < traffics_; ++traffic) {
        TrialKey key{cell.name, traffic, seed};
        if (!asked_.insert(key).second || table_.contains(key)) continue;
        tasks.push_back({&cell, std::move(key)});
      }
    }
  }
  if (tasks.empty()) return;
  const std::size_t before = asked_.size() - tasks.size();
  const std::size_t known = table_.size();
  const auto finish = [&] {
    if (grant_.keep && table_.size() != known) grant_.keep(table_);
  };
  const TrialRange simulate_here = [&](std::uint64_t first, std::uint64_t count) {
    return simulate_some(std::span(tasks).subspan(first, count), before);
  };
  try {
    const std::vector<TrialFigures> all =
        grant_.share ? grant_.share(tasks.size(), simulate_here) : simulate_here(0, tasks.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) table_[tasks[i].key] = all.at(i);
  } catch (...) {
    finish();
    throw;
  }
  finish();
}

/// Stores each result at once, so that an interruption costs little.
std::vector<TrialFigures> Trials::simulate_some(std::span<const Task> tasks,
                                                std::size_t asked_before) {
  using Clock = std::chrono::steady_clock;
  constexpr auto pause = std::chrono::seconds(10);
  std::vector<TrialFigures> all(tasks.size());
  std::mutex mutex;
  std::size_t done = 0;
  Clock::time_point kept = Clock::now();
  run_tasks(grant_.workers, tasks.size(), [&](std::size_t i) {
    grant_.stop.check("the search");
    const auto& [cell, key] = tasks[i];
    all[i] = player_(*cell, std::get<1>(key), std::get<2>(key), grant_.stop);
    const std::scoped_lock lock(mutex);
    table_[key] = all[i];
    ++done;
    if (grant_.keep && Clock::now() - kept >= pause) {
      grant_.keep(table_);
      kept = Clock::now();
    }
    if (grant_.progress) grant_.progress(asked_before + done);
  });
  return all;
}

}  // namespace pssp
