// Logs of opensm, which contain node descriptions and other untrusted text from plugins and the
// fabric. Programs print extracts on terminals and in tables.

#include <algorithm>
#include <string>

#include "ibsim_harness/opensm_log.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {
namespace {

void require_displayed(const std::string& text) {
  if (!text.empty()) require_message(text);
}

void require_sweeps(std::string_view log) {
  for (const Sweep& sweep : completed_sweeps(log)) {
    require_displayed(sweep.engine);
    require(std::ranges::all_of(sweep.microseconds, [](auto time) { return time >= 0; }),
            "a phase ends before it begins");
  }
}

/// Reading a log line by line must give the same counts as reading it at once.
void require_counts(std::string_view log) {
  SweepCounts whole, parts;
  whole.read(log);
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t end = std::min(log.find('\n', at), log.size() - 1) + 1;
    parts.read(log.substr(at, end - at));
    at = end;
  }
  require(whole.begun == parts.begun && whole.ended == parts.ended && whole.busy == parts.busy,
          "reading the log line by line changes the number of sweeps");
}

}  // namespace

void fuzz_opensm_log(std::string_view input) {
  const auto [log, output] = two_files(input);
  require_displayed(used_engine(log));
  static_cast<void>(subnet_is_up(log));
  require(routing_milliseconds(log) >= 0, "a routing ends before it begins");
  const std::vector<std::string> errors = logged_errors(log);
  require(errors.size() <= 8, "more than 8 errors");
  for (const std::string& error : errors) require_displayed(error);
  if (const auto refusal = plugin_refusal(log)) require_displayed(*refusal);
  for (const char* const engine : {"dfsssp", "lash", "nue", "minhop"}) {
    static_cast<void>(lanes_needed(log, output, engine));
  }
  require_sweeps(log);
  require_counts(log);
}

}  // namespace pssp::test
