// Counters say what hosts and channels carried, not who sent to whom; many matrices agree with
// them. A draw begins with the most plausible one, lets the sweeps be others of the same window and
// each flow be wrong by a factor, and brings the result back to what was counted. What all draws
// agree in is what the counters tell.

#include "monitor/analysis/traffic_draws.h"

#include <cmath>

#include "base/random.h"
#include "monitor/analysis/time_fit.h"

namespace pssp {
namespace {

constexpr std::uint64_t draw_purpose = 0x616476;

/// Near enough to the normal distribution, and the same on every machine.
double normal_number(RandomGenerator& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += unit_interval(random());
  return sum;
}

std::vector<double> sums_over(const std::vector<double>& values, std::size_t places,
                              const std::vector<double>& weights) {
  std::vector<double> sums(places, 0);
  for (std::size_t sweep = 0; sweep < weights.size(); ++sweep) {
    if (weights[sweep] <= 0) continue;
    for (std::size_t place = 0; place < places; ++place) {
      const double value = values[sweep * places + place];
      sums[place] = value < 0 || sums[place] < 0 ? -1 : sums[place] + weights[sweep] * value;
    }
  }
  return sums;
}

/// 1 where one of them says nothing.
double ratio(double counted, double expected) {
  return counted < 0 || expected <= 0 ? 1 : counted / expected;
}

}  // namespace

TrafficDraws::TrafficDraws(const ObservedTraffic& observed, const TrafficMatrix& matrix,
                           const FlowRoutes& in_force, DrawOptions options)
    : observed_(observed), matrix_(matrix), in_force_(in_force), options_(options) {
  all_ = sums_of(std::vector<double>(observed.sweeps, 1));
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
    bytes.push_back(flow.bytes * more * std::exp(options_.flow_error * normal_number(random)));
  }
  scale(counted, bytes);
  return bytes;
}

void TrafficDraws::scale(const Counted& counted, std::vector<double>& bytes) const {
  const auto& endpoints = observed_.fabric->endpoints();
  std::vector<double> out, in, over;
  for (unsigned round = 0; round < options_.rounds; ++round) {
    out.assign(counted.sent.size(), 0);
    in.assign(counted.received.size(), 0);
    over.assign(counted.channels.size(), 0);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      out[endpoints[matrix_.flows[i].source].value()] += bytes[i];
      in[endpoints[matrix_.flows[i].destination].value()] += bytes[i];
      for (const std::uint32_t channel : in_force_.path(i)) over[channel] += bytes[i];
    }
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = ratio(counted.sent[i], out[i]);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = ratio(counted.received[i], in[i]);
    for (std::size_t i = 0; i < over.size(); ++i) over[i] = ratio(counted.channels[i], over[i]);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      double sum = out[endpoints[matrix_.flows[i].source].value()] +
                   in[endpoints[matrix_.flows[i].destination].value()];
      for (const std::uint32_t channel : in_force_.path(i)) sum += over[channel];
      bytes[i] *= sum / static_cast<double>(in_force_.path(i).size() + 2);
    }
  }
}

}  // namespace pssp
