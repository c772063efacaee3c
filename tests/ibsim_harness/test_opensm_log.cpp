// The logs are generated line by line with time stamps of known differences.

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "ibsim_harness/opensm_log.h"

using namespace pssp;

namespace {

std::string line(const std::string& time, long microseconds, const std::string& text) {
  return fmt::format("Nov 22 {} {:06} [A0BB0740] {}\n", time, microseconds, text);
}

/// A line with a time stamp, and a box of asterisks below it.
std::string box(const std::string& time, long microseconds, const std::string& words) {
  return line(time, microseconds, "0x04 -> osm_report: ") + "\n****\n* " + words + " *\n****\n";
}

std::string sweep_log(const std::string& end) {
  return box("10:00:01", 100, "INITIATING HEAVY SWEEP") +
         box("10:00:01", 200, "HEAVY SWEEP COMPLETE") +
         box("10:00:01", 300, "PKEY setup completed") +
         box("10:00:01", 500, "SM LID ASSIGNMENT COMPLETE") +
         box("10:00:01", 800, "**** LID ASSIGNMENT COMPLETE") +
         line("10:00:01", 1200,
              "0x02 -> osm_ucast_mgr_process: pssp tables configured on all switches") +
         box("10:00:01", 1700, "SWITCHES CONFIGURED FOR UNICAST") +
         box("10:00:01", 2300, "SWITCHES CONFIGURED FOR MULTICAST") +
         box("10:00:01", 3000, "LINKS PORTS CONFIGURED - SET LINKS TO ARMED STATE") +
         box("10:00:01", 3800, end);
}

}  // namespace

TEST_CASE("the engine that routed is that of the last tables") {
  CHECK(used_engine("").empty());
  CHECK(
      used_engine(line("10:00:00", 0,
                       "0x02 -> osm_ucast_mgr_process: ftree tables configured on all switches") +
                  line("10:00:01", 0,
                       "0x02 -> osm_ucast_mgr_process: minhop tables configured on all switches") +
                  "more\n") == "minhop");
}

TEST_CASE("node names that imitate log lines have no effect") {
  for (const char* const name :
       {"fake tables configured on all switches", "SUBNET UP", "* SUBNET UP *",
        "x 0x02 -> osm_ucast_mgr_process: fake tables configured on all switches",
        "x 0x01 -> f: ERR 1: invented", "* INITIATING HEAVY SWEEP *"}) {
    INFO(name);
    const std::string log =
        line("10:00:00", 0,
             "0x02 -> osm_ucast_mgr_process: minhop tables configured on all switches") +
        line("10:00:01", 0, fmt::format("0x08 -> osm_spst_rcv_process: New node {}", name)) +
        line("10:00:02", 0, fmt::format("0x02 -> osmpssp: switch \"{}\" has no links", name));
    CHECK(used_engine(log) == "minhop");
    CHECK_FALSE(subnet_is_up(log));
    CHECK(logged_errors(log).empty());
    CHECK(plugin_lines(log).size() == 1);
    SweepCounts counts;
    counts.read(log);
    CHECK(counts.begun + counts.ended == 0);
  }
  CHECK(subnet_is_up(line("10:00:03", 0, "0x80 -> SUBNET UP")));
  CHECK(subnet_is_up(box("10:00:03", 0, "SUBNET UP")));
}

TEST_CASE(
    "the duration of the last routing phase is read in tenths of a millisecond, past midnight "
    "too") {
  CHECK(routing_milliseconds(
            line("10:00:00", 999900, "0x04 -> ucast_mgr_route: building routing with 'pssp'") +
            line("10:00:01", 350, "0x02 -> x: pssp tables configured on all switches")) == 0.5);
  CHECK(routing_milliseconds(
            line("23:59:59", 999000, "0x04 -> x: building routing with 'pssp'") +
            line("00:00:00", 1000, "0x02 -> x: pssp tables configured on all switches")) == 2.0);
}

TEST_CASE("errors before the first tables are reported once, at most the last eight") {
  std::string log;
  for (int i = 0; i < 10; ++i) {
    log += line("10:00:00", 0, fmt::format("0x01 -> f: ERR {}", i));
    log += line("10:00:00", 0, fmt::format("0x01 -> f: ERR {}", i));
  }
  log += line("10:00:00", 0, "0x02 -> no error");
  log += line("10:00:00", 0, "0x02 -> x: minhop tables configured on all switches");
  log += line("10:00:00", 0, "0x01 -> f: ERR later");
  const std::vector<std::string> errors = logged_errors(log);
  REQUIRE(errors.size() == 8);
  CHECK(errors.front() == "f: ERR 2");
  CHECK(errors.back() == "f: ERR 9");
}

TEST_CASE("lines of the plugin are extracted from the log and made printable") {
  const std::string log =
      line("10:00:00", 0, "0x02 -> osmpssp: best: tables of \x1b[31mheal") +
      line("10:00:00", 1, "0x04 -> osmpssp: tried cassp") +
      line("10:00:00", 2, "0x02 -> osm_ucast_mgr_process: osmpssp tables configured") +
      line("10:00:00", 3, "0x02 -> osmpssp: 116 switches");
  CHECK(plugin_lines(log) == std::vector<std::string>{"best: tables of  [31mheal", "116 switches"});
  CHECK(plugin_lines("").empty());
}

TEST_CASE("a plugin that opensm did not load is detected, with the reason") {
  CHECK_FALSE(
      plugin_refusal(line("10:00:00", 0, "0x01 -> osmpssp: ERR 7A11: option nonsense=1: unknown")));
  CHECK(plugin_refusal(line("10:00:00", 0,
                            "0x01 -> osm_epi_construct: Error loading plugin 'osmpssp': version") +
                       line("10:00:00", 0, "0x01 -> ERR 1000: cannot load plugin 'osmpssp'")) ==
        "osm_epi_construct: Error loading plugin 'osmpssp': version");
}

TEST_CASE("the lane count is read from the log of an engine that reports it") {
  const std::string log = line("10:00:00", 0, "0x02 -> f: Virtual Lanes needed: 3") +
                          line("10:00:00", 0, "0x02 -> f: Nue maximum #VLs = 4") +
                          line("10:00:00", 0, "0x02 -> lash_core: Lanes needed: 7, Balancing");
  CHECK(lanes_needed(log, "", "lash") == 7u);
  CHECK(lanes_needed("", log, "dfsssp") == 3u);
  CHECK(lanes_needed(log, "", "nue") == 4u);
  CHECK(lanes_needed("x using nue_max_num_vls 1\n", "", "nue") == 1u);
  CHECK_FALSE(lanes_needed(log, "", "minhop"));
}

TEST_CASE("phases of a sweep are the times between their log lines") {
  const std::string log =
      line("10:00:00", 900100, "0x07 -> OpenSM 3.3.23") + sweep_log("SUBNET UP");
  const std::vector<Sweep> sweeps = completed_sweeps(log);
  REQUIRE(sweeps.size() == 1);
  CHECK(sweeps[0].engine == "pssp");
  CHECK(sweeps[0].microseconds == std::array<std::int64_t, sweep_phases>{100000, 100, 100, 200, 300,
                                                                         400, 500, 600, 700, 800});
  // Only the first sweep has a binding phase.
  const std::vector<Sweep> two = completed_sweeps(log + sweep_log("SUBNET UP"));
  REQUIRE(two.size() == 2);
  CHECK(two[1].microseconds[0] == 0);
  CHECK(completed_sweeps(sweep_log("ERRORS DURING INITIALIZATION")).empty());
}

TEST_CASE("a restarted sweep counts from its first start") {
  const std::string log = box("10:00:00", 999000, "INITIATING HEAVY SWEEP") +
                          box("10:00:00", 999500, "HEAVY SWEEP COMPLETE") + sweep_log("SUBNET UP");
  const std::vector<Sweep> sweeps = completed_sweeps(log);
  REQUIRE(sweeps.size() == 1);
  CHECK(sweeps[0].microseconds[1] == 1200);
}

TEST_CASE("sweep counts are updated while a log grows") {
  SweepCounts counts;
  counts.read(box("10:00:00", 0, "INITIATING HEAVY SWEEP"));
  CHECK(counts.begun == 1);
  CHECK(counts.busy);
  counts.read(box("10:00:00", 0, "SUBNET UP"));
  CHECK(counts.ended == 1);
  CHECK_FALSE(counts.busy);
}
