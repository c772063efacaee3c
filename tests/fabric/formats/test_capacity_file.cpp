#include <catch2/catch.hpp>
#include <string>

#include "base/error.h"
#include "fabric/formats/capacity_file.h"
#include "tests/fabric/formats/format_testing.h"

using namespace pssp;
using Catch::Contains;

namespace {

const std::string mark = std::string(capacity_mark) + "\n";

/// Twelve switches in a ring with one host each, and a second cable between the first two switches.
/// Ports 1 and 2 belong to the ring, port 3 to the second cable, and port 4 to the host.
FabricBuilder ring(LinkRate rate) {
  FabricBuilder builder;
  for (std::uint32_t i = 0; i < 12; ++i) builder.add_switch(0x200 + i, 4, "", "");
  for (std::uint32_t i = 0; i < 12; ++i) {
    builder.connect(NodeId(i), 1, NodeId((i + 1) % 12), 2, rate);
    const NodeId host =
        builder.add_adapter(0x1000 + 2 * i, 1, EndPortKind::channel_adapter, "", "");
    builder.connect(host, 1, NodeId(i), 4, rate);
  }
  builder.connect(NodeId(0), 3, NodeId(1), 3, rate);
  return builder;
}
constexpr LinkRate hdr{4, 50000};

struct Applied {
  CapacityEffect effect;
  Fabric fabric;
};
Applied apply(const std::string& lines, AtZero at_zero = AtZero::left_out, LinkRate rate = hdr) {
  FabricBuilder builder = ring(rate);
  const CapacityEffect effect =
      apply_capacities(parse_capacities(mark + lines, "cap"), at_zero, builder);
  return {effect, std::move(builder).build()};
}

double cost(const Fabric& fabric, std::uint32_t s, PortNumber port) {
  const PortTarget target = fabric.behind(SwitchId(s), port);
  REQUIRE(target.kind == PortTarget::Kind::channel);
  return fabric.channel_cost()[target.index];
}

std::string refusal_of_capacities(const std::string& text) {
  return test::error_of([&] { parse_capacities(text, "cap"); });
}

}  // namespace

TEST_CASE("a capacity file lists nodes, ports, percentages and directions") {
  const CapacityFile file = parse_capacities(
      "# pssp capacity 1    some_monitor 1, 2026-01-01T00:00:00Z, 24 h\r\n\n"
      "# why\n0x0002c90300000101 17 50   # both\n 0x1\t2 0 in\n0x1 2 100 out\n",
      "cap");
  REQUIRE(file.links.size() == 3);
  CHECK(file.links[0].node == 0x0002c90300000101);
  CHECK(file.links[0].port == 17);
  CHECK((file.links[0].out && file.links[0].in));
  CHECK((!file.links[1].out && file.links[1].in && file.links[1].percent == 0));
  CHECK((file.links[2].out && !file.links[2].in && file.links[2].line == 6));
}

TEST_CASE("invalid and truncated capacity files are refused with file and line") {
  for (const char* const text :
       {"", "\n", "0x1 1 50\n", "# pssp capacity 2\n", "# pssp capacity 11\n"})
    CHECK_THAT(refusal_of_capacities(text), Contains("cap:1: this is not a capacity file"));
  for (const char* const line :
       {"1 1 50", "0x1 0 50", "0x1 255 50", "0x1 1 101", "0x1 1 -1", "0x1 1", "0x1 1 50 both",
        "0x0 1 50", "0x 1 50", "0x1 1 50 in out", "0x12345678123456781 1 50", "0x1 1 5x", "\x1b[2J",
        "0x1 99999999999999999999 1"}) {
    CHECK_THAT(refusal_of_capacities(mark + line + "\n"), Contains("cap:2: "));
    CHECK_THAT(refusal_of_capacities(mark + line + "\n"), !Contains("\x1b"));
  }
  CHECK_THAT(refusal_of_capacities(mark + "0x1 1 50\n0x1 1 60 in\n"),
             Contains("cap:3: an earlier line"));
  CHECK_THAT(refusal_of_capacities(mark + "0x1 1 50\n0x1 2 6"), Contains("truncated"));
  CHECK_THAT(refusal_of_capacities(mark + std::string(1, '\0')), Contains("NUL"));
  CHECK_THAT(refusal_of_capacities(mark + std::string(70000, 'x')), Contains("cap:2"));
}

TEST_CASE("a lower capacity applies to both directions of a link, or to one") {
  const Applied both = apply("0x200 1 50\n");
  CHECK(both.effect.lowered == 1);
  CHECK(both.effect.links == 13);
  CHECK(cost(both.fabric, 0, 1) == 2);
  CHECK(cost(both.fabric, 1, 2) == 2);
  CHECK(cost(both.fabric, 0, 3) == 1);
  const Applied out = apply("0x200 1 25 out\n");
  CHECK(cost(out.fabric, 0, 1) == 4);
  CHECK(cost(out.fabric, 1, 2) == 1);
  // Of two lines for the same direction, the lower value counts.
  const Applied in = apply("0x200 1 50\n0x201 2 20 in\n");
  CHECK(cost(in.fabric, 0, 1) == 5);
  CHECK(cost(in.fabric, 1, 2) == 2);
}

TEST_CASE("lower capacities also apply to links of unknown rate") {
  const Applied lowered = apply("0x200 1 50\n", AtZero::left_out, {});
  CHECK(cost(lowered.fabric, 0, 1) == 2);
  CHECK(cost(lowered.fabric, 0, 3) == 1);
  // If no link is lowered, rates stay unknown.
  CHECK_FALSE(apply("0x200 1 100\n", AtZero::left_out, {}).fabric.channel_rate()[0].stated());
}

TEST_CASE("a link with capacity 0 is removed unless nothing else connects its ends") {
  const Applied ring_link = apply("0x205 1 0\n");
  CHECK(ring_link.effect.left_out == 1);
  CHECK(ring_link.fabric.behind(SwitchId(5), 1).kind == PortTarget::Kind::none);
  CHECK(ring_link.fabric.behind(SwitchId(6), 2).kind == PortTarget::Kind::none);
  const Applied slow = apply("0x205 1 0 in\n", AtZero::slow);
  CHECK(slow.effect.left_out == 0);
  CHECK(cost(slow.fabric, 5, 1) == 100);
  CHECK(cost(slow.fabric, 6, 2) == 100);

  // In a row of switches, the middle link has no alternative.
  FabricBuilder row;
  for (std::uint32_t i = 0; i < 4; ++i) row.add_switch(0x200 + i, 4, "", "");
  for (std::uint32_t i = 0; i < 3; ++i) row.connect(NodeId(i), 1, NodeId(i + 1), 2, hdr);
  const CapacityEffect effect =
      apply_capacities(parse_capacities(mark + "0x201 1 0\n", "cap"), AtZero::left_out, row);
  CHECK(effect.needed == 1);
  CHECK(row.is_connected(NodeId(1), 1));
  CHECK(row.far_end(NodeId(1), 1)->rate == LinkRate{4, 500});
}

TEST_CASE("a capacity file for another fabric, or for too many links, changes nothing") {
  for (const auto& [lines, message] : std::vector<std::pair<std::string, std::string>>{
           {"0x200 1 50\n0x999 1 50\n", "cap:3: the fabric has no node"},
           {"0x200 5 50\n", "cap:2: node 0x0000000000000200 has no port 5"},
           {"0x200 1 50\n0x203 1 50\n", "2 of the 13 links"}}) {
    FabricBuilder builder = ring(hdr);
    try {
      apply_capacities(parse_capacities(mark + lines, "cap"), AtZero::left_out, builder);
      FAIL("taken: " << lines);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::mismatch);
      CHECK_THAT(error.what(), Contains(message));
    }
    CHECK(builder.far_end(NodeId(0), 1)->rate == hdr);
  }
  // Lines for ports without a cable are permitted, and links of hosts do not count as lowered.
  CHECK(apply("0x205 3 0\n").effect.without_cable == 1);
  CHECK(apply("0x200 4 50\n0x201 4 50\n0x202 4 50\n").effect.lowered == 0);
}
