#include "tools/eval_lft/print_request.h"

#include <optional>
#include <string>
#include <vector>

#include "base/file_io.h"
#include "evaluator/patterns/print_pattern.h"
#include "tools/eval_lft/inputs.h"

namespace pssp {

void PrintRequest::add_options(QuestionLine& line) {
  line.flag({{Question::print}, belongs_to_patterns}, pattern_group, "--printptrn", is_asked_,
            "Print the pattern of the first run, do not simulate");
}

int PrintRequest::run(const Common& common, Processes& processes) const {
  std::optional<PreparedPattern> prepared;
  const std::vector<EvalInput> inputs = processes.together([&] {
    std::vector<EvalInput> read = read_inputs(common);
    prepared.emplace(ranks_.prepare(read.front().fabric, ranks_.spec));
    return read;
  });
  require_same_work(processes, inputs, common, Question::print, ranks_.digest());
  if (!processes.is_first()) return 0;
  const Fabric& fabric = inputs.front().fabric;
  std::vector<std::uint32_t> hosts;
  prepared->mapping.draw(common.seed, 0, hosts);
  std::vector<std::string> names;
  names.reserve(hosts.size());
  for (const std::uint32_t host : hosts) names.push_back(fabric.label(fabric.endpoints()[host]));
  write_file(common.output, [&](const ContentSink& sink) {
    for (std::uint32_t level = 0; level < prepared->pattern->level_count(); ++level) {
      if (ranks_.chosen_level && level != *ranks_.chosen_level) continue;
      print_level(*prepared->pattern, level, level_random(common.seed, 0, level), names, sink);
    }
  });
  return 0;
}

}  // namespace pssp
