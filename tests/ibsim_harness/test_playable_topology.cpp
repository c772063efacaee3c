#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "base/error.h"
#include "base/file_io.h"
#include "fabric/formats/topology_file.h"
#include "ibsim_harness/playable_topology.h"
#include "tests/source_folder.h"
#include "tests/temporary_folder.h"

using namespace pssp;

namespace {

/// Two hosts at each of two switches; `line` replaces the port line of host 3.
std::string small_topology(const std::string& host3 = {}, const std::string& rate = "4xHDR",
                           unsigned lmc = 0) {
  std::string text;
  for (unsigned s = 0; s < 2; ++s) {
    text += fmt::format(
        "\nswitchguid=0x{:x}\nSwitch\t8 \"S{}\"\t# \"leaf {}\" base port 0 lid {} lmc 0\n",
        0x100 + s, s, s, 1 + s);
    for (unsigned h = 2 * s; h < 2 * s + 2; ++h)
      text += fmt::format("[{}]\t\"H{}\"[1]\t# \"host {}\" lid {} {}\n", h % 2 + 1, h, h, 8 + 4 * h,
                          rate);
    text += fmt::format("[8]\t\"S{}\"[8]\t# \"leaf {}\" lid {} {}\n", 1 - s, 1 - s, 2 - s, rate);
  }
  for (unsigned h = 0; h < 4; ++h) {
    text += fmt::format("\ncaguid=0x{:x}\nCa\t1 \"H{}\"\t# \"host {}\"\n", 0x200 + 16 * h, h, h);
    text += h == 3 && !host3.empty()
                ? host3
                : fmt::format("[1]\t\"S{}\"[{}]\t# lid {} lmc {} \"leaf {}\" lid {} {}\n", h / 2,
                              h % 2 + 1, 8 + 4 * h, lmc, h / 2, 1 + h / 2, rate);
  }
  return text;
}

TEST_CASE("port lists are simulated like the output of ibnetdiscover", "[playable]") {
  const test::TemporaryFolder folder;
  const auto samples = test::source_folder() / "tests" / "fabric" / "formats";
  const PlayableTopology playable = make_playable(
      samples / "other_commands" / "02-ibnetdiscover-ports.txt", folder.path() / "copy.net");
  CHECK(playable.survey.switches == 8);
  CHECK(playable.survey.adapters == 16);
  CHECK(playable.notes.empty());
  CHECK(playable.fabric.has_lids());
  const PlayableTopology links =
      make_playable(samples / "ufm" / "links.json", folder.path() / "copy.net");
  CHECK(links.survey.switches == 2);
  REQUIRE(links.notes.size() == 1);
  CHECK_THAT(links.notes[0], Catch::Contains("5 link(s) have no stated speed"));
}

TEST_CASE("a host at which ibsim cannot attach opensm is reported with the file", "[playable]") {
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "fabric.net";
  const std::string long_name(32, 'x');
  write_file(file, "Switch\t8 \"S0\"\n[1]\t\"H0\"[1]\n[2]\t\"" + long_name +
                       "\"[1]\n[3]\t\"two\"[2]\n\nHca\t1 \"H0\"\n[1]\t\"S0\"[1]\n\nHca\t1 \"" +
                       long_name +
                       "\"\n[1]\t\"S0\"[2]\n\nHca\t2 \"two\"\n[2]\t\"S0\"[3]\n\nHca\t1 "
                       "\"alone\"\n\n");
  const auto attach = [&](const std::string& host) {
    return make_playable(file, folder.path() / "copy.net", host).survey.host;
  };
  CHECK(attach("") == "H0");
  CHECK(attach("H0") == "H0");
  CHECK(attach("S0") == "S0");
  const auto refusal = [&](const std::string& host, const std::string& problem) {
    INFO(host);
    try {
      attach(host);
      FAIL("it is taken");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
      CHECK_THAT(error.what(), Catch::StartsWith("SIM_HOST '") &&
                                   Catch::Contains(problem + ": " + file.string() + ": ") &&
                                   Catch::Contains("such as 'H0'"));
    }
  };
  refusal("H99", "no node has this identifier");
  refusal("h0", "no node has this identifier");
  refusal("H", "no node has this identifier");
  refusal("alone", "port 1 of this adapter has no cable");
  refusal("two", "port 1 of this adapter has no cable");
  refusal(long_name, "ibsim cuts identifiers at 31 characters");
  refusal("\x1b[2J", "no node has this identifier");
}

class Playing {
 public:
  PlayableTopology operator()(const std::string& text, std::optional<unsigned> lmc = std::nullopt) {
    std::ofstream(folder_.path() / "given.net") << text;
    return make_playable(folder_.path() / "given.net", folder_.path() / "ibsim.net", {}, lmc);
  }

 private:
  test::TemporaryFolder folder_;
};

bool has_note(const PlayableTopology& playable, std::string_view part) {
  return std::any_of(playable.notes.begin(), playable.notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

}  // namespace

TEST_CASE("an empty topology name is an error", "[playable]") {
  CHECK_THROWS_AS(make_playable("", "copy.net"), Error);
}

TEST_CASE("the LMC is that of the topology, unless another one is given", "[playable]") {
  Playing replay;
  const PlayableTopology plain = replay(small_topology());
  CHECK(plain.notes.empty());
  CHECK(plain.lmc == 0);
  CHECK(plain.survey.nodes == 6);
  CHECK(plain.survey.host == "H0");
  CHECK(plain.fabric.has_lids());
  const PlayableTopology two = replay(small_topology({}, "4xHDR", 2));
  CHECK(two.notes.empty());
  CHECK(two.lmc == 2);
  CHECK(two.fabric.has_lids());
  const PlayableTopology zero = replay(small_topology({}, "4xHDR", 2), 0);
  CHECK(zero.lmc == 0);
  CHECK_FALSE(zero.fabric.has_lids());
  const PlayableTopology mixed =
      replay(small_topology("[1]\t\"S1\"[2]\t# lid 20 lmc 1 \"leaf 1\" lid 2 4xHDR\n", "4xHDR", 2));
  CHECK(mixed.lmc == 2);
  CHECK_FALSE(mixed.fabric.has_lids());
  CHECK(has_note(mixed, "LMC 1 at 1 adapter port(s) (e.g. 'H3'), LMC 2 at 3 adapter port(s)"));
}

TEST_CASE("rates that ibsim does not know are scaled down, with a note", "[playable]") {
  Playing replay;
  PlayableTopology fast =
      replay(small_topology("[1]\t\"S1\"[2]\t# lid 20 lmc 0 \"leaf 1\" lid 2 4xNDR\n", "4xXDR"));
  CHECK(has_note(fast, "5 cables are faster, 4xXDR at most"));
  TopologyFile copy = read_topology(fast.file);
  const NodeId host = *copy.builder.find_node(0x200);
  CHECK(to_string(copy.builder.far_end(host, 1)->rate) == "4xHDR");
  CHECK(to_string(copy.builder.far_end(*copy.builder.find_node(0x230), 1)->rate) == "4xEDR");
  CHECK(to_string(fast.fabric.far_end(*fast.fabric.find_node(0x200), 1)->rate) == "4xXDR");
}

TEST_CASE("the rate of a router is written as masks, and opensm does not run at a router",
          "[playable]") {
  std::string text = small_topology();
  const std::string from = "\ncaguid=0x200\nCa\t1 \"H0\"";
  text.replace(text.find(from), from.size(), "\nrtguid=0x200\nRt\t1 \"H0\"");
  Playing replay;
  const PlayableTopology playable = replay(text);
  CHECK(playable.survey.host == "H1");
  CHECK(read_file(playable.file).find("\"S0\"[1]\t\tw=2 s=7 e=7 # lid 8") != std::string::npos);
}

TEST_CASE("node descriptions do not become options of ibsim", "[playable]") {
  std::string text = small_topology();
  for (std::size_t at = text.find("\"host 1\""); at != std::string::npos;
       at = text.find("\"host 1\"", at + 1)) {
    text.replace(at, 8, "\"w=9 \"x\" lid 7\"");
  }
  Playing replay;
  const PlayableTopology playable = replay(text);
  const std::string copy = read_file(playable.file);
  CHECK(copy.find("[2]\t\"H1\"[1](211) \t\t# \"\" lid 12 4xHDR\n") != std::string::npos);
  CHECK(copy.find("# \"w=9 'x' lid 7\"\n") != std::string::npos);
}

TEST_CASE("ports that opensm does not reach are left out, with a note", "[playable]") {
  // A second rail that only the second port of host 0 connects.
  std::string text = small_topology();
  const std::string from = "Ca\t1 \"H0\"\t# \"host 0\"\n";
  text.replace(
      text.find(from), from.size(),
      "Ca\t2 \"H0\"\t# \"host 0\"\n[2]\t\"R0\"[1]\t# lid 40 lmc 0 \"rail\" lid 41 4xHDR\n");
  text +=
      "\nswitchguid=0x300\nSwitch\t4 \"R0\"\t# \"rail\" base port 0 lid 41 lmc 0\n"
      "[1]\t\"H0\"[2]\t# \"host 0\" lid 40 4xHDR\n";
  Playing replay;
  const PlayableTopology playable = replay(text);
  CHECK(playable.survey.switches == 2);
  CHECK(has_note(playable, "1 switches and 0 adapters without a connection to 'H0' are left out"));
  CHECK(has_note(playable,
                 "1 adapter ports are cabled only to nodes that opensm at 'H0' cannot reach"));
}

TEST_CASE("two ports that would have the same GUID get other GUIDs", "[playable]") {
  std::string text = small_topology();
  // Otherwise the port of this host would have the GUID of leaf 0.
  const std::string from = "caguid=0x200\n";
  text.replace(text.find(from), from.size(), "caguid=0xff\n");
  Playing replay;
  const PlayableTopology playable = replay(text);
  CHECK(has_note(playable, "nodes are simulated with other GUIDs"));
  CHECK(playable.fabric.has_lids());
}

TEST_CASE("a fabric without a switch is refused", "[playable]") {
  Playing replay;
  try {
    replay(
        "caguid=0x1\nCa\t1 \"A\"\t# \"a\"\n[1]\t\"B\"[1]\t# lid 1 lmc 0 \"b\" lid 2 4xEDR\n\n"
        "caguid=0x10\nCa\t1 \"B\"\t# \"b\"\n[1]\t\"A\"[1]\t# lid 2 lmc 0 \"a\" lid 1 4xEDR\n");
    FAIL("not refused");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unsuitable_topology);
    CHECK_THAT(error.what(), Catch::Matchers::Contains("2 adapters and no switch"));
  }
}
