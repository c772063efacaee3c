// Three steps. First the bounds, which hold whatever is assumed later. Then a prior: flows that
// agree with all counters of the window. Then time: the bytes of a channel are a sum of activities
// with unknown factors, and activities that differ over time determine the factors. Jobs of
// constant rate cannot be told apart; their shares are those of the prior and are called estimates,
// and their interval is given by the bounds.

#include "monitor/analysis/attribution.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/error.h"
#include "monitor/analysis/time_fit.h"

namespace pssp {
namespace {

/// Jobs whose upper bound is a smaller share of the channel do not count as rivals of other jobs.
constexpr double least_rival = 0.01;
/// Fitted factors never reach 0. A smaller lower limit is therefore replaced by the certain bound.
constexpr double least_reported = 0.01;
/// Purpose of the random stream; keeps it apart from all other streams.
constexpr std::uint64_t bootstrap_purpose = 0x77686f;

/// A nearly normal random number. The sum of 12 uniform numbers gives the same result on every
/// machine, which std::normal_distribution does not.
double normal(RandomGenerator& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += unit_interval(random());
  return sum;
}

void require_sizes(const ObservedTraffic& observed) {
  const std::size_t hosts = observed.fabric->end_port_count() * observed.sweeps;
  const std::size_t channels = observed.fabric->channel_count() * observed.sweeps;
  if (observed.sent.size() != hosts || observed.received.size() != hosts ||
      observed.channels.size() != channels ||
      observed.tables->switch_count() != observed.fabric->switch_count()) {
    throw Error(ErrorKind::internal, "the observed traffic does not belong to its fabric");
  }
}

const ObservedTraffic& checked(const ObservedTraffic& observed) {
  require_sizes(observed);
  return observed;
}

}  // namespace

std::string_view name_of(Evidence evidence) {
  switch (evidence) {
    case Evidence::only_user:
      return "only user";
    case Evidence::time_series:
      return "time series";
    case Evidence::estimate:
      break;
  }
  return "estimate";
}

std::string_view reason_of(WideBounds wide) {
  switch (wide) {
    case WideBounds::no:
      break;
    case WideBounds::host_in_two_jobs:
      return "one of its hosts was in two jobs in this window";
    case WideBounds::shared_host:
      return "one of its hosts also serves other jobs";
    case WideBounds::unequal_sums:
      return "its hosts sent and received different amounts, which hosts outside of jobs do not "
             "explain";
    case WideBounds::unknown_counters:
      return "counters of one of its hosts were not read";
  }
  return {};
}

/// The time series of a channel by flow class, and the factors fitted to them.
struct Attribution::ChannelFit {
  TimeFit fit;
  std::vector<std::uint32_t> classes;  // flow class of each series
  std::vector<double> factors;
  double bytes = 0;

  double part(std::size_t series, double factor) const {
    double sum = 0;
    for (std::size_t t = 0; t < fit.sweeps; ++t) {
      if (fit.bytes[t] >= 0) sum += factor * fit.activity(series)[t];
    }
    return bytes > 0 ? sum / bytes : 0;
  }
};

Attribution::Attribution(const ObservedTraffic& observed, AttributionOptions options,
                         const StopSignal& stop)
    : observed_(checked(observed)),
      options_(options),
      owners_(observed),
      flows_(observed, owners_, stop),
      bounds_(observed, owners_, options.reading_skew) {}

Attribution::ChannelFit Attribution::fit_of(ChannelId channel) const {
  ChannelFit result;
  result.bytes = bounds_.bytes(channel);
  TimeFit& fit = result.fit;
  fit.sweeps = observed_.sweeps;
  for (std::size_t t = 0; t < fit.sweeps; ++t) {
    fit.bytes.push_back(
        observed_.channels[t * observed_.fabric->channel_count() + channel.value()]);
  }
  std::map<std::uint32_t, double> of_class;
  for (const std::uint32_t flow : flows_.crossing(channel.value())) {
    of_class[flows_.flows()[flow].flow_class] += flows_.bytes()[flow];
  }
  for (const auto& [flow_class, bytes] : of_class) {
    const auto activity = owners_.activity(flow_class);
    const double total = std::accumulate(activity.begin(), activity.end(), 0.0);
    if (total <= 0 || bytes <= 0) continue;
    result.classes.push_back(flow_class);
    fit.activities.insert(fit.activities.end(), activity.begin(), activity.end());
    fit.prior.push_back(bytes / total);
  }
  result.factors = options_.use_time ? fit_factors(fit) : fit.prior;
  return result;
}

ChannelShares Attribution::shares_of(ChannelId channel) const {
  const ChannelFit fit = fit_of(channel);
  ChannelShares shares;
  shares.channel = channel;
  shares.bytes = fit.bytes;
  if (fit.bytes <= 0) return shares;
  const std::vector<ByteBounds> bounds = bounds_.of(channel);
  for (std::uint32_t job = 0; job < bounds.size(); ++job) {
    if (bounds[job].most <= 0) continue;
    JobShare share;
    share.job = job;
    share.least = bounds[job].least / fit.bytes;
    share.most = bounds[job].most / fit.bytes;
    if (job < owners_.job_count()) share.wide = bounds_.wide(job);
    shares.jobs.push_back(share);
  }
  share_out(fit, fit.bytes, shares);
  evaluate(fit, shares);
  resample(fit, shares);
  std::stable_sort(shares.jobs.begin(), shares.jobs.end(),
                   [](const JobShare& a, const JobShare& b) { return a.share > b.share; });
  return shares;
}

void Attribution::share_out(const ChannelFit& fit, double bytes, ChannelShares& shares) const {
  std::vector<double> of_job(owners_.job_count() + std::size_t{1}, 0);
  std::vector<double> expected(fit.fit.sweeps, 0);
  for (std::size_t k = 0; k < fit.classes.size(); ++k) {
    of_job[owners_.job_of_class(fit.classes[k])] += fit.part(k, fit.factors[k]);
    for (std::size_t t = 0; t < fit.fit.sweeps; ++t) {
      expected[t] += fit.factors[k] * fit.fit.activity(k)[t];
    }
  }
  // Flows of quiet hosts are no candidates. They may account for bytes that the other flows do not
  // explain, as on a channel that is almost idle.
  const double found = std::accumulate(of_job.begin(), of_job.end(), 0.0);
  of_job.back() += std::clamp(1 - found, 0.0, flows_.quiet_bytes() / bytes);
  double explained = 0;
  for (JobShare& share : shares.jobs) {
    share.share = std::clamp(of_job[share.job], share.least, share.most);
    explained += share.share;
  }
  shares.unexplained = std::max(0.0, 1 - explained);
  for (std::size_t t = 0; t < fit.fit.sweeps; ++t) {
    if (fit.fit.bytes[t] >= 0) shares.misfit += std::abs(fit.fit.bytes[t] - expected[t]) / bytes;
  }
}

void Attribution::evaluate(const ChannelFit& fit, ChannelShares& shares) const {
  // Bytes of each job over the channel by sweep, according to the prior.
  std::map<std::uint32_t, std::vector<double>> series;
  for (std::size_t k = 0; k < fit.classes.size(); ++k) {
    std::vector<double>& sum = series[owners_.job_of_class(fit.classes[k])];
    sum.resize(fit.fit.sweeps, 0);
    for (std::size_t t = 0; t < fit.fit.sweeps; ++t) {
      sum[t] += fit.fit.prior[k] * fit.fit.activity(k)[t];
    }
  }
  const auto varies = [&](const std::vector<double>& a) {
    return variation(a) >= options_.least_variation;
  };
  const auto tells_apart = [&](const JobShare& share) {
    const auto own = series.find(share.job);
    if (own == series.end() || !varies(own->second)) return false;
    return std::none_of(shares.jobs.begin(), shares.jobs.end(), [&](const JobShare& other) {
      const auto rival = series.find(other.job);
      return other.job != share.job && other.most >= least_rival && rival != series.end() &&
             correlation(own->second, rival->second) > options_.largest_correlation;
    });
  };
  for (JobShare& share : shares.jobs) {
    if (shares.jobs.size() == 1) {
      share.evidence = Evidence::only_user;
    } else if (options_.use_time && observed_.sweeps >= options_.least_sweeps &&
               tells_apart(share)) {
      share.evidence = Evidence::time_series;
    }
  }
}

void Attribution::resample(const ChannelFit& fit, ChannelShares& shares) const {
  for (JobShare& share : shares.jobs) {
    share.low = share.least;
    share.high = share.most;
  }
  const bool any = std::any_of(shares.jobs.begin(), shares.jobs.end(), [](const JobShare& share) {
    return share.evidence == Evidence::time_series;
  });
  if (!any || options_.bootstraps == 0) return;
  const std::size_t columns = owners_.job_count() + std::size_t{1};
  std::vector<std::vector<double>> drawn(columns);
  // Factors that the sweeps cannot tell apart stay near the prior. The interval must also cover the
  // possible error of the prior.
  TimeFit other = fit.fit;
  for (unsigned i = 0; i < options_.bootstraps; ++i) {
    RandomGenerator random =
        random_stream(options_.seed, bootstrap_purpose + shares.channel.value(), i);
    for (std::size_t k = 0; k < fit.classes.size(); ++k) {
      other.prior[k] = fit.fit.prior[k] * std::exp(options_.prior_error * normal(random));
    }
    const std::vector<double> factors = fit_factors(other, draw_sweeps(fit.fit.sweeps, random));
    std::vector<double> of_job(columns, 0);
    for (std::size_t k = 0; k < fit.classes.size(); ++k) {
      of_job[owners_.job_of_class(fit.classes[k])] += fit.part(k, factors[k]);
    }
    for (std::size_t job = 0; job < columns; ++job) drawn[job].push_back(of_job[job]);
  }
  const auto quantile = [&](std::vector<double>& values, double part) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
  };
  for (JobShare& share : shares.jobs) {
    if (share.evidence != Evidence::time_series) continue;
    share.low = std::clamp(quantile(drawn[share.job], 0.025), share.least, share.most);
    share.high = std::clamp(quantile(drawn[share.job], 0.975), share.least, share.most);
    if (share.low < least_reported) share.low = share.least;
    share.low = std::min(share.low, share.share);
    share.high = std::max(share.high, share.share);
  }
}

std::vector<ChannelId> Attribution::hottest(std::size_t count) const {
  const Fabric& fabric = *observed_.fabric;
  std::vector<double> heat(fabric.channel_count());
  std::vector<ChannelId> order;
  for (std::uint32_t c = 0; c < heat.size(); ++c) {
    heat[c] = bounds_.bytes(ChannelId(c)) * fabric.channel_cost()[c];
    if (heat[c] > 0) order.emplace_back(c);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](ChannelId a, ChannelId b) { return heat[a.value()] > heat[b.value()]; });
  if (order.size() > count) order.resize(count);
  return order;
}

TrafficMatrix Attribution::traffic(double least_bytes, const StopSignal& stop) const {
  const Fabric& fabric = *observed_.fabric;
  std::vector<double> factor(flows_.flows().size(), 0);
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    stop.check("fitting flows to time series",
               static_cast<double>(c) / static_cast<double>(fabric.channel_count()));
    const ChannelFit fit = fit_of(ChannelId(c));
    std::map<std::uint32_t, double> of_class;
    for (std::size_t k = 0; k < fit.classes.size(); ++k) {
      of_class[fit.classes[k]] = fit.bytes > 0 ? fit.factors[k] / fit.fit.prior[k] : 1;
    }
    for (const std::uint32_t flow : flows_.crossing(c)) {
      const auto found = of_class.find(flows_.flows()[flow].flow_class);
      factor[flow] += found == of_class.end() ? 1 : found->second;
    }
  }
  std::vector<std::uint32_t> rank(fabric.end_port_count(), 0);
  for (std::uint32_t i = 0; i < fabric.endpoints().size(); ++i) {
    rank[fabric.endpoints()[i].value()] = i;
  }
  TrafficMatrix matrix;
  for (std::size_t i = 0; i < factor.size(); ++i) {
    const std::size_t hops = flows_.path(i).size();
    const double scale = hops == 0 ? 1 : factor[i] / static_cast<double>(hops);
    const CandidateFlow& flow = flows_.flows()[i];
    const double bytes = flows_.bytes()[i] * scale;
    if (bytes >= least_bytes) {
      matrix.flows.push_back({rank[flow.source], rank[flow.destination], bytes});
    }
  }
  return matrix;
}

}  // namespace pssp
