// Tests the search for ports by name, paths, and files of pairs.

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <utility>

#include "base/error.h"
#include "evaluator/paths/node_directory.h"
#include "evaluator/paths/pair_file.h"
#include "evaluator/paths/path.h"
#include "evaluator/report/path_report.h"
#include "fabric/builder.h"
#include "fabric/tables/channel_loads.h"
#include "tests/evaluator/naive_evaluator.h"
#include "tests/evaluator/sample_fabrics.h"

namespace {

using namespace pssp;
using namespace pssp::test;
using Catch::Matchers::Contains;

/// Two switches and several adapters: one with two cabled ports, one with one cabled port of two,
/// one whose name looks like a LID, two with the same description, and two without a cable, of
/// which one has no LID.
Fabric office() {
  FabricBuilder builder;
  const NodeId s1 = builder.add_switch(0x200, 8, "S-1", "MF0;sw01:MQM8700/U1");
  const NodeId s2 = builder.add_switch(0x201, 8, "S-2", "MF0;sw02:MQM8700/U1");
  builder.connect(s1, 8, s2, 8, {});
  const NodeId twin =
      builder.add_adapter(0x1000, 2, EndPortKind::channel_adapter, "H-twin", "login1 HCA-1");
  builder.connect(twin, 1, s1, 1, {});
  builder.connect(twin, 2, s2, 1, {});
  const NodeId half =
      builder.add_adapter(0x2000, 2, EndPortKind::channel_adapter, "H-half", "node 1 mlx5_0");
  builder.connect(half, 2, s1, 2, {});
  const NodeId number =
      builder.add_adapter(0x3000, 1, EndPortKind::channel_adapter, "3", "#hash \"quoted\" \\back");
  builder.connect(number, 1, s2, 2, {});
  for (const std::uint64_t i : {0U, 1U}) {
    const NodeId same = builder.add_adapter(0x4000 + 0x10 * i, 1, EndPortKind::channel_adapter,
                                            "H-same" + std::to_string(i), "localhost");
    builder.connect(same, 1, s2, static_cast<PortNumber>(3 + i), {});
  }
  builder.set_lid(s1, 0, 1, 0);
  builder.set_lid(s2, 0, 2, 0);
  builder.set_lid(twin, 1, 3, 0);
  builder.set_lid(twin, 2, 4, 0);
  builder.set_lid(half, 2, 8, 2);
  builder.set_lid(number, 1, 16, 0);
  builder.set_lid(builder.add_adapter(0x5000, 1, EndPortKind::channel_adapter, "H-alone", ""), 1,
                  17, 0);
  builder.add_adapter(0x6000, 1, EndPortKind::channel_adapter, "H-down", "");
  return std::move(builder).build();
}

Guid guid_of(const Fabric& fabric, PathEnd end) {
  return end.owner.kind == LidOwner::Kind::end_port
             ? fabric.end_port(EndPortId(end.owner.index)).port_guid
             : fabric.switch_at(SwitchId(end.owner.index)).guid;
}

std::string refusal(const NodeDirectory& nodes, const std::string& text) {
  try {
    nodes.find(text);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return "";
}

std::string refusal_of_file(const NodeDirectory& nodes, const std::string& text) {
  try {
    parse_path_pairs(text, "pairs.txt", nodes);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unreadable_input);
    return error.what();
  }
  return "";
}

PathEnd end_of_rank(const Fabric& fabric, std::uint32_t rank) {
  const EndPortId id = fabric.endpoints()[rank];
  return {{LidOwner::Kind::end_port, id.value()}, fabric.end_port(id).lid};
}

}  // namespace

TEST_CASE("a port is found by name, description, first word of the description, GUID or LID") {
  const Fabric fabric = office();
  const NodeDirectory nodes(fabric);
  const Guid half = fabric.end_port(EndPortId(fabric.owner(8).index)).port_guid;
  for (const char* const text : {"H-half", "node 1 mlx5_0", "node", "name:H-half", "lid:8", "8",
                                 "0x8", "0x2000", "guid:0x2000", "0000000000002000"}) {
    CAPTURE(text);
    CHECK(guid_of(fabric, nodes.find(text)) == half);
    CHECK(nodes.find(text).lid == 8);
  }
  CHECK(nodes.find("lid:11").lid == 11);  // the fourth LID of the port
  CHECK(nodes.find("11").owner.index == nodes.find("8").owner.index);
  CHECK(guid_of(fabric, nodes.find("S-1")) == 0x200);
  CHECK(guid_of(fabric, nodes.find("MF0;sw02:MQM8700/U1")) == 0x201);
  CHECK(guid_of(fabric, nodes.find("0x201")) == 0x201);
}

TEST_CASE("a name that fits no port or several ports is refused with suggestions") {
  const Fabric fabric = office();
  const NodeDirectory nodes(fabric);
  CHECK_THAT(refusal(nodes, "nonesuch"), Contains("'nonesuch' is not the name"));
  CHECK_THAT(refusal(nodes, "same"), Contains("similar names: 'H-same0', 'H-same1'"));
  CHECK_THAT(refusal(nodes, "localhost"),
             Contains("fits 2 ports") && Contains("H-same0") && Contains("H-same1"));
  CHECK_THAT(refusal(nodes, "login1"), Contains("lid 3") && Contains("lid 4"));
  // One host is named 3, and another port has LID 3.
  CHECK_THAT(refusal(nodes, "3"), Contains("H-twin") && Contains("lid:NUMBER"));
  CHECK(nodes.find("name:3").lid == 16);
  CHECK(nodes.find("lid:3").lid == 3);
  CHECK_THAT(refusal(nodes, "H-down"), Contains("has no LID"));
  for (const char* const text :
       {"", "0", "lid:", "lid:H-half", "lid:99999", "guid:", "guid:zz", "0x", "-1", "lid:0", "7",
        "0xFFFFFFFFFFFFFFFFFF", "name:", "name:nowhere"}) {
    CAPTURE(text);
    CHECK_THAT(refusal(nodes, text), Contains("is not the name"));
  }
}

TEST_CASE("a path has the channels of the tables and arrives exactly if a naive trace arrives") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto kind = seed % 2 == 0 ? RandomTables::shortest_paths : RandomTables::noise;
    const auto [fabric, tables] = random_fabric(seed, kind, false);
    for (std::uint32_t s = 0; s < fabric.endpoints().size(); ++s) {
      for (std::uint32_t d = 0; d < fabric.endpoints().size(); ++d) {
        if (s == d) continue;
        const Path path = path_of(fabric, tables, end_of_rank(fabric, s), end_of_rank(fabric, d));
        const auto expected = naive_route(fabric, tables, s, d);
        REQUIRE((path.outcome == PathOutcome::arrives) == expected.has_value());
        if (!expected) continue;
        std::vector<std::uint32_t> channels;
        for (const PathStep& step : path.steps) {
          if (step.channel.valid()) channels.push_back(step.channel.value());
        }
        REQUIRE(channels == *expected);
        REQUIRE(path.hops() == expected->size());
        REQUIRE(path.steps.size() == expected->size() + 1);
      }
    }
  }
}

TEST_CASE("a path reports why packets do not arrive") {
  RoutedFabric routed = chain(4);
  Fabric& fabric = routed.fabric;
  ForwardingTables& tables = routed.tables;
  const PathEnd source = end_of_rank(fabric, 0);
  const PathEnd destination = end_of_rank(fabric, 3);
  const Lid lid = destination.lid;
  const std::vector<std::uint64_t> loads = channel_loads(fabric, tables);
  const auto outcome = [&] { return path_of(fabric, tables, source, destination).outcome; };
  const auto text = [&] {
    return to_text(fabric, path_of(fabric, tables, source, destination), loads);
  };
  CHECK(outcome() == PathOutcome::arrives);
  CHECK_THAT(text(), Contains("arrives, hops 3, largest index 4"));

  const PortNumber right = tables.at(SwitchId(2), lid);
  tables.set(SwitchId(2), lid, no_port);
  CHECK(outcome() == PathOutcome::no_entry);
  CHECK_THAT(text(), Contains("DOES NOT ARRIVE") && Contains("has no entry for lid"));
  tables.set(SwitchId(2), lid, 200);
  CHECK(outcome() == PathOutcome::dead_port);
  CHECK_THAT(text(), Contains("port 200, which has no live link"));
  tables.set(SwitchId(2), lid, 3);
  CHECK(outcome() == PathOutcome::wrong_port);
  CHECK_THAT(text(), Contains("port 3, which leads to H-"));
  tables.set(SwitchId(2), lid, 0);
  CHECK(outcome() == PathOutcome::wrong_port);
  CHECK_THAT(text(), Contains("the switch itself"));
  tables.set(SwitchId(2), lid, 1);
  CHECK(outcome() == PathOutcome::loop);
  CHECK_THAT(text(), Contains("circle"));
  tables.set(SwitchId(2), lid, right);
  CHECK(outcome() == PathOutcome::arrives);

  const ForwardingTables short_tables(fabric.switch_count(), 1);
  CHECK(path_of(fabric, short_tables, source, destination).outcome == PathOutcome::no_entry);
}

TEST_CASE(
    "paths exist between LIDs of one port and from switches, but not from ports without a cable") {
  const Fabric office_fabric = office();
  const RoutedFabric routed = route_along_shortest_paths(office());
  const Fabric& fabric = routed.fabric;
  const NodeDirectory nodes(fabric);
  const auto path = [&](const char* from, const char* to) {
    return path_of(fabric, routed.tables, nodes.find(from), nodes.find(to));
  };
  CHECK(path("H-half", "H-half").steps.empty());
  CHECK(path("lid:8", "lid:11").outcome == PathOutcome::arrives);
  CHECK(path("S-1", "S-1").steps.size() == 1);
  CHECK(path("S-1", "S-2").hops() == 1);
  CHECK(path("S-1", "lid:4").hops() == 1);
  CHECK(path("lid:3", "lid:4").hops() == 1);  // both ports belong to one adapter
  CHECK(path("lid:3", "lid:4").outcome == PathOutcome::arrives);
  CHECK(path("H-alone", "S-1").outcome == PathOutcome::source_not_cabled);
  CHECK(path("S-1", "H-alone").outcome == PathOutcome::destination_not_cabled);
  const std::vector<std::uint64_t> loads = channel_loads(fabric, routed.tables);
  CHECK_THAT(to_text(fabric, path("H-half", "H-half"), loads), Contains("the same port"));
  CHECK_THAT(to_text(fabric, path("H-alone", "S-1"), loads), Contains("no live link"));
}

TEST_CASE("a file of pairs may contain comments, quotes and any form of name") {
  const Fabric fabric = office();
  const NodeDirectory nodes(fabric);
  const auto pairs = parse_path_pairs(
      "\xEF\xBB\xBF# both ways\r\n"
      "H-half 0x3000\r\n"
      "\n"
      "  \t\"node 1 mlx5_0\"\tS-2  # a comment\n"
      "\"#hash \\\"quoted\\\" \\\\back\" lid:11",
      "pairs.txt", nodes);
  REQUIRE(pairs.size() == 3);
  CHECK(pairs[0].source.lid == 8);
  CHECK(pairs[0].destination.lid == 16);
  CHECK(pairs[1].source.lid == 8);
  CHECK(pairs[1].destination.lid == 2);
  CHECK(pairs[2].source.lid == 16);
  CHECK(pairs[2].destination.lid == 11);
  CHECK(parse_path_pairs("", "pairs.txt", nodes).empty());
}

TEST_CASE("a malformed file of pairs is refused with the line number") {
  const Fabric fabric = office();
  const NodeDirectory nodes(fabric);
  CHECK_THAT(refusal_of_file(nodes, "S-1 S-2\nS-1\n"),
             Contains("pairs.txt:2: 'S-1' has no destination"));
  CHECK_THAT(refusal_of_file(nodes, "S-1 S-2 S-1"), Contains("pairs.txt:1: more than two words"));
  CHECK_THAT(refusal_of_file(nodes, "\nS-1 nowhere"),
             Contains("pairs.txt:2: 'nowhere' is not the name"));
  CHECK_THAT(refusal_of_file(nodes, "S-1 localhost"),
             Contains("pairs.txt:1:") && Contains("fits 2"));
  CHECK_THAT(refusal_of_file(nodes, "S-1 \"S-2"), Contains("closing quote"));
  CHECK_THAT(refusal_of_file(nodes, "S-1 \"S-2\\"), Contains("backslash"));
  CHECK_THAT(refusal_of_file(nodes, "\"S-1\"S-2"), Contains("expected a blank"));
  CHECK_THAT(refusal_of_file(nodes, std::string("S-1 S-2\n\0", 9)), Contains("pairs.txt:2: NUL"));
  CHECK_THAT(refusal_of_file(nodes, std::string(70000, 'x')), Contains("longer than"));
}

TEST_CASE("a corrupted file of pairs is read or refused with an error") {
  const Fabric fabric = office();
  const NodeDirectory nodes(fabric);
  const std::string good = "S-1 \"node 1 mlx5_0\" # c\nlid:8 0x3000\n\"\\\\\" guid:0x200\n";
  std::mt19937_64 random(7);
  for (int round = 0; round < 3000; ++round) {
    std::string text = good;
    for (int change = 0; change < 3; ++change) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, random() % 8);
          break;
        default:
          text.insert(at, 1, "\"\\# \n\r"[random() % 6]);
      }
      if (text.empty()) text = "x";
    }
    try {
      parse_path_pairs(text, "pairs.txt", nodes);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::unreadable_input);
    }
  }
}
