// Counters show what hosts and channels carried, but not who sent to whom; many matrices agree with
// them. A draw starts with the most plausible matrix, resamples the sweeps of the window,
// multiplies each flow by a random factor, and scales the result to the counters again. Properties
// shared by all draws are supported by the counters.
//
// The size of the factors is estimated. Jobs may send evenly to all of their hosts or to few of
// them, with the same counters at the hosts. The counters of the channels differ: if the flows are
// even, the channels carry what the hosts alone predict; the fewer flows there are, the larger the
// deviation. So the search draws matrices that agree with the hosts, with smaller and larger
// factors. It selects the size for which the channels deviate from the prediction as much as the
// counted ones do.

#include "monitor/analysis/traffic_draws.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/random.h"
#include "monitor/analysis/time_fit.h"

namespace pssp {
namespace {

constexpr std::uint64_t draw_purpose = 0x616476;
constexpr std::uint64_t concentration_purpose = 0x636f6e;
/// Grid of the search. With the largest error, one or two flows make up nearly all the traffic of a
/// host.
constexpr double error_step = 0.25;
constexpr int error_steps = 16;
/// Used if the channels give no information; it stands for jobs that send to few of their hosts.
constexpr double error_of_jobs = 3;
constexpr int draws_a_step = 2;
/// One estimate is used for all jobs, of which some deviate more. Without this margin, the
/// intervals contained the truth in 275 of 300 cases; with it, in 279
/// (tests/monitor/analysis/test_advice.cpp).
constexpr double error_margin = 1.25;

/// A nearly normal random number. The sum of 12 uniform numbers gives the same result on every
/// machine.
double normal_number(RandomGenerator& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += unit_interval(random());
  return sum;
}

std::vector<double> sums_over(const std::vector<double>& values, std::size_t positions,
                              const std::vector<double>& weights) {
  std::vector<double> sums(positions, 0);
  for (std::size_t sweep = 0; sweep < weights.size(); ++sweep) {
    if (weights[sweep] <= 0) continue;
    for (std::size_t place = 0; place < positions; ++place) {
      const double value = values[sweep * positions + place];
      sums[place] = value < 0 || sums[place] < 0 ? -1 : sums[place] + weights[sweep] * value;
    }
  }
  return sums;
}

/// Returns 1 if one of the values gives no information.
double ratio(double counted, double expected) {
  return counted < 0 || expected <= 0 ? 1 : counted / expected;
}

}  // namespace

TrafficDraws::TrafficDraws(const ObservedTraffic& observed, const TrafficMatrix& matrix,
                           const FlowRoutes& in_force, DrawOptions options)
    : observed_(observed), matrix_(matrix), in_force_(in_force), options_(options) {
  all_ = sums_of(std::vector<double>(observed.sweeps, 1));
  flow_error_ = estimated_flow_error();
}

std::vector<double> TrafficDraws::loads(const std::vector<double>& bytes) const {
  std::vector<double> over(all_.channels.size(), 0);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const std::uint32_t channel : in_force_.path(i)) over[channel] += bytes[i];
  }
  return over;
}

/// Prediction from the hosts alone: each host sends to all others in proportion to what they
/// receive.
std::vector<double> TrafficDraws::even_bytes() const {
  const auto& endpoints = observed_.fabric->endpoints();
  std::vector<double> even;
  even.reserve(matrix_.flows.size());
  for (const WeightedFlow& flow : matrix_.flows) {
    even.push_back(std::max(1.0, all_.sent[endpoints[flow.source].value()]) *
                   std::max(1.0, all_.received[endpoints[flow.destination].value()]));
  }
  scale(all_, even, false);
  return even;
}

/// Sum of squared differences over the channels with known counters.
double TrafficDraws::distance(const std::vector<double>& over,
                              const std::vector<double>& expected) const {
  double sum = 0;
  for (std::size_t c = 0; c < over.size(); ++c) {
    if (all_.channels[c] >= 0) sum += (over[c] - expected[c]) * (over[c] - expected[c]);
  }
  return sum;
}

/// Mean distance between draws that agree with the hosts and the prediction from even flows.
double TrafficDraws::distance_with(double error, const std::vector<double>& even,
                                   const std::vector<double>& expected) const {
  double sum = 0;
  for (std::uint64_t i = 0; i < draws_a_step; ++i) {
    RandomGenerator random = random_stream(options_.seed, concentration_purpose, i);
    std::vector<double> bytes = even;
    for (double& each : bytes) each *= std::exp(error * normal_number(random));
    scale(all_, bytes, false);
    sum += distance(loads(bytes), expected) / draws_a_step;
  }
  return sum;
}

double TrafficDraws::estimated_flow_error() const {
  const std::vector<double> even = even_bytes(), expected = loads(even);
  constexpr double nothing = 1e-6;  // relative to the sum of squares of all loads; smaller
                                    // distances are rounding errors
  double squares = 0;
  for (const double each : expected) squares += each * each;
  const double true_distance = distance(all_.channels, expected);
  double far = distance_with(error_step * error_steps, even, expected), near = 0;
  if (far <= nothing * squares) return error_of_jobs;
  int low = 0, high = error_steps;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    const double there = distance_with(error_step * middle, even, expected);
    (there < true_distance ? low : high) = middle;
    (there < true_distance ? near : far) = there;
  }
  const double part = far > near ? std::clamp((true_distance - near) / (far - near), 0.0, 1.0) : 0;
  return std::min(error_step * error_steps, error_margin * error_step * (low + part));
}

TrafficDraws::Counted TrafficDraws::sums_of(const std::vector<double>& weights) const {
  const Fabric& fabric = *observed_.fabric;
  return {sums_over(observed_.sent, fabric.end_port_count(), weights),
          sums_over(observed_.received, fabric.end_port_count(), weights),
          sums_over(observed_.channels, fabric.channel_count(), weights)};
}

std::vector<double> TrafficDraws::draw(std::uint64_t number) const {
  RandomGenerator random = random_stream(options_.seed, draw_purpose, number);
  const Counted counted = sums_of(draw_sweeps(observed_.sweeps, random));
  const auto& endpoints = observed_.fabric->endpoints();
  std::vector<double> bytes;
  bytes.reserve(matrix_.flows.size());
  for (const WeightedFlow& flow : matrix_.flows) {
    const std::uint32_t source = endpoints[flow.source].value();
    const std::uint32_t destination = endpoints[flow.destination].value();
    const double more = std::sqrt(ratio(counted.sent[source], all_.sent[source]) *
                                  ratio(counted.received[destination], all_.received[destination]));
    bytes.push_back(flow.bytes * more * std::exp(flow_error_ * normal_number(random)));
  }
  scale(counted, bytes);
  return bytes;
}

/// Scales the bytes to the counters of the hosts, and of the channels if `to_channels`. Each flow
/// is multiplied by the mean of the ratios of all counters that include it.
void TrafficDraws::scale(const Counted& counted, std::vector<double>& bytes,
                         bool to_channels) const {
  const auto& endpoints = observed_.fabric->endpoints();
  std::vector<double> out, in, over;
  for (unsigned round = 0; round < options_.rounds; ++round) {
    out.assign(counted.sent.size(), 0);
    in.assign(counted.received.size(), 0);
    over.assign(counted.channels.size(), 0);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      out[endpoints[matrix_.flows[i].source].value()] += bytes[i];
      in[endpoints[matrix_.flows[i].destination].value()] += bytes[i];
      if (!to_channels) continue;
      for (const std::uint32_t channel : in_force_.path(i)) over[channel] += bytes[i];
    }
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = ratio(counted.sent[i], out[i]);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = ratio(counted.received[i], in[i]);
    for (std::size_t i = 0; i < over.size(); ++i) over[i] = ratio(counted.channels[i], over[i]);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      double sum = out[endpoints[matrix_.flows[i].source].value()] +
                   in[endpoints[matrix_.flows[i].destination].value()];
      const std::span<const std::uint32_t> path =
          to_channels ? in_force_.path(i) : std::span<const std::uint32_t>();
      for (const std::uint32_t channel : path) sum += over[channel];
      bytes[i] *= sum / static_cast<double>(path.size() + 2);
    }
  }
}

}  // namespace pssp
