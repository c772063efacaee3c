// A job is flows with weights: those of all levels of its pattern, since a sweep takes longer than
// any level. Over time all of them are multiplied by the job's activity. What a link cannot carry
// slows its flows down: a flow runs at its rate divided by the largest overload on its path, as in
// the evaluator's model of link loads. So jobs that share links feel each other.

#include "ibsim_harness/played_traffic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>

#include "base/error.h"
#include "base/random.h"
#include "evaluator/patterns/registry.h"

namespace pssp {
namespace {

constexpr std::uint64_t placing = 1, activities = 2, storing = 3, jitter = 4, levels = 5;
constexpr double bytes_of_100_gbit = 12.5e9;

double unit(RandomGenerator& random) { return unit_interval(random()); }

struct PlayedFlow {
  std::uint32_t source, destination, job;
  bool to_storage;
  double weight;  // bytes a second when the job is fully active
  std::vector<std::uint32_t> path;
};

/// In phases of `quiet` and busy, each some sweeps long.
std::vector<double> phases(std::size_t sweeps, double quiet, RandomGenerator& random) {
  std::vector<double> series;
  bool busy = unit(random) < .5;
  while (series.size() < sweeps) {
    const double level = busy ? .6 + .4 * unit(random) : quiet;
    for (std::size_t length = 1 + random.below(4); length > 0 && series.size() < sweeps; --length) {
      series.push_back(level);
    }
    busy = !busy;
  }
  return series;
}

std::vector<double> drift(std::size_t sweeps, RandomGenerator& random) {
  const double begin = 2 * std::numbers::pi * unit(random);
  const double period = 15 + 25 * unit(random);
  double wander = 0;
  std::vector<double> series;
  for (std::size_t t = 0; t < sweeps; ++t) {
    wander = .9 * wander + .1 * (unit(random) - .5);
    series.push_back(std::max(
        .05, .6 + .35 * std::sin(begin + 2 * std::numbers::pi * static_cast<double>(t) / period) +
                 wander));
  }
  return series;
}

std::vector<double> activity_of(Activity kind, std::size_t sweeps, RandomGenerator& random) {
  if (kind == Activity::phases) return phases(sweeps, .03, random);
  if (kind == Activity::drifting) return drift(sweeps, random);
  std::vector<double> series;
  for (std::size_t t = 0; t < sweeps; ++t) series.push_back(.795 + .01 * unit(random));
  return series;
}

class TrafficPlayer {
 public:
  TrafficPlayer(const TrafficPlan& plan, const Fabric& fabric, const ForwardingTables& tables)
      : plan_(plan), fabric_(fabric), tables_(tables) {
    for (std::uint32_t job = 0; job < plan.jobs.size(); ++job) {
      add_pattern(job);
      add_storage(job);
      add_activities(job);
    }
    capacity_.reserve(fabric.channel_count());
    for (const double cost : fabric.channel_cost()) {
      capacity_.push_back(reference_rate() / cost);
    }
  }

  PlayedTraffic play() {
    const std::size_t hosts = fabric_.end_port_count();
    result_.sweeps = plan_.sweeps;
    result_.sent.assign(plan_.sweeps * hosts, 0);
    result_.received.assign(plan_.sweeps * hosts, 0);
    result_.channels.assign(plan_.sweeps * fabric_.channel_count(), 0);
    result_.truth.assign(plan_.jobs.size() * fabric_.channel_count(), 0);
    for (std::size_t sweep = 0; sweep < plan_.sweeps; ++sweep) play(sweep);
    return std::move(result_);
  }

 private:
  double reference_rate() const {
    const double rate = fabric_.reference_capacity();
    return rate > 0 ? rate * 1e6 / 8 : bytes_of_100_gbit;
  }

  void add_flow(PlayedFlow flow) {
    const EndPort& to = fabric_.end_port(EndPortId(flow.destination));
    SwitchId at = fabric_.end_port(EndPortId(flow.source)).attached;
    if (!at.valid() || !to.attached.valid()) {
      throw Error(ErrorKind::internal, "a host of the played traffic is not cabled");
    }
    while (at != to.attached) {
      const PortTarget next = fabric_.behind(at, tables_.at(at, to.lid));
      // Pairs without a route send nothing.
      if (next.kind != PortTarget::Kind::channel) return;
      if (flow.path.size() > fabric_.switch_count()) return;
      flow.path.push_back(next.index);
      at = SwitchId(fabric_.channel_head()[next.index]);
    }
    flows_.push_back(std::move(flow));
  }

  void add_pattern(std::uint32_t job) {
    const PlayedJob& played = plan_.jobs[job];
    PatternSpec spec;
    spec.pattern = played.pattern;
    spec.ranks = static_cast<std::uint32_t>(played.hosts.size());
    const std::unique_ptr<Pattern> pattern = make_pattern(spec);
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> weights;
    const auto take = [&](std::span<const Flow> block) {
      for (const Flow& flow : block) weights[{flow.source, flow.destination}] += 1;
    };
    for (std::uint32_t level = 0; level < pattern->level_count(); ++level) {
      FlowWriter writer(take);
      pattern->write_level(
          level, random_stream(plan_.seed, levels, std::uint64_t{job} * 1000 + level), writer);
      take(writer.block());
    }
    std::vector<double> sent(played.hosts.size(), 0);
    for (const auto& [pair, weight] : weights) sent[pair.first] += weight;
    const double most = sent.empty() ? 0 : *std::max_element(sent.begin(), sent.end());
    for (const auto& [pair, weight] : weights) {
      const double part = weight / most * (1 - played.storage_share);
      add_flow({played.hosts[pair.first],
                played.hosts[pair.second],
                job,
                false,
                part * played.rate * reference_rate(),
                {}});
    }
  }

  /// Each host writes to one storage host.
  void add_storage(std::uint32_t job) {
    const PlayedJob& played = plan_.jobs[job];
    if (played.storage_share <= 0 || plan_.storage_hosts.empty()) return;
    RandomGenerator random = random_stream(plan_.seed, storing, job);
    for (const std::uint32_t host : played.hosts) {
      const auto target = random.below(static_cast<std::uint32_t>(plan_.storage_hosts.size()));
      add_flow({host,
                plan_.storage_hosts[target],
                job,
                true,
                played.storage_share * played.rate * reference_rate(),
                {}});
    }
  }

  void add_activities(std::uint32_t job) {
    const Activity kind = plan_.jobs[job].activity;
    const std::uint64_t stream = std::uint64_t{2} * job;
    RandomGenerator compute = random_stream(plan_.seed, activities, stream);
    RandomGenerator write = random_stream(plan_.seed, activities, stream + 1);
    activity_.push_back(activity_of(kind, plan_.sweeps, compute));
    activity_.push_back(activity_of(kind, plan_.sweeps, write));
  }

  void play(std::size_t sweep) {
    RandomGenerator random = random_stream(plan_.seed, jitter, sweep);
    std::vector<double> rate;
    std::vector<double> load(capacity_.size(), 0);
    for (const PlayedFlow& flow : flows_) {
      const double activity = activity_[2 * flow.job + (flow.to_storage ? 1 : 0)][sweep];
      rate.push_back(flow.weight * activity * (.95 + .1 * unit(random)));
      for (const std::uint32_t channel : flow.path) load[channel] += rate.back();
    }
    const std::size_t hosts = fabric_.end_port_count();
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      const PlayedFlow& flow = flows_[i];
      double overload = 1;
      for (const std::uint32_t c : flow.path) overload = std::max(overload, load[c] / capacity_[c]);
      const double bytes = std::floor(rate[i] / overload * plan_.sweep_seconds);
      result_.sent[sweep * hosts + flow.source] += bytes;
      result_.received[sweep * hosts + flow.destination] += bytes;
      for (const std::uint32_t channel : flow.path) {
        result_.channels[sweep * capacity_.size() + channel] += bytes;
        result_.truth[flow.job * capacity_.size() + channel] += bytes;
      }
    }
  }

  const TrafficPlan& plan_;
  const Fabric& fabric_;
  const ForwardingTables& tables_;
  std::vector<PlayedFlow> flows_;
  std::vector<std::vector<double>> activity_;  // of computation and of storage, by job
  std::vector<double> capacity_;               // of channels, bytes a second
  PlayedTraffic result_;
};

}  // namespace

PlayedTraffic play_traffic(const TrafficPlan& plan, const Fabric& fabric,
                           const ForwardingTables& tables) {
  return TrafficPlayer(plan, fabric, tables).play();
}

TrafficPlan scatter_jobs(const Fabric& fabric, const ScatterOptions& options) {
  constexpr std::array patterns{"all_to_all", "shift:1", "neighbor2d",
                                "recdbl",     "rand",    "dissemination"};
  RandomGenerator random = random_stream(options.seed, placing, 0);
  std::vector<std::uint32_t> hosts;
  for (const EndPortId host : fabric.endpoints()) hosts.push_back(host.value());
  if (!options.together) shuffle(hosts, random);
  TrafficPlan plan;
  plan.sweeps = options.sweeps;
  plan.seed = options.seed;
  std::size_t next = 0;
  if (options.storage_share > 0) {
    // Storage is somewhere else in each plan, also where jobs are placed together.
    for (std::size_t i = 0; i < options.storage_hosts && !hosts.empty(); ++i) {
      const std::size_t chosen = random.below(static_cast<std::uint32_t>(hosts.size()));
      plan.storage_hosts.push_back(hosts[chosen]);
      hosts.erase(hosts.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
  }
  const double growth =
      std::log(static_cast<double>(options.largest) / static_cast<double>(options.smallest));
  for (std::size_t i = 0; i < options.jobs; ++i) {
    const auto size = static_cast<std::size_t>(static_cast<double>(options.smallest) *
                                               std::exp(growth * unit(random)));
    if (next + size > hosts.size()) break;
    PlayedJob job;
    job.hosts.assign(hosts.begin() + static_cast<std::ptrdiff_t>(next),
                     hosts.begin() + static_cast<std::ptrdiff_t>(next + size));
    next += size;
    job.pattern = patterns[random.below(patterns.size())];
    job.activity = options.activity;
    job.rate = .2 + .6 * unit(random);
    job.storage_share = options.storage_share;
    plan.jobs.push_back(std::move(job));
  }
  return plan;
}

}  // namespace pssp
