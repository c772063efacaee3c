#include <catch2/catch.hpp>
#include <string>

#include "congestion/remarks.h"
#include "tests/congestion/parameter_testing.h"

using namespace pssp;
using namespace pssp::test;
using Catch::Matchers::Contains;

namespace {

/// A parameter set without remarks, except that it needs a table.
const std::string plain =
    "switch.threshold = 2\nswitch.marking_rate = 1\nadapter.ccti_timer = 9\n"
    "adapter.ccti_increase = 1\ntable.mtu = 2048\n";
const std::string table = "table.block.0 = 0,1,2\n";

/// The only remark on the set. Fails the test if there are none or several.
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

TEST_CASE("an ordinary parameter set has no remarks") {
  CHECK(remarks(parsed(plain + table)).empty());
}

TEST_CASE("a packet size limit above the size of a full packet gives a remark") {
  // A full packet with MTU 2048 has only 2074 bytes: more than 32 units of 64 bytes, less than 33.
  CHECK(remarks(parsed(plain + table + "switch.packet_size = 32\n")).empty());
  CHECK_THAT(remark(plain + table + "switch.packet_size = 33\n"),
             Contains("below 2112 bytes") && Contains("has only 2074"));
  CHECK(remarks(parsed(replaced(plain, "threshold = 2", "threshold = 0") + table +
                       "switch.packet_size = 33\n"))
            .empty());
}

TEST_CASE("marking and reaction parameters that do not work together give remarks") {
  CHECK_THAT(remark(replaced(plain, "switch.marking_rate = 1\n", "") + table),
             Contains("switches keep their current rate"));
  CHECK_THAT(remark(plain + table + "adapter.sl3.ccti_increase = 0\n"),
             Contains("service levels 3: adapter.ccti_increase is 0"));
  CHECK_THAT(remark(replaced(plain, "timer = 9", "timer = 0") + table),
             Contains("service levels all: adapter.ccti_timer is 0"));
  CHECK_THAT(remark(plain), Contains("the table has no delay"));
  CHECK_THAT(remark(plain + "table.block.0 = 1,2\n"), Contains("entry 0 of the table has a delay"));
  CHECK_THAT(remark(plain + table + "adapter.sl4.ccti_min = 2\nadapter.sl5.ccti_min = 1\n"),
             Contains("service levels 4-5: adapter.ccti_min selects an entry with a delay"));
  CHECK_THAT(remark(plain + table + "adapter.trigger_threshold = 3\n"),
             Contains("no event is logged"));
  CHECK(remarks(parsed(plain + table + "adapter.trigger_threshold = 2\n")).empty());
}

TEST_CASE("service levels outside the adapters' control map give no remarks") {
  CHECK(remarks(parsed(plain + table +
                       "adapter.sl3.ccti_increase = 0\n"
                       "adapter.control_map = 0-2,4-15\n"))
            .empty());
}
