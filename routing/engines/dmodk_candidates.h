#pragma once

// Candidates of engine `best` that D-mod-K computes (dmodk.h).

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

/// D-mod-K with the options that suit the tree. Functions that compute tables throw Stopped.
class DmodkCandidates {
 public:
  /// All must outlive the object. `slack`: share of the score that a lower S may cost.
  DmodkCandidates(const Fabric& fabric, const CompletedTree& tree, const EngineOptions& options,
                  const RouteRequest& request, Selection& selection, double slack)
      : fabric_(fabric),
        tree_(tree),
        options_(options),
        request_(request),
        selection_(selection),
        slack_(slack) {}

  /// Adds plain dmodk. If the hosts per leaf are no multiple of the uplinks, adds dmodk with
  /// start=first, and with the best value of `gap`, too. If few links are missing, adds only the
  /// one of these that is best on the complete tree.
  void add();

  /// Positions of the candidates that local searches start from: plain dmodk, and that with a gap.
  std::vector<std::size_t> starts() const;

  /// Refuses candidates that are hardly better than plain dmodk, because a fault changes fewer
  /// entries of plain dmodk. All candidates must have been evaluated, as for the next function.
  void prefer_plain();
  /// Refuses dmodk with start=first unless it is clearly better: all hosts in the same position of
  /// their leaves then share an uplink, which the score hardly notices.
  void compare_first_path();

 private:
  using NamedCount = std::pair<std::string, DmodkCount>;

  bool is_count_configured() const;
  DmodkCount from_first_path() const;
  DmodkCount with_gap(std::uint32_t gap) const;
  TableEvaluator evaluator_of(const Fabric& complete) const;
  std::uint32_t best_gap() const;
  std::uint32_t best_gap(const Fabric& complete, const CompletedTree& tree,
                         const TableEvaluator& evaluate) const;
  NamedCount count_for_complete_tree() const;
  std::size_t add(std::string_view name, const DmodkCount& count, const CompletedTree& tree);

  const Fabric& fabric_;
  const CompletedTree& tree_;
  const EngineOptions& options_;
  const RouteRequest& request_;
  Selection& selection_;
  double slack_;
  std::optional<std::size_t> plain_;  // positions in the selection
  std::optional<std::size_t> with_gap_;
  std::optional<std::size_t> from_first_path_;
};

}  // namespace pssp
