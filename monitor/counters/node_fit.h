#pragma once

// The nodes that may run jobs: the result of each sweep, for pages, metrics, the history and
// schedulers.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "monitor/counters/verdict_record.h"

namespace pssp {

/// VerdictRecord::what of a node: its row belongs to the first of its ports, and `value` is a
/// DrainAdvice. The row without a port gives the time since which there are such rows.
inline constexpr std::string_view node_fitness = "fit";

/// "yes", "unknown", "watch", "no": from good to bad for a scheduler.
std::string_view fit_word(Level level);
/// Nothing for any other text.
std::optional<Level> level_of_fit_word(std::string_view word);

/// The advice to a scheduler for an unfit node.
enum class DrainAdvice : std::uint8_t {
  none,
  drain,
  held_back,  ///< too many nodes have become unfit lately: an administrator must decide
};
/// "-", "drain", "held_back".
std::string_view name_of(DrainAdvice advice);

struct FitReason {
  Level level = Level::watch;
  PortKey port;      ///< of the fault; the port of the switch, if the fault is there
  std::string text;  ///< begins with the name of the port; may be printed
};

struct NodeFit {
  std::string name;                ///< as in NodeRails; untrusted, so escape before printing
  bool is_named = true;            ///< by a description, which schedulers may use
  Level level = Level::unknown;    ///< the worst of its reasons
  std::vector<FitReason> reasons;  ///< the worst first
  std::int64_t since_ms = 0;       ///< at this level
  DrainAdvice advice = DrainAdvice::none;
  std::vector<PortKey> ports;  ///< of its adapters, including missing ones; at least one
};

/// Nodes that can be found by name.
class FitList {
 public:
  FitList() = default;
  explicit FitList(std::vector<NodeFit> nodes);

  const std::vector<NodeFit>& nodes() const noexcept { return nodes_; }
  /// As NodeRails::find(): in lower case, up to the first dot; null if there is none.
  const NodeFit* find(std::string_view name) const;
  /// The node of an adapter; null if the adapter belongs to no node.
  const NodeFit* of_adapter(Guid guid) const;

 private:
  std::vector<NodeFit> nodes_;
  std::unordered_map<std::string, std::uint32_t> by_name_;
  std::unordered_map<Guid, std::uint32_t> by_adapter_;
};

}  // namespace pssp
