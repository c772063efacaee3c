// Proof that the number of moves is minimal. Draw planned and real cables as edges between ports. A
// move (replugging, exchanging two plugs, adding or removing a cable) increases the number of
// components by at most one. In the end, each planned cable is a component (on top of the real
// one), and so is each port without a planned cable. A cycle of k planned cables is one component
// and must become k; a path of k planned and k real cables has 2k + 1 ports and must become k
// components and a port. The moves below reach these numbers. (The tests try all sequences.)
//
// A cycle x0 = x1 - x2 = x3 - .. x0 (planned =, real -) is repaired at x0, x2, ..: the cable for x0
// has its plug at x2, that for x2 at x4. Exchanging x0 with x2, then x2 with x4 .. moves the last
// plug on until it is at its port.

#include "operations/cabling/cable_moves.h"

#include <algorithm>

#include "base/no_index.h"

namespace pssp {
namespace {

std::vector<std::uint32_t> partners(std::uint32_t ports, const PortPairs& pairs) {
  std::vector<std::uint32_t> partner(ports, no_index);
  for (const auto& [a, b] : pairs) {
    partner[a] = b;
    partner[b] = a;
  }
  return partner;
}

class WalkFinder {
 public:
  WalkFinder(std::uint32_t ports, const PortPairs& planned, const PortPairs& real)
      : planned_(partners(ports, planned)), real_(partners(ports, real)), seen_(ports, 0) {
    for (std::uint32_t p = 0; p < ports; ++p) {
      if (planned_[p] != real_[p]) continue;
      planned_[p] = real_[p] = no_index;  // correct, or free in both
    }
  }

  std::vector<AlternatingWalk> run() {
    const auto ports = static_cast<std::uint32_t>(seen_.size());
    // Ends of paths first; ends with a planned cable precede the others, which may be the other
    // ends of their paths.
    for (const bool begins_planned : {true, false}) {
      for (std::uint32_t p = 0; p < ports; ++p) {
        const bool is_end = (planned_[p] == no_index) != (real_[p] == no_index);
        if (seen_[p] == 0 && is_end && (planned_[p] != no_index) == begins_planned) {
          add(p, begins_planned, false);
        }
      }
    }
    for (std::uint32_t p = 0; p < ports; ++p) {
      if (seen_[p] == 0 && planned_[p] != no_index) add(p, true, true);
    }
    std::ranges::sort(walks_, {}, [](const AlternatingWalk& walk) {
      return *std::ranges::min_element(walk.ports);
    });
    return std::move(walks_);
  }

 private:
  void add(std::uint32_t first, bool begins_planned, bool is_cycle) {
    AlternatingWalk walk{{}, begins_planned, is_cycle};
    bool by_plan = begins_planned;
    for (std::uint32_t p = first; p != no_index && seen_[p] == 0;) {
      seen_[p] = 1;
      walk.ports.push_back(p);
      p = by_plan ? planned_[p] : real_[p];
      by_plan = !by_plan;
    }
    walks_.push_back(std::move(walk));
  }

  std::vector<std::uint32_t> planned_, real_;
  std::vector<char> seen_;
  std::vector<AlternatingWalk> walks_;
};

}  // namespace

std::vector<AlternatingWalk> alternating_walks(std::uint32_t ports, const PortPairs& planned,
                                               const PortPairs& real) {
  return WalkFinder(ports, planned, real).run();
}

std::vector<PlugMove> moves_of(const AlternatingWalk& walk, bool odd_side) {
  using Kind = PlugMove::Kind;
  const std::vector<std::uint32_t>& x = walk.ports;
  std::vector<PlugMove> moves;
  if (walk.is_cycle) {
    // From an odd port, the cycle has the opposite direction: x1 = x0 - x(n-1) = ..
    const auto port = [&](std::size_t i) {
      return odd_side ? x[(x.size() + 1 - i) % x.size()] : x[i];
    };
    for (std::size_t i = 0; i + 2 < x.size(); i += 2) {
      moves.push_back({Kind::exchange, port(i), port(i + 2)});
    }
    return moves;
  }
  std::size_t i = 0;
  if (!walk.begins_planned) {
    moves.push_back({Kind::remove, x[0], x[1]});
    i = 1;
  }
  // x[i] is free now, and the plan connects it to x[i + 1], whose plug is at x[i + 2].
  for (; i + 2 < x.size(); i += 2) moves.push_back({Kind::replug, x[i + 2], x[i]});
  if (i + 1 < x.size()) moves.push_back({Kind::connect, x[i], x[i + 1]});
  return moves;
}

}  // namespace pssp
