#include <catch2/catch.hpp>

#include "base/error.h"
#include "ibsim_harness/lids_in_force.h"

using namespace pssp;
using Catch::Matchers::Contains;

namespace {

constexpr LinkRate hdr{4, 50'000};

/// One switch with LID 1 and two hosts with LIDs 2 and 4, LMC 1.
FabricBuilder small_fabric() {
  FabricBuilder builder;
  const NodeId s = builder.add_switch(0x10, 4, "S", "");
  builder.set_lid(s, 0, 1, 0);
  for (unsigned h = 1; h <= 2; ++h) {
    const NodeId host = builder.add_adapter(0x100 * h, 1, EndPortKind::channel_adapter,
                                            "H" + std::to_string(h), "");
    builder.connect(s, static_cast<PortNumber>(h), host, 1, hdr);
    builder.set_lid(host, 1, 2 * h, 1);
  }
  return builder;
}

std::string refusal(const FabricBuilder& fabric, std::string_view guid2lid) {
  try {
    with_lids_in_force(fabric, guid2lid, "f.net");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("the LIDs of opensm are used, and differences from the file are reported") {
  const FabricInForce same = with_lids_in_force(
      small_fabric(), "0x10 0x1 0x1\n\n0x101 0x2 0x3\n\n0x201 0x4 0x5\n", "f.net");
  CHECK(same.note.empty());
  CHECK(same.lmc == 1);
  CHECK(same.fabric.lid(NodeId(2), 1) == 4);
  CHECK(same.fabric.lmc(NodeId(2), 1) == 1);
  const FabricInForce other =
      with_lids_in_force(small_fabric(), "0x10 0x1 0x1\n0x101 0x2 0x2\n0x201 0x8 0x8\n", "f.net");
  CHECK(other.note ==
        "f.net: opensm assigned 2 ports other LIDs than the file, e.g. 'H1' port 1, LID 2 (LMC 1) "
        "in the file: LID 2 (LMC 0) in the subnet; the tables are evaluated with the LIDs of the "
        "subnet");
  CHECK(other.fabric.lid(NodeId(2), 1) == 8);
  CHECK(other.lmc == 0);
  CHECK(other.fabric.lmc(NodeId(1), 1) == 0);
}

TEST_CASE("a port that only the fabric or only the subnet has is an error") {
  CHECK_THAT(refusal(small_fabric(), "0x10 0x1 0x1\n0x101 0x2 0x3\n"),
             Contains("1 ports of f.net have no LID in the simulated subnet, e.g. 'H2' port 1, LID "
                      "4 (LMC 1) in the file"));
  CHECK_THAT(
      refusal(small_fabric(), "0x10 0x1 0x1\n0x101 0x2 0x3\n0x201 0x4 0x5\n0x301 0x7 0x7\n"),
      Contains("has 1 ports that are not in f.net, e.g. GUID 0x0000000000000301 with LID 7"));
  CHECK_THAT(refusal(small_fabric(), "0x10 0x1\n"), Contains("guid2lid:1"));
}

TEST_CASE(
    "opensm's LIDs fill a fabric without LIDs, but no adapter without a LID in one with LIDs") {
  FabricBuilder without = small_fabric();
  without.clear_lids();
  const std::string_view all = "0x10 0x1 0x1\n0x101 0x2 0x3\n0x201 0x4 0x5\n";
  const FabricInForce given = with_lids_in_force(without, all, "f.net");
  CHECK(given.note.empty());
  CHECK(given.fabric.lid(NodeId(2), 1) == 4);
  without.set_lid(NodeId(1), 1, 2, 1);
  const FabricInForce some = with_lids_in_force(without, all, "f.net");
  CHECK(some.fabric.lid(NodeId(0), 0) == 1);
  CHECK(some.fabric.lid(NodeId(2), 1) == no_lid);
}
