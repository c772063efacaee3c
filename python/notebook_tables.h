#pragma once

// Forwarding tables as a notebook has them, with the questions that it asks about them. The answers
// are those of the tools, made by the same functions; a report is the tool's JSON.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/stop_signal.h"
#include "evaluator/scoring/simulation_report.h"
#include "fabric/tables/forwarding_tables.h"
#include "python/notebook_fabric.h"
#include "routing/engines/options.h"
#include "routing/verify/verify.h"

namespace pssp {

/// The runs of a question.
struct RunsWanted {
  std::string pattern;                ///< empty: random bisections
  std::optional<std::uint64_t> runs;  ///< nothing: as many as eval_lft takes
  std::uint64_t seed = 1;
  std::uint32_t ranks = 0;           ///< of the pattern; 0: one for each host
  std::vector<std::string> metrics;  ///< of the pattern; empty: those of eval_lft
};

/// An application's messages, and where its ranks are.
struct ApplicationWanted {
  std::string application;  ///< NAME,SIZE..; empty: `goal`
  std::string goal;         ///< file
  std::uint32_t ranks = 0;  ///< of an application; 0: one for each host
  std::string order;        ///< switch or random
  std::uint64_t seed = 1;   ///< of the random order
  std::uint32_t seeds = 1;  ///< random orders, of seed, seed + 1, ..
  double precision =
      0;  ///< as many as a 95 % interval of so large a share of the means takes; 0: `seeds`
  std::string sharing;  ///< equal or max-min
};

/// What simulate_application writes with --json, and what it says on stderr.
struct ApplicationTimes {
  std::string report;
  std::vector<std::string> warnings;
};

/// Immutable but for what is remembered; safe to use from several threads. All functions that take
/// a StopSignal may throw Stopped.
class NotebookTables : public std::enable_shared_from_this<NotebookTables> {
 public:
  /// `warnings`: of who made the tables, or of who read them, together with the fabric, from a
  /// file.
  NotebookTables(std::shared_ptr<NotebookFabric> fabric, ForwardingTables tables, std::string name,
                 std::vector<std::string> warnings, bool are_of_file);

  /// What route_lft does. `workers`: 0: as many as the machine has. Throws
  /// Error(verification_failed) where the tables are not usable.
  static std::shared_ptr<NotebookTables> route(const std::shared_ptr<NotebookFabric>& fabric,
                                               const std::string& engine,
                                               const EngineOptions& options, unsigned workers,
                                               const StopSignal& stop);
  /// Tables of a file for the fabric, as eval_lft reads them.
  static std::shared_ptr<NotebookTables> read(const std::shared_ptr<NotebookFabric>& fabric,
                                              const std::filesystem::path& path);

  const std::shared_ptr<NotebookFabric>& fabric() const noexcept { return fabric_; }
  const ForwardingTables& tables() const noexcept { return tables_; }
  const std::string& name() const noexcept { return name_; }
  const std::vector<std::string>& warnings() const noexcept { return warnings_; }

  /// Routes by channel; there are less than 2^32 of them, LIDs being less than 2^16. Counted once.
  std::span<const std::uint32_t> loads() const;
  VerifyReport verify() const;
  /// Throws Error(verification_failed) unless the tables are usable, as route_lft does.
  void write(const std::filesystem::path& path) const;

  /// Reports as eval_lft writes them with --json: on the tables or of a pattern's simulation; of
  /// structured traffic (its member "structured_suite"); of one path (an element of "paths").
  std::string evaluation(const RunsWanted& wanted, const StopSignal& stop) const;
  std::string structured_traffic(const std::string& host_order, bool all_phases,
                                 const RunsWanted& wanted, const StopSignal& stop) const;
  std::string path(const std::string& source, const std::string& destination) const;
  /// Bandwidth of each run.
  std::vector<double> samples(const RunsWanted& wanted, const StopSignal& stop) const;
  /// With these tables, and then with each of `others`. Throws Error(usage), Error(mismatch) where
  /// tables have different hosts, what reading a file throws, Error(verification_failed) for a
  /// schedule that never ends or tables without a way.
  ApplicationTimes application(const ApplicationWanted& wanted,
                               const std::vector<std::shared_ptr<NotebookTables>>& others,
                               const StopSignal& stop) const;
  /// Slowdown of each pattern of structured traffic, in the order of the suite.
  /// Counted once.
  const std::vector<std::pair<std::string, double>>& slowdowns(const StopSignal& stop) const;

 private:
  friend std::string compare(const std::vector<std::shared_ptr<NotebookTables>>& all,
                             const RunsWanted& wanted, const StopSignal& stop);

  /// What reports say: warnings of readers alone.
  const std::vector<std::string>& readers_warnings() const {
    return are_of_file_ ? warnings_ : fabric_->warnings();
  }
  SimulationReport simulate_pattern(const RunsWanted& wanted, const StopSignal& stop) const;
  std::vector<double> bisections(const RunsWanted& wanted, const StopSignal& stop) const;

  std::shared_ptr<NotebookFabric> fabric_;
  ForwardingTables tables_;
  std::string name_;
  std::vector<std::string> warnings_;
  bool are_of_file_;
  mutable std::mutex remembering_;
  mutable std::optional<std::vector<std::uint32_t>> loads_;
  mutable std::optional<std::vector<std::pair<std::string, double>>> slowdowns_;
};

/// What eval_lft --compare says of several tables under the same traffic. Throws Error(mismatch)
/// where they have different hosts.
std::string compare(const std::vector<std::shared_ptr<NotebookTables>>& all,
                    const RunsWanted& wanted, const StopSignal& stop);

}  // namespace pssp
