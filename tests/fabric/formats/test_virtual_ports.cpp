// LIDs of virtual ports (SR-IOV): tables of vendors' subnet managers contain them, but topologies
// do not list them.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "base/text_lines.h"
#include "fabric/formats/lft_matching.h"
#include "fabric/formats/virtual_ports.h"
#include "tests/fabric/formats/format_testing.h"

namespace pssp {
namespace {

using test::error_of;
using test::replaced;
using test::sample_text;

/// A LID that is added to each table, with the output port of another LID in that table, and its
/// comment.
struct AddedLid {
  unsigned lid = 0;
  std::string like;  ///< the other LID, as "0x0001"
  std::string comment = "unknown node and type";
};

/// The two tables of golden/lmc0.opensm-lfts.dump with additional LIDs.
std::string dump_with(const std::vector<AddedLid>& added) {
  const std::string dump = sample_text("golden/lmc0.opensm-lfts.dump");
  std::string text, ports;
  TextLines lines(dump, "dump");
  while (lines.next()) {
    const std::string line(lines.line());
    if (line.ends_with("lids dumped")) {
      for (const AddedLid& each : added) {
        const std::size_t at = ports.find(each.like + " ");
        text += fmt::format("0x{:04x} {} # {}\n", each.lid, ports.substr(at + 7, 3), each.comment);
      }
      text += "400 lids dumped\n";
      ports.clear();
    } else {
      text += replaced(line, "[0-7]", "[0-400]") + "\n";
      ports += line + "\n";
    }
  }
  return text;
}

MatchedTables match(const std::string& dump) {
  return match_tables(parse_topology(sample_text("golden/lmc0.ibnetdiscover"), "topo"),
                      parse_lft(dump, "dump"));
}

std::string refusal(const std::string& dump) {
  return error_of([&] { match(dump); });
}

TEST_CASE("any number of unknown LIDs at the port of a host are its virtual ports") {
  // The LIDs of the hosts in golden/lmc0 are 1, 3, 5 and 7. The last comment names the port of the
  // host itself, as dump_fts and other subnet managers do.
  const std::vector<std::string> hosts{"0x0001", "0x0003", "0x0005", "0x0007"};
  RandomGenerator random(7, 0);
  for (unsigned trial = 0; trial < 60; ++trial) {
    std::vector<AddedLid> added;
    bool has_host[4] = {};
    const unsigned count = 1 + random.below(60);
    for (unsigned i = 0; i < count; ++i) {
      const std::uint32_t host = random.below(4);
      has_host[host] = true;
      AddedLid each{8 + 6 * i + random.below(6), hosts[host]};
      const std::uint32_t kind = random.below(3);
      if (kind == 1) {
        each.comment = fmt::format("Channel Adapter portguid 0x{:016x}: 'vm{}'", 0xabc000 + i, i);
      } else if (kind == 2 && host == 1) {
        each.comment = "Channel Adapter portguid 0x0000000000000101: 'host c'";
      }
      added.push_back(each);
    }
    const MatchedTables matched = match(dump_with(added));
    const auto different =
        static_cast<unsigned>(std::count(std::begin(has_host), std::end(has_host), true));
    REQUIRE(matched.warnings.size() == 1);
    CHECK_THAT(matched.warnings[0],
               Catch::StartsWith(fmt::format("dump: {} LID(s) that the topology does not list "
                                             "belong to virtual ports (SR-IOV) of {} host(s), such "
                                             "as LID {} at '",
                                             count, different, added.front().lid)));
    CHECK(matched.tables.max_lid() == 7);
    CHECK(matched.fabric.endpoints().size() == 4);
  }
}

TEST_CASE("LIDs of another fabric do not count as virtual ports") {
  const auto many = [](const std::string& like, const std::string& comment) {
    std::vector<AddedLid> added;
    for (unsigned i = 0; i < 20; ++i) added.push_back({100 + i, like, comment});
    return dump_with(added);
  };
  const std::string no_owner = "have no owner in the topology";
  // LIDs that lead to a switch or a router, and LIDs at the port of a host whose comment names
  // another node.
  for (const char* const like : {"0x0002", "0x0006"}) {
    CHECK_THAT(refusal(many(like, "unknown node and type")), Catch::Contains(no_owner));
  }
  for (const char* const comment :
       {"Channel Adapter portguid 0x0000000000001001: 'host 'a' [rack #3] mlx5_0'",
        "Channel Adapter portguid 0x0000000000007777: 'host b'",
        "Switch portguid 0x0000000000007777: 'another switch'"}) {
    INFO(comment);
    CHECK_THAT(refusal(many("0x0003", comment)), Catch::Contains(no_owner));
  }
  // LIDs that lead to ports without a host in the topology.
  const std::string free_port =
      replaced(replaced(sample_text("golden/lmc0.opensm-lfts.dump"), "[0-7]", "[0-400]"),
               "7 lids dumped", [] {
                 std::string lines;
                 for (unsigned i = 0; i < 20; ++i)
                   lines += fmt::format("0x{:04x} 005 # unknown\n", 100 + i);
                 return lines + "400 lids dumped";
               }());
  CHECK_THAT(refusal(free_port), Catch::Contains(no_owner));
  // LIDs that lead to two hosts: to the host of LID 1 at one switch, and of LID 3 at the other.
  const std::string two_hosts =
      replaced(replaced(sample_text("golden/lmc0.opensm-lfts.dump"), "[0-7]", "[0-400]"),
               "7 lids dumped", [] {
                 std::string lines;
                 for (unsigned i = 0; i < 20; ++i)
                   lines += fmt::format("0x{:04x} 001 # unknown\n", 100 + i);
                 return lines + "400 lids dumped";
               }());
  CHECK_THAT(refusal(two_hosts), Catch::Contains(no_owner));
}

TEST_CASE("a host has no virtual ports if its own LID does not reach it") {
  std::string dump = dump_with([] {
    std::vector<AddedLid> added;
    for (unsigned i = 0; i < 20; ++i) added.push_back({100 + i, "0x0003"});
    return added;
  }());
  CHECK_THAT(match(dump).warnings.front(), Catch::Contains("virtual ports"));
  dump = replaced(dump, "0x0003 001", "0x0003 002");
  CHECK_THAT(refusal(dump), Catch::Contains("have no owner in the topology"));
}

}  // namespace
}  // namespace pssp
