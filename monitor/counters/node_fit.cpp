// The answers are those of the interface; the levels are those of verdicts, so that the worst of
// several is the largest.

#include "monitor/counters/node_fit.h"

#include <array>
#include <utility>

#include "fabric/nodes/node_name_rule.h"

namespace pssp {
namespace {

constexpr std::array<std::string_view, 4> fit_text{"yes", "unknown", "watch", "no"};

}  // namespace

std::string_view fit_word(Level level) { return fit_text[static_cast<std::size_t>(level)]; }

std::optional<Level> level_of_fit_word(std::string_view word) {
  for (std::size_t i = 0; i < fit_text.size(); ++i) {
    if (fit_text[i] == word) return static_cast<Level>(i);
  }
  return std::nullopt;
}

std::string_view name_of(DrainAdvice advice) {
  constexpr std::array<std::string_view, 3> names{"-", "drain", "held_back"};
  return names[static_cast<std::size_t>(advice)];
}

FitList::FitList(std::vector<NodeFit> nodes) : nodes_(std::move(nodes)) {
  by_name_.reserve(nodes_.size());
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    by_name_.try_emplace(nodes_[n].name, n);
    for (const PortKey& port : nodes_[n].ports) by_adapter_.try_emplace(port.node, n);
  }
}

const NodeFit* FitList::find(std::string_view name) const {
  auto found = by_name_.find(std::string(name));
  if (found == by_name_.end()) found = by_name_.find(host_part(name));
  return found == by_name_.end() ? nullptr : &nodes_[found->second];
}

const NodeFit* FitList::of_adapter(Guid guid) const {
  const auto found = by_adapter_.find(guid);
  return found == by_adapter_.end() ? nullptr : &nodes_[found->second];
}

}  // namespace pssp
