#include "evaluator/flows/route_store.h"

#include <fmt/core.h>
#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>

#include "base/error.h"

// Scoring a pattern means following thousands of routes and counting flows on their channels. In
// forwarding tables, each hop is a load that depends on the previous one, scattered over megabytes.
// So the constructor follows each route once, and stores its channels in cells: the next four
// channels from a switch towards a destination. Four is the longest route of a three-level tree, so
// on such fabrics a route is a single independent load of eight bytes. On meshes and tori, routes
// are longer; there every switch has a row, and a route continues in the cell of the switch behind
// its fourth channel. So long routes share their tails, and the store has only (endpoints x
// switches) cells.
//
// A route is a path in the tree (possibly with loops and dead ends) of the entries for one LID.
// Each switch of the tree is visited once: its cell is its output channel, followed by the cell of
// the next switch shifted by one position.
//
// Padding slots and the blocked slot make all cells equally long: counting and looking up need no
// branch on the length of a route. Each position has its own padding slot, because successive
// increments of one counter would have to wait for each other.

namespace pssp {
namespace {

constexpr std::uint32_t no_row = std::numeric_limits<std::uint32_t>::max();

/// Rows and their switches.
struct Rows {
  std::vector<std::uint32_t> of_switch;  // no_row if a switch has none
  std::vector<SwitchId> switches;
};

Rows choose_rows(const Fabric& fabric, bool every_switch) {
  Rows rows;
  rows.of_switch.assign(fabric.switch_count(), no_row);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (!every_switch && fabric.endpoints_per_switch()[s] == 0) continue;
    rows.of_switch[s] = static_cast<std::uint32_t>(rows.switches.size());
    rows.switches.emplace_back(s);
  }
  return rows;
}

/// Follows the routes from all switches, destination by destination.
template <class Index>
class RouteFollower {
 public:
  using Cell = RouteStore::Cell<Index>;

  RouteFollower(const Fabric& fabric, const ForwardingTables& tables, unsigned lid_offset)
      : fabric_(fabric),
        tables_(tables),
        lid_offset_(lid_offset),
        channels_(static_cast<std::uint32_t>(fabric.channel_count())),
        hops_(fabric.switch_count()),
        out_(fabric.switch_count()),
        cells_(fabric.switch_count()) {
    for (std::size_t place = 0; place < arrived_.size(); ++place) arrived_[place] = slot(place);
    blocked_ = arrived_;
    blocked_[0] = slot(arrived_.size());
  }

  void set_destination(EndPortId destination) {
    destination_ = destination;
    std::fill(hops_.begin(), hops_.end(), unknown);
  }

  /// Channels from `start` to the destination, or a negative number if the route is incomplete.
  std::int32_t follow(SwitchId start) {
    std::uint32_t at = start.value();
    while (hops_[at] == unknown) {
      const PortTarget target = next(SwitchId(at));
      if (target.kind != PortTarget::Kind::channel) {
        const bool arrived =
            target.kind == PortTarget::Kind::end_port && EndPortId(target.index) == destination_;
        hops_[at] = arrived ? 0 : incomplete;
        cells_[at] = arrived ? arrived_ : blocked_;
        break;
      }
      hops_[at] = on_path;
      out_[at] = target.index;
      path_.push_back(at);
      at = fabric_.channel_head()[target.index];
    }
    if (hops_[at] == on_path) hops_[at] = incomplete;  // a loop: nothing on this path arrives
    go_back();
    return hops_[start.value()];
  }

  /// Cell of a switch on which follow() was called.
  const Cell& cell(SwitchId s) const { return cells_[s.value()]; }

 private:
  static constexpr std::int32_t incomplete = -1;
  static constexpr std::int32_t on_path = -2;
  static constexpr std::int32_t unknown = -3;

  Index slot(std::size_t place) const { return static_cast<Index>(channels_ + place); }

  PortTarget next(SwitchId s) const {
    const EndPort& port = fabric_.end_port(destination_);
    if (port.lid == no_lid) return {};
    const unsigned offset = lid_offset_ >> port.lmc == 0 ? lid_offset_ : 0;
    return fabric_.behind(s, tables_.at(s, static_cast<Lid>(port.lid + offset)));
  }

  void go_back() {
    for (; !path_.empty(); path_.pop_back()) {
      const std::uint32_t s = path_.back();
      const std::uint32_t behind = fabric_.channel_head()[out_[s]];
      hops_[s] = hops_[behind] < 0 ? incomplete : hops_[behind] + 1;
      cells_[s] = hops_[s] < 0 ? blocked_ : prepend(out_[s], cells_[behind]);
    }
  }

  Cell prepend(std::uint32_t channel, const Cell& rest) const {
    Cell cell;
    cell[0] = static_cast<Index>(channel);
    for (std::size_t place = 1; place < cell.size(); ++place) {
      const Index moved = rest[place - 1];
      cell[place] = moved < channels_ ? moved : arrived_[place];
    }
    return cell;
  }

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  unsigned lid_offset_;
  std::uint32_t channels_;
  EndPortId destination_;
  std::vector<std::int32_t> hops_;
  std::vector<std::uint32_t> out_, path_;
  std::vector<Cell> cells_;
  Cell arrived_{}, blocked_{};
};

/// Properties of the routes between endpoints, found while filling the cells.
struct Findings {
  std::atomic<bool> incomplete{false};
  std::atomic<bool> longer_than_a_cell{false};
};

/// Endpoints in the order of their LIDs: neighbors share cache lines of the forwarding tables.
std::vector<std::uint32_t> ranks_by_lid(const Fabric& fabric) {
  std::vector<std::uint32_t> ranks(fabric.endpoints().size());
  std::iota(ranks.begin(), ranks.end(), 0U);
  std::stable_sort(ranks.begin(), ranks.end(), [&](std::uint32_t a, std::uint32_t b) {
    return fabric.end_port(fabric.endpoints()[a]).lid < fabric.end_port(fabric.endpoints()[b]).lid;
  });
  return ranks;
}

template <class Index>
std::vector<RouteStore::Cell<Index>> fill(const Fabric& fabric, const ForwardingTables& tables,
                                          unsigned lid_offset, const Rows& rows,
                                          Findings& findings) {
  constexpr std::size_t lids_per_cache_line = 64;
  const std::vector<std::uint32_t> ranks = ranks_by_lid(fabric);
  std::vector<RouteStore::Cell<Index>> cells(ranks.size() * rows.switches.size());
  tbb::enumerable_thread_specific<RouteFollower<Index>> followers(
      [&] { return RouteFollower<Index>(fabric, tables, lid_offset); });
  const auto follow_to = [&](std::uint32_t rank) {
    RouteFollower<Index>& follower = followers.local();
    follower.set_destination(fabric.endpoints()[rank]);
    auto* cell = &cells[rank * rows.switches.size()];
    for (const SwitchId start : rows.switches) {
      const std::int32_t hops = follower.follow(start);
      *cell++ = follower.cell(start);
      if (fabric.endpoints_per_switch()[start.value()] == 0) continue;
      if (hops < 0) findings.incomplete = true;
      if (hops > static_cast<std::int32_t>(RouteStore::hops_per_cell)) {
        findings.longer_than_a_cell = true;
      }
    }
  };
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, ranks.size(), lids_per_cache_line),
                    [&](const tbb::blocked_range<std::size_t>& block) {
                      for (std::size_t i = block.begin(); i != block.end(); ++i)
                        follow_to(ranks[i]);
                    });
  return cells;
}

void require_match(const Fabric& fabric, const ForwardingTables& tables) {
  if (tables.switch_count() != fabric.switch_count()) {
    throw Error(ErrorKind::mismatch,
                fmt::format("the forwarding tables are for {} switches, but the fabric has {}",
                            tables.switch_count(), fabric.switch_count()));
  }
  if (tables.max_lid() < fabric.max_lid()) {
    throw Error(ErrorKind::mismatch,
                fmt::format("the forwarding tables end at LID {}, but the fabric has LIDs up to {}",
                            tables.max_lid(), fabric.max_lid()));
  }
}

}  // namespace

RouteStore::RouteStore(const Fabric& fabric, const ForwardingTables& tables, unsigned lid_offset)
    : channel_count_(static_cast<std::uint32_t>(fabric.channel_count())) {
  require_match(fabric, tables);
  take_costs(fabric);

  Findings findings;
  Rows rows = choose_rows(fabric, false);
  const auto fill_cells = [&] {
    if (slot_count() <= std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1) {
      cells_ = fill<std::uint16_t>(fabric, tables, lid_offset, rows, findings);
    } else {
      cells_ = fill<std::uint32_t>(fabric, tables, lid_offset, rows, findings);
    }
  };
  fill_cells();
  if (findings.longer_than_a_cell) {
    rows = choose_rows(fabric, true);
    fill_cells();
    for (const std::uint32_t head : fabric.channel_head()) {
      channel_row_.push_back(rows.of_switch[head]);
    }
  }
  uniform_ = uniform_ && !findings.incomplete;
  row_count_ = static_cast<std::uint32_t>(rows.switches.size());
  for (const SwitchId s : rows.switches) {
    endpoints_per_row_.push_back(fabric.endpoints_per_switch()[s.value()]);
  }
  for (const EndPortId endpoint : fabric.endpoints()) {
    endpoint_row_.push_back(rows.of_switch[fabric.end_port(endpoint).attached.value()]);
  }
}

void RouteStore::take_costs(const Fabric& fabric) {
  slot_cost_.assign(fabric.channel_cost().begin(), fabric.channel_cost().end());
  slot_cost_.resize(slot_count(), 0.0);
  slot_cost_.back() = std::numeric_limits<double>::infinity();
  for (const EndPortId endpoint : fabric.endpoints()) {
    endpoint_cost_.push_back(fabric.end_port_cost(endpoint));
  }
  const auto is_one = [](double cost) { return cost == 1.0; };
  uniform_ = std::all_of(fabric.channel_cost().begin(), fabric.channel_cost().end(), is_one) &&
             std::all_of(endpoint_cost_.begin(), endpoint_cost_.end(), is_one);
}

int RouteStore::hops(std::uint32_t row, std::uint32_t destination) const {
  return std::visit(
      [&](const auto& cells) {
        int hops = 0;
        for (;;) {
          const auto& cell = cells[cell_index(destination, row)];
          if (cell[0] == blocked()) return -1;
          hops += static_cast<int>(std::count_if(
              cell.begin(), cell.end(), [&](std::uint32_t slot) { return slot < channel_count_; }));
          if (single_cell() || cell.back() >= channel_count_) return hops;
          row = row_behind(cell.back());
          if (row == endpoint_row(destination)) return hops;
        }
      },
      cells_);
}

}  // namespace pssp
