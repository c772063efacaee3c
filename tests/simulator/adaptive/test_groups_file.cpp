// Tests files of adaptive groups: their meaning and the errors for malformed files.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "routing/engines/engine.h"
#include "simulator/adaptive/groups_file.h"
#include "topologies/registry.h"

namespace pssp {
namespace {

using Catch::Matchers::Contains;

/// Leaf 0 of a tree of four leaves and four spines, a host on another leaf and a host on leaf 0.
struct Tree {
  Fabric fabric = make_fabric("k-ary-n-tree 4 2");
  ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
  SwitchId leaf = fabric.end_port(fabric.endpoints().front()).attached;
  Lid far = fabric.end_port(fabric.endpoints().back()).lid;
  Lid near = fabric.end_port(fabric.endpoints().front()).lid;

  std::string name() const { return fabric.switch_at(leaf).name; }
  std::vector<unsigned> uplinks() const {
    std::vector<unsigned> ports;
    for (unsigned p = 1; p <= fabric.switch_at(leaf).ports; ++p) {
      if (fabric.behind(leaf, static_cast<PortNumber>(p)).kind == PortTarget::Kind::channel) {
        ports.push_back(p);
      }
    }
    return ports;
  }
  std::string uplinks_text() const {
    std::string text;
    for (const unsigned port : uplinks()) text += fmt::format(" {}", port);
    return text;
  }
  AdaptiveGroups groups(const std::string& text) const {
    return groups_of_file(parse_groups(text, "g.txt", fabric), fabric, tables);
  }
};

std::size_t size(const AdaptiveGroups& groups, SwitchId s, Lid lid) {
  return groups.channels(s.value(), lid).size();
}

TEST_CASE("a groups file sets groups for single LIDs or all LIDs, and no others") {
  const Tree tree;
  const AdaptiveGroups one = tree.groups(fmt::format("# of one\n\n\"{}\" 0x{:x} :{} # ports\n",
                                                     tree.name(), tree.far, tree.uplinks_text()));
  CHECK(size(one, tree.leaf, tree.far) == 4);
  CHECK(size(one, tree.leaf, tree.near) == 0);
  const AdaptiveGroups any = tree.groups(
      fmt::format("0x{:x} *:{}\n", tree.fabric.switch_at(tree.leaf).guid, tree.uplinks_text()));
  for (const Lid lid : tree.fabric.lids()) {
    if (!tree.fabric.is_endpoint_lid(lid)) continue;
    const bool is_own = tree.fabric.delivery(lid).at == tree.leaf;
    CHECK(size(any, tree.leaf, lid) == (is_own ? 0U : 4U));
  }
  // The line for a single LID takes precedence over the line for all LIDs in any order.
  const unsigned entry = tree.tables.at(tree.leaf, tree.far);
  const AdaptiveGroups both = tree.groups(
      fmt::format("{0} {1}: {2}\n{0} *:{3}\n", tree.name(), tree.far, entry, tree.uplinks_text()));
  CHECK(size(both, tree.leaf, tree.far) == 0);
}

TEST_CASE("a malformed groups file is refused with the line number") {
  const Tree tree;
  const std::string name = tree.name();
  const unsigned up = tree.uplinks().front();
  const unsigned host = tree.fabric.end_port(tree.fabric.endpoints().front()).switch_port;
  const auto refused = [&](const std::string& line, const std::string& why) {
    CAPTURE(line);
    try {
      parse_groups("# first\n" + line + "\n", "g.txt", tree.fabric);
      FAIL_CHECK("was taken");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::unreadable_input);
      CHECK_THAT(error.what(), Contains("g.txt:2") || Contains("g.txt:3"));
      CHECK_THAT(error.what(), Contains(why));
    }
  };
  const std::string good = fmt::format("{} {}: {}", name, tree.far, up);
  refused(name, "invalid group of ports");
  refused(name + " 5 3 4", "invalid group of ports");
  refused(fmt::format("{} {}:", name, tree.far), "invalid group of ports");
  refused(fmt::format("{} {}: # none", name, tree.far), "invalid group of ports");
  refused(fmt::format("{} {}: x", name, tree.far), "invalid group of ports");
  refused(fmt::format("{} {}: {}x", name, tree.far, up), "invalid group of ports");
  refused(fmt::format("{} -1: {}", name, up), "invalid group of ports");
  refused(fmt::format("{} 99999999999999999999: {}", name, up), "invalid group of ports");
  refused(fmt::format("{} 65536: {}", name, up), "LID 65536 does not belong to a host");
  refused(fmt::format("{} 0: {}", name, up), "LID 0 does not belong to a host");
  refused(fmt::format("nosuch {}: {}", tree.far, up), "has no switch 'nosuch'");
  refused(fmt::format("\"{} {}: {}", name, tree.far, up), "the closing quote is missing");
  refused(fmt::format("{} {}: {}", tree.fabric.end_port(tree.fabric.endpoints().front()).name,
                      tree.far, up),
          "has no switch");
  refused(fmt::format("{} {}: 0", name, tree.far), "port 0 of switch");
  refused(fmt::format("{} {}: 255", name, tree.far), "does not lead to a switch");
  refused(fmt::format("{} {}: 4294967297", name, tree.far), "does not lead to a switch");
  refused(fmt::format("{} {}: {}", name, tree.far, host), "does not lead to a switch");
  refused(fmt::format("{} {}: {} {}", name, tree.far, up, up), "is listed twice");
  refused(good + "\n" + good, "a line for LID");
  refused(fmt::format("{0} *: {1}\n{0} *: {1}", name, up), "another line for any LID");
  refused(std::string("a\0b", 3), "NUL");
  refused(std::string(70000, 'x'), "g.txt:2");
}

TEST_CASE("groups that exclude the port of the tables or form a cycle are refused") {
  const Tree tree;
  std::string others;
  for (const unsigned port : tree.uplinks()) {
    if (port != tree.tables.at(tree.leaf, tree.far)) others += fmt::format(" {}", port);
  }
  const auto refused = [&](const std::string& text, ErrorKind kind, const std::string& why) {
    CAPTURE(text);
    try {
      tree.groups(text);
      FAIL_CHECK("was taken");
    } catch (const Error& error) {
      CHECK(error.kind() == kind);
      CHECK_THAT(error.what(), Contains(why));
    }
  };
  refused(fmt::format("{} {}:{}", tree.name(), tree.far, others), ErrorKind::mismatch,
          "g.txt:1: the tables send LID");
  // At the last switch, the port of the tables leads to the host.
  refused(fmt::format("{} {}:{}", tree.name(), tree.near, tree.uplinks_text()), ErrorKind::mismatch,
          "which is not in the group");
  // A spine has one minimal port, down to the leaf. Through another leaf, the packet would come up
  // again.
  const SwitchId spine(
      tree.fabric.channel_head()
          [tree.fabric.behind(tree.leaf, static_cast<PortNumber>(tree.uplinks().front())).index]);
  std::string down;
  for (unsigned p = 1; p <= tree.fabric.switch_at(spine).ports; ++p) {
    if (tree.fabric.behind(spine, static_cast<PortNumber>(p)).kind == PortTarget::Kind::channel) {
      down += fmt::format(" {}", p);
    }
  }
  refused(fmt::format("{} {}:{}\n{} {}:{}", tree.fabric.switch_at(spine).name, tree.far, down,
                      tree.name(), tree.far, tree.uplinks_text()),
          ErrorKind::verification_failed, "run in a cycle");
}

TEST_CASE("a groups file that is truncated at any byte is read or refused with an error") {
  const Tree tree;
  const std::string whole =
      fmt::format("# groups\n\"{}\" {}:{}\n0x{:x} *:{}\n", tree.name(), tree.far,
                  tree.uplinks_text(), tree.fabric.switch_at(tree.leaf).guid, tree.uplinks_text());
  parse_groups(whole, "g.txt", tree.fabric);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    try {
      parse_groups(std::string_view(whole).substr(0, size), "g.txt", tree.fabric);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::unreadable_input);
    }
  }
}

}  // namespace
}  // namespace pssp
