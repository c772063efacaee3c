#pragma once

// The candidates of engine `best`: evaluates and ranks them.

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

/// Tables with their figures. Other candidates may share their tables.
struct TableCandidate {
  explicit TableCandidate(std::string name, ForwardingTables made = {}) : tables(std::move(made)) {
    tried.name = std::move(name);
  }

  TriedConstruction tried;
  ForwardingTables tables;             ///< empty if the candidate was refused
  std::optional<UpDownOrder> up_down;  ///< the order by which all routes are legal, if known
  std::uint32_t max_extra_hops = 0;    ///< hops by which routes may exceed the minimal hop count
  std::optional<std::size_t> duplicate_of;  ///< position of an earlier candidate with these tables
  bool is_eliminated = false;      ///< lost by base LIDs (evaluate_best_by_lids()), so ranked last
  bool are_lanes_checked = false;  ///< tried.one_lane is known
};

/// Holds candidates in the order in which they were added. The ranking depends on the candidates
/// only, not on the number of workers.
class Selection {
 public:
  struct Rules {
    /// The score depends on the busiest channel alone.
    bool scores_busiest_channel = false;
    double slack = 0;  ///< share of the best score that may be given up for other merits, 0 .. 1
    double efi_slack = 0;  ///< likewise for a lower EFI alone
    /// Candidates within the slack are ranked by S instead of EFI.
    bool prefers_low_slowdown = false;
  };

  /// The arguments must outlive the object. Uses at most `workers` threads at once. All functions
  /// that evaluate or change tables throw Stopped.
  Selection(const Fabric& fabric, TableEvaluator evaluate, Rules rules, unsigned workers,
            const StopSignal& stop);

  /// The score from now on.
  void evaluate_by(TableEvaluator evaluate) { evaluator_ = std::move(evaluate); }
  const TableEvaluator& evaluator() const noexcept { return evaluator_; }
  /// The new candidate has the last position. It has no score before evaluate().
  void add(TableCandidate candidate) { candidates_.push_back(std::move(candidate)); }
  /// Adds tables with other paths to the additional LIDs; if `needs_one_lane`, only tables that are
  /// free of credit loops on one virtual lane.
  void add_planes(TableCandidate planes, bool needs_one_lane);
  std::size_t size() const noexcept { return candidates_.size(); }
  /// Evaluates all candidates by `evaluate` from now on, and ranks those within the slack by S.
  void prefer_low_slowdown(TableEvaluator evaluate);
  TableCandidate& at(std::size_t position) { return candidates_[position]; }
  const TableCandidate& at(std::size_t position) const { return candidates_[position]; }

  /// Scores the candidates from position `first` on; duplicates only once.
  void evaluate(std::size_t first = 0);
  /// Scores the candidates within the slack by all `lids` of a host, and likewise those that are
  /// added later. Eliminates the others, which keep their scores. All candidates must have been
  /// evaluated, as for the next functions.
  void evaluate_best_by_lids(TableEvaluator evaluate, unsigned lids);
  /// Adds a copy of each best candidate with a lower EFI, unless this costs too much of the score.
  void add_with_lower_efi();
  /// Finds out which candidates within the slack need one virtual lane only.
  void check_lanes();
  void check_lanes(TableCandidate& candidate) const;

  /// Position of the highest score from position `first` on, the first of equals; size() if all
  /// candidates were refused.
  std::size_t highest(std::size_t first = 0) const;

  /// Positions, best first. Candidates within the slack come first, ranked by these criteria: one
  /// virtual lane, fewest extra hops, lower EFI (or S), higher score, position. The others follow
  /// by score. Without refused candidates and duplicates.
  std::vector<std::size_t> ranking() const;
  /// The first candidate of the ranking; if S decided, also the candidate with the highest score,
  /// because additional LIDs can improve it more.
  std::vector<std::size_t> most_promising() const;

 private:
  double best_score() const;
  double good_score() const;
  std::vector<std::size_t> with_score(double enough) const;
  std::optional<std::size_t> find_same(std::size_t position) const;
  void evaluate(const std::vector<std::size_t>& positions);
  void evaluate(TableCandidate& candidate) const;
  std::optional<TableCandidate> with_lower_efi(const TableCandidate& candidate,
                                               double enough) const;

  const Fabric& fabric_;
  TableEvaluator evaluator_;
  TableEvaluator base_evaluator_;  // before evaluate_best_by_lids(), else empty
  Rules rules_;
  unsigned lids_ = 1;
  unsigned workers_;
  const StopSignal& stop_;
  std::vector<TableCandidate> candidates_;
};

}  // namespace pssp
