// The attribution is computed from the counters of simulated hosts and channels. The true traffic
// is used only to check it.

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "base/error.h"
#include "benchmarks/observed_simulation.h"
#include "evaluator/patterns/pattern_file.h"
#include "monitor/analysis/attribution.h"
#include "routing/engines/engine.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

/// 64 hosts at 8 leaf switches, with 4 spine switches.
const Fabric& small_tree() {
  static const Fabric fabric = make_fabric("xgft 8,8 1,4");
  return fabric;
}
const ForwardingTables& small_tables() {
  static const ForwardingTables tables = make_engine("pssp", {})->route(small_tree()).tables;
  return tables;
}

struct AttributionTrial {
  explicit AttributionTrial(const TrafficPlan& of_plan)
      : plan(of_plan),
        simulated(play_traffic(plan, small_tree(), small_tables())),
        observed(observe(plan, simulated, small_tree(), small_tables())) {}

  double truth(std::uint32_t job, const ChannelShares& shares) const {
    return simulated.truth[job * small_tree().channel_count() + shares.channel.value()] /
           shares.bytes;
  }
  bool names_the_largest(const ChannelShares& shares) const {
    double most = 0;
    for (std::uint32_t job = 0; job < plan.jobs.size(); ++job) {
      most = std::max(most, truth(job, shares));
    }
    const std::uint32_t first = shares.jobs.front().job;
    return first < plan.jobs.size() && truth(first, shares) >= .95 * most;
  }
  bool within_bounds(const ChannelShares& shares) const {
    for (std::uint32_t job = 0; job < plan.jobs.size(); ++job) {
      const auto found = std::find_if(shares.jobs.begin(), shares.jobs.end(),
                                      [&](const JobShare& share) { return share.job == job; });
      const double least = found == shares.jobs.end() ? 0 : found->least;
      const double most = found == shares.jobs.end() ? 0 : found->most;
      if (truth(job, shares) < least - 1e-9 || truth(job, shares) > most + 1e-9) return false;
    }
    return true;
  }

  TrafficPlan plan;
  SimulatedTraffic simulated;
  ObservedTraffic observed;
};

ScatterOptions scattered(Activity activity, std::size_t sweeps, std::uint64_t seed = 1) {
  ScatterOptions options;
  options.jobs = 6;
  options.largest = 16;
  options.activity = activity;
  options.sweeps = sweeps;
  options.seed = seed;
  return options;
}

/// No traffic and no jobs yet. Hosts 0 to 7 are at the first leaf switch, hosts 8 to 15 at the
/// second, and so on.
ObservedTraffic empty_traffic(std::size_t sweeps) {
  ObservedTraffic observed;
  observed.fabric = &small_tree();
  observed.tables = &small_tables();
  observed.sweeps = sweeps;
  observed.sent.assign(sweeps * small_tree().end_port_count(), 0);
  observed.received = observed.sent;
  observed.channels.assign(sweeps * small_tree().channel_count(), 0);
  return observed;
}

std::vector<std::uint32_t> path(std::uint32_t source, std::uint32_t destination) {
  std::vector<std::uint32_t> channels;
  SwitchId at = small_tree().end_port(EndPortId(source)).attached;
  const EndPort& to = small_tree().end_port(EndPortId(destination));
  while (at != to.attached) {
    channels.push_back(small_tree().behind(at, small_tables().at(at, to.lid)).index);
    at = SwitchId(small_tree().channel_head()[channels.back()]);
  }
  return channels;
}

void send(ObservedTraffic& observed, std::size_t sweep, std::uint32_t source,
          std::uint32_t destination, double bytes) {
  observed.sent[sweep * small_tree().end_port_count() + source] += bytes;
  observed.received[sweep * small_tree().end_port_count() + destination] += bytes;
  for (const std::uint32_t channel : path(source, destination)) {
    observed.channels[sweep * small_tree().channel_count() + channel] += bytes;
  }
}

/// A host on another leaf switch whose route from `source` has the same first channel as the route
/// to `destination`. Returns `destination` if there is none.
std::uint32_t other_over_same_channel(std::uint32_t source, std::uint32_t destination) {
  for (std::uint32_t host = 0; host < small_tree().end_port_count(); ++host) {
    if (host == destination || path(source, host).empty()) continue;
    if (path(source, host).front() == path(source, destination).front()) return host;
  }
  return destination;
}

}  // namespace

TEST_CASE("the counters of simulated hosts and channels agree with the true traffic") {
  ScatterOptions options = scattered(Activity::phases, 4);
  options.storage_share = .3;
  const AttributionTrial trial(scatter_jobs(small_tree(), options));
  CHECK(std::accumulate(trial.simulated.sent.begin(), trial.simulated.sent.end(), 0.0) ==
        Approx(std::accumulate(trial.simulated.received.begin(), trial.simulated.received.end(),
                               0.0)));
  const std::size_t channels = small_tree().channel_count();
  for (std::size_t c = 0; c < channels; ++c) {
    double counted = 0;
    double truth = 0;
    for (std::size_t t = 0; t < 4; ++t) counted += trial.simulated.channels[t * channels + c];
    for (std::size_t job = 0; job < trial.plan.jobs.size(); ++job) {
      truth += trial.simulated.truth[job * channels + c];
    }
    CHECK(counted == Approx(truth));
  }
}

TEST_CASE("the only possible user of a channel gets all of it, with exact bounds") {
  ObservedTraffic observed = empty_traffic(1);
  observed.jobs = {{{0, 8}}, {{16, 24}}};
  send(observed, 0, 0, 8, 1000);
  send(observed, 0, 8, 0, 1000);
  send(observed, 0, 16, 24, 500);
  send(observed, 0, 24, 16, 500);
  const Attribution attribution(observed);
  const ChannelShares shares = attribution.shares_of(ChannelId(path(0, 8).front()));
  CHECK(shares.bytes == 1000);
  REQUIRE(shares.jobs.size() == 1);
  CHECK(shares.jobs[0].job == 0);
  CHECK(shares.jobs[0].evidence == Evidence::only_user);
  CHECK(shares.jobs[0].least == 1);
  CHECK(shares.jobs[0].most == 1);
  CHECK(shares.jobs[0].share == Approx(1));
  CHECK(shares.unexplained == Approx(0).margin(1e-9));
  CHECK(attribution.hottest(100).size() == 8);
}

TEST_CASE("bounds of two jobs on a channel follow from the counters of their hosts") {
  const std::uint32_t other = other_over_same_channel(0, 8);
  REQUIRE(other != 8);
  ObservedTraffic observed = empty_traffic(1);
  observed.jobs = {{{0, 8}}, {{1, other}}};
  std::sort(observed.jobs[1].hosts.begin(), observed.jobs[1].hosts.end());
  send(observed, 0, 0, 8, 1000);
  send(observed, 0, 8, 0, 1000);
  // These bytes of the second job are on the same channel if the route of host 1 uses it, too.
  send(observed, 0, 1, other, 300);
  send(observed, 0, other, 1, 300);
  const std::uint32_t channel = path(0, 8).front();
  const bool shared = path(1, other).front() == channel;
  const ChannelShares shares = Attribution(observed).shares_of(ChannelId(channel));
  CHECK(shares.jobs[0].job == 0);
  CHECK(shares.jobs[0].least == Approx(shared ? 1000 / 1300.0 : 1));
  CHECK(shares.jobs[0].most == Approx(shared ? 1000 / 1300.0 : 1));
}

TEST_CASE("bounds hold for random traffic plans") {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    ScatterOptions options = scattered(static_cast<Activity>(seed % 3), 1 + seed % 3, seed);
    options.storage_share = seed % 2 == 0 ? .03 * (seed % 11) : 0;
    options.together = seed % 5 == 0;
    options.jobs = 3 + seed % 8;
    const AttributionTrial trial(scatter_jobs(small_tree(), options));
    AttributionOptions quick;
    quick.bootstraps = 0;
    const Attribution attribution(trial.observed, quick);
    for (const ChannelId channel : attribution.hottest(100)) {
      INFO("plan " << seed << ", channel " << channel.value());
      CHECK(trial.within_bounds(attribution.shares_of(channel)));
    }
  }
}

TEST_CASE("phases distinguish jobs: the first job listed is nearly always the largest user") {
  for (const double storage : {0.0, 0.3}) {
    std::size_t right = 0;
    std::size_t all = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      ScatterOptions options = scattered(Activity::phases, 30, seed);
      options.storage_share = storage;
      options.storage_hosts = 4;
      const AttributionTrial trial(scatter_jobs(small_tree(), options));
      AttributionOptions quick;
      quick.bootstraps = 10;  // intervals have their own test
      const Attribution attribution(trial.observed, quick);
      for (const ChannelId channel : attribution.hottest(20)) {
        const ChannelShares shares = attribution.shares_of(channel);
        CHECK(trial.within_bounds(shares));
        CHECK(shares.jobs.front().evidence != Evidence::estimate);
        ++all;
        if (trial.names_the_largest(shares)) ++right;
      }
    }
    INFO(storage << ": " << right << " of " << all);
    CHECK(100 * right >= (storage > 0 ? 85 : 97) * all);
  }
}

TEST_CASE("jobs of constant rate cannot be distinguished and get estimates") {
  for (const double storage : {0.0, 0.3}) {
    ScatterOptions options = scattered(Activity::constant, 30);
    options.storage_share = storage;
    const AttributionTrial trial(scatter_jobs(small_tree(), options));
    const Attribution attribution(trial.observed);
    for (const ChannelId channel : attribution.hottest(1000)) {
      const ChannelShares shares = attribution.shares_of(channel);
      CHECK(trial.within_bounds(shares));
      for (const JobShare& share : shares.jobs) {
        CHECK(share.evidence ==
              (shares.jobs.size() == 1 ? Evidence::only_user : Evidence::estimate));
        CHECK(share.low == share.least);
        CHECK(share.high == share.most);
      }
    }
  }
}

TEST_CASE("fewer than six sweeps give no evidence from time series") {
  const AttributionTrial trial(scatter_jobs(small_tree(), scattered(Activity::phases, 5)));
  const Attribution attribution(trial.observed);
  for (const ChannelId channel : attribution.hottest(20)) {
    for (const JobShare& share : attribution.shares_of(channel).jobs) {
      CHECK(share.evidence != Evidence::time_series);
    }
  }
}

TEST_CASE("shares lie within bounds and intervals, and are reproducible") {
  const AttributionTrial trial(scatter_jobs(small_tree(), scattered(Activity::drifting, 12)));
  const Attribution one(trial.observed);
  const Attribution two(trial.observed);
  for (const ChannelId channel : one.hottest(20)) {
    const ChannelShares shares = one.shares_of(channel);
    const ChannelShares again = two.shares_of(channel);
    double sum = shares.unexplained;
    REQUIRE(shares.jobs.size() == again.jobs.size());
    for (std::size_t i = 0; i < shares.jobs.size(); ++i) {
      const JobShare& share = shares.jobs[i];
      CHECK(share.least <= share.low);
      CHECK(share.low <= share.share);
      CHECK(share.share <= share.high);
      CHECK(share.high <= share.most);
      CHECK(share.share == again.jobs[i].share);
      CHECK(share.low == again.jobs[i].low);
      CHECK(share.high == again.jobs[i].high);
      sum += share.share;
    }
    CHECK(sum >= 1 - 1e-9);
  }
}

TEST_CASE(
    "traffic to a host of another job widens the bounds, also if the host is declared shared") {
  const std::uint32_t victim = other_over_same_channel(0, 8);
  ObservedTraffic observed = empty_traffic(1);
  observed.jobs = {{{0, 8}}, {{1, victim}}};
  std::sort(observed.jobs[1].hosts.begin(), observed.jobs[1].hosts.end());
  // Job 0 writes to a host of job 1, which the ownership rules do not allow.
  send(observed, 0, 0, victim, 1000);
  const ChannelId channel(path(0, victim).front());
  const ChannelShares shares = Attribution(observed).shares_of(channel);
  REQUIRE(!shares.jobs.empty());
  CHECK(shares.jobs[0].wide == WideBounds::unequal_sums);
  CHECK(shares.jobs[0].most == 1);
  CHECK(!reason_of(shares.jobs[0].wide).empty());
  observed.shared_hosts.assign(small_tree().end_port_count(), 0);
  observed.shared_hosts[victim] = 1;
  bool said = false;
  for (const JobShare& share : Attribution(observed).shares_of(channel).jobs) {
    said = said || share.wide == WideBounds::shared_host;
  }
  CHECK(said);
}

TEST_CASE("a host in two jobs and a host without readings widen bounds") {
  ObservedTraffic observed = empty_traffic(2);
  observed.jobs = {{{0, 8}}, {{0, 16}}};
  for (const std::size_t sweep : {0, 1}) {
    send(observed, sweep, 0, 8, 1000);
    send(observed, sweep, 8, 0, 1000);
  }
  const ChannelId channel(path(0, 8).front());
  ChannelShares shares = Attribution(observed).shares_of(channel);
  for (const JobShare& share : shares.jobs) CHECK(share.wide == WideBounds::host_in_two_jobs);
  observed.jobs.pop_back();
  observed.sent[0] = -1;
  shares = Attribution(observed).shares_of(channel);
  REQUIRE(shares.jobs.size() == 1);
  CHECK(shares.jobs[0].wide == WideBounds::unknown_counters);
  CHECK(shares.jobs[0].most == 1);
  // A sweep in which the channel was not read is left out.
  observed.channels[channel.value()] = -1;
  CHECK(Attribution(observed).shares_of(channel).bytes == 1000);
}

TEST_CASE("traffic of hosts outside jobs belongs to no job, and an idle channel has no users") {
  ObservedTraffic observed = empty_traffic(1);
  observed.jobs = {{{16, 24}}};
  send(observed, 0, 0, 8, 1000);
  const Attribution attribution(observed);
  const ChannelShares shares = attribution.shares_of(ChannelId(path(0, 8).front()));
  REQUIRE(shares.jobs.size() == 1);
  CHECK(shares.jobs[0].job == 1);
  CHECK(shares.jobs[0].share == Approx(1));
  CHECK(attribution.shares_of(ChannelId(path(16, 24).front())).jobs.empty());
  observed.sent.pop_back();
  CHECK_THROWS_AS(Attribution(observed), Error);
}

TEST_CASE("idle hosts are not candidates, and bounds include the bytes that they counted") {
  ObservedTraffic observed = empty_traffic(1);
  observed.jobs = {{{0, 8}}};
  send(observed, 0, 0, 8, 1e9);
  send(observed, 0, 8, 0, 1e9);
  // Background traffic between all pairs of hosts: 3 bytes each, together less than a thousandth of
  // the job's traffic.
  std::vector<double> chatter(small_tree().channel_count(), 0);
  for (std::uint32_t source = 0; source < 64; ++source) {
    for (std::uint32_t destination = 0; destination < 64; ++destination) {
      if (source == destination) continue;
      const bool of_job = source == 0 || source == 8 || destination == 0 || destination == 8;
      send(observed, 0, source, destination, 3);
      if (of_job) continue;
      for (const std::uint32_t channel : path(source, destination)) chatter[channel] += 3;
    }
  }
  const Attribution attribution(observed);
  CHECK(attribution.flows().flows().size() == 2);
  CHECK(!attribution.flows().quiet(0));
  CHECK(attribution.flows().quiet(1));
  CHECK(attribution.flows().quiet_bytes() == Approx(62 * 2 * 63 * 3));
  for (std::uint32_t c = 0; c < small_tree().channel_count(); ++c) {
    const ChannelShares shares = attribution.shares_of(ChannelId(c));
    if (shares.bytes <= 0) continue;
    INFO("channel " << c);
    const double of_none = chatter[c] / shares.bytes;
    double explained = 0;
    for (const JobShare& share : shares.jobs) {
      const double truth = share.job == 0 ? 1 - of_none : of_none;
      CHECK(share.least <= truth + 1e-9);
      CHECK(share.most >= truth - 1e-9);
      // On channels with job traffic, the estimated shares also match the true ones.
      if (shares.bytes > 1e6) CHECK(share.share == Approx(truth).margin(1e-3));
      explained += share.share;
    }
    CHECK(explained + shares.unexplained == Approx(1).margin(1e-3));
    CHECK(shares.unexplained < 1e-3);
  }
}

TEST_CASE("hosts that counted no more than the monitor's requests are quiet") {
  ObservedTraffic observed = empty_traffic(2);
  for (const std::size_t sweep : {0, 1}) {
    for (std::uint32_t host = 1; host < 64; ++host) {
      send(observed, sweep, 0, host, 576);
      send(observed, sweep, host, 0, 576);
    }
  }
  CHECK(Attribution(observed).flows().flows().size() == 64 * 63);
  observed.quiet_bytes = 2 * 576;
  observed.management_bytes = 63 * 4 * 576;
  const Attribution attribution(observed);
  CHECK(attribution.flows().flows().empty());
  const ChannelShares shares = attribution.shares_of(ChannelId(path(0, 8).front()));
  REQUIRE(shares.jobs.size() == 1);
  CHECK(shares.jobs[0].share == Approx(1));
  // A host without a reading may have sent anything, so it is not quiet.
  observed.sent[5] = -1;
  CHECK(!Attribution(observed).flows().quiet(5));
}

TEST_CASE("the traffic matrix of a window has the bytes that hosts sent, also as a pattern file") {
  const AttributionTrial trial(scatter_jobs(small_tree(), scattered(Activity::phases, 12)));
  const TrafficMatrix matrix = Attribution(trial.observed).traffic();
  double sum = 0;
  for (const WeightedFlow& flow : matrix.flows) sum += flow.bytes;
  const double sent =
      std::accumulate(trial.simulated.sent.begin(), trial.simulated.sent.end(), 0.0);
  CHECK(sum == Approx(sent).epsilon(.1));
  const auto ranks = static_cast<std::uint32_t>(small_tree().endpoints().size());
  const PatternLevels read = parse_pattern_levels(traffic_text(matrix, ranks), "traffic", ranks);
  REQUIRE(read.flows.size() == matrix.flows.size());
  CHECK(read.flows[3].source == matrix.flows[3].source);
  CHECK(static_cast<double>(read.bytes[3]) == Approx(matrix.flows[3].bytes).margin(1));
}
