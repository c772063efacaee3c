#pragma once

// What is to be done so that a fabric is cabled as planned: few statements, the most harmful first.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "operations/cabling/cabling.h"
#include "operations/cabling/cabling_costs.h"
#include "operations/cabling/node_matching.h"

namespace pssp {

/// In the order of harm.
enum class CablingFault : std::uint8_t {
  swapped,       ///< cables that go round: exchanging plugs repairs all of them
  moved,         ///< plugs at ports that the plan has free
  missing,       ///< and perhaps moved ones with it
  extra,         ///< likewise
  slower,        ///< or narrower than planned
  missing_node,  ///< with all its cables
  unknown_node,
  wrong_rail,      ///< without a plan: an adapter at a leaf of another rail than its peers
  fewer_rails,     ///< without a plan: a node with fewer adapters than its peers
  uneven_uplinks,  ///< without a plan: a leaf with other uplinks than its peers
  renamed,         ///< the same cable, an adapter of another name
};

inline constexpr std::size_t cabling_fault_count = 11;
/// "swapped", "missing_node": for JSON and metrics.
std::string_view word_of(CablingFault fault);

/// One thing that hands do.
struct CablingMove {
  enum class Kind : std::uint8_t {
    exchange,  ///< of the plugs at `from` and `to`
    replug,    ///< the plug at `from` goes to `to`
    connect,   ///< a new cable
    remove,    ///< the cable between them
  };
  Kind kind = Kind::exchange;
  std::string from, to;  ///< "leaf 4[15]"
};

/// A port of the fabric by what lasts; of a host it is its adapter's.
struct CablingPort {
  Guid node = 0;
  PortNumber port = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend auto operator<=>(const CablingPort&, const CablingPort&) = default;
};

struct CablingStatement {
  CablingFault fault = CablingFault::missing;
  std::string text;                ///< without the word of the fault; clean to show
  std::vector<std::string> ports;  ///< that it is about, at both ends of cables
  std::vector<CablingMove> moves;  ///< the fewest, in the order in which they can be done
  bool of_rails = false;           ///< swapped: adapters of one node at each other's switches
  std::size_t count = 1;           ///< things of one kind that it is about
  std::vector<CablingPort> positions = {};  ///< with a plan: those of `ports` that the fabric has
};

struct CablingComparison {
  std::vector<CablingStatement> statements;
  NodeMatching matching;
  std::size_t planned_cables = 0, found_cables = 0;  ///< that can be compared
  std::size_t cables_in_place = 0;
  std::size_t matched_nodes = 0;
  std::vector<std::string> warnings;
  std::optional<CablingCosts> costs;  ///< where the caller asked for them
};

/// Deterministic. Throws Error(mismatch) where not one node of the plan is found.
CablingComparison compare_cabling(const Cabling& plan, const Cabling& fabric);

/// "missing node: spine 3, with 12 cables": a line without its end.
std::string line_of(const CablingStatement& statement);
/// A line a statement: "swapped: leaf 4[15] and leaf 4[16]: exchange the two cables there"; empty
/// where there are none.
std::string to_text(std::span<const CablingStatement> statements);
std::string to_json(std::span<const CablingStatement> statements, std::string_view fabric_name);
/// The same with what is in place.
std::string to_text(const CablingComparison& comparison);
std::string to_json(const CablingComparison& comparison, std::string_view plan_name,
                    std::string_view fabric_name);
/// Who is who: a line a node of the plan, with the node of the fabric and what showed it.
std::string node_map_text(const Cabling& plan, const Cabling& fabric, const NodeMatching& matching);

}  // namespace pssp
