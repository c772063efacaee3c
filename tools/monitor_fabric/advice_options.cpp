#include "tools/monitor_fabric/advice_options.h"

#include <algorithm>

#include "base/error.h"
#include "base/text_lines.h"
#include "routing/engines/engine.h"

namespace pssp {

std::vector<std::string> engine_names(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view name = trimmed(text.substr(0, comma));
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    find_engine(name);
    if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
  }
  if (names.empty()) {
    throw Error(ErrorKind::usage, "no engine is named; expected e.g. best,cassp,pssp");
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
