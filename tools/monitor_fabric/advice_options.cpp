#include "tools/monitor_fabric/advice_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text_lines.h"
#include "ibsim_harness/engine_spec.h"
#include "routing/engines/engine.h"

namespace pssp {
namespace {

/// The machine of the monitor has no second fabric for a second opensm.
void refuse_of_opensm(std::string_view name) {
  if (name.empty() || needs_plugin(name)) return;
  throw Error(
      ErrorKind::usage,
      fmt::format(
          "'{}' is an engine of opensm, which pssp monitor cannot run; use engines of this "
          "project, e.g. best,cassp,pssp, or compare it in a simulation: `pssp monitor export "
          "--topology-at now -o fabric.net`, then `pssp compare-engines fabric.net`",
          name));
}

}  // namespace

std::vector<std::string> engine_names(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view name = trimmed(text.substr(0, comma));
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    refuse_of_opensm(name);
    find_engine(name);
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  }
  if (names.empty()) {
    throw Error(ErrorKind::usage, "no engine is given; expected e.g. best,cassp,pssp");
  }
  return names;
}

AdviceOptions advice_options(const AnalysisSettings& settings) {
  AdviceOptions options;
  options.engines = engine_names(settings.engines);
  options.bisections = settings.bisections;
  options.workers = settings.threads;
  return options;
}

}  // namespace pssp
