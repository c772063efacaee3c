#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "congestion/injection_delay.h"
#include "congestion/profiles.h"
#include "congestion/remarks.h"
#include "tests/congestion/parameter_testing.h"
#include "tests/temporary_file.h"

using namespace pssp;
using namespace pssp::test;
using Catch::Matchers::Contains;

namespace {

/// Table 3.6 and table 5.1 of the thesis, which differ only in CCTI_Timer.
void check_thesis_table(const CongestionParameters& set, double ccti_timer_us) {
  CHECK(set.switches.threshold == 2);
  CHECK(set.switches.marking_rate == 1);
  CHECK(set.switches.packet_size == 1);
  CHECK(set.table.ccti_limit() == 128);
  CHECK(set.adapters.control_map == 0xffff);
  for (const AdapterSlParameters& sl : set.adapters.sl) {
    CHECK(sl.ccti_min == 0);
    CHECK(sl.ccti_increase == 1);
    CHECK(std::abs(sl.ccti_timer * 1.024 - ccti_timer_us) <= 0.512);
  }
  // Section 2.3.2: the mask is set for ports that lead to hosts.
  CHECK(set.switches.victim_mask == PortSelection{true, false, {}});
  CHECK(set.switches.control_map == (1U | 4U | 16U));
  // Section 2.3.2: the lowest delay is in entry 0, the highest in the last entry.
  CHECK(delay_in_packets(set.table.entries.front()) == 0);
  CHECK(share_of_link(delay_in_packets(set.table.entries.back())) == Approx(1 / 50.0));
  CHECK(remarks(set).empty());
}

}  // namespace

TEST_CASE(
    "the profiles are the tables of the thesis and a profile that turns congestion control off") {
  REQUIRE(congestion_profiles().size() == 3);
  check_thesis_table(load_congestion_parameters("thesis-mesh"), 250);
  check_thesis_table(load_congestion_parameters("thesis-start"), 20);
  const CongestionParameters off = load_congestion_parameters("off");
  CongestionParameters expected;
  expected.switches.control_map = 0x1f;
  expected.adapters.control_map = 0xffff;
  CHECK(off == expected);
  CHECK(remarks(off).empty());
}

TEST_CASE("a name that is not a profile is read as a file") {
  const TemporaryFile file("switch.threshold = 7\n");
  CHECK(load_congestion_parameters(file.path()).switches.threshold == 7);
  CHECK(error_of([] { load_congestion_parameters("thesis-mush"); }) ==
        "3: 'thesis-mush' is neither a profile nor a file; profiles are thesis-mesh, thesis-start, "
        "off");
  CHECK_THAT(error_of([] { load_congestion_parameters(""); }), Contains("neither a profile"));
  CHECK_THAT(
      error_of([] { load_congestion_parameters(std::filesystem::temp_directory_path().string()); }),
      Contains("3: "));
}
