#include <fmt/format.h>

#include <array>
#include <string>

#include "fabric/formats/content_kind.h"
#include "fabric/formats/ufm/ufm_answers.h"
#include "tests/fabric/formats/format_testing.h"

namespace pssp {
namespace {

using test::built;
using test::error_of;
using test::replaced;
using test::sample_text;

const std::string links_text = sample_text("ufm/links.json");
const std::string ports_text = sample_text("ufm/ports.json");
const std::string systems_text = sample_text("ufm/systems.json");

TopologyFile read(std::initializer_list<std::string_view> texts) {
  UfmAnswers answers;
  std::size_t number = 0;
  for (const std::string_view text : texts) answers.add(text, fmt::format("f{}", ++number));
  return answers.build();
}

TEST_CASE("links, ports and systems of UFM, in any order, give a topology with LIDs and rates") {
  TopologyFile file = read({systems_text, ports_text, links_text});
  CHECK(file.warnings.empty());
  CHECK_FALSE(file.has_made_up_guids);
  const Fabric fabric = built(std::move(file));
  REQUIRE(fabric.switch_count() == 2);
  CHECK(fabric.switches()[0].description == "leaf-1");
  CHECK(fabric.switches()[0].lid == 1);
  // Port 20 has no cable.
  CHECK(fabric.switches()[0].ports == 20);
  CHECK(fabric.switches()[1].ports == 8);
  CHECK(fabric.channel_count() == 4);
  REQUIRE(fabric.end_port_count() == 3);
  // Two adapters of one system; both links have the GUID of the system.
  CHECK(fabric.end_ports()[0].description == "node1 mlx5_0");
  CHECK(fabric.end_ports()[1].description == "node1 mlx5_1");
  CHECK(fabric.end_ports()[1].port_guid == 0x2c903000a0010);
  CHECK(fabric.end_ports()[1].lid == 4);
  CHECK(fabric.end_ports()[1].switch_port == 1);
  CHECK(fabric.end_ports()[0].rate == parse_link_rate("4xHDR"));
  CHECK(fabric.end_ports()[2].rate == parse_link_rate("4xEDR"));
  test::check_equal(built(read({links_text, ports_text})), fabric);
}

TEST_CASE("links of UFM alone give a topology without LIDs and speeds, and a warning") {
  TopologyFile file = read({links_text});
  REQUIRE(file.warnings.size() == 1);
  CHECK_THAT(file.warnings[0], Catch::StartsWith("f1: 5 link(s) have no stated speed"));
  CHECK_FALSE(file.builder.has_lids());
  const Fabric fabric = built(std::move(file));
  CHECK(fabric.switch_count() == 2);
  CHECK(fabric.switches()[1].description == "leaf-2");
  CHECK(fabric.host_count() == 3);
}

TEST_CASE("the type of a node with one link is guessed with a warning if no reply states it") {
  const auto link = [](const char* description, const char* label) {
    return fmt::format(
        R"([{{"source_guid":"a1","source_port":3,"destination_guid":"b1","destination_port":"5",)"
        R"("source_port_node_description":"{}","source_port_dname":"{}",)"
        R"("destination_port_node_description":"leaf:1/3/1","destination_port_dname":"1/3/1"}}])",
        description, label);
  };
  TopologyFile file = read({link("node", "HCA-1/3")});
  REQUIRE(file.warnings.size() == 2);
  CHECK_THAT(file.warnings[0], Catch::Contains("1 node(s) have one link and no stated type") &&
                                   Catch::Contains("'leaf:1/3/1' (00000000000000b1): a switch"));
  const Fabric fabric = built(std::move(file));
  REQUIRE(fabric.switch_count() == 1);
  CHECK(fabric.switches()[0].description == "leaf");
  // The label of the port shows that the node is an adapter, although its name looks like a switch.
  CHECK(built(read({link("node:3", "HCA-1/3")})).switch_count() == 1);
  file = read({link("node", "3"), R"([{"guid":"a1","system_name":"x","type":"host"},)"
                                  R"({"guid":"b1","system_name":"spine","type":"switch"}])"});
  CHECK(file.warnings.size() == 1);
  CHECK(built(std::move(file)).switches()[0].description == "spine");
}

TEST_CASE("contradictory, truncated and foreign replies of UFM are refused") {
  CHECK_THAT(error_of([] { read({ports_text}); }),
             Catch::StartsWith("2: f1: this UFM reply has no links"));
  CHECK_THAT(error_of([] {
               read({links_text, links_text});
             }),
             Catch::StartsWith("2: f1 and f2 are the same UFM reply (links of UFM (JSON))"));
  CHECK_THAT(error_of([] {
               read({replaced(links_text, R"("source_port": "7")", R"("source_port": "x")")});
             }),
             Catch::StartsWith("3: f1: entry 1: source_port is 'x': a port number was expected"));
  CHECK_THAT(error_of([] {
               read({replaced(links_text, R"("source_port": "7")", R"("source_port": "0")")});
             }),
             Catch::StartsWith("3: f1: entry 1: port 0 of 'leaf-1"));
  CHECK_THAT(error_of([] { read({R"({"source_guid": "1"})"}); }),
             Catch::Contains("it looks like a JSON document"));
  for (const std::string& text : {links_text, ports_text, systems_text}) {
    for (std::size_t size = 0; size + 2 < text.size(); size += 7) {
      const std::string cut = text.substr(0, size);
      CHECK_THAT(error_of([&cut] { read({cut}); }), Catch::StartsWith("3: f1: this"));
    }
  }
}

TEST_CASE("repeated entries and different rates of both ends in replies of UFM cause warnings") {
  const auto doubled = [](const std::string& text) {
    const std::string entries =
        text.substr(text.find('[') + 1, text.rfind(']') - text.find('[') - 1);
    return "[" + entries + "," + entries + "]";
  };
  const TopologyFile repeated = read({links_text, doubled(ports_text), doubled(systems_text)});
  REQUIRE(repeated.warnings.size() == 1);
  CHECK_THAT(repeated.warnings[0], Catch::Contains("port(s) and system(s) are stated twice") &&
                                       Catch::Contains("port 0002c903"));
  const std::string width_and_port =
      R"(, "active_width": "4x", "dname": "7", "guid": "0002c90300000200")";
  const TopologyFile unequal = read(
      {links_text, replaced(ports_text, R"("HDR")" + width_and_port, R"("EDR")" + width_and_port)});
  REQUIRE(unequal.warnings.size() == 1);
  CHECK_THAT(
      unequal.warnings[0],
      Catch::Contains("1 link(s) whose ends state different rates; the slower rate is used"));
  CHECK_THAT(error_of([] {
               read({links_text, replaced(ports_text, R"("lid": )", R"("lid": 7000)")});
             }),
             Catch::Contains("a LID was expected"));
}

TEST_CASE("JSON is recognized by the fields of its first object, never by values") {
  CHECK(content_kind(
            "\xEF\xBB\xBF \n[ {\"destination_guid\":\"1\", \"source_port\": {\"x\": [1, \"}\"]},"
            "\"source_guid\":") == ContentKind::ufm_answer);
  const std::array<std::string_view, 7> others{
      R"([])",
      R"({})",
      R"([{"a":"source_guid","b":"destination_guid","c":"source_port"}])",
      R"([{"a":{"source_guid":1,"destination_guid":2,"source_port":3}}])",
      R"({"source_guid":1,"destination_guid":2,"source_port":3})",
      R"([{"a":"\",\"source_guid\":1,\"destination_guid\":2,\"source_port\":3"}])",
      R"([{"a":1},{"source_guid":1,"destination_guid":2,"source_port":3}])"};
  for (const std::string_view text : others) {
    INFO(text);
    CHECK(content_kind(text) == ContentKind::other);
    CHECK_THAT(describe_content(text), Catch::StartsWith("a JSON document; of JSON, only UFM's"));
  }
  // A line of JSON that looks like the output of iblinkinfo.
  CHECK(content_kind("[{\n\"name\": \"x\\\" 24 1[  ] ==( 4X 2.5 Gbps Active/ LinkUp)==> 6 4[  ] "
                     "\\\"\"}]") == ContentKind::other);
}

}  // namespace
}  // namespace pssp
