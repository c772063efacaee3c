// Node type files of this project and GUID files of OpenSM, applied to six adapters.

#include <string>

#include "fabric/formats/node_types_file.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {
namespace {

/// Three switches in a row; switch k has the hosts n<k> and oss<k>. GUIDs of hosts begin at
/// 0x100000.
FabricBuilder types_row() {
  FabricBuilder builder;
  for (std::uint32_t i = 0; i < 3; ++i) {
    builder.add_switch(0x200000 + i, 4, "", "");
    if (i > 0) builder.connect(NodeId(i - 1), 1, NodeId(i), 2, {});
  }
  for (std::uint32_t i = 0; i < 6; ++i) {
    const NodeId host = builder.add_adapter(0x100000 + 2 * i, 1, EndPortKind::channel_adapter, "",
                                            (i < 3 ? "n" : "oss") + std::to_string(i % 3));
    builder.connect(host, 1, NodeId(i % 3), static_cast<PortNumber>(3 + i / 3), {});
  }
  builder.assign_lids();
  return builder;
}

void apply(const std::vector<HostOfType>& hosts) {
  FabricBuilder builder = types_row();
  const NodeTypesEffect effect = apply_node_types(hosts, UnknownHosts::counted, builder);
  require(effect.hosts <= 6 && effect.node_types <= effect.hosts && effect.unknown <= hosts.size(),
          "more hosts have a node type than exist");
  require_message(to_string(effect));
  use_fabric(std::move(builder).build());
}

}  // namespace

void fuzz_node_types(std::string_view input) {
  apply(input.starts_with("0x") ? parse_guids_of_type(input, "input", "compute")
                                : parse_node_types(input, "input"));
}

}  // namespace pssp::test
