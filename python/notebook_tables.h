#pragma once

// Forwarding tables for notebooks, and their evaluation. The functions of the tools compute the
// results; reports are the JSON output of the tools.

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

/// The runs of a simulation.
struct RunsWanted {
  std::string pattern;                ///< empty: random bisections
  std::optional<std::uint64_t> runs;  ///< none: the default of eval_lft
  std::uint64_t seed = 1;
  std::uint32_t ranks = 0;           ///< ranks of the pattern; 0: one per host
  std::vector<std::string> metrics;  ///< metrics of the pattern; empty: those of eval_lft
};

/// The messages of an application, and the placement of its ranks.
struct ApplicationWanted {
  std::string application;  ///< NAME,SIZE..; empty: `goal`
  std::string goal;         ///< path of a GOAL file
  std::uint32_t ranks = 0;  ///< ranks of the application; 0: one per host
  std::string order;        ///< switch or random
  std::uint64_t seed = 1;   ///< seed of the random order
  std::uint32_t seeds = 1;  ///< number of random orders, with seed, seed + 1, ..
  /// If not 0: simulates orders until the 95 % confidence interval is at most this share of the
  /// mean.
  double precision = 0;
  std::string sharing;  ///< equal or max-min
};

/// The JSON output of simulate_application and its warnings.
struct ApplicationTimes {
  std::string report;
  std::vector<std::string> warnings;
};

/// Immutable except for caches; safe to use from several threads. All functions with a StopSignal
/// may throw Stopped.
class NotebookTables : public std::enable_shared_from_this<NotebookTables> {
 public:
  /// `warnings` are those of the engine, or of the reader of tables and fabric.
  NotebookTables(std::shared_ptr<NotebookFabric> fabric, ForwardingTables tables, std::string name,
                 std::vector<std::string> warnings, bool are_of_file);

  /// Routes as route_lft does. With `workers` = 0, uses all processors of the machine. Throws
  /// Error(verification_failed) if the tables are not usable.
  static std::shared_ptr<NotebookTables> route(const std::shared_ptr<NotebookFabric>& fabric,
                                               const std::string& engine,
                                               const EngineOptions& options, unsigned workers,
                                               const StopSignal& stop);
  /// Reads tables for the fabric from a file, as eval_lft does.
  static std::shared_ptr<NotebookTables> read(const std::shared_ptr<NotebookFabric>& fabric,
                                              const std::filesystem::path& path);

  const std::shared_ptr<NotebookFabric>& fabric() const noexcept { return fabric_; }
  const ForwardingTables& tables() const noexcept { return tables_; }
  const std::string& name() const noexcept { return name_; }
  const std::vector<std::string>& warnings() const noexcept { return warnings_; }

  /// Number of routes per channel. It is below 2^32, because LIDs are below 2^16. Computed once.
  std::span<const std::uint32_t> loads() const;
  VerifyReport verify() const;
  /// Writes the tables. Throws Error(verification_failed) if they are not usable, as route_lft
  /// does.
  void write(const std::filesystem::path& path) const;

  /// Reports in the format of eval_lft --json: evaluation() for the tables or the simulation of a
  /// pattern; structured_traffic() as its member "structured_suite"; path() as an element of
  /// "paths".
  std::string evaluation(const RunsWanted& wanted, const StopSignal& stop) const;
  std::string structured_traffic(const std::string& host_order, bool all_phases,
                                 const RunsWanted& wanted, const StopSignal& stop) const;
  std::string path(const std::string& source, const std::string& destination) const;
  /// Bandwidth of each run.
  std::vector<double> samples(const RunsWanted& wanted, const StopSignal& stop) const;
  /// Simulates an application with these tables and then with each of `others`. Throws
  /// Error(usage), Error(mismatch) if tables have different hosts, the errors of reading a file,
  /// and Error(verification_failed) if a schedule never ends or a path is missing.
  ApplicationTimes application(const ApplicationWanted& wanted,
                               const std::vector<std::shared_ptr<NotebookTables>>& others,
                               const StopSignal& stop) const;
  /// Slowdown of each pattern of structured traffic, in the order of the suite. Computed once.
  const std::vector<std::pair<std::string, double>>& slowdowns(const StopSignal& stop) const;

 private:
  friend std::string compare(const std::vector<std::shared_ptr<NotebookTables>>& all,
                             const RunsWanted& wanted, const StopSignal& stop);

  /// The warnings for reports, which are only those of readers.
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

/// The report of eval_lft --compare --json on several tables with the same traffic. Throws
/// Error(mismatch) if they have different hosts.
std::string compare(const std::vector<std::shared_ptr<NotebookTables>>& all,
                    const RunsWanted& wanted, const StopSignal& stop);

}  // namespace pssp
