#include <catch2/catch.hpp>
#include <string>

#include "fabric/formats/service_level_file.h"
#include "routing/deadlock/lane_assignment.h"
#include "routing/engines/engine.h"
#include "tests/fabric/formats/format_testing.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

std::string dumped(const Fabric& fabric, const ServiceLevels& levels) {
  std::string text;
  write_service_levels(fabric, levels, [&text](std::string_view part) { text += part; });
  return text;
}

constexpr const char* small =
    "# levels\n"
    "service-levels max-lid 4\n"
    "\n"
    "0x0000000000200000 .0.1f\r\n"
    "0x200001 ....a   \n"
    "2 switches\n";

std::string refusal_of_levels(const std::string& text) {
  return test::error_of([&] { parse_service_levels(text, "sl.txt"); });
}

}  // namespace

TEST_CASE("service levels are the same after they are dumped and read again") {
  for (const char* spec : {"torus 5x3 --hosts 2 --lmc 1", "mesh 3x3 --shuffle-guids --lids",
                           "torus 6 --kill-switches 1 --lids"}) {
    const Fabric fabric = make_fabric(spec);
    const auto levels =
        assign_lanes(fabric, make_engine("pssp", {})->route(fabric).tables).service_levels;
    const ServiceLevelFile file = parse_service_levels(dumped(fabric, levels), "dump");
    CHECK(file.switches.size() == fabric.switch_count());
    CHECK(match_service_levels(file, fabric) == levels);
  }
}

TEST_CASE("a dump of service levels has one character per LID") {
  const ServiceLevelFile file = parse_service_levels(small, "sl.txt");
  CHECK(file.max_lid == 4);
  REQUIRE(file.switches.size() == 2);
  CHECK(file.switches[0].guid == 0x200000);
  CHECK(file.switches[0].line == 4);
  const ServiceLevel none = no_service_level;
  CHECK(file.switches[0].levels == std::vector<ServiceLevel>{none, 0, none, 1, 15});
  CHECK(file.switches[1].levels == std::vector<ServiceLevel>{none, none, none, none, 10});
}

TEST_CASE("an invalid dump of service levels is refused with its line") {
  const auto with = [](std::string_view what, std::string_view by) {
    return refusal_of_levels(test::replaced_once(small, what, by));
  };
  CHECK_THAT(refusal_of_levels(""),
             Catch::Contains("3: sl.txt:0: the last line, such as '12 switches', is missing"));
  CHECK_THAT(refusal_of_levels("Switch 8 \"S0\"\n"),
             Catch::Contains("sl.txt:1: expected 'service-levels"));
  CHECK_THAT(with("max-lid 4", "max-lid 70000"), Catch::Contains("sl.txt:2"));
  CHECK_THAT(with("max-lid 4", "max-lid 0"), Catch::Contains("sl.txt:2"));
  CHECK_THAT(with("max-lid 4", "max-lid 4 4"), Catch::Contains("sl.txt:2"));
  CHECK_THAT(with("max-lid 4", "max-lid 5"), Catch::Contains("found 5 levels; expected 6"));
  CHECK_THAT(with(".0.1f", ".0.1g"), Catch::Contains("sl.txt:4: 'g' is not a service level"));
  CHECK_THAT(with(".0.1f", ".0.1F"), Catch::Contains("'F' is not a service level"));
  CHECK_THAT(with(".0.1f", ".0.1"), Catch::Contains("sl.txt:4: found 4"));
  CHECK_THAT(with(".0.1f", ".0 .1f"), Catch::Contains("sl.txt:4: found 6"));
  CHECK_THAT(with("0x200001", "0x20000z"), Catch::Contains("sl.txt:5: '0x20000z' is not the GUID"));
  CHECK_THAT(with("0x200001", "0x1200000000000200001"), Catch::Contains("is not the GUID"));
  CHECK_THAT(with("0x200001", "0x200000"),
             Catch::Contains("sl.txt:5: the switch is already in line 4"));
  CHECK_THAT(with("2 switches", "3 switches"),
             Catch::Contains("sl.txt:6: the file states 3 switches"));
  CHECK_THAT(with("2 switches\n", ""),
             Catch::Contains("the last line, such as '12 switches', is missing"));
  CHECK_THAT(with("2 switches", "2 switchs"), Catch::Contains("sl.txt:6: expected a switch"));
  CHECK_THAT(refusal_of_levels(std::string(small) + "0x200002 .....\n"),
             Catch::Contains("text follows the line with the number of switches"));
}

TEST_CASE("service levels of another fabric are refused") {
  const Fabric fabric = make_fabric("torus 4");
  const ServiceLevels levels(fabric.switch_count(), fabric.max_lid());
  const std::string text = dumped(fabric, levels);
  const auto refused = [&](const std::string& changed, const Fabric& against) {
    return test::error_of(
        [&] { match_service_levels(parse_service_levels(changed, "sl.txt"), against); });
  };
  CHECK_THAT(refused(text, make_fabric("torus 5")),
             Catch::Contains("4: sl.txt: the levels are for LIDs up to 8"));
  CHECK_THAT(refused(test::replaced_once(text, "0x0000000000200003", "0x0000000000200009"), fabric),
             Catch::Contains("has no switch 0x0000000000200009 (line 6)"));
  std::string shorter = test::replaced_once(text, "0x0000000000200003 .........\n", "");
  shorter = test::replaced_once(shorter, "4 switches", "3 switches");
  CHECK_THAT(refused(shorter, fabric), Catch::Contains("no levels of switch"));
}

TEST_CASE("damaged dumps of service levels cause nothing worse than an Error") {
  const Fabric fabric = make_fabric("torus 4x3 --hosts 2");
  const std::string text = dumped(
      fabric, assign_lanes(fabric, make_engine("pssp", {})->route(fabric).tables).service_levels);
  std::mt19937 random = test::repeatable_random(11);
  for (unsigned i = 0; i < 300; ++i) {
    const std::string changed = test::damaged(text, random);
    try {
      match_service_levels(parse_service_levels(changed, "sl.txt"), fabric);
    } catch (const Error&) {
    }
  }
  for (std::size_t length = 0; length < text.size() - 1; length += 7) {
    CHECK_THROWS_AS(parse_service_levels(std::string_view(text).substr(0, length), "sl.txt"),
                    Error);
  }
}
