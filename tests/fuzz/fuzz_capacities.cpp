// Capacity files, applied to a small fabric for routing and for evaluation.

#include "fabric/formats/capacity_file.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {
namespace {

/// A ladder of 16 switches with GUIDs from 0x200000 to 0x20000f, and two hosts.
FabricBuilder capacity_ladder() {
  FabricBuilder builder;
  for (std::uint32_t i = 0; i < 16; ++i) builder.add_switch(0x200000 + i, 4, "", "");
  for (std::uint32_t i = 0; i < 14; ++i) {
    builder.connect(NodeId(i), 1, NodeId(i + 2), 2, i % 3 == 0 ? LinkRate{} : LinkRate{4, 2000});
  }
  for (std::uint32_t i = 0; i < 16; i += 2) builder.connect(NodeId(i), 3, NodeId(i + 1), 3, {});
  for (std::uint32_t i = 0; i < 2; ++i) {
    const NodeId host =
        builder.add_adapter(0x100000 + 2 * i, 1, EndPortKind::channel_adapter, "", "");
    builder.connect(host, 1, NodeId(15 * i), 4, {});
  }
  builder.assign_lids();
  return builder;
}

}  // namespace

void fuzz_capacities(std::string_view input) {
  const CapacityFile file = parse_capacities(input, "input");
  for (const AtZero at_zero : {AtZero::left_out, AtZero::slow}) {
    FabricBuilder builder = capacity_ladder();
    const CapacityEffect effect = apply_capacities(file, at_zero, builder);
    require(effect.lowered <= 2, "more than two links have a lowered capacity");
    require(effect.left_out + effect.needed <= effect.lowered, "links are counted twice");
    require_message(to_string(effect));
    const Fabric fabric = std::move(builder).build();
    require(fabric.channel_count() + 2 * effect.left_out == 44,
            "links with a capacity above 0 are missing");
    use_fabric(fabric);
  }
}

}  // namespace pssp::test
