#pragma once

// Determines how to correct the cabling according to the plan: few statements, the most harmful
// first.

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

/// Most harmful first.
enum class CablingFault : std::uint8_t {
  swapped,       ///< cycles of cables: exchanging plugs repairs all of them
  moved,         ///< plugs at ports that are free in the plan
  missing,       ///< possibly combined with moved cables
  extra,         ///< likewise
  slower,        ///< or narrower than planned
  missing_node,  ///< including all its cables
  unknown_node,
  wrong_rail,      ///< without a plan: an adapter at a leaf of another rail than its peers
  fewer_rails,     ///< without a plan: a node with fewer adapters than its peers
  uneven_uplinks,  ///< without a plan: a leaf with other uplinks than its peers
  renamed,         ///< the same cable, but another name of the adapter
};

inline constexpr std::size_t cabling_fault_count = 11;
/// "swapped", "missing_node": for JSON and metrics.
std::string_view word_of(CablingFault fault);

/// One manual operation.
struct CablingMove {
  enum class Kind : std::uint8_t {
    exchange,  ///< exchange the plugs at `from` and `to`
    replug,    ///< move the plug at `from` to `to`
    connect,   ///< add a cable
    remove,    ///< remove the cable between them
  };
  Kind kind = Kind::exchange;
  std::string from, to;  ///< "leaf 4 port 15"
};

/// A port of the fabric by persistent identifiers; for a host that of its adapter.
struct CablingPort {
  Guid node = 0;
  PortNumber port = 0;
  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend auto operator<=>(const CablingPort&, const CablingPort&) = default;
};

struct CablingStatement {
  CablingFault fault = CablingFault::missing;
  std::string text;                ///< without the word of the fault or control characters
  std::vector<std::string> ports;  ///< affected ports, at both ends of cables
  std::vector<CablingMove> moves;  ///< the fewest, in an order that works
  bool of_rails = false;           ///< swapped: adapters of one node at each other's switches
  std::size_t count = 1;           ///< number of affected objects of one kind
  std::vector<CablingPort> positions = {};  ///< with a plan: the `ports` in the fabric
};

struct CablingComparison {
  std::vector<CablingStatement> statements;
  NodeMatching matching;
  std::size_t planned_cables = 0, found_cables = 0;  ///< comparable cables
  std::size_t cables_in_place = 0;
  std::size_t matched_nodes = 0;
  std::vector<std::string> warnings;
  std::optional<CablingCosts> costs;  ///< if requested by the caller
};

/// Deterministic. Throws Error(mismatch) if no node of the plan is found.
CablingComparison compare_cabling(const Cabling& plan, const Cabling& fabric);

/// "missing node: spine 3, with 12 cables": a line without its end.
std::string line_of(const CablingStatement& statement);
/// One line per statement, such as "swapped: leaf 4 port 15 and leaf 4 port 16: exchange the two
/// cables there"; empty without statements.
std::string to_text(std::span<const CablingStatement> statements);
std::string to_json(std::span<const CablingStatement> statements, std::string_view fabric_name);
/// The same with a count of correct cables.
std::string to_text(const CablingComparison& comparison);
std::string to_json(const CablingComparison& comparison, std::string_view plan_name,
                    std::string_view fabric_name);
/// One line per node of the plan, with the node of the fabric and the method of matching.
std::string node_map_text(const Cabling& plan, const Cabling& fabric, const NodeMatching& matching);

}  // namespace pssp
