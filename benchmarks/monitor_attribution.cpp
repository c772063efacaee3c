// Measures how often the job that is listed first on a hot channel carries most of its traffic: the
// table of docs/explanation/monitoring.md, "Who uses a link". The program places jobs with traffic
// patterns on a fabric. The attribution gets only the counters of hosts and channels, not the true
// traffic of each job.
//
//   monitor_attribution [TOPOLOGY [PLANS [BOUNDS]]]
//
// TOPOLOGY: a specification of pssp make-topo (default: chic). PLANS: number of random plans for
// each figure (4). BOUNDS: number of random plans for which the bounds of jobs on channels are
// checked (1000).

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "base/error.h"
#include "benchmarks/observed_simulation.h"
#include "fabric/fabric.h"
#include "monitor/analysis/attribution.h"
#include "routing/engines/engine.h"
#include "tools/kit/command_line.h"
#include "tools/kit/tool.h"
#include "topologies/registry.h"

namespace {

using namespace pssp;

struct Trial {
  TrafficPlan plan;
  SimulatedTraffic simulated;
  ObservedTraffic observed;
};

struct Score {
  std::size_t channels = 0, right = 0, estimates = 0, certain = 0, series = 0, series_right = 0;
  double wrong_bytes = 0, bytes = 0, seconds = 0, prepare_seconds = 0;
  std::size_t fits = 0, bounds = 0, violated = 0;
  std::size_t in_interval = 0, intervals = 0;
};

/// Processor time, because other processes may run, too.
double seconds_since(std::clock_t begin) {
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

Trial make_trial(const Fabric& fabric, const ForwardingTables& tables,
                 const ScatterOptions& options) {
  Trial trial;
  trial.plan = scatter_jobs(fabric, options);
  trial.simulated = play_traffic(trial.plan, fabric, tables);
  trial.observed = observe(trial.plan, trial.simulated, fabric, tables);
  return trial;
}

void score_channel(const Trial& trial, const ChannelShares& shares, Score& score) {
  const std::size_t channels = trial.observed.fabric->channel_count();
  std::vector<double> truth;
  for (std::size_t job = 0; job < trial.plan.jobs.size(); ++job) {
    truth.push_back(trial.simulated.truth[job * channels + shares.channel.value()] / shares.bytes);
  }
  const double most = *std::max_element(truth.begin(), truth.end());
  ++score.channels;
  score.bytes += shares.bytes;
  std::vector<double> named(truth.size(), 0);
  bool certain = false;
  for (const JobShare& share : shares.jobs) {
    if (share.job == truth.size()) continue;
    const double true_share = truth[share.job];
    named[share.job] = share.share;
    certain = certain || share.least > .5;
    ++score.bounds;
    if (true_share < share.least - 1e-9 || true_share > share.most + 1e-9) ++score.violated;
    if (share.evidence == Evidence::time_series) {
      ++score.intervals;
      if (true_share >= share.low - 1e-3 && true_share <= share.high + 1e-3) ++score.in_interval;
    }
  }
  for (std::size_t job = 0; job < truth.size(); ++job) {
    score.wrong_bytes += std::abs(named[job] - truth[job]) / 2 * shares.bytes;
    const bool listed = std::any_of(shares.jobs.begin(), shares.jobs.end(),
                                    [&](const JobShare& share) { return share.job == job; });
    if (!listed && truth[job] > 1e-9) ++score.violated;
  }
  const JobShare& first = shares.jobs.front();
  const bool right = first.job < truth.size() && truth[first.job] >= .95 * most;
  if (certain) ++score.certain;
  if (right) ++score.right;
  if (first.evidence == Evidence::estimate) ++score.estimates;
  if (first.evidence == Evidence::time_series) {
    ++score.series;
    if (right) ++score.series_right;
  }
}

void score_trial(const Trial& trial, const AttributionOptions& options, std::size_t hottest,
                 Score& score) {
  const auto begin = std::clock();
  const Attribution attribution(trial.observed, options);
  score.prepare_seconds = std::max(score.prepare_seconds, seconds_since(begin));
  for (const ChannelId channel : attribution.hottest(hottest)) {
    const auto start = std::clock();
    const ChannelShares shares = attribution.shares_of(channel);
    score.seconds = std::max(score.seconds, seconds_since(start));
    score_channel(trial, shares, score);
  }
}

double percent(std::size_t part, std::size_t all) {
  return all == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

struct Row {
  const char* name;
  Activity activity;
  double storage;
  bool use_time;
  bool together = false;
};

void print_table(const Fabric& fabric, const ForwardingTables& tables, unsigned plans) {
  constexpr Row rows[] = {
      {"host and channel counters alone, phases", Activity::phases, 0, false},
      {"jobs with phases", Activity::phases, 0, true},
      {"slowly drifting jobs", Activity::drifting, 0, true},
      {"jobs of constant rate", Activity::constant, 0, true},
      {"30 % to storage, phases", Activity::phases, .3, true},
      {"30 % to storage, constant rate", Activity::constant, .3, true},
      {"jobs with phases, placed together", Activity::phases, 0, true, true},
  };
  fmt::print("{:42} {:>6} {:>6} {:>6} {:>8} {:>8} {:>7} {:>7} {:>9} {:>9}\n",
             "of 100 hottest channels", "sweeps", "right", "wrong", "estimate", "in 95 %",
             "certain", "outside", "prepare", "a channel");
  for (const Row& row : rows) {
    for (const std::size_t sweeps : {1, 6, 30, 60}) {
      Score score;
      for (unsigned seed = 1; seed <= plans; ++seed) {
        ScatterOptions options;
        options.activity = row.activity;
        options.storage_share = row.storage;
        options.together = row.together;
        options.sweeps = sweeps;
        options.seed = seed;
        AttributionOptions attribution;
        attribution.use_time = row.use_time;
        score_trial(make_trial(fabric, tables, options), attribution, 100, score);
      }
      fmt::print(
          "{:42} {:6} {:6.1f} {:5.1f}% {:7.1f}% {:7.1f}% {:6.1f}% {:7} {:7.3f} s {:7.4f} s\n",
          row.name, sweeps, percent(score.right, score.channels),
          100 * score.wrong_bytes / std::max(1.0, score.bytes),
          percent(score.estimates, score.channels), percent(score.in_interval, score.intervals),
          percent(score.certain, score.channels), score.violated, score.prepare_seconds,
          score.seconds);
    }
  }
}

/// Checks the bounds on random plans of all kinds.
void print_bounds(const Fabric& fabric, const ForwardingTables& tables, unsigned plans) {
  Score score;
  unsigned good = 0;
  for (unsigned seed = 1; seed <= plans; ++seed) {
    ScatterOptions options;
    options.activity = static_cast<Activity>(seed % 3);
    options.storage_share = seed % 2 == 0 ? .05 * (seed % 11) : 0;
    options.together = seed % 5 == 0;
    options.sweeps = 1 + seed % 4;
    options.jobs = 5 + seed % 30;
    options.seed = 1000 + seed;
    AttributionOptions attribution;
    attribution.bootstraps = 0;
    const std::size_t before = score.violated;
    score_trial(make_trial(fabric, tables, options), attribution, 20, score);
    if (score.violated == before) ++good;
  }
  fmt::print("bounds hold in {} of {} plans ({} of {} jobs and channels outside)\n", good, plans,
             score.violated, score.bounds);
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool("monitor_attribution", [&] {
    std::string spec = "chic";
    unsigned plans = 4, bounds = 1000;
    CommandLine line("monitor_attribution",
                     "Compares the monitor's job estimates with the actual traffic.");
    line.option("SPEC", spec, "Fabric, as arguments of make_topo").show_default();
    line.option("PLANS", plans, "Random plans per figure").range(1, 1e6).show_default();
    line.option("BOUNDS", bounds, "Random plans for the check of bounds")
        .range(0, 1e6)
        .show_default();
    if (!line.parse(argc, argv)) return 0;
    const Fabric fabric = make_fabric(spec);
    const ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
    fmt::print("{} hosts, {} switches, {} channels\n", fabric.endpoints().size(),
               fabric.switch_count(), fabric.channel_count());
    print_table(fabric, tables, plans);
    print_bounds(fabric, tables, bounds);
    return 0;
  });
}
