// The time of a flow alone in the fabric is calculated: the first packet follows the forwarding
// rules of switching/transmission.h, and the remaining bytes follow at the rate of the slowest link
// of the path.

#include "simulator/report/completion_times.h"

#include <algorithm>
#include <cmath>

#include "simulator/network/network_builder.h"
#include "simulator/report/on_times.h"

namespace pssp {
namespace {

constexpr double ps_per_s = picoseconds_per_second;

/// values: not empty.
FlowPercentiles percentiles_of(std::vector<double> values) {
  std::ranges::sort(values);
  const auto at = [&](double share) {
    const auto rank =
        static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
    return values[std::max<std::size_t>(rank, 1) - 1];
  };
  return {at(.5), at(.95), at(.99), values.back()};
}

/// When a single packet has arrived.
double packet_alone(const std::vector<double>& rates, double bytes, const Model& model) {
  const auto delay = static_cast<double>(model.link_delay);
  double start = 0;
  double tail_in = 0;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double time = bytes / rates[i] * ps_per_s;
    tail_in = std::max(start + time, tail_in) + delay;
    if (i + 1 == rates.size()) break;
    const double header_in = start + delay + route_header_bytes / rates[i] * ps_per_s +
                             static_cast<double>(model.switch_delay);
    const bool waits_for_tail =
        model.switching == Switching::store_and_forward ||
        (model.switching == Switching::cut_through && rates[i + 1] > rates[i]);
    start = waits_for_tail ? std::max(tail_in, header_in) : header_in;
  }
  return tail_in;
}

class Alone {
 public:
  Alone(const ForwardingTables& tables, const Traffic& traffic, const Model& model,
        const PortDirectory& ports)
      : tables_(tables), traffic_(traffic), model_(model), ports_(ports) {}

  /// None for flows that do not send as fast as possible.
  std::optional<double> time(const FlowOutcome& flow, std::size_t number) const {
    const bool is_static = number < traffic_.flows.size();
    if (is_static) {
      const StaticFlow& sent = traffic_.flows[number];
      if (sent.arrivals != Arrivals::backlogged || sent.off > 0) return std::nullopt;
    } else if (flow.messages == 0) {
      return std::nullopt;
    }
    std::vector<double> rates;
    for (const std::uint32_t port :
         ports_.route(tables_, flow.hosts, is_static ? traffic_.flows[number].path : 0)) {
      rates.push_back(ports_.rate(port));
    }
    if (rates.empty()) return std::nullopt;
    const std::uint32_t messages = is_static ? 1 : flow.messages;
    return messages * time_alone(rates, flow.end_bytes / messages, traffic_.packet_bytes, model_);
  }

 private:
  const ForwardingTables& tables_;
  const Traffic& traffic_;
  const Model& model_;
  const PortDirectory& ports_;
};

}  // namespace

double time_alone(const std::vector<double>& rates, std::uint64_t bytes, std::uint32_t packet_bytes,
                  const Model& model) {
  const std::uint64_t first = std::min<std::uint64_t>(bytes, packet_bytes);
  double slowest = *std::ranges::min_element(rates);
  if (model.sink_rate > 0) slowest = std::min(slowest, model.sink_rate);
  return packet_alone(rates, static_cast<double>(first), model) +
         static_cast<double>(bytes - first) / slowest * ps_per_s;
}

std::optional<CompletionSummary> completion_times(const ForwardingTables& tables,
                                                  const Traffic& traffic, const Model& model,
                                                  const PortDirectory& ports,
                                                  const Outcome& outcome) {
  const std::vector<SimulatedTime> took = on_times(traffic, outcome, 0);
  const Alone alone(tables, traffic, model, ports);
  CompletionSummary summary;
  std::vector<double> times, slowdowns;
  for (std::size_t i = 0; i < outcome.flows.size(); ++i) {
    const FlowOutcome& flow = outcome.flows[i];
    if (flow.end_bytes == 0) continue;
    ++summary.flows;
    if (flow.finished == never) continue;
    times.push_back(static_cast<double>(took[i]) / double{picoseconds_per_nanosecond});
    if (const auto least = alone.time(flow, i)) {
      slowdowns.push_back(static_cast<double>(took[i]) / *least);
    }
  }
  if (summary.flows == 0) return std::nullopt;
  summary.ended = times.size();
  if (!times.empty()) summary.time = percentiles_of(std::move(times));
  if (!slowdowns.empty()) summary.slowdown = percentiles_of(std::move(slowdowns));
  return summary;
}

}  // namespace pssp
