#include "tools/eval_lft/paths_request.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file_io.h"
#include "base/json_text.h"
#include "base/version.h"
#include "evaluator/paths/node_directory.h"
#include "evaluator/paths/path.h"
#include "evaluator/report/path_report.h"
#include "fabric/tables/channel_loads.h"
#include "tools/eval_lft/inputs.h"
#include "tools/eval_lft/json/report_json.h"

namespace pssp {
namespace {

std::string to_report(const Fabric& fabric, const std::vector<Path>& paths,
                      const std::vector<std::uint64_t>& loads,
                      const std::vector<std::string>& warnings, bool json) {
  if (json) {
    nlohmann::ordered_json object;
    object["paths"] = nlohmann::ordered_json::array();
    for (const Path& path : paths) object["paths"].push_back(to_json(fabric, path, loads));
    object["warnings"] = warnings;
    object["version"] = version();
    return dump_json(object);
  }
  std::string text;
  for (const Path& path : paths) {
    if (!text.empty()) text += '\n';
    text += to_text(fabric, path, loads);
  }
  return text;
}

}  // namespace

void PathsRequest::add_options(QuestionLine& line) {
  const char* const group = "Paths, instead of the report";
  const Position paths{{Question::paths},
                       "is for paths and excludes the report, --ptrn and --time-shares"};
  line.option(paths, group, "--path", path_,
              "Print the path link by link; each end is a name, description, GUID or LID")
      .values(2, 2);
  line.option(paths, group, "--pairs", pairs_,
              "Print the paths of all pairs in FILE, one pair per line")
      .reads();
}

std::vector<PathPair> PathsRequest::asked_for(const Fabric& fabric) const {
  const NodeDirectory nodes(fabric);
  std::vector<PathPair> pairs;
  if (!path_.empty()) {
    pairs.push_back({nodes.find(path_[0]), nodes.find(path_[1])});
  }
  if (!pairs_.empty()) {
    const std::vector<PathPair> listed = read_path_pairs(pairs_, nodes);
    pairs.insert(pairs.end(), listed.begin(), listed.end());
  }
  return pairs;
}

int PathsRequest::run(const Common& common, Processes& processes) const {
  std::vector<PathPair> pairs;
  const std::vector<EvalInput> inputs = processes.together([&] {
    std::vector<EvalInput> read = read_inputs(common);
    pairs = asked_for(read.front().fabric);
    return read;
  });
  require_same_work(processes, inputs, common, Question::paths, {});
  if (!processes.is_first()) return 0;
  const EvalInput& input = inputs.front();
  print_warnings(input.warnings);
  std::vector<Path> paths;
  std::size_t broken = 0;
  for (const PathPair& pair : pairs) {
    paths.push_back(path_of(input.fabric, input.tables, pair.source, pair.destination));
    if (paths.back().outcome != PathOutcome::arrives) ++broken;
  }
  write_file(common.output,
             to_report(input.fabric, paths, channel_loads(input.fabric, input.tables),
                       input.warnings, common.json));
  if (broken == 0) return 0;
  throw Error(ErrorKind::verification_failed,
              fmt::format("{} of {} paths do not reach their destination (see the report)", broken,
                          paths.size()));
}

}  // namespace pssp
