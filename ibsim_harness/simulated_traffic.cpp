// A job consists of flows with weights. The flows of all phases of its pattern run at the same
// time, because a sweep takes longer than a phase, and all are multiplied by the activity of the
// job. An overloaded link slows its flows: a flow gets its rate divided by the largest overload on
// its path, as in the evaluator's model of link loads. Jobs that share links therefore slow each
// other down.

#include "ibsim_harness/simulated_traffic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/random.h"
#include "evaluator/patterns/registry.h"

namespace pssp {
namespace {

constexpr std::uint64_t placing = 1, activities = 2, storing = 3, jitter = 4, levels = 5;
constexpr double bytes_of_100_gbit = 12.5e9;

double unit(RandomGenerator& random) { return unit_interval(random()); }

constexpr double word_bytes = 4;

double bytes_a_second(LinkRate rate) { return static_cast<double>(rate.capacity()) * 1e6 / 8; }

}  // namespace

struct TrafficPlayer::SimulatedFlow {
  std::uint32_t source, destination, job;
  bool to_storage;
  double weight;                    // bytes per second at full activity of the job
  std::vector<std::uint32_t> path;  // links
};

LinkRate ibsim_rate(LinkRate stated) {
  constexpr std::uint32_t sdr = 2'000, hdr = 50'000;
  const bool known = stated.stated() && stated.megabits_per_lane <= hdr;
  return known ? stated : LinkRate{4, sdr};
}

TrafficPlayer::TrafficPlayer(const TrafficPlan& plan, const Fabric& fabric,
                             const ForwardingTables& tables)
    : plan_(plan),
      fabric_(fabric),
      tables_(tables),
      links_{fabric.channel_count(), fabric.end_port_count()} {
  for (std::uint32_t job = 0; job < plan.jobs.size(); ++job) {
    add_pattern(job);
    add_storage(job);
    add_activities(job);
  }
  set_capacities();
  activity_.assign(series_.size(), 0);
  truth_.assign(plan.jobs.size() * links_.count(), 0);
}

TrafficPlayer::~TrafficPlayer() = default;

double TrafficPlayer::reference_rate() const {
  const double rate = fabric_.reference_capacity();
  return rate > 0 ? rate * 1e6 / 8 : bytes_of_100_gbit;
}

double TrafficPlayer::sender_rate(std::uint32_t host) const {
  if (plan_.full_link <= 0) return reference_rate();
  return bytes_a_second(ibsim_rate(fabric_.end_port(EndPortId(host)).rate)) * plan_.full_link;
}

void TrafficPlayer::set_capacities() {
  capacity_.reserve(links_.count());
  for (std::size_t c = 0; c < links_.channels; ++c) {
    capacity_.push_back(plan_.full_link > 0
                            ? bytes_a_second(ibsim_rate(fabric_.channel_rate()[c])) *
                                  plan_.full_link
                            : reference_rate() / fabric_.channel_cost()[c]);
  }
  for (std::size_t side = 0; side < 2; ++side) {
    for (std::uint32_t e = 0; e < links_.end_ports; ++e) {
      capacity_.push_back(plan_.full_link > 0 ? sender_rate(e)
                                              : std::numeric_limits<double>::infinity());
    }
  }
}

void TrafficPlayer::add_flow(SimulatedFlow flow) {
  // Pairs without a route send nothing.
  if (find_path(flow)) flows_.push_back(std::move(flow));
}

void TrafficPlayer::reroute() {
  for (SimulatedFlow& flow : flows_) {
    if (!find_path(flow)) flow.path.clear();
  }
}

bool TrafficPlayer::find_path(SimulatedFlow& flow) const {
  const EndPort& to = fabric_.end_port(EndPortId(flow.destination));
  SwitchId at = fabric_.end_port(EndPortId(flow.source)).attached;
  if (!at.valid() || !to.attached.valid()) {
    throw Error(ErrorKind::internal, "a host of the simulated traffic has no cable");
  }
  flow.path = {static_cast<std::uint32_t>(links_.out_of(flow.source))};
  while (at != to.attached) {
    const PortTarget next = fabric_.behind(at, tables_.at(at, to.lid));
    if (next.kind != PortTarget::Kind::channel) return false;
    if (flow.path.size() > fabric_.switch_count() + 1) return false;
    flow.path.push_back(next.index);
    at = SwitchId(fabric_.channel_head()[next.index]);
  }
  flow.path.push_back(static_cast<std::uint32_t>(links_.into(flow.destination)));
  return true;
}

void TrafficPlayer::add_pattern(std::uint32_t job) {
  const SimulatedJob& simulated = plan_.jobs[job];
  PatternSpec spec;
  spec.pattern = simulated.pattern;
  spec.ranks = static_cast<std::uint32_t>(simulated.hosts.size());
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
  std::vector<double> sent(simulated.hosts.size(), 0);
  for (const auto& [pair, weight] : weights) sent[pair.first] += weight;
  const double most = sent.empty() ? 0 : *std::max_element(sent.begin(), sent.end());
  for (const auto& [pair, weight] : weights) {
    const std::uint32_t source = simulated.hosts[pair.first];
    const double part = weight / most * (1 - simulated.storage_share);
    add_flow({source,
              simulated.hosts[pair.second],
              job,
              false,
              part * simulated.rate * sender_rate(source),
              {}});
  }
}

/// Each host writes to one storage host.
void TrafficPlayer::add_storage(std::uint32_t job) {
  const SimulatedJob& simulated = plan_.jobs[job];
  if (simulated.storage_share <= 0 || plan_.storage_hosts.empty()) return;
  RandomGenerator random = random_stream(plan_.seed, storing, job);
  for (const std::uint32_t host : simulated.hosts) {
    const auto target = random.below(static_cast<std::uint32_t>(plan_.storage_hosts.size()));
    add_flow({host,
              plan_.storage_hosts[target],
              job,
              true,
              simulated.storage_share * simulated.rate * sender_rate(host),
              {}});
  }
}

void TrafficPlayer::add_activities(std::uint32_t job) {
  const Activity kind = plan_.jobs[job].activity;
  const std::uint64_t stream = std::uint64_t{2} * job;
  series_.emplace_back(kind, random_stream(plan_.seed, activities, stream));
  series_.emplace_back(kind, random_stream(plan_.seed, activities, stream + 1));
}

/// Bytes that a full link delays wait on the previous links of the path.
void TrafficPlayer::wait_before(const SimulatedFlow& flow, std::uint32_t full, double kept_back) {
  for (const std::uint32_t link : flow.path) {
    if (link == full) return;
    waited_[link] += kept_back / word_bytes;
  }
}

void TrafficPlayer::simulate_sweep() {
  if (sweep_ % std::max<std::size_t>(plan_.pace, 1) == 0) {
    for (std::size_t i = 0; i < series_.size(); ++i) activity_[i] = series_[i].next();
  }
  RandomGenerator random = random_stream(plan_.seed, jitter, sweep_++);
  std::vector<double> rate;
  rate.reserve(flows_.size());
  std::vector<double> load(links_.count(), 0);
  for (const SimulatedFlow& flow : flows_) {
    const double activity = activity_[2 * flow.job + (flow.to_storage ? 1 : 0)];
    rate.push_back(flow.weight * activity * (.95 + .1 * unit(random)));
    for (const std::uint32_t link : flow.path) load[link] += rate.back();
  }
  bytes_.assign(links_.count(), 0);
  waited_.assign(links_.count(), 0);
  for (std::size_t i = 0; i < flows_.size(); ++i) {
    const SimulatedFlow& flow = flows_[i];
    if (flow.path.empty()) continue;
    double overload = 1;
    std::uint32_t full = flow.path.front();
    for (const std::uint32_t link : flow.path) {
      if (load[link] / capacity_[link] <= overload) continue;
      overload = load[link] / capacity_[link];
      full = link;
    }
    const double bytes = std::floor(rate[i] / overload * plan_.sweep_seconds);
    for (const std::uint32_t link : flow.path) {
      bytes_[link] += bytes;
      truth_[flow.job * links_.count() + link] += bytes;
    }
    wait_before(flow, full, rate[i] * plan_.sweep_seconds - bytes);
  }
  for (std::size_t link = 0; link < waited_.size(); ++link) {
    const double idle = (capacity_[link] * plan_.sweep_seconds - bytes_[link]) / word_bytes;
    waited_[link] = std::floor(std::clamp(waited_[link], 0.0, std::max(0.0, idle)));
  }
}

SimulatedTraffic play_traffic(const TrafficPlan& plan, const Fabric& fabric,
                              const ForwardingTables& tables) {
  TrafficPlayer player(plan, fabric, tables);
  const SimulatedLinks& links = player.links();
  const auto channels = static_cast<std::ptrdiff_t>(links.channels);
  const auto hosts = static_cast<std::ptrdiff_t>(links.end_ports);
  SimulatedTraffic result;
  result.sweeps = plan.sweeps;
  const auto append = [](std::vector<double>& all, const std::vector<double>& of,
                         std::ptrdiff_t first, std::ptrdiff_t count) {
    all.insert(all.end(), of.begin() + first, of.begin() + first + count);
  };
  for (std::size_t sweep = 0; sweep < plan.sweeps; ++sweep) {
    player.simulate_sweep();
    append(result.channels, player.bytes(), 0, channels);
    append(result.sent, player.bytes(), channels, hosts);
    append(result.received, player.bytes(), channels + hosts, hosts);
  }
  for (std::size_t job = 0; job < plan.jobs.size(); ++job) {
    append(result.truth, player.truth(), static_cast<std::ptrdiff_t>(job * links.count()),
           channels);
  }
  return result;
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
    // The storage hosts differ between plans, even if jobs are placed together.
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
    SimulatedJob job;
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
