#pragma once

// The tree of one destination while a local search changes its entries to minimize the contention
// with routes to other destinations (route_contention.h).

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "fabric/fabric.h"
#include "fabric/paths/hop_distances.h"
#include "fabric/paths/up_down_distances.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/engines/parts/counts/route_contention.h"
#include "routing/engines/parts/counts/structured_counts.h"

namespace pssp {

/// Which entries may be moved, and which of those only reluctantly.
struct Inertia {
  static constexpr std::uint32_t no_baseline = std::numeric_limits<std::uint32_t>::max();
  /// By SwitchId: 0 where the entry stays. Empty: all may be moved.
  std::span<const std::uint8_t> may_move;
  /// By SwitchId: the channel that the entry should keep or return to; no_baseline: none. Empty: no
  /// entry has one.
  std::span<const std::uint32_t> baseline;
  /// Above 0, up to 1: another channel is used only if its contention is less than this share of
  /// the contention on the baseline channel.
  double share = 1;
};

/// The counts include the trees of all destinations except this one. An object serves many
/// destinations and allocates only once. The same calls give the same changes.
class TreeSearch {
 public:
  /// Paths exceed the minimal hop count by at most `max_extra_hops`. With `up_down`, all paths are
  /// the shortest that are legal by this usable order, and max_extra_hops must be 0.
  TreeSearch(const Fabric& fabric, const ContentionCounts& counts, std::uint32_t max_extra_hops,
             std::uint64_t seed = 1, const UpDownOrder* up_down = nullptr);

  /// Adds the contention in structured traffic to the cost; null: no longer. Inertia is then
  /// ignored. `structured` must have the present destination and include this tree; changes are
  /// applied to it.
  void weigh(StructuredCounts* structured) noexcept { structured_ = structured; }

  /// Prepares for trees towards `root`. O(switches + channels).
  void set_root(SwitchId root);

  /// Reads the tree of a LID at the root, which must be complete: an entry without a loop at every
  /// switch that can reach the root. O(switches).
  void read(const ForwardingTables& tables, Lid lid);

  /// The same without the numbers of routes. Afterwards, call read() before any other function.
  /// O(switches).
  RouteTree read_paths(const ForwardingTables& tables, Lid lid);

  RouteTree tree() const { return {std::span(order_).subspan(1), out_, routes_, root_}; }

  /// From now on, the cost of other candidates is wrong by up to the share `noise` / 2.
  void set_noise(double noise) { noise_ = noise; }

  /// Visits all switches once, nearest first, and changes each entry to the candidate with the
  /// least contention. Returns the decrease of contention. Subtracts the probes from `probes_left`,
  /// and stops at 0. O(channels) with max_extra_hops 0, else times the hops of a path.
  double improve(std::uint64_t& probes_left, const Inertia& inertia = {});

  void write(ForwardingTables& tables, Lid lid) const;

 private:
  std::uint32_t next(std::uint32_t s) const { return fabric_.channel_head()[out_[s]]; }
  void link(std::uint32_t s);
  void unlink(std::uint32_t s);

  /// A channel out of a switch, with the values that a probe reads.
  struct PathChoice {
    std::uint32_t channel;
    std::uint32_t head;
    std::uint32_t reverse;
    double cost;
    const std::uint32_t* turns;  // to the channel
  };
  /// The contention of a route from a switch on.
  struct Ahead {
    double contention;           // of one more route that starts at the switch
    const std::uint32_t* turns;  // to the channel that the switch forwards by
    double cost;                 // of that channel

    double behind(const PathChoice& path) const;
  };
  /// The routes that arrive at a switch over one channel.
  struct Arrivals {
    std::uint32_t reverse;
    std::uint32_t routes;
    double cost;
  };

  struct TotalContention;

  /// Part of candidates_.
  struct Candidates {
    std::uint32_t first;
    std::uint32_t end;
  };

  template <class IsCloser>
  void gather_candidates(const IsCloser& is_next_hop);
  PathChoice path(std::uint32_t channel) const;
  void probe_ahead(std::uint32_t s);
  double choose(std::uint32_t s, const Inertia& inertia);
  template <class Contention>
  double choose(std::uint32_t s, const Inertia& inertia, const Contention& contention_over);
  template <class Contention>
  double choose_by_all(std::uint32_t s, const Contention& contention_over);
  void find_sources(std::uint32_t s);
  double structured_now(std::uint32_t s);
  double structured_over(const PathChoice& path, double enough);
  void change_structured(std::uint32_t s, int sign);
  void gather_arrivals(std::uint32_t s);
  double random_factor();
  double contention_over(std::uint32_t s, const PathChoice& path, double behind) const;
  double contention_at_turn(std::uint32_t before, std::uint32_t channel) const;
  double walk(std::uint32_t s, std::uint32_t channel, std::uint32_t room) const;
  std::uint32_t room_for_extra_hops(std::uint32_t s);
  template <class Visitor>
  void for_subtree(std::uint32_t s, const Visitor& visit);
  void move(std::uint32_t s, std::uint32_t channel);

  const Fabric& fabric_;
  const ContentionCounts& counts_;
  std::uint32_t max_extra_hops_;
  double noise_ = 0;
  SplitMix64 random_;

  std::uint32_t root_ = 0;
  HopDistances distances_;
  std::optional<UpDownDistances> up_down_;  // searched instead where there is an order
  StructuredCounts* structured_ = nullptr;
  /// Switches that reach the root, nearest first; in distances_ or up_down_.
  std::span<const std::uint32_t> reaching_;
  std::vector<Candidates> candidates_of_;  // by SwitchId; only where the root is reached
  std::vector<PathChoice> candidates_;     // those that lead near enough to the root

  std::vector<std::uint32_t> order_;   // switches of the tree as read, the root first
  std::vector<std::uint32_t> out_;     // by SwitchId, as all below
  std::vector<std::uint32_t> routes_;  // through the switch
  std::vector<std::uint32_t> hops_;
  std::vector<Ahead> ahead_;  // kept up only with max_extra_hops 0
  std::vector<std::uint32_t> first_child_, next_sibling_;
  std::vector<std::uint32_t> subtree_;
  std::vector<std::uint32_t> leaves_;  // switches with endpoints below the one that chooses
  StructuredCounts::Sources sources_;  // the routes from there
  /// Contention of these on the channel that a switch forwards by; valid if `probe` is the present
  /// one.
  struct Met {
    std::uint64_t probe = 0;
    double met = 0;
  };
  std::vector<Met> met_;  // by SwitchId
  std::uint64_t probe_ = 0;
  std::vector<Arrivals> arrivals_;  // at the switch that chooses
};

}  // namespace pssp
