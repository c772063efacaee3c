// All tables are compared under the same draws of the traffic and the same bisections, so that the
// randomness of a draw cancels out (paired_comparison.h). A draw is a traffic matrix that agrees
// with the counters (traffic_draws.h). The spread of the differences over the draws says how much
// of a gain the counters support. The standard error of their mean would be misleading: it shrinks
// with the number of draws, but more draws add no knowledge of the traffic.
//
// The current tables are rated with the same matrices and not with the bytes that their channels
// counted. A matrix that is smoother than the real traffic would otherwise favor every other set of
// tables.

#include "monitor/analysis/advice.h"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "base/workers.h"
#include "evaluator/flows/route_store.h"
#include "evaluator/metrics/effective_bisection_bandwidth.h"
#include "evaluator/metrics/paired_comparison.h"
#include "evaluator/rerouting/block_writes.h"
#include "monitor/analysis/attribution.h"
#include "monitor/analysis/traffic_draws.h"
#include "routing/deadlock/lane_assignment.h"
#include "routing/engines/engine.h"
#include "routing/repair/stable_rerouting.h"
#include "routing/verify/verify.h"

namespace pssp {
namespace {

constexpr unsigned least_draws = 30;
constexpr std::size_t least_advised_sweeps = 6;
/// Work limit of the search for virtual lanes: a few seconds.
constexpr std::uint64_t lane_work = 400'000'000;
constexpr double z_95 = 1.96;
/// Below this use of the busiest channel, a change of tables makes no noticeable difference.
constexpr double hardly_used = 0.2;

using Samples = std::vector<std::vector<double>>;  // [tables][run]; the current tables first

/// Quantities of all tables in each draw.
struct DrawnTimes {
  Samples busiest, mean;
};

double mean_of(const std::vector<double>& values) {
  return values.empty() ? 0
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}

/// Each run relative to the same run of the first sample. The amount of traffic differs from draw
/// to draw, but is the same for all tables.
Samples relative(const Samples& samples) {
  Samples parts = samples;
  for (std::vector<double>& sample : parts) {
    for (std::size_t run = 0; run < sample.size(); ++run) {
      const double first = samples.front()[run];
      sample[run] = first > 0 ? sample[run] / first : std::numeric_limits<double>::quiet_NaN();
    }
  }
  return parts;
}

/// Compares the i-th sample with the first; `differences` are those of relative().
AdvisedQuantity quantity_of(const Samples& samples, std::size_t i,
                            const std::vector<PairedDifference>& differences, Better better,
                            bool of_single_run) {
  AdvisedQuantity quantity;
  quantity.in_force = mean_of(samples.front());
  quantity.proposed = mean_of(samples[i]);
  const PairedDifference& difference = differences[i - 1];
  if (!(quantity.in_force > 0) || difference.runs == 0) return quantity;
  const double sign = better == Better::higher ? 1 : -1;
  const double error = difference.standard_error *
                       (of_single_run ? std::sqrt(static_cast<double>(difference.runs)) : 1.0);
  quantity.gain = sign * difference.mean;
  const double half = std::isfinite(error) ? z_95 * error : 0;
  quantity.lower = quantity.gain - half;
  quantity.upper = quantity.gain + half;
  return quantity;
}

/// Returns 0 if the percentage would be rounded to 0, so that no minus sign appears.
double displayed_percent(double part) { return std::abs(part) < 5e-4 ? 0 : 100 * part; }

std::string percent_text(const AdvisedQuantity& quantity) {
  return fmt::format("{:.1f} % [{:.1f} .. {:.1f}]", displayed_percent(quantity.gain),
                     displayed_percent(quantity.lower), displayed_percent(quantity.upper));
}

class Comparison {
 public:
  Comparison(const ObservedTraffic& observed, const TrafficMatrix& matrix, double seconds,
             std::vector<AdvisedTables> candidates, const AdviceOptions& options)
      : observed_(observed),
        fabric_(*observed.fabric),
        matrix_(matrix),
        seconds_(seconds),
        options_(options) {
    for (AdvisedTables& each : candidates) {
      ProposedTables proposal;
      proposal.candidate = std::move(each);
      advice_.proposals.push_back(std::move(proposal));
    }
  }

  Advice run() {
    describe_window();
    follow_routes();
    const DrawnTimes drawn = draw_times();
    const Samples bandwidths = bandwidths_of_all();
    compare(drawn, bandwidths);
    for (std::size_t i = 0; i < used_.size(); ++i) {
      state_changes(*used_[i], routes_[i + 1]);
      rate_as_baseline(*used_[i]);
    }
    advice_.lanes = lanes_of(*observed_.tables);
    for (ProposedTables& each : advice_.proposals) evaluate(each);
    choose();
    remark();
    return std::move(advice_);
  }

 private:
  void describe_window() {
    advice_.seconds = seconds_;
    advice_.sweeps = observed_.sweeps;
    advice_.flows = matrix_.flows.size();
    advice_.draws = options_.draws;
    advice_.bisections = options_.bisections;
    for (const WeightedFlow& flow : matrix_.flows) advice_.bytes += flow.bytes;
  }

  /// Computes the routes of the current tables and of all candidates that have no problem and
  /// differ from the current tables.
  void follow_routes() {
    routes_.emplace_back(fabric_, *observed_.tables, matrix_.flows);
    std::vector<double> bytes;
    bytes.reserve(matrix_.flows.size());
    for (const WeightedFlow& flow : matrix_.flows) bytes.push_back(flow.bytes);
    const CarryTimes times = carry_times(fabric_, matrix_.flows, routes_.front(), bytes);
    advice_.busiest = times.most / seconds_;
    advice_.busiest_channel = ChannelId(times.busiest);
    for (ProposedTables& each : advice_.proposals) {
      if (!each.candidate.problem.empty()) continue;
      each.same = each.candidate.tables == *observed_.tables;
      if (each.same) continue;
      options_.stop.check("following routes");
      FlowRoutes routes(fabric_, each.candidate.tables, matrix_.flows);
      if (routes.lost() > routes_.front().lost()) {
        each.candidate.problem = fmt::format("{} flows would have no route; {} have no route now",
                                             routes.lost(), routes_.front().lost());
        continue;
      }
      routes_.push_back(std::move(routes));
      used_.push_back(&each);
    }
  }

  DrawnTimes draw_times() const {
    const TrafficDraws draws(observed_, matrix_, routes_.front(), {.seed = options_.seed});
    DrawnTimes drawn;
    drawn.busiest.assign(routes_.size(), std::vector<double>(options_.draws, 0));
    drawn.mean = drawn.busiest;
    run_tasks(options_.workers, options_.draws, [&](std::size_t run) {
      options_.stop.check("comparing tables under the observed traffic",
                          static_cast<double>(run) / options_.draws);
      const std::vector<double> bytes = draws.draw(run);
      for (std::size_t t = 0; t < routes_.size(); ++t) {
        const CarryTimes times = carry_times(fabric_, matrix_.flows, routes_[t], bytes);
        drawn.busiest[t][run] = times.most / seconds_;
        drawn.mean[t][run] = times.mean / seconds_;
      }
    });
    return drawn;
  }

  Samples bandwidths_of_all() const {
    Samples samples;
    tbb::task_arena arena(static_cast<int>(std::max(1U, options_.workers)));
    const auto add = [&](const ForwardingTables& tables) {
      options_.stop.check("comparing tables under random bisections");
      samples.push_back(arena.execute([&] {
        const BisectionOptions bisections{options_.bisections, options_.seed, 0};
        return bisection_bandwidths(RouteStore(fabric_, tables), bisections);
      }));
    };
    add(*observed_.tables);
    for (const ProposedTables* each : used_) add(each->candidate.tables);
    return samples;
  }

  void compare(const DrawnTimes& drawn, const Samples& bandwidths) {
    const auto busiest = compare_with_first(relative(drawn.busiest), Better::lower);
    const auto mean = compare_with_first(relative(drawn.mean), Better::lower);
    const auto bandwidth = compare_with_first(relative(bandwidths), Better::higher);
    for (std::size_t i = 1; i <= used_.size(); ++i) {
      used_[i - 1]->busiest = quantity_of(drawn.busiest, i, busiest, Better::lower, true);
      used_[i - 1]->mean = quantity_of(drawn.mean, i, mean, Better::lower, true);
      used_[i - 1]->bandwidth = quantity_of(bandwidths, i, bandwidth, Better::higher, false);
    }
  }

  void state_changes(ProposedTables& proposal, const FlowRoutes& routes) const {
    options_.stop.check("counting changed entries and routes");
    const FabricChange change(fabric_, fabric_);
    const RoutedState before{fabric_, *observed_.tables};
    const RoutedState after{fabric_, proposal.candidate.tables};
    const TableChanges changes = table_changes(tables_before_writing(change, before, after), after);
    proposal.entries = changes.entries;
    proposal.blocks = changes.writes.size();
    proposal.switches = changes.switches;
    const FlowChanges flows = route_changes(change, before, after).flows;
    proposal.flows = flows.all;
    proposal.moved = flows.moved;
    for (std::size_t i = 0; i < matrix_.flows.size(); ++i) {
      if (!std::ranges::equal(routes.path(i), routes_.front().path(i))) {
        proposal.bytes_moved += matrix_.flows[i].bytes / advice_.bytes;
      }
    }
    proposal.lanes = lanes_of(proposal.candidate.tables);
  }

  unsigned lanes_of(const ForwardingTables& tables) const {
    LaneOptions lanes;
    lanes.insist = false;
    lanes.budget = lane_work;
    lanes.stop = options_.stop;
    const unsigned needed = assign_lanes(fabric_, tables, lanes).needed;
    options_.stop.check("counting virtual lanes");
    return needed > lanes.max_lanes ? 0 : needed;
  }

  /// Rates the tables by the plugin's own measure of a baseline, because tables stay in use for
  /// months and the traffic of one day says nothing about that.
  void rate_as_baseline(ProposedTables& proposal) const {
    const auto reach_all = [&](const ForwardingTables& tables) {
      return verify(fabric_, tables, {.credit_loops = false, .max_examples = 0})
                 .unreachable_pairs == 0;
    };
    if (proposal.candidate.name == stable_tables || !reach_all(*observed_.tables) ||
        !reach_all(proposal.candidate.tables)) {
      return;
    }
    options_.stop.check("comparing baselines");
    proposal.baseline = compare_baselines(fabric_, *observed_.tables, proposal.candidate.tables);
  }

  void evaluate(ProposedTables& proposal) const {
    const std::string& name = proposal.candidate.name;
    if (!proposal.candidate.problem.empty()) {
      proposal.reason = fmt::format("no change: {}: {}", name, proposal.candidate.problem);
      return;
    }
    if (proposal.same) {
      proposal.reason = fmt::format("no change: the tables of {} are already in force", name);
      return;
    }
    const double least = options_.least_gain;
    const bool is_better = proposal.busiest.is_better(least) || proposal.mean.is_better(least);
    const bool is_worse = proposal.busiest.is_worse(least) || proposal.mean.is_worse(least) ||
                          proposal.bandwidth.is_worse(least);
    const bool is_known = observed_.sweeps >= least_advised_sweeps;
    proposal.recommended = is_better && !is_worse && is_known && advice_.bytes > 0;
    proposal.reason = reason_for(proposal, is_better, is_worse, is_known);
  }

  static std::string reason_for(const ProposedTables& proposal, bool is_better, bool is_worse,
                                bool is_known) {
    const std::string& name = proposal.candidate.name;
    if (proposal.recommended) {
      return fmt::format(
          "{} is better than the tables in force: the busiest channel takes {} less time, the "
          "busiest channel of a path {} less on average",
          name, percent_text(proposal.busiest), percent_text(proposal.mean));
    }
    if (is_better && !is_known) {
      return fmt::format("no change: {} may be better, but the window has fewer than {} sweeps",
                         name, least_advised_sweeps);
    }
    if (is_better && is_worse) {
      return fmt::format(
          "no change: {} is better by one measure and worse by another: the busiest channel takes "
          "{} less time, the busiest channel of a path {} less on average, and the bisection "
          "bandwidth is {} higher",
          name, percent_text(proposal.busiest), percent_text(proposal.mean),
          percent_text(proposal.bandwidth));
    }
    return fmt::format(
        "no change: {} is not better than the tables in force: the gain is {} for the busiest "
        "channel, and {} on average for the busiest channel of a path",
        name, percent_text(proposal.busiest), percent_text(proposal.mean));
  }

  /// Chooses the proposal with the largest lower limit of its gain; if equal, with fewer changed
  /// entries.
  void choose() {
    const auto value = [](const ProposedTables& each) {
      return std::max(each.busiest.lower, each.mean.lower);
    };
    for (std::size_t i = 0; i < advice_.proposals.size(); ++i) {
      const ProposedTables& each = advice_.proposals[i];
      if (!each.recommended) continue;
      const ProposedTables* best =
          advice_.recommended ? &advice_.proposals[*advice_.recommended] : nullptr;
      if (best == nullptr || value(each) > value(*best) ||
          (value(each) == value(*best) && each.entries < best->entries)) {
        advice_.recommended = i;
      }
    }
  }

  void remark() {
    if (advice_.bytes <= 0) {
      advice_.remarks.emplace_back("no host sent data in this window");
    } else if (advice_.busiest < hardly_used) {
      advice_.remarks.push_back(fmt::format(
          "the network is nearly idle: its busiest channel is busy for {:.1f} % of the time",
          100 * advice_.busiest));
    }
    if (routes_.front().lost() != 0) {
      advice_.remarks.push_back(fmt::format("{} flows have no route now", routes_.front().lost()));
    }
  }

  const ObservedTraffic& observed_;
  const Fabric& fabric_;
  const TrafficMatrix& matrix_;
  const double seconds_;
  const AdviceOptions& options_;
  std::vector<FlowRoutes> routes_;     // the current tables first, then those of used_
  std::vector<ProposedTables*> used_;  // elements of advice_.proposals
  Advice advice_;
};

std::string problem_text(const Error& error) { return error.what(); }

}  // namespace

std::vector<AdvisedTables> candidate_tables(const ObservedTraffic& observed,
                                            const AdviceOptions& options) {
  std::vector<AdvisedTables> all;
  const auto add = [&](std::string name, const auto& make) {
    AdvisedTables each;
    each.name = std::move(name);
    try {
      each.tables = make();
    } catch (const Stopped&) {
      throw;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::usage) throw;
      each.problem = problem_text(error);
    }
    all.push_back(std::move(each));
  };
  for (const std::string& name : options.engines) {
    const auto engine = make_engine(name, {});
    const RouteRequest request{.workers = options.workers, .stop = options.stop};
    add(name, [&] { return engine->route(*observed.fabric, request).tables; });
  }
  if (options.stable) {
    add(std::string(stable_tables), [&] {
      return reroute_stably(*observed.fabric, *observed.tables, {}, options.stop).tables;
    });
  }
  return all;
}

Advice compare_candidates(const ObservedTraffic& observed, const TrafficMatrix& matrix,
                          double seconds, std::vector<AdvisedTables> candidates,
                          const AdviceOptions& options) {
  if (options.draws < least_draws) {
    throw Error(ErrorKind::usage,
                fmt::format("{} draws of the traffic are too few; expected at least {}",
                            options.draws, least_draws));
  }
  const Fabric& fabric = *observed.fabric;
  const bool fits = observed.sent.size() == fabric.end_port_count() * observed.sweeps &&
                    observed.received.size() == observed.sent.size() &&
                    observed.channels.size() == fabric.channel_count() * observed.sweeps;
  if (!fits || !(seconds > 0)) {
    throw Error(ErrorKind::internal, "the observed traffic does not belong to its fabric");
  }
  return Comparison(observed, matrix, seconds, std::move(candidates), options).run();
}

Advice advise(const ObservedTraffic& observed, double seconds, const AdviceOptions& options) {
  TrafficMatrix matrix;
  {
    const Attribution attribution(observed, {}, options.stop);
    matrix = attribution.traffic(1, options.stop);
  }
  return compare_candidates(observed, matrix, seconds, candidate_tables(observed, options),
                            options);
}

}  // namespace pssp
