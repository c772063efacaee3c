// fault_impact: what each single fault of a fabric costs (docs/reference/fault-impact.md).
//
// Faults are independent, and each is computed on one thread; results are in the order of the
// faults.

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <filesystem>
#include <mutex>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/workers.h"
#include "fabric/input/fabric_input.h"
#include "routing/verify/verify.h"
#include "tools/fault_impact/faults.h"
#include "tools/fault_impact/impact.h"
#include "tools/fault_impact/options.h"
#include "tools/fault_impact/report.h"
#include "tools/kit/progress_line.h"
#include "tools/kit/report.h"
#include "tools/kit/tool.h"

namespace pssp {
namespace {

std::string repair_text(const FaultOptions& options) {
  switch (options.repair) {
    case Repair::stable:
      return "stable";
    case Repair::baseline:
      return "baseline";
    case Repair::none:
      return "none";
    case Repair::from_scratch:
      break;
  }
  return "scratch:" + options.engine;
}

FabricInput read_input(const FaultOptions& options) {
  const std::vector<std::filesystem::path> paths(options.files.begin(), options.files.end());
  FabricInput input = read_fabric_input(paths);
  require_tables(input.tables.has_value(), options.files.front());
  Report("fault_impact").warn(input.warnings);
  return input;
}

/// The cost of a fault is undefined if the tables are already broken.
void require_usable(const FabricInput& input, const std::string& name) {
  const VerifyReport report = verify(input.fabric, *input.tables, {.credit_loops = false});
  if (report.usable()) return;
  std::string text = fmt::format(
      "{}: the tables are already broken: {}; compute new tables (for details run pssp eval)", name,
      describe_defects(report));
  for (const std::string& example : report.examples) text += "\n  e.g. " + example;
  throw Error(ErrorKind::verification_failed, text);
}

std::vector<Impact> try_all(const FaultTrial& trial, const std::vector<Fault>& faults,
                            unsigned workers) {
  std::vector<Impact> impacts(faults.size());
  ProgressLine progress("faults");
  std::mutex mutex;
  std::uint64_t done = 0;
  run_tasks(workers, faults.size(), [&](std::size_t i) {
    impacts[i] = trial.suffer(faults[i]);
    const std::lock_guard lock(mutex);
    progress.update(++done, faults.size());
  });
  return impacts;
}

/// Computes all faults and writes the report. Returns the exit code; throws Error.
int fault_impact(const FaultOptions& options) {
  const FabricInput input = read_input(options);
  require_usable(input, options.files.front());
  const std::vector<Fault> faults = choose_faults(input.fabric, options);
  const FaultTrial trial(input.fabric, *input.tables, options);
  FaultReport report{.tables = options.files.front(),
                     .repair = repair_text(options),
                     .patterns = options.patterns,
                     .seed = options.seed};
  const unsigned workers = workers_or_all(options.threads);
  const tbb::global_control alone(tbb::global_control::max_allowed_parallelism, 1);
  report.intact = trial.intact();
  report.impacts = try_all(trial, faults, workers);
  sort_by_loss(report.impacts);
  write_file(options.output, options.json ? to_json(report) : to_text(report));
  return 0;
}

}  // namespace
}  // namespace pssp

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("fault_impact", argc, argv, parse_fault_options, fault_impact);
}
