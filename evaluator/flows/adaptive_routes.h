#pragma once

// What flows get where switches choose among all ports of minimal paths instead of following
// tables: adaptive routing by flow, packets sprayed, and flows hashed over ports, as Clos fabrics
// of Ethernet do with them.

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
  flow,   ///< each flow takes the least loaded port at each switch as it comes by
  spray,  ///< the packets of a flow go over all ports alike; the slowest path counts
  hash,   ///< each part of a flow takes a random port at each switch
};

struct AdaptiveChoice {
  static constexpr std::uint32_t most_parts = 1024;

  AdaptiveRule rule = AdaptiveRule::flow;
  std::uint32_t parts = 1;  ///< of `hash`: equal parts of a flow (queue pairs), 1 .. most_parts
  /// Of `hash`: a flow ends with the slowest of its parts; else what its parts get adds up.
  bool slowest_part = false;

  friend bool operator==(const AdaptiveChoice&, const AdaptiveChoice&) = default;
};

/// "flow", "spray", "hash" or "hash:Q", several with commas between them. A hash of several parts
/// makes two: its parts added up, and its slowest part. Throws Error(usage) with what there is.
std::vector<AdaptiveChoice> parse_adaptive_choices(std::string_view text);
/// "flow", "spray", "hash:4", "hash:4, slowest part".
std::string name_of(const AdaptiveChoice& choice);

/// A choice on a fabric, to be handed to whoever scores traffic. The paths must outlive it.
struct AdaptiveRoutes {
  const ShortestPorts& paths;
  AdaptiveChoice choice;

  std::uint32_t endpoint_count() const noexcept { return paths.endpoint_count(); }
  std::uint32_t channel_count() const noexcept { return paths.channel_count(); }
};

/// Flows on every link, as LinkLoads. One object a thread; the paths must outlive it. Where every
/// set of ports has one port all numbers are those of tables over these ports, to the bit.
///
/// Of a level's flows all are added before the congestion of any is asked for; then all, in the
/// same blocks. What is drawn depends on the seed, the run, the level, and the place of a flow
/// among the level's flows alone. `flow` keeps the ways of a whole level, 4 bytes a hop.
class AdaptiveLoads {
 public:
  AdaptiveLoads(const AdaptiveRoutes& routes, HostLinks host_links);

  /// Clears all loads.
  void begin_level(std::uint64_t seed, std::uint64_t run, std::uint32_t level);
  /// O(parts * path lengths); of `spray` O(ports of the switches that its packets can come by).
  void add(std::span<const Flow> flows);
  /// As LinkLoads::congestion(): 1 / bandwidth, infinity where there is no way.
  void congestion(std::span<const Flow> flows, std::span<double> result);

  /// Flows on a channel; of `hash` and `spray` fractions of them.
  double load(std::uint32_t channel) const noexcept { return load_[channel] / units_; }

 private:
  /// In channels_, or nothing.
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

  // Of `flow` and `hash`, whose flows have ways of their own.
  template <class Choose>
  PathChoice walk(Flow flow, Choose choose);
  void choose_least_loaded(std::span<const Flow> flows);
  void draw_paths(std::span<const Flow> flows, std::uint64_t first_flow);

  // Of `spray`, where the flows to a switch are followed together.
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
  double units_;              // that a flow counts in load_
  std::vector<double> load_;  // by channel; whole numbers but for `spray`
  std::vector<std::uint32_t> sent_, received_;
  std::uint64_t seed_ = 0;                   // of the level
  std::uint64_t added_ = 0, looked_up_ = 0;  // flows of the level

  // Ways of the flows from first_kept_ on, `parts` each.
  std::uint64_t first_kept_ = 0;
  std::vector<PathChoice> paths_;
  std::vector<std::uint32_t> channels_;

  std::vector<std::uint32_t> first_of_target_, positions_;
  std::vector<double> at_switch_;         // what spread() and look_up() carry; 0 between them
  std::vector<std::uint8_t> is_on_path_;  // by switch; 0 between searches
  std::vector<std::vector<std::uint32_t>> switches_by_hops_;
};

}  // namespace pssp
