#include <catch2/catch.hpp>
#include <string>

#include "congestion/remarks.h"
#include "tests/congestion/parameter_testing.h"

using namespace pssp;
using namespace pssp::test;
using Catch::Matchers::Contains;

namespace {

/// A set that there is nothing to say about.
const std::string plain =
    "switch.threshold = 2\nswitch.marking_rate = 1\nadapter.ccti_timer = 9\n"
    "adapter.ccti_increase = 1\ntable.mtu = 2048\n";
const std::string table = "table.block.0 = 0,1,2\n";

/// The only remark on the set; fails the test when there is none or more.
std::string remark(const std::string& text) {
  const auto found = remarks(parsed(text));
  INFO(text);
  REQUIRE(found.size() == 1);
  return found[0];
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

}  // namespace

TEST_CASE("nothing is said about an ordinary set") {
  CHECK(remarks(parsed(plain + table)).empty());
}

TEST_CASE("packets that no size reaches are never marked") {
  // A full packet of MTU 2048 has 2074 bytes: 32 units of 64 are below, 33 above.
  CHECK(remarks(parsed(plain + table + "switch.packet_size = 32\n")).empty());
  CHECK_THAT(remark(plain + table + "switch.packet_size = 33\n"),
             Contains("below 2112 bytes") && Contains("has 2074"));
  CHECK(remarks(parsed(replaced(plain, "threshold = 2", "threshold = 0") + table +
                       "switch.packet_size = 33\n"))
            .empty());
}

TEST_CASE("marks and reactions that miss each other are named") {
  CHECK_THAT(remark(replaced(plain, "switch.marking_rate = 1\n", "") + table),
             Contains("switches keep the one they have"));
  CHECK_THAT(remark(plain + table + "adapter.sl3.ccti_increase = 0\n"),
             Contains("service levels 3: adapter.ccti_increase is 0"));
  CHECK_THAT(remark(replaced(plain, "timer = 9", "timer = 0") + table),
             Contains("service levels all: adapter.ccti_timer is 0"));
  CHECK_THAT(remark(plain), Contains("the table has no delay"));
  CHECK_THAT(remark(plain + "table.block.0 = 1,2\n"), Contains("entry 0 of the table has a delay"));
  CHECK_THAT(remark(plain + table + "adapter.sl4.ccti_min = 2\nadapter.sl5.ccti_min = 1\n"),
             Contains("service levels 4-5: adapter.ccti_min stands at an entry with a delay"));
  CHECK_THAT(remark(plain + table + "adapter.trigger_threshold = 3\n"),
             Contains("no event is ever logged"));
  CHECK(remarks(parsed(plain + table + "adapter.trigger_threshold = 2\n")).empty());
}

TEST_CASE("service levels that adapters do not take over are not looked at") {
  CHECK(remarks(parsed(plain + table +
                       "adapter.sl3.ccti_increase = 0\n"
                       "adapter.control_map = 0-2,4-15\n"))
            .empty());
}
