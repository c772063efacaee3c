// tune_cc: which parameters of congestion control should this fabric have
// (docs/reference/tune-cc.md)?

#include <utility>
#include <vector>

#include "base/file_io.h"
#include "evaluator/parallel/processes.h"
#include "evaluator/pictures/drawing_programs.h"
#include "tools/kit/report.h"
#include "tools/launch/parallel_tool.h"
#include "tools/tune_cc/options.h"
#include "tools/tune_cc/report.h"
#include "tools/tune_cc/tuning.h"

namespace pssp {
namespace {

/// Searches, together with the other processes, of which the first one writes the results.
/// Returns the exit code; throws Error and FailedElsewhere.
int tune_cc(const TuneOptions& options, Processes& processes) {
  constexpr Report report_line("tune_cc");
  constexpr int interrupted_by_user = 130;
  Tuning tuning = processes.together([&] {
    if (!options.plot.empty()) static_cast<void>(picture_format(options.plot));
    return read_tuning(options);
  });
  if (processes.is_first()) report_line.warn(tuning.warnings);
  search_tuning(options, processes, tuning);
  if (!processes.is_first()) return 0;
  std::vector<OutputFile> files;
  const auto add = [&](const std::string& path, std::string text) {
    files.push_back({path, [text = std::move(text)](const ContentSink& sink) { sink(text); }});
  };
  add(options.report, options.json ? to_json(options, tuning) : to_text(options, tuning));
  // An interrupted search has a report, but no outputs that could be taken as a result.
  if (!tuning.interrupted) {
    if (!options.set_file.empty()) add(options.set_file, set_text(options, tuning));
    if (!options.plot.empty()) {
      add(options.plot, drawn_by_gnuplot(surface_script(tuning, picture_format(options.plot))));
    }
  }
  write_files(files);
  return tuning.interrupted ? interrupted_by_user : 0;
}

}  // namespace
}  // namespace pssp

int main(int argc, char** argv) {
  using namespace pssp;
  return run_parallel_tool("tune_cc", argc, argv, parse_tune_options, tune_cc);
}
