// eval_lft: how good are the forwarding tables of a fabric? See docs/eval_lft.md.

#include <tbb/global_control.h>

#include <cstdio>
#include <optional>

#include "evaluator/parallel/processes.h"
#include "tools/eval_lft/eval_lft_options.h"
#include "tools/eval_lft/eval_lft_tasks.h"
#include "tools/kit/tool_main.h"

namespace {

using namespace pssp;

int run(const EvalOptions& options, Processes& processes) {
  std::optional<tbb::global_control> limit;
  if (options.threads != 0) {
    limit.emplace(tbb::global_control::max_allowed_parallelism, options.threads);
  }
  switch (options.task) {
    case EvalOptions::Task::score:
      return score_tables(options, processes);
    case EvalOptions::Task::compare:
      return compare_tables(options, processes);
    case EvalOptions::Task::simulate:
      return simulate_pattern(options, processes);
    case EvalOptions::Task::print:
      return print_pattern(options, processes);
    case EvalOptions::Task::application:
      return estimate_application(options, processes);
    case EvalOptions::Task::paths:
      return show_paths(options, processes);
  }
  return 0;
}

int run_in_all_processes(int argc, char** argv) {
  Processes processes(argc, argv);
  // Only the first process speaks: help, version and lists would be printed once for each.
  if (!processes.is_first() && std::freopen("/dev/null", "w", stdout) == nullptr) return 1;
  try {
    const std::optional<EvalOptions> options =
        processes.together([&] { return parse_eval_options(argc, argv); });
    return options ? run(*options, processes) : 0;
  } catch (const FailedElsewhere&) {
    return 0;
  }
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool("eval_lft", [&] { return run_in_all_processes(argc, argv); });
}
