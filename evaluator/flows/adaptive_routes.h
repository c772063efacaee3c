#pragma once

// Bandwidths of flows if switches choose among all ports of minimal paths instead of following
// tables: adaptive routing by flow, packet spraying, and hashing as in Ethernet Clos fabrics.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evaluator/flows/link_loads.h"
#include "evaluator/flows/shortest_ports.h"
#include "evaluator/patterns/flow.h"

namespace pssp {

enum class AdaptiveRule : std::uint8_t {
  flow,   ///< at each switch, each flow takes the currently least loaded port
  spray,  ///< the packets of a flow use all ports equally; the slowest path counts
  hash,   ///< each part of a flow takes a random port at each switch
};

struct AdaptiveChoice {
  static constexpr std::uint32_t most_parts = 1024;

  AdaptiveRule rule = AdaptiveRule::flow;
  std::uint32_t parts = 1;  ///< of `hash`: equal parts of a flow (queue pairs), 1 .. most_parts
  /// For `hash`: a flow ends with its slowest part; otherwise the bandwidths of its parts add up.
  bool slowest_part = false;

  friend bool operator==(const AdaptiveChoice&, const AdaptiveChoice&) = default;
};

/// "flow", "spray", "hash" or "hash:Q", several separated by commas. A hash with several parts
/// gives two choices: sum of the parts, and slowest part. Throws Error(usage), listing the choices.
std::vector<AdaptiveChoice> parse_adaptive_choices(std::string_view text);
/// "flow", "spray", "hash:4", "hash:4, slowest part".
std::string name_of(const AdaptiveChoice& choice);

/// A choice on a fabric, for functions that score traffic. The paths must outlive it.
struct AdaptiveRoutes {
  const ShortestPorts& paths;
  AdaptiveChoice choice;

  std::uint32_t endpoint_count() const noexcept { return paths.endpoint_count(); }
  std::uint32_t channel_count() const noexcept { return paths.channel_count(); }
};

/// Flows on every link, as LinkLoads. One object per thread; the paths must outlive it. If every
/// set of ports has one port, all results equal those of tables with these ports.
///
/// All flows of a level must be added before any congestion is looked up; then all flows are looked
/// up in the same blocks. Random choices depend only on the seed, the run, the level, and the index
/// of a flow in the level. `flow` stores the paths of a whole level, 4 bytes per hop.
class AdaptiveLoads {
 public:
  AdaptiveLoads(const AdaptiveRoutes& routes, HostLinks host_links);

  /// Clears all loads.
  void begin_level(std::uint64_t seed, std::uint64_t run, std::uint32_t level);
  /// O(parts * path lengths); for `spray` O(ports of the switches on paths of its packets).
  void add(std::span<const Flow> flows);
  /// As LinkLoads::congestion(): 1 / bandwidth, infinity without a path.
  void congestion(std::span<const Flow> flows, std::span<double> result);

  /// Flows on a channel; for `hash` and `spray` fractional.
  double load(std::uint32_t channel) const noexcept { return load_[channel] / units_; }

 private:
  /// Index into channels_, or none.
  struct PathChoice {
    std::size_t first = 0;
    std::uint32_t hops = 0;
    bool is_blocked = false;
  };

  void forget_paths(std::uint64_t first_flow);
  void add_host_links(std::span<const Flow> flows);
  double of_hosts(Flow flow) const;
  double of_path(const PathChoice& path, double hosts) const;
  double of_parts(std::span<const PathChoice> parts, double hosts) const;

  // For `flow` and `hash`, whose flows have separate paths.
  template <class Choose>
  PathChoice walk(Flow flow, Choose choose);
  void choose_least_loaded(std::span<const Flow> flows);
  void draw_paths(std::span<const Flow> flows, std::uint64_t first_flow);

  // For `spray`, where the flows to a switch are followed together.
  template <class Work>
  void by_target(std::span<const Flow> flows, Work work);
  void find_switches_on_paths(std::uint32_t target, std::span<const Flow> flows,
                              std::span<const std::uint32_t> positions);
  void spread(std::uint32_t target, std::span<const Flow> flows,
              std::span<const std::uint32_t> positions);
  void look_up(std::uint32_t target, std::span<const Flow> flows,
               std::span<const std::uint32_t> positions, std::span<double> result);

  AdaptiveRoutes routes_;
  HostLinks host_links_;
  double units_;              // value of one flow in load_
  std::vector<double> load_;  // by channel; integers except for `spray`
  std::vector<std::uint32_t> sent_, received_;
  std::uint64_t seed_ = 0;                   // of the level
  std::uint64_t added_ = 0, looked_up_ = 0;  // flows of the level

  // Paths of the flows from first_kept_ on, `parts` each.
  std::uint64_t first_kept_ = 0;
  std::vector<PathChoice> paths_;
  std::vector<std::uint32_t> channels_;

  std::vector<std::uint32_t> first_of_target_, positions_;
  std::vector<double> at_switch_;         // values of spread() and look_up(); 0 between them
  std::vector<std::uint8_t> is_on_path_;  // by switch; 0 between searches
  std::vector<std::vector<std::uint32_t>> switches_by_hops_;
};

}  // namespace pssp
