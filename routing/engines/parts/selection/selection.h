#pragma once

// Tables of several constructions, side by side: which are the best.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/engines/parts/counts/table_score.h"
#include "routing/engines/parts/selection/routing_notes.h"

namespace pssp {

/// Tables that stand in the selection.
struct TableCandidate {
  explicit TableCandidate(std::string name, ForwardingTables made = {}) : tables(std::move(made)) {
    tried.name = std::move(name);
  }

  TriedConstruction tried;
  ForwardingTables tables;             ///< empty where the construction refused the fabric
  std::optional<UpDownOrder> up_down;  ///< by which all routes are legal
  std::uint32_t max_extra_hops =
      0;  ///< hops that local search let routes be longer than the shortest
  std::optional<std::size_t> same_as;  ///< a candidate before this one with the same tables
  /// Turned down by evaluate_again(): behind all that were not.
  bool is_behind = false;
  bool lanes_are_known = false;  ///< tried.one_lane has been looked at
};

/// Judges candidates, relieves the busiest channels of the best, and ranks them. The same
/// candidates give the same ranking, for any number of workers.
class Selection {
 public:
  struct Rules {
    /// The score counts the busiest channel alone, so that the relief of any candidate may win.
    bool counts_busiest_channel = false;
    double slack = 0;         ///< share of the best score that may be given up, 0 .. 1
    double relief_slack = 0;  ///< likewise for the relief of busy channels alone
    /// Among those that score best structured traffic decides instead of the index.
    bool prefers_step = false;
  };

  /// The arguments must outlive the object. At most `workers` threads are used at once. Every call
  /// that takes long throws Stopped.
  Selection(const Fabric& fabric, TableEvaluator evaluate, Rules rules, unsigned workers,
            const StopSignal& stop);

  /// All are judged so from now on.
  void evaluate_by(TableEvaluator evaluate) { evaluator_ = std::move(evaluate); }
  const TableEvaluator& evaluate_now() const noexcept { return evaluator_; }
  /// Takes part from evaluate() on; its position is the number of those before it.
  void enter(TableCandidate candidate) { candidates_.push_back(std::move(candidate)); }
  /// Tables with other LIDs routed from scratch; those that need more than one lane, only where
  /// they may.
  void enter_planes(TableCandidate planes, bool needs_one_lane);
  std::size_t size() const noexcept { return candidates_.size(); }
  /// Among those that score best the lower S decides from now on, and all are judged by `judge`.
  void prefer_step(TableEvaluator evaluate);
  TableCandidate& at(std::size_t position) { return candidates_[position]; }
  const TableCandidate& at(std::size_t position) const { return candidates_[position]; }

  /// Scores the candidates from position `first` on, those with the tables of another one once.
  void evaluate(std::size_t first = 0);
  /// Those that score best but for the slack are judged once more, by how all `lids` of a host are
  /// used; what is entered from now on is judged likewise. The others, and what is the same as
  /// they, keep their scores and stand behind. Expects all to be judged.
  void evaluate_again(TableEvaluator evaluate, unsigned lids);
  /// Enters those that score best once more with their busiest channels relieved, as far as the
  /// score allows. Expects all to be judged.
  void relieve();
  /// Finds which of those that score best need one virtual lane only. Expects all to be judged.
  void look_at_lanes();
  /// The same of one candidate, judged or not.
  void look_at_lanes(TableCandidate& candidate) const;

  /// Position of the highest score from position `first` on, of equals the first; size() where all
  /// were refused.
  std::size_t highest(std::size_t first = 0) const;

  /// Positions, best first: those that score the best but for the slack, and of these first those
  /// for which one virtual lane is enough, then those without extra hops, by lower index (or S,
  /// where that is preferred) and then by higher score; then the others, by score. Of equals the
  /// first. Contestants that were refused or are the same as another one are left out.
  std::vector<std::size_t> ranking() const;
  /// The first of the ranking, and where the lower S decided, that of the highest score, too: among
  /// tables in step, what is a little worse now may have more to gain by further LIDs.
  std::vector<std::size_t> most_promising() const;

 private:
  double best_score() const;
  double good_score() const;
  std::vector<std::size_t> with_score(double enough) const;
  std::optional<std::size_t> find_same(std::size_t position) const;
  void evaluate(const std::vector<std::size_t>& positions);
  void evaluate(TableCandidate& candidate) const;
  std::optional<TableCandidate> relieved(const TableCandidate& candidate, double enough) const;

  const Fabric& fabric_;
  TableEvaluator evaluator_;
  TableEvaluator base_evaluator_;  ///< the one before evaluate_again(); empty where it is judge_
  Rules rules_;
  unsigned lids_ = 1;
  unsigned workers_;
  const StopSignal& stop_;
  std::vector<TableCandidate> candidates_;
};

}  // namespace pssp
