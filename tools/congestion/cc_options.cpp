#include "tools/congestion/cc_options.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "base/text_lines.h"
#include "fabric/formats/topology_file.h"
#include "tools/kit/command_line.h"
#include "tools/kit/report.h"

namespace pssp {
namespace {

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find_first_of("\r\n"));
}

/// Decimal, or hexadecimal after 0x. `where` is said, the key itself is not.
std::uint64_t read_key(std::string_view text, std::string_view where) {
  const int base = take(text, "0x") ? 16 : 10;
  const std::optional<std::uint64_t> key = take_number(text, base);
  if (!key || !text.empty()) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: expected a CC_Key, a number of at most 64 bits such as 0x1234", where));
  }
  return *key;
}

}  // namespace

void CcOptions::add_options(CommandLine& line) {
  line.option("--node", nodes, "Only this node: GUID (0x...), name or description; repeatable")
      .one_at_a_time();
  const Option key = line.option("--cc-key", cc_key, "CC_Key of the fabric; default 0");
  line.option("--cc-key-file", cc_key_file, "File with the CC_Key, which ps does not show")
      .excludes(key)
      .reads();
  port.add_options(line);
  line.flag("--per-node", per_node, "List each node by itself");
  line.flag("--json", json, "Report as JSON, with all nodes");
}

std::vector<CcNode> CcOptions::load_nodes(const char* tool) const {
  const Report report(tool);
  TopologyFile file = read_topology(topology);
  report.warn(file.warnings);
  if (!file.builder.has_lids()) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: it has no LIDs, by which switches and adapters are reached; take "
                            "the output of ibnetdiscover",
                            topology));
  }
  CcNodes found = congestion_nodes(std::move(file.builder).build());
  if (found.without_lid != 0) {
    report.warn(fmt::format("{}: {} switches or adapter ports without a LID are left out", topology,
                            found.without_lid));
  }
  return select_nodes(std::move(found.nodes), nodes);
}

std::uint64_t CcOptions::key() const {
  if (!cc_key.empty()) return read_key(cc_key, "--cc-key");
  if (cc_key_file.empty()) return 0;
  constexpr std::size_t longest_key_file = 4096;
  const std::string text = read_file(cc_key_file, longest_key_file);
  return read_key(trimmed(first_line(text)), cc_key_file);
}

}  // namespace pssp
