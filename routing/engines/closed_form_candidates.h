#pragma once

// What the closed form of routing on trees (dmodk.h) sends into the selection of engine best.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fabric/fabric.h"
#include "routing/engines/engine.h"
#include "routing/engines/heal.h"
#include "routing/engines/parts/counts/table_score.h"
#include "routing/engines/parts/selection/selection.h"

namespace pssp {

/// The closed form by the counts that suit the tree. Throws Stopped wherever it routes.
class ClosedFormCandidates {
 public:
  /// All must outlive the object. `slack`: share of the score that may be given up for a lower S.
  ClosedFormCandidates(const Fabric& fabric, const TreeWithHoles& tree,
                       const EngineOptions& options, const RouteRequest& request,
                       Selection& selection, double slack)
      : fabric_(fabric),
        tree_(tree),
        options_(options),
        request_(request),
        selection_(selection),
        slack_(slack) {}

  /// The rule, and where hosts are not even, each leaf from the first way, and that gap between
  /// leaves that the whole tree is best with. Where few links are missing, that one alone of these
  /// which is best on the whole tree.
  void enter();

  /// Positions of those that others may descend from: the rule, and that with a gap.
  std::vector<std::size_t> starts() const;

  /// On many whole trees pssp and others are as good as the rule, but any fault makes them other
  /// tables everywhere. There the rule stays, so that a damaged tree keeps most of it. Expects all
  /// to be judged, as the next.
  void prefer();
  /// Where each leaf begins with the first way, hosts at the same place of each leaf share one. The
  /// score sees little of that, whoever transposes a matrix much (docs/reference/engines/best.md).
  void compare_first_path();

 private:
  using NamedCount = std::pair<std::string, DmodkCount>;

  bool is_count_configured() const;
  DmodkCount from_first_path() const;
  DmodkCount with_gap(std::uint32_t gap) const;
  TableEvaluator evaluator_of(const Fabric& whole) const;
  std::uint32_t best_gap() const;
  std::uint32_t best_gap(const Fabric& whole, const TreeWithHoles& as_whole,
                         const TableEvaluator& evaluate) const;
  NamedCount count_of_whole() const;
  void enter_gap(std::uint32_t gap);
  std::size_t enter(std::string_view name, const DmodkCount& count, const TreeWithHoles& tree);

  const Fabric& fabric_;
  const TreeWithHoles& tree_;
  const EngineOptions& options_;
  const RouteRequest& request_;
  Selection& selection_;
  double slack_;
  std::optional<std::size_t> rule_;             // positions
  std::optional<std::size_t> with_gap_;         // of leaves that begin a gap apart
  std::optional<std::size_t> from_first_path_;  // of leaves that all begin with the first way
};

}  // namespace pssp
