#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "base/error.h"
#include "evaluator/hosts/node_ordering_file.h"
#include "fabric/builder.h"
#include "tests/temporary_file.h"
#include "topologies/registry.h"

using namespace pssp;
using Catch::Contains;

namespace {

using Hosts = std::vector<std::uint32_t>;

/// Hosts 0 .. 3, of which the last two are ports of one adapter, and an adapter without a cable.
Fabric four_hosts() {
  FabricBuilder builder;
  const NodeId leaf = builder.add_switch(0x200000, 8, "S1", "leaf switch");
  const auto add = [&](Guid guid, unsigned ports, const char* name, const char* description) {
    return builder.add_adapter(guid, ports, EndPortKind::channel_adapter, name, description);
  };
  builder.connect(add(0x100000, 1, "H1", "node1 HCA-1"), 1, leaf, 1, {});
  builder.connect(add(0x100010, 1, "cafe", "node2 # spare"), 1, leaf, 2, {});
  const NodeId twin = add(0x100020, 2, "H3", "node3 HCA-1");
  builder.connect(twin, 1, leaf, 3, {});
  builder.connect(twin, 2, leaf, 4, {});
  builder.set_port_guid(twin, 1, 0x100021);
  builder.set_port_guid(twin, 2, 0x100022);
  add(0x100030, 1, "H4", "node4 HCA-1");
  return std::move(builder).build();
}

NodeOrdering parse(const std::string& text) {
  return parse_node_ordering(text, "file", four_hosts());
}

void require_error(const std::string& text, ErrorKind kind, const std::string& message) {
  CAPTURE(text.substr(0, 100));
  try {
    parse(text);
    FAIL("the file was taken");
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    CHECK_THAT(error.what(), Contains(message));
  }
}

}  // namespace

TEST_CASE("a node ordering file names hosts by GUID, name or description, in file order") {
  const NodeOrdering ordering = parse(
      "\xEF\xBB\xBF# made by hand\r\n"
      "\r\n"
      "  100022 whatever the name\r\n"
      "\"node2 # spare\"  # quotes keep the comment sign\r\n"
      "0x0000000000100021#\r\n"
      "node1 HCA-1 # its description");
  CHECK(ordering.hosts == Hosts{3, 1, 2, 0});
  CHECK(ordering.warnings.empty());
  CHECK(parse("0X100000\n").hosts == Hosts{0});  // port GUID, equal to the node GUID here
  CHECK(parse("H1\n").hosts == Hosts{0});
  CHECK(parse("node1\n").hosts == Hosts{0});
  CHECK(parse("cafe\n").hosts == Hosts{1});  // hexadecimal, but not a GUID of this fabric
  CHECK(parse("\"cafe\"\n").hosts == Hosts{1});
  const test::TemporaryFile file("H1\ncafe\n");
  CHECK(read_node_ordering(file.path(), four_hosts()).hosts == Hosts{0, 1});
}

TEST_CASE("a node ordering file skips lines that name no host and warns about them") {
  const NodeOrdering ordering = parse("0x100099\nH1\nH4\nS1\n0x200000 # leaf\n");
  CHECK(ordering.hosts == Hosts{0});
  REQUIRE(ordering.warnings.size() == 4);
  CHECK(ordering.warnings[0] == "file:1: '0x100099' is not a host of this fabric");
  CHECK(ordering.warnings[1] == "file:3: 'H4' takes no part in traffic");
  CHECK(ordering.warnings[2] == "file:4: 'S1' takes no part in traffic");
  CHECK_THAT(ordering.warnings[3], Contains("takes no part in traffic"));

  std::string many = "H1\n";
  for (int i = 0; i < 100; ++i) many += "other" + std::to_string(i) + "\n";
  const NodeOrdering rest = parse(many);
  REQUIRE(rest.warnings.size() == 6);
  CHECK(rest.warnings[4] == "file:6: 'other4' is not a host of this fabric");
  CHECK(rest.warnings[5] == "file: 95 more lines are ignored");
}

TEST_CASE("errors in a node ordering file name the file and the line") {
  require_error("", ErrorKind::unreadable_input, "file: the file names no host: it is an empty");
  require_error("# H1\n\n", ErrorKind::unreadable_input, "file: the file names no host");
  require_error("H1\nnode1 HCA-1\n", ErrorKind::unreadable_input,
                "file:2: host H1 (node1 HCA-1) is already named in line 1");
  require_error("H1\n\"node2\n", ErrorKind::unreadable_input, "file:2: the closing quote");
  require_error("\"", ErrorKind::unreadable_input, "file:1: the closing quote");
  require_error("\"H1\" x\n", ErrorKind::unreadable_input,
                "file:1: unexpected 'x' after the quotes");
  require_error("H1\n" + std::string(1, '\0'), ErrorKind::unreadable_input, "NUL byte");
  require_error("H1\n" + std::string(70000, 'x'), ErrorKind::unreadable_input, "file:2: the line");
  require_error("H3\n", ErrorKind::mismatch,
                "file:1: 2 host ports match 'H3'; specify one by its port GUID, e.g. "
                "0x0000000000100021");
  require_error("H1\n0x100020\n", ErrorKind::mismatch, "file:2: 2 host ports match '0x100020'");
  require_error("x\ny\n", ErrorKind::mismatch,
                "file: none of its 2 lines names a host of this fabric, for example file:1: 'x'");
  require_error("digraph {\n\"\" -> S\n}\n", ErrorKind::unreadable_input, "after the quotes");
  require_error("\"\"\n", ErrorKind::mismatch, "none of its 1 lines");
  CHECK_THROWS_AS(read_node_ordering("/no/such/file", four_hosts()), Error);
}

TEST_CASE("a corrupted node ordering file causes an error or gives valid hosts") {
  const Fabric fabric = four_hosts();
  const std::string good = "# x\n0x100021\ncafe\n\"node1 HCA-1\" # y\n100022 z\n";
  std::mt19937 random(GENERATE(1U, 2U));
  for (int round = 0; round < 5000; ++round) {
    std::string text = good.substr(0, random() % (good.size() + 1));
    for (unsigned k = random() % 4; k > 0 && !text.empty(); --k) {
      text[random() % text.size()] = static_cast<char>(random());
    }
    try {
      const NodeOrdering ordering = parse_node_ordering(text, "file", fabric);
      const std::set<std::uint32_t> hosts(ordering.hosts.begin(), ordering.hosts.end());
      if (hosts.empty() || hosts.size() != ordering.hosts.size() || *hosts.rbegin() > 3) FAIL(text);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::unreadable_input && error.kind() != ErrorKind::mismatch) {
        FAIL(error.what());
      }
    }
  }
}

TEST_CASE("a host order file must name each host with a LID once and nothing else") {
  const Fabric fabric = four_hosts();
  const auto parse_order = [&](const std::string& text) {
    return parse_host_order(text, "file", fabric);
  };
  const std::string all = "0x100022\n0x100021\n\"node2 # spare\"\nH1\n";
  CHECK(parse_order(all).size() == 4);
  CHECK(parse_order(all).front() == *fabric.find_end_port(0x100022));
  const auto require_refusal = [&](const std::string& text, const std::string& message) {
    CAPTURE(text);
    try {
      parse_order(text);
      FAIL("was read");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::unreadable_input);
      CHECK_THAT(error.what(), Contains(message));
    }
  };
  require_refusal(all + "stranger\n", "file:5: 'stranger' is not a host");
  require_refusal(all + "H1\n", "file:5");
  require_refusal("stranger\n", "file:1: 'stranger'");
  // Hosts without a LID may be absent because they send nothing.
  CHECK(parse_order("H1\n").size() == 1);
  const Fabric with_lids = make_fabric("director 24 --hosts 2");
  const std::string first = with_lids.end_port(with_lids.endpoints()[0]).name;
  CHECK_THROWS_WITH(parse_host_order(first, "file", with_lids),
                    Contains("the file does not name host"));
  require_refusal("H3\n", "2 host ports match");
  require_refusal("", "the file names no host");
}
