#pragma once

// Tables of several constructions, side by side: which are the best.

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/engines/parts/table_score.h"

namespace pssp {

/// What became of one construction.
struct TriedConstruction {
  std::string name;     ///< "cassp", or "cassp, relieved"
  double score = 0;     ///< as the TableScore says
  double index = 0;     ///< edge forwarding index
  std::string refusal;  ///< why it does not suit the fabric; score and index are then 0
  /// Free of deadlocks on one virtual lane, management traffic of switches included. Found out only
  /// of those that score the best but for the slack; else false.
  bool one_lane = false;
  bool turned_down = false;  ///< by the caller's Acceptance
};

/// Tables that stand in the contest.
struct Contestant {
  explicit Contestant(std::string name, ForwardingTables made = {}) : tables(std::move(made)) {
    tried.name = std::move(name);
  }

  TriedConstruction tried;
  ForwardingTables tables;             ///< empty where the construction refused the fabric
  std::optional<UpDownOrder> up_down;  ///< by which all routes are legal
  std::optional<std::size_t> same_as;  ///< a contestant before this one with the same tables
};

/// Judges contestants, relieves the busiest channels of the best, and ranks them. The same
/// contestants give the same ranking, for any number of workers.
class Contest {
 public:
  struct Rules {
    /// The score counts the busiest channel alone, so that the relief of any contestant may win.
    bool counts_busiest_channel = false;
    double slack = 0;  ///< share of the best score that may be given up, 0 .. 1
  };

  /// The arguments must outlive the object. At most `workers` threads are used at once. Every call
  /// that takes long throws Stopped.
  Contest(const Fabric& fabric, const TableScore& score, Rules rules, unsigned workers,
          const StopSignal& stop);

  /// Takes part from judge() on; its position is the number of those before it.
  void enter(Contestant contestant) { contestants_.push_back(std::move(contestant)); }
  std::size_t size() const noexcept { return contestants_.size(); }
  Contestant& at(std::size_t position) { return contestants_[position]; }
  const Contestant& at(std::size_t position) const { return contestants_[position]; }

  /// Scores the contestants from position `first` on, those with the tables of another one once.
  void judge(std::size_t first = 0);
  /// Enters those that score best once more with their busiest channels relieved, as far as the
  /// score allows. Expects all to be judged.
  void relieve();
  /// Finds which of those that score best need one virtual lane only. Expects all to be judged.
  void look_at_lanes();

  /// Positions, best first: those that score the best but for the slack, and of these first those
  /// for which one virtual lane is enough, by lower index and then by higher score; then the
  /// others, by score. Of equals the first. Contestants that were refused or are the same as
  /// another one are left out.
  std::vector<std::size_t> ranking() const;

 private:
  double good_score() const;
  std::vector<std::size_t> with_score(double enough) const;
  std::optional<std::size_t> find_same(std::size_t position) const;
  void judge(Contestant& contestant) const;
  std::optional<Contestant> relieved(const Contestant& contestant, double enough) const;

  const Fabric& fabric_;
  const TableScore& score_;
  Rules rules_;
  unsigned workers_;
  const StopSignal& stop_;
  std::vector<Contestant> contestants_;
};

}  // namespace pssp
