// event_plugin_options of opensm.conf with an options file, and the engines that they configure.

#include <string>

#include "base/error.h"
#include "routing/engines/engine.h"
#include "routing/options/plugin_setup.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"
#include "tests/temporary_file.h"

namespace pssp::test {
namespace {

/// Replaces FILE in "options_file=FILE" by the path of the second file of the input.
std::string with_file(std::string text, const std::string& path) {
  constexpr std::string_view name = "options_file=FILE";
  const std::size_t at = text.find(name);
  return at == std::string::npos ? text : text.replace(at, name.size(), "options_file=" + path);
}

}  // namespace

void fuzz_plugin_options(std::string_view input) {
  const auto [first, second] = two_files(input);
  const TemporaryFile file{std::string(second)};
  const std::string text = with_file(std::string(first), file.path());
  const PluginSetup setup = set_up_plugin(text);
  for (const EngineSetup& each : setup.engines) require(each.engine != nullptr, "no engine");
  for (const std::string& line : fault_lines(setup.faults)) require_message(line);
  const PluginOptions options = parse_plugin_options(text);
  options.engines.require_known();
  for (const EngineDescription& engine : engine_registry()) {
    try {
      require(make_engine(engine.name, options.engines) != nullptr, "no engine");
    } catch (const Error& error) {
      require(error.kind() == ErrorKind::usage || error.kind() == ErrorKind::unreadable_input,
              error.what());
      require_message(error.what());
    }
  }
}

}  // namespace pssp::test
