// Rates refer to the active time of a flow, so a victim that starts in the middle of a run is not
// slow for that reason. Fair shares refer to the last moment, when all flows are active; a sender
// of uniform traffic counts as flows to all its destinations, whose weights sum to 1.

#include "simulator/report/run_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "evaluator/flows/max_min_shares.h"
#include "simulator/measure/latency_histogram.h"
#include "simulator/report/on_times.h"

namespace pssp {
namespace {

double in_seconds(SimulatedTime time) {
  return static_cast<double>(time) / static_cast<double>(picoseconds_per_second);
}

LatencySummary latency_of(const LatencyHistogram& latencies) {
  constexpr double ps = picoseconds_per_nanosecond;
  return {latencies.mean() / ps, latencies.percentile(0.5) / ps, latencies.percentile(0.99) / ps,
          static_cast<double>(latencies.most) / ps};
}

/// Bytes/s in each complete sample of the measured time.
std::vector<double> measured_samples(const Traffic& traffic, const Outcome& outcome) {
  std::vector<double> rates;
  const double length = in_seconds(traffic.sample);
  for (std::size_t i = 0; i < outcome.bytes_by_sample.size(); ++i) {
    const SimulatedTime from = static_cast<SimulatedTime>(i) * traffic.sample;
    if (from < traffic.warmup || from + traffic.sample > outcome.simulated) continue;
    rates.push_back(static_cast<double>(outcome.bytes_by_sample[i]) / length);
  }
  return rates;
}

/// The mean is over all bytes; the samples determine the interval.
MeanEstimate throughput_of(const Traffic& traffic, const Outcome& outcome) {
  MeanEstimate estimate = mean_of_batches(measured_samples(traffic, outcome));
  const double measured = in_seconds(outcome.simulated - traffic.warmup);
  const double mean = measured > 0 ? static_cast<double>(outcome.delivered_bytes) / measured : 0;
  const double shift = mean - estimate.mean;
  estimate.mean = mean;
  estimate.lower_95 += shift;
  estimate.upper_95 += shift;
  return estimate;
}

/// The mean demand of a flow including pauses, as a share of its sender's link.
double demand_of(const StaticFlow& flow) {
  const double rate = flow.arrivals == Arrivals::backlogged ? 1 : flow.rate;
  if (flow.on <= 0 || flow.off <= 0) return rate;
  return rate * (static_cast<double>(flow.on) / static_cast<double>(flow.on + flow.off));
}

class FlowFigures {
 public:
  FlowFigures(const Fabric& fabric, const ForwardingTables& tables, const Traffic& traffic,
              const PortDirectory& ports, const Outcome& outcome)
      : fabric_(fabric),
        tables_(tables),
        traffic_(traffic),
        ports_(ports),
        on_times_(on_times(traffic, outcome, traffic.warmup)) {}

  FlowSummary figures(const Outcome& outcome, std::size_t number) const {
    const FlowOutcome& flow = outcome.flows[number];
    FlowSummary summary;
    summary.hosts = flow.hosts;
    summary.name = flow.label;
    const bool is_static = number < traffic_.flows.size();
    if (!is_static || flow.label.empty()) {
      summary.name = fmt::format("{} -> {}", host(flow.hosts.source), host(flow.hosts.destination));
    }
    summary.victim = flow.victim;
    summary.bytes = flow.delivered_bytes;
    const SimulatedTime on = on_times_[number];
    summary.measured = on > 0;
    if (summary.measured) summary.rate = static_cast<double>(flow.delivered_bytes) / in_seconds(on);
    summary.share = summary.rate / ports_.rate(ports_.from_host(flow.hosts.source));
    return summary;
  }

  /// Max-min shares of the flows; none if there are too many pairs, or if not all flows are active
  /// at the same time because a pattern has several levels.
  std::optional<std::vector<double>> fair_rates(const std::vector<FlowOutcome>& outcomes) const {
    const auto has_levels = [](const RoundTraffic& each) { return each.rounds.size() > 1; };
    if (std::ranges::any_of(traffic_.rounds, has_levels)) return std::nullopt;
    std::size_t pairs = outcomes.size();
    for (const UniformTraffic& uniform : traffic_.uniform) {
      pairs += uniform.senders.size() * uniform.destinations.size();
    }
    if (pairs > most_fair_pairs) return std::nullopt;
    std::vector<SharingFlow> flows;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const bool is_static = i < traffic_.flows.size();
      flows.push_back({ports_.route(tables_, outcomes[i].hosts,
                                    is_static ? traffic_.flows[i].path : std::uint16_t{0})});
      const double demand = is_static ? demand_of(traffic_.flows[i]) : 1;
      if (demand < 1) flows.back().demand = demand * link_rate(outcomes[i].hosts.source);
    }
    for (const UniformTraffic& uniform : traffic_.uniform) add_uniform(uniform, flows);
    std::vector<double> capacities(ports_.count());
    for (std::uint32_t port = 0; port < ports_.count(); ++port)
      capacities[port] = ports_.rate(port);
    return max_min_shares(flows, capacities);
  }

 private:
  std::string host(std::uint32_t rank) const {
    return fabric_.end_port(fabric_.endpoints()[rank]).name;
  }
  double link_rate(std::uint32_t rank) const { return ports_.rate(ports_.from_host(rank)); }

  void add_uniform(const UniformTraffic& uniform, std::vector<SharingFlow>& flows) const {
    const double weight = 1.0 / static_cast<double>(uniform.destinations.size());
    for (const std::uint32_t source : uniform.senders) {
      for (const std::uint32_t destination : uniform.destinations) {
        if (source == destination) continue;
        flows.push_back({ports_.route(tables_, {source, destination}), weight});
        // Messages are sequential, so bandwidth that one destination cannot take does not go to the
        // others: each is limited to its part of the link.
        flows.back().demand = weight * uniform.rate * link_rate(source);
      }
    }
  }

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  const Traffic& traffic_;
  const PortDirectory& ports_;
  std::vector<SimulatedTime> on_times_;
};

void add_completion(const Outcome& outcome, RunSummary& summary) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < outcome.flows.size(); ++i) {
    if (outcome.flows[i].finished == never || !summary.flows[i].measured) continue;
    sum += summary.flows[i].share;
    ++count;
  }
  if (count > 0) summary.finite_flow_share = sum / static_cast<double>(count);
  if (outcome.round_ends.empty()) return;
  const SimulatedTime last = *std::ranges::max_element(outcome.round_ends);
  if (last != never) {
    summary.completion_ns = static_cast<double>(last) / double{picoseconds_per_nanosecond};
  }
}

}  // namespace

double jain_index(const std::vector<double>& values) {
  double sum = 0;
  double squares = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
  }
  return squares == 0 ? 1 : sum * sum / (static_cast<double>(values.size()) * squares);
}

RunSummary summarize(const Fabric& fabric, const ForwardingTables& tables, const Traffic& traffic,
                     const Model& model, const Outcome& outcome) {
  const PortDirectory ports(fabric, model);
  const FlowFigures figures(fabric, tables, traffic, ports, outcome);
  RunSummary summary;
  summary.throughput = throughput_of(traffic, outcome);
  double all_links = 0;
  for (std::uint32_t rank = 0; rank < fabric.endpoints().size(); ++rank) {
    all_links += ports.rate(ports.from_host(rank));
  }
  if (all_links > 0) summary.of_links = summary.throughput.mean / all_links;
  summary.latency = latency_of(outcome.latencies);
  std::vector<double> rates;
  for (std::size_t i = 0; i < outcome.flows.size(); ++i) {
    summary.flows.push_back(figures.figures(outcome, i));
    if (i < outcome.flow_latencies.size() && summary.flows.back().measured) {
      summary.flows.back().latency = latency_of(outcome.flow_latencies[i]);
    }
    if (summary.flows.back().measured) rates.push_back(summary.flows.back().rate);
  }
  if (const auto fair = figures.fair_rates(outcome.flows)) {
    for (std::size_t i = 0; i < summary.flows.size(); ++i) {
      FlowSummary& flow = summary.flows[i];
      flow.fair_share = (*fair)[i] / ports.rate(ports.from_host(flow.hosts.source));
    }
  }
  summary.jain = jain_index(rates);
  if (!rates.empty()) {
    summary.least_rate = *std::ranges::min_element(rates);
    summary.most_rate = *std::ranges::max_element(rates);
  }
  add_completion(outcome, summary);
  summary.completions = completion_times(tables, traffic, model, ports, outcome);
  return summary;
}

}  // namespace pssp
