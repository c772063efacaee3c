// Parameter files of congestion control, with a second file of table values. The parameters are
// converted to options of OpenSM, and written and read again.

#include <string>

#include "congestion/difference.h"
#include "congestion/opensm_options.h"
#include "congestion/parameter_file.h"
#include "congestion/parameter_text.h"
#include "congestion/remarks.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"
#include "tests/temporary_file.h"

namespace pssp::test {
namespace {

/// Replaces FILE, as in "table.values = FILE", by the path of the second file of the input.
std::string with_values(std::string text, const std::string& path) {
  constexpr std::string_view name = "FILE";
  const std::size_t at = text.find(name);
  return at == std::string::npos ? text : text.replace(at, name.size(), path);
}

}  // namespace

void fuzz_congestion_parameters(std::string_view input) {
  const auto [first, second] = two_files(input);
  const TemporaryFile values{std::string(second)};
  const CongestionParameters parameters =
      parse_congestion_parameters(with_values(std::string(first), values.path()), "input");
  check(parameters);
  require_messages(remarks(parameters));
  const CongestionParameters again =
      parse_congestion_parameters(congestion_parameters_text(parameters), "written");
  require(differences(parameters, again).empty(), "a written set differs from the original");
  const OpensmCongestionOptions options = opensm_options(parameters);
  require_messages(options.left_out);
  require(!options.cct.empty() && options.cct.size() <= opensm_most_table_entries,
          "the CCT for OpenSM is empty or too long");
  opensm_conf_lines(options);
}

}  // namespace pssp::test
