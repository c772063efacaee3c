// Paths of single pairs, link by link.

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/json_text.h"
#include "evaluator/paths/node_directory.h"
#include "evaluator/paths/pair_file.h"
#include "evaluator/paths/path.h"
#include "evaluator/report/path_report.h"
#include "fabric/tables/channel_loads.h"
#include "tools/eval_lft/eval_lft_input.h"
#include "tools/eval_lft/eval_lft_tasks.h"
#include "tools/eval_lft/json/path_json.h"

namespace pssp {
namespace {

std::vector<PathPair> asked_for(const EvalOptions& options, const Fabric& fabric) {
  const NodeDirectory nodes(fabric);
  std::vector<PathPair> pairs;
  if (!options.path.empty()) {
    pairs.push_back({nodes.find(options.path[0]), nodes.find(options.path[1])});
  }
  if (!options.pairs.empty()) {
    const std::vector<PathPair> listed = read_path_pairs(options.pairs, nodes);
    pairs.insert(pairs.end(), listed.begin(), listed.end());
  }
  return pairs;
}

std::string to_report(const Fabric& fabric, const std::vector<Path>& paths,
                      const std::vector<std::uint64_t>& loads,
                      const std::vector<std::string>& warnings, bool json) {
  if (json) {
    nlohmann::ordered_json object;
    object["paths"] = nlohmann::ordered_json::array();
    for (const Path& path : paths) object["paths"].push_back(to_json(fabric, path, loads));
    object["warnings"] = warnings;
    object["version"] = PSSP_VERSION;
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

int show_paths(const EvalOptions& options, Processes& processes) {
  std::vector<PathPair> pairs;
  const std::vector<EvalInput> inputs = processes.together([&] {
    std::vector<EvalInput> read = read_eval_inputs(options);
    pairs = asked_for(options, read.front().fabric);
    return read;
  });
  if (!processes.is_first()) return 0;
  const EvalInput& input = inputs.front();
  const Fabric& fabric = input.fabric;
  print_warnings(input.warnings);
  std::vector<Path> paths;
  std::size_t broken = 0;
  for (const PathPair& pair : pairs) {
    paths.push_back(path_of(fabric, input.tables, pair.source, pair.destination));
    if (paths.back().outcome != PathOutcome::arrives) ++broken;
  }
  write_file(options.output, to_report(fabric, paths, channel_loads(fabric, input.tables),
                                       input.warnings, options.json));
  if (broken != 0) {
    throw Error(ErrorKind::verification_failed,
                fmt::format("{} of {} paths do not arrive (the report says where they end)", broken,
                            paths.size()));
  }
  return 0;
}

}  // namespace pssp
