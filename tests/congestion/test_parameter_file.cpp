#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "congestion/injection_delay.h"
#include "congestion/parameter_text.h"
#include "congestion/profiles.h"
#include "tests/congestion/parameter_testing.h"
#include "tests/temporary_file.h"

using namespace pssp;
using namespace pssp::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// A setting with a numeric value, and the field that holds the value.
struct NumberField {
  std::string name;
  std::uint32_t largest;
  std::uint32_t (*in)(const CongestionParameters&);
};

const std::vector<NumberField> number_fields{
    {"switch.threshold", 15,
     [](const CongestionParameters& set) -> std::uint32_t { return set.switches.threshold; }},
    {"switch.packet_size", 255,
     [](const CongestionParameters& set) -> std::uint32_t { return set.switches.packet_size; }},
    {"switch.credit_starvation_threshold", 15,
     [](const CongestionParameters& set) -> std::uint32_t {
       return set.switches.credit_starvation_threshold;
     }},
    {"switch.marking_rate", 65535,
     [](const CongestionParameters& set) -> std::uint32_t { return set.switches.marking_rate; }},
    {"adapter.ccti_timer", 65535,
     [](const CongestionParameters& set) -> std::uint32_t {
       return set.adapters.sl[15].ccti_timer;
     }},
    {"adapter.ccti_increase", 255,
     [](const CongestionParameters& set) -> std::uint32_t {
       return set.adapters.sl[0].ccti_increase;
     }},
    {"adapter.trigger_threshold", 255,
     [](const CongestionParameters& set) -> std::uint32_t {
       return set.adapters.sl[7].trigger_threshold;
     }},
    {"adapter.sl5.ccti_timer", 65535,
     [](const CongestionParameters& set) -> std::uint32_t {
       return set.adapters.sl[5].ccti_timer;
     }},
    {"adapter.sl15.ccti_increase", 255,
     [](const CongestionParameters& set) -> std::uint32_t {
       return set.adapters.sl[15].ccti_increase;
     }},
};

CongestionParameters with(const std::string& name, const std::string& value) {
  return parsed(name + " = " + value + "\n");
}

CongestionParameters random_set(std::mt19937& random) {
  const auto below = [&random](std::uint32_t n) {
    return static_cast<std::uint32_t>(random() % n);
  };
  const auto ports = [&] {
    PortSelection selection;
    selection.host_facing = below(2) == 0;
    selection.switch_facing = below(2) == 0;
    for (std::uint32_t i = below(20); i != 0; --i) selection.ports.set(below(255));
    return selection;
  };
  const auto entry = [&] {
    return CctEntry{static_cast<std::uint8_t>(below(4)), static_cast<std::uint16_t>(below(16384))};
  };
  CongestionParameters set;
  set.switches = {below(32),
                  ports(),
                  ports(),
                  static_cast<std::uint8_t>(below(16)),
                  static_cast<std::uint8_t>(below(256)),
                  static_cast<std::uint8_t>(below(16)),
                  entry(),
                  static_cast<std::uint16_t>(below(65536))};
  set.adapters.port_control = CongestionScope{static_cast<std::uint16_t>(below(2))};
  set.adapters.control_map = static_cast<std::uint16_t>(below(65536));
  set.table.mtu = 256U << below(5);
  set.table.link_rate = *parse_link_rate(below(2) == 0 ? "4xHDR" : "12xQDR");
  const unsigned has_capacity = below(2);
  set.table.capacity_blocks = static_cast<std::uint8_t>(has_capacity * (6 + below(250)));
  set.table.entries.resize(1 + below(300));
  for (CctEntry& each : set.table.entries) each = entry();
  std::sort(set.table.entries.begin(), set.table.entries.end(),
            [](CctEntry a, CctEntry b) { return delay_in_eighths(a) < delay_in_eighths(b); });
  const bool same_levels = below(3) == 0;
  for (AdapterSlParameters& sl : set.adapters.sl) {
    const std::uint32_t most = std::min<std::uint32_t>(255, set.table.ccti_limit());
    sl = {static_cast<std::uint16_t>(below(65536)), static_cast<std::uint8_t>(below(256)),
          static_cast<std::uint8_t>(below(256)), static_cast<std::uint8_t>(below(most + 1))};
    if (same_levels) sl = set.adapters.sl[0];
  }
  return set;
}

/// A file that uses every type of setting.
const std::string rich_file = R"(# everything
switch.control_map = all
switch.victim_mask = host, 0, 3-5   # and some by number
switch.credit_mask = 0xF0
switch.threshold = 0xF
switch.packet_size = 128B
switch.credit_starvation_threshold = 3
switch.credit_starvation_return_delay = 2:100
switch.marking_rate = 10

adapter.port_control = sl
adapter.control_map = 0-3,8
adapter.ccti_timer = 250us
adapter.ccti_increase = 2
adapter.trigger_threshold = 100
adapter.ccti_min = 1
adapter.sl3.ccti_timer = 1.5ms
adapter.sl3.ccti_increase = 4

table.mtu = 4096
table.link_rate = 4xHDR
table.capacity = 2
table.ccti_limit = 127
table.law = exponential
table.flows = 64
)";

}  // namespace

TEST_CASE("every numeric field accepts its full range and nothing beyond it") {
  for (const NumberField& field : number_fields) {
    INFO(field.name);
    CHECK(field.in(with(field.name, "0")) == 0);
    CHECK(field.in(with(field.name, std::to_string(field.largest))) == field.largest);
    CHECK(field.in(with(field.name, "0x1")) == 1);
    for (const std::string& bad :
         {std::to_string(field.largest + 1), std::string("-1"), std::string("1.5"),
          std::string("1e1"), std::string("99999999999999999999999"), std::string("0x"),
          std::string("one"), std::string("1 1"), std::string("4294967296")}) {
      INFO(bad);
      const std::string message = refusal("\n" + field.name + " = " + bad);
      CHECK_THAT(message, StartsWith("3: f.cc:2: " + field.name + ": '" + bad + "' "));
      CHECK_THAT(message, Contains("0 .. " + std::to_string(field.largest)));
    }
  }
}

TEST_CASE("ccti_min may be at most CCTI_Limit and at most 255") {
  CHECK(
      parsed("adapter.ccti_min = 255\ntable.ccti_limit = 255\ntable.law = linear\ntable.flows = 2")
          .adapters.sl[4]
          .ccti_min == 255);
  CHECK_THAT(
      refusal(
          "adapter.ccti_min = 256\ntable.ccti_limit = 300\ntable.law = linear\ntable.flows = 2"),
      StartsWith("3: f.cc:1: adapter.ccti_min: '256' is not allowed here; expected a whole number, "
                 "0 .. 255"));
  CHECK(refusal("table.block.0 = 0:0,0:1\nadapter.ccti_min = 2") ==
        "3: f.cc:2: adapter.ccti_min: 2 exceeds CCTI_Limit; expected 0 .. 1 (table.ccti_limit)");
  CHECK(refusal("table.block.0 = 0:0,0:1\nadapter.ccti_min = 1\nadapter.sl9.ccti_min = 3") ==
        "3: f.cc:3: adapter.sl9.ccti_min: 3 exceeds CCTI_Limit; expected 0 .. 1 "
        "(table.ccti_limit)");
}

TEST_CASE("CCTI_Timer is a number of units of 1.024 us or a time that is rounded to units") {
  const auto units = [](const std::string& value) {
    return with("adapter.ccti_timer", value).adapters.sl[0].ccti_timer;
  };
  CHECK(units("250") == 250);
  CHECK(units("250us") == 244);  // 244 * 1.024 = 249.856, 245 * 1.024 = 250.88
  CHECK(units("256us") == 250);  // exact
  CHECK(units("20 us") == 20);   // 20.48 against 19.456
  CHECK(units("1ms") == 977);    // 1000 / 1.024 = 976.56
  CHECK(units("512ns") == 1);    // half a unit
  CHECK(units("0us") == 0);
  CHECK(units("0.5ms") == 488);  // 488.28
  CHECK(units("67.107ms") == 65534);
  CHECK(units("67107.84us") == 65535);
  for (const char* const bad : {"67.2ms", "100ns", "us", "1s", "-1us", "1..5us", ".us", "infus",
                                "nanus", "1e3us", "65536", "250 uss"}) {
    INFO(bad);
    CHECK_THAT(refusal(std::string("adapter.ccti_timer = ") + bad),
               Contains("expected a time up to 67107.840us such as 250us"));
  }
  CHECK_THAT(congestion_parameters_text(with("adapter.ccti_timer", "250us")),
             Contains("adapter.ccti_timer = 244  # 249.856us\n"));
}

TEST_CASE("Packet_Size is a number of 64-byte units or a multiple of 64 bytes") {
  const auto units = [](const std::string& value) {
    return with("switch.packet_size", value).switches.packet_size;
  };
  CHECK(units("64B") == 1);
  CHECK(units("2048B") == 32);
  CHECK(units("16320B") == 255);
  CHECK(units("0B") == 0);
  for (const char* const bad : {"65B", "16384B", "B", "64b", "-64B"}) {
    INFO(bad);
    CHECK_THAT(refusal(std::string("switch.packet_size = ") + bad), Contains("0 .. 255"));
  }
}

TEST_CASE("ports are given by role, by number or as a mask") {
  const auto ports = [](const std::string& value) {
    return with("switch.victim_mask", value).switches.victim_mask;
  };
  const auto numbers = [&](const std::string& value) {
    const PortSelection selection = ports(value);
    CHECK(selection.is_uniform());
    std::set<std::size_t> found;
    for (std::size_t port = 0; port < 256; ++port) {
      if (selection.ports.test(port)) found.insert(port);
    }
    return found;
  };
  using Numbers = std::set<std::size_t>;
  CHECK(numbers("none").empty());
  CHECK(numbers("0x0").empty());
  CHECK(numbers("port0") == Numbers{0});
  CHECK(numbers("1-3, 7 254") == Numbers{1, 2, 3, 7, 254});
  CHECK(numbers("0x1E") == Numbers{1, 2, 3, 4});
  CHECK(numbers("0x8000000000000001") == Numbers{0, 63});
  CHECK(numbers("0x4" + std::string(63, '0')) == Numbers{254});
  CHECK(numbers("all").size() == 255);
  CHECK(numbers("all").count(255) == 0);
  CHECK(numbers("0x7" + std::string(63, 'F')) == numbers("all"));
  CHECK(ports("host").host_facing);
  CHECK_FALSE(ports("host").switch_facing);
  CHECK(ports("switch,host,port0").switch_facing);
  CHECK(ports("switch,host,port0").ports == PortMask(1));
  for (const std::string& bad :
       {std::string("255"), std::string("0-255"), std::string("5-3"), std::string("1-"),
        std::string("-1"), std::string("hosts"), std::string("all,1"), std::string(","),
        std::string("0x"), std::string("0xG"), "0x8" + std::string(63, '0'),
        "0x1" + std::string(64, '0')}) {
    INFO(bad);
    CHECK_THAT(refusal("switch.credit_mask = " + bad),
               Contains("f.cc:1: switch.credit_mask: ") && Contains("expected ports 0 .. 254"));
  }
}

TEST_CASE("a table entry is shift:multiplier, packet times or a time") {
  const auto entry = [](const std::string& value) {
    return parsed("table.mtu = 2048\ntable.link_rate = 4xSDR\ntable.block.0 = " + value + "\n")
        .table.entries.at(0);
  };
  CHECK(entry("3:16383") == CctEntry{3, 16383});
  CHECK(entry("2:8") == CctEntry{2, 8});  // kept as written, not reduced to 0:2
  CHECK(entry("0x1:0x10") == CctEntry{1, 16});
  CHECK(entry("2") == CctEntry{0, 2});
  CHECK(entry("0.375") == CctEntry{3, 3});
  CHECK(entry("0.3751") == CctEntry{3, 3});
  CHECK(entry("16383") == CctEntry{0, 16383});
  CHECK(entry("2074ns") == CctEntry{0, 1});
  CHECK(entry("1.037us") == CctEntry{1, 1});
  for (const char* const bad :
       {"4:0", "0:16384", ":", "1:", ":1", "1:2:3", "16384", "-1", "nan", "40ms", "1e3", "0:1.5"}) {
    INFO(bad);
    CHECK_THAT(refusal(std::string("table.block.0 = ") + bad),
               StartsWith("3: f.cc:1: table.block.0: "));
  }
}

TEST_CASE("control maps that the file does not set cover the parameters that it sets") {
  CHECK(parsed("switch.victim_mask = host").switches.control_map == 0x1);
  CHECK(parsed("switch.credit_mask = 1").switches.control_map == 0x2);
  CHECK(parsed("switch.threshold = 1").switches.control_map == 0x4);
  CHECK(parsed("switch.packet_size = 1").switches.control_map == 0x4);
  CHECK(parsed("switch.credit_starvation_threshold = 1").switches.control_map == 0x8);
  CHECK(parsed("switch.credit_starvation_return_delay = 0:1").switches.control_map == 0x8);
  CHECK(parsed("switch.marking_rate = 1").switches.control_map == 0x10);
  CHECK(parsed("switch.marking_rate = 1\nswitch.control_map = 0x2").switches.control_map == 0x2);
  CHECK(parsed("switch.control_map = threshold, marking_rate").switches.control_map == 0x14);
  CHECK(parsed("adapter.ccti_timer = 1").switches.control_map == 0);
  CHECK(parsed("adapter.ccti_timer = 1").adapters.control_map == 0xffff);
  CHECK(parsed("adapter.sl2.ccti_timer = 1\nadapter.sl15.ccti_increase = 1").adapters.control_map ==
        0x8004);
  CHECK(parsed("adapter.control_map = none\nadapter.ccti_timer = 1").adapters.control_map == 0);
  CHECK(parsed("adapter.port_control = sl").adapters.control_map == 0);
}

TEST_CASE("a value for one service level overrides the common value in any order") {
  for (const char* const text : {"adapter.ccti_timer = 5\nadapter.sl3.ccti_timer = 7\n",
                                 "adapter.sl3.ccti_timer = 7\nadapter.ccti_timer = 5\n"}) {
    const CongestionParameters set = parsed(text);
    for (std::size_t sl = 0; sl < 16; ++sl) {
      CHECK(set.adapters.sl[sl].ccti_timer == (sl == 3 ? 7 : 5));
    }
  }
}

TEST_CASE("errors in a parameter file name the parameter and the line") {
  CHECK_THAT(refusal("# x\n\nswitch.treshold = 2\n"),
             StartsWith("3: f.cc:3: switch.treshold: unknown parameter; expected ") &&
                 Contains("switch.threshold"));
  CHECK_THAT(refusal("adapter.sl16.ccti_timer = 2"), Contains("expected sl0 .. sl15"));
  CHECK_THAT(refusal("adapter.sl.ccti_timer = 2"), Contains("expected sl0 .. sl15"));
  CHECK_THAT(refusal("adapter.sl1ccti_timer = 2"), Contains("expected sl0 .. sl15"));
  CHECK_THAT(refusal("threshold = 2"), Contains("unknown parameter"));
  CHECK(refusal("switch.threshold = 2\nswitch.threshold = 2\n") ==
        "3: f.cc:2: 'switch.threshold' is already set in line 1; set it only once");
  CHECK_THAT(refusal("adapter.sl3.ccti_timer = 2\nadapter.sl03.ccti_timer = 2"),
             Contains("f.cc:2: adapter.sl03.ccti_timer: it is set twice for service level 3"));
  CHECK_THAT(refusal("table.block.0 = 0\ntable.block.00 = 0"),
             Contains("f.cc:2: ") && Contains("twice"));
  CHECK_THAT(refusal("switch.threshold 2\n"),
             StartsWith("3: f.cc:1: 'switch.threshold 2' has no '='"));
  CHECK_THAT(refusal("switch.threshold =   # nothing\n"), Contains("has no value"));
  CHECK_THAT(refusal("= 5\n"), Contains("has no name"));
  CHECK_THAT(refusal(""), StartsWith("3: f.cc: no settings found"));
  CHECK_THAT(refusal("# only a comment\n"), StartsWith("3: f.cc: no settings found"));
  CHECK_THAT(refusal("adapter.port_control = 2"), Contains("qp (or 0)"));
  CHECK_THAT(refusal("switch.control_map = threshold,foo"), Contains("'foo' is not allowed here"));
  CHECK_THAT(refusal("switch.control_map = 0x20"), Contains("0 .. 31"));
  CHECK_THAT(refusal("adapter.control_map = 16"), Contains("service levels 0 .. 15"));
  CHECK_THAT(refusal("table.mtu = 1500"), Contains("256, 512, 1024, 2048 or 4096"));
  CHECK_THAT(refusal("table.link_rate = 4xFOO"), Contains("such as 4xQDR"));
  CHECK_THAT(refusal("table.capacity = 256"), Contains("0 .. 255"));
}

TEST_CASE("a table has exactly one source, which must fit its limit and capacity") {
  CHECK_THAT(refusal("table.law = linear\ntable.flows = 5"),
             StartsWith("3: f.cc:1: table.law needs table.ccti_limit, 1 .. 16319"));
  CHECK_THAT(refusal("table.law = linear\ntable.ccti_limit = 5"),
             StartsWith("3: f.cc:1: table.law: the law of a table needs its largest delay"));
  CHECK_THAT(refusal("table.law = linear\ntable.ccti_limit = 5\ntable.flows = 5\n"
                     "table.largest_delay = 1us"),
             Contains("either as a number of flows or as a time"));
  CHECK_THAT(refusal("table.law = cubic"), Contains("linear or exponential"));
  CHECK_THAT(refusal("table.flows = 5"), StartsWith("3: f.cc:1: table.flows requires table.law"));
  CHECK_THAT(refusal("table.largest_delay = 5us"), Contains("requires table.law"));
  for (const char* const bad : {"1", "0", "16385"}) {
    CHECK_THAT(refusal(std::string("table.flows = ") + bad), Contains("2 .. 16384"));
  }
  CHECK_THAT(refusal("table.ccti_limit = 16320"), Contains("0 .. 16319"));
  CHECK_THAT(
      refusal("table.law = linear\ntable.ccti_limit = 5\ntable.flows = 5\ntable.block.0 = 0"),
      Contains("more than one source"));
  CHECK_THAT(
      refusal("table.ccti_limit = 3\ntable.block.0 = 0,1,2"),
      StartsWith("3: f.cc:1: table.ccti_limit is 3, which needs 4 entries, but the table has 3"));
  CHECK_THAT(refusal("table.ccti_limit = 3"), Contains("the table has 1"));
  CHECK(parsed("table.ccti_limit = 2\ntable.block.0 = 0,1,2").table.ccti_limit() == 2);
  CHECK_THAT(
      refusal("table.capacity = 1\ntable.law = linear\ntable.ccti_limit = 64\ntable.flows = 5"),
      StartsWith("3: f.cc:1: table.capacity: the table has 65 entries (CCTI_Limit 64), more "
                 "than the 64 of 1 blocks of 64; expected a CCTI_Limit up to 63"));
  CHECK(parsed("table.capacity = 1\ntable.law = linear\ntable.ccti_limit = 63\ntable.flows = 5")
            .table.blocks() == 1);
  CHECK_THAT(refusal("table.block.1 = 0"), Contains("found 0 entries before it instead of 64"));
  CHECK_THAT(refusal("table.block.0 = 0\ntable.block.1 = 0"),
             StartsWith("3: f.cc:2: ") && Contains("found 1 entries before it instead of 64"));
  CHECK_THAT(refusal("table.block.0 = ,"), Contains("0 entries; expected 1 .. 64"));
  std::string many;
  for (int i = 0; i < 65; ++i) many += "0,";
  CHECK_THAT(refusal("table.block.0 = " + many), Contains("65 entries; expected 1 .. 64"));
  CHECK_THAT(refusal("table.block.255 = 0"), Contains("0 .. 254"));
}

TEST_CASE("a table with decreasing delays is refused at the first decrease") {
  CHECK(
      refusal("switch.threshold = 1\ntable.block.0 = 0:0,0:5,1:9,3:36\n") ==
      "3: f.cc:2: entry 2 of the table is 1:9, a delay of 4.5 packet times, less than the 5 of the "
      "entry before it (0:5); delays must not fall");
  std::string full = "table.block.0 = ";
  for (int i = 0; i < 64; ++i) full += std::to_string(i) + ",";
  CHECK_THAT(refusal(full + "\n\ntable.block.1 = 62\n"),
             StartsWith("3: f.cc:3: entry 64 of the table is 0:62"));
  CHECK(parsed(full + "\ntable.block.1 = 63\n").table.ccti_limit() == 64);
}

TEST_CASE("a table may come from a file of values") {
  const TemporaryFile values("# delays\n0 0.5, 1:3\n\n20us  # a time\n0:2000\n");
  const CongestionParameters set =
      parsed("table.mtu = 2048\ntable.link_rate = 4xSDR\ntable.values = " + values.path());
  // 20 us are 9.643 packet times of 2074 ns; the nearest eighth is 9.625.
  CHECK(set.table.entries == std::vector<CctEntry>{{0, 0}, {1, 1}, {1, 3}, {3, 77}, {0, 2000}});
  CHECK_FALSE(set.table.origin);

  const TemporaryFile falling("0:0\n0:3\n\n0:2\n");
  CHECK_THAT(refusal("table.values = " + falling.path()),
             StartsWith("3: " + falling.path() + ":4: entry 2 of the table is 0:2"));
  const TemporaryFile garbage("0:0\nhello\n");
  CHECK_THAT(refusal("table.values = " + garbage.path()),
             StartsWith("3: " + garbage.path() + ":2: 'hello' "));
  const TemporaryFile empty("# nothing\n");
  CHECK_THAT(refusal("\ntable.values = " + empty.path()),
             StartsWith("3: f.cc:2: table.values: ") && Contains("has no values"));
  CHECK_THAT(refusal("\ntable.values = /does/not/exist"),
             StartsWith("3: f.cc:2: table.values: ") && Contains("/does/not/exist"));
  CHECK_THAT(refusal("table.values = -"), Contains("expected the path of a file"));
  std::string long_table;
  for (int i = 0; i < 16321; ++i) long_table += "1\n";
  const TemporaryFile too_long(long_table);
  CHECK_THAT(refusal("table.values = " + too_long.path()),
             StartsWith("3: " + too_long.path() + ":16321: ") &&
                 Contains("expected at most 16320 entries"));
}

TEST_CASE("the path of a file of values is relative to the parameter file") {
  const TemporaryFile values("0\n7\n");
  const std::filesystem::path path(values.path());
  const TemporaryFile set("table.values = " + path.filename().string() + "\n");
  CHECK(read_congestion_parameters(set.path()).table.entries.back() == CctEntry{0, 7});
}

TEST_CASE("a printed parameter set is read back as the same set") {
  for (const CongestionProfile& profile : congestion_profiles()) {
    const CongestionParameters set = load_congestion_parameters(profile.name);
    CHECK(parsed(congestion_parameters_text(set)) == set);
  }
  const CongestionParameters rich = parsed(rich_file);
  CHECK(parsed(congestion_parameters_text(rich)) == rich);
  CHECK(parsed(congestion_parameters_text(CongestionParameters())) == CongestionParameters());
  std::mt19937 random(11);
  for (int i = 0; i < 300; ++i) {
    const CongestionParameters set = random_set(random);
    check(set);
    const std::string text = congestion_parameters_text(set);
    INFO(text);
    REQUIRE(parsed(text) == set);
    REQUIRE(congestion_parameters_text(parsed(text)) == text);
  }
}

TEST_CASE("the longest table can be printed and read within the size limits of a file") {
  CongestionParameters set;
  set.table.entries.assign(16320, CctEntry{3, 16383});
  const TemporaryFile file(congestion_parameters_text(set));
  CHECK(read_congestion_parameters(file.path()) == set);
}

TEST_CASE("a file with every type of setting gives the expected parameters") {
  const CongestionParameters set = parsed(rich_file);
  CHECK(set.switches.control_map == 0x1f);
  CHECK(set.switches.victim_mask.host_facing);
  CHECK(set.switches.victim_mask.ports == PortMask(0b111001));
  CHECK(set.switches.credit_mask.ports == PortMask(0xf0));
  CHECK(set.switches.threshold == 15);
  CHECK(set.switches.packet_size == 2);
  CHECK(set.switches.credit_starvation_threshold == 3);
  CHECK(set.switches.credit_starvation_return_delay == CctEntry{2, 100});
  CHECK(set.switches.marking_rate == 10);
  CHECK(set.adapters.port_control == CongestionScope::service_level);
  CHECK(set.adapters.control_map == 0x10f);
  CHECK(set.adapters.sl[0] == AdapterSlParameters{244, 2, 100, 1});
  CHECK(set.adapters.sl[3] == AdapterSlParameters{1465, 4, 100, 1});
  CHECK(set.table.ccti_limit() == 127);
  CHECK(delay_in_packets(set.table.entries.back()) == 63);
}

TEST_CASE("a parameter file may have any line endings, blanks and comments") {
  const CongestionParameters set =
      parsed("\xEF\xBB\xBF  switch.threshold=3 \r\n\t# comment\r\n\r\nswitch.marking_rate\t=\t7#x");
  CHECK(set.switches.threshold == 3);
  CHECK(set.switches.marking_rate == 7);
}

TEST_CASE("missing, oversized and binary parameter files are refused") {
  CHECK_THAT(error_of([] { read_congestion_parameters("/does/not/exist"); }), StartsWith("3: "));
  const TemporaryFile large("# " + std::string(std::size_t{1} << 20, 'x') + "\n");
  CHECK_THAT(error_of([&] { read_congestion_parameters(large.path()); }), StartsWith("3: "));
  CHECK_THAT(refusal(std::string("switch.threshold = 1\0\n", 22)),
             StartsWith("3: f.cc:1: NUL byte"));
  CHECK_THAT(refusal("switch.threshold = " + std::string(70000, '1')), StartsWith("3: f.cc:1: "));
}

TEST_CASE("a parameter file that is truncated anywhere is read or refused with an error") {
  for (std::size_t length = 0; length < rich_file.size(); ++length) {
    try {
      check(parsed(rich_file.substr(0, length)));
    } catch (const Error& error) {
      REQUIRE(error.kind() == ErrorKind::unreadable_input);
    }
  }
}

TEST_CASE("a corrupted parameter file is read or refused with an error") {
  constexpr std::string_view spiteful = "=#.,:-0x9sl \n\t\xFFmnu";
  const std::string printed = congestion_parameters_text(load_congestion_parameters("thesis-mesh"));
  for (unsigned seed = 0; seed < 4000; ++seed) {
    std::mt19937 random(seed);
    std::string text = seed % 2 == 0 ? rich_file : printed;
    for (std::size_t edits = 1 + random() % 5; edits != 0; --edits) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0) {
        text.erase(at, 1 + random() % 30);
      } else if (random() % 2 == 0) {
        const std::size_t from = random() % text.size();
        text.insert(at, text.substr(from, 1 + random() % 30));
      } else {
        text[at] = spiteful[random() % spiteful.size()];
      }
      if (text.empty()) break;
    }
    try {
      check(parsed(text));
    } catch (const Error& error) {
      INFO(text);
      REQUIRE(error.kind() == ErrorKind::unreadable_input);
      REQUIRE_THAT(error.what(), StartsWith("f.cc:"));
    }
  }
}
