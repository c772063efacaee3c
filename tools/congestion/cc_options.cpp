#include "tools/congestion/cc_options.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "fabric/formats/topology_file.h"
#include "tools/kit/command_line.h"
#include "tools/kit/key_file.h"
#include "tools/kit/report.h"

namespace pssp {
void CcOptions::add_options(CommandLine& line) {
  line.option("--node", nodes, "Only this node: GUID (0x...), name or description; repeatable")
      .one_at_a_time();
  const Option key = line.option("--cc-key", cc_key, "CC_Key of the fabric (default: 0)");
  line.option("--cc-key-file", cc_key_file,
              "File with the CC_Key, to keep the key out of process lists")
      .excludes(key)
      .reads();
  port.add_options(line);
  line.flag("--per-node", per_node, "List each node separately");
  line.flag("--json", json, "Report as JSON, with all nodes");
}

std::vector<CcNode> CcOptions::load_nodes(const char* tool) const {
  const Report report(tool);
  TopologyFile file = read_topology(topology);
  report.warn(file.warnings);
  if (!file.builder.has_lids()) {
    throw Error(
        ErrorKind::unreadable_input,
        fmt::format("{}: topology without LIDs; use the output of ibnetdiscover", topology));
  }
  CcNodes found = congestion_nodes(std::move(file.builder).build());
  if (found.without_lid != 0) {
    report.warn(fmt::format("{}: {} switches or adapter ports without a LID are ignored", topology,
                            found.without_lid));
  }
  return select_nodes(std::move(found.nodes), nodes);
}

std::uint64_t CcOptions::key() const {
  if (!cc_key.empty()) return read_key(cc_key, "CC_Key", "--cc-key");
  return cc_key_file.empty() ? 0 : read_key_file(cc_key_file, "CC_Key");
}

}  // namespace pssp
