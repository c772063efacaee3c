// In experiment D, throughput depends only on CCTI_Timer / q, where one packet of q is marked, with
// a plateau from 45 to 125 us. There, five contributors meet at a root with a packet time of 2.176
// us; each of n contributors is notified every q n packets, so timers are proportional to n t.

#include "simulator/tuning/starting_law.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "congestion/injection_delay.h"
#include "simulator/report/victims.h"

namespace pssp {
namespace {

/// Share of time: a root is always busy, but its flows start and end.
constexpr double used_at_root = 0.8;

constexpr std::array<double, 3> plateau_ns{75e3, 45e3, 125e3};
constexpr double thesis_contributors = 5;
constexpr double thesis_packet_ns = 2176;

bool is_timer(std::string_view name) {
  return name == "CCTI_Timer" || name == "adapter.ccti_timer";
}
bool is_marking_rate(std::string_view name) {
  return name == "Marking_Rate" || name == "switch.marking_rate";
}

}  // namespace

std::vector<CongestionRoot> find_roots(const Fabric& fabric, const ForwardingTables& tables,
                                       const Traffic& traffic, const Model& model,
                                       const Outcome& without) {
  const PortDirectory ports(fabric, model);
  const SimulatedTime measured = without.simulated - traffic.warmup;
  if (measured <= 0) return {};
  const double seconds = static_cast<double>(measured) / double{picoseconds_per_second};
  const auto is_full = [&](std::uint32_t port) {
    return static_cast<double>(without.ports[port].sent_bytes) >=
           used_at_root * ports.rate(port) * seconds;
  };
  std::map<std::uint32_t, CongestionRoot> found;
  for (std::size_t f = 0; f < without.flows.size(); ++f) {
    const FlowOutcome& flow = without.flows[f];
    if (flow.victim) continue;
    const bool is_static = f < traffic.flows.size();
    const auto route =
        ports.route(tables, flow.hosts, is_static ? traffic.flows[f].path : std::uint16_t{0});
    // The host's own link is no root: packets that it cannot send wait in the host.
    for (std::size_t i = route.size(); i-- > 1;) {
      if (!is_full(route[i])) continue;
      CongestionRoot& root = found[route[i]];
      ++root.contributors;
      if (is_static) root.level = traffic.flows[f].level;
      break;
    }
  }
  std::vector<CongestionRoot> roots;
  roots.reserve(found.size());
  for (auto& [port, root] : found) {
    constexpr double ns_per_second = 1e9;
    if (root.contributors < 2) continue;
    root.port = port;
    root.packet_ns = traffic.packet_bytes / ports.rate(port) * ns_per_second;
    roots.push_back(root);
  }
  return roots;
}

double slowness_of(const std::vector<CongestionRoot>& roots) {
  if (roots.empty()) return 1;
  std::vector<double> values;
  values.reserve(roots.size());
  for (const CongestionRoot& root : roots) {
    values.push_back(static_cast<double>(root.contributors) * root.packet_ns /
                     (thesis_contributors * thesis_packet_ns));
  }
  std::ranges::sort(values);
  return values[values.size() / 2];
}

std::optional<double> settling_ns(const CongestionRoot& root, const CongestionParameters& set,
                                  const Model& model) {
  const auto hold = hold_at(root.port, root.contributors, root.packet_ns, root.level, model, set);
  const AdapterSlParameters& adapter = set.adapters.sl[root.level];
  if (!hold || adapter.ccti_increase == 0) return std::nullopt;
  const double wanted = static_cast<double>(root.contributors) - 1;
  const auto entry = std::ranges::find_if(
      set.table.entries, [&](CctEntry each) { return delay_in_packets(each) >= wanted; });
  const auto index = static_cast<double>(entry - set.table.entries.begin());
  const double rise = adapter.ccti_increase / hold->notification_ns;
  const double timer_ns = static_cast<double>(adapter.ccti_timer) * ccti_timer_unit_ns;
  const double fall = timer_ns > 0 ? 1 / timer_ns : 0;
  return rise > fall ? index / (rise - fall) : std::numeric_limits<double>::infinity();
}

std::vector<TuningPoint> starting_points(const ParameterSpace& space,
                                         const CongestionParameters& base, const Model& model,
                                         double slowness) {
  const bool between = model.marking == Marking::unmarked_between;
  const auto step_of = [&](double rate) { return between ? rate + 1 : std::max(1.0, rate); };
  // First the plateau at the thesis's Marking_Rate of 1, then its middle at other rates.
  constexpr double usual_rate = 1;
  constexpr std::array<double, 2> other_rates{10, 4};
  std::vector<std::pair<double, double>> wanted;
  wanted.reserve(plateau_ns.size() + other_rates.size());
  for (const double ns : plateau_ns) wanted.emplace_back(ns, usual_rate);
  for (const double rate : other_rates) wanted.emplace_back(plateau_ns[0], rate);
  std::vector<TuningPoint> points;
  for (const auto& [per_step_ns, rate] : wanted) {
    double used_rate = base.switches.marking_rate;
    TuningPoint point(space.axes.size(), 0.5);
    for (std::size_t a = 0; a < space.axes.size(); ++a) {
      if (!is_marking_rate(space.axes[a].name)) continue;
      point[a] = space.axes[a].place_of(rate);
      used_rate = space.axes[a].number_of(space.axes[a].value_at(point[a]));
    }
    for (std::size_t a = 0; a < space.axes.size(); ++a) {
      if (!is_timer(space.axes[a].name)) continue;
      point[a] = space.axes[a].place_of(per_step_ns * step_of(used_rate) * slowness);
    }
    if (std::ranges::find(points, point) == points.end()) points.push_back(std::move(point));
  }
  return points;
}

}  // namespace pssp
