#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "simulator/traffic/traffic_file.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

/// A mesh of 3 x 3 switches with hosts H111, H112 .. H332.
const Fabric& traffic_fabric() {
  static const Fabric fabric = make_fabric("mesh 3x3 --hosts 2 --ports thesis --rate 4xSDR");
  return fabric;
}

std::string name_of(std::uint32_t rank) {
  return traffic_fabric().end_port(traffic_fabric().endpoints()[rank]).name;
}

TrafficFile parsed(const std::string& text, std::uint64_t seed = 1) {
  return parse_traffic(text, "t.traffic", traffic_fabric(), seed,
                       [](const std::filesystem::path& path, std::size_t) -> std::string {
                         if (path != "list.trace") {
                           throw Error(ErrorKind::unreadable_input, path.string() + ": none");
                         }
                         return "2us H111 H112 4KiB\n# later\n1us H112 \"H111\" 100 3\r\n";
                       });
}

std::vector<std::string> senders(const std::string& set) {
  const TrafficFile file =
      parsed("flow H332 -> H111\nflow H331 -> H111\nuniform " + set + " -> all\n");
  std::vector<std::string> names;
  for (const std::uint32_t rank : file.traffic.uniform.at(0).senders)
    names.push_back(name_of(rank));
  return names;
}

/// The error message for the text; "nothing" if it is accepted.
std::string complaint(const std::string& text) {
  try {
    parsed(text);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unreadable_input);
    return error.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("a traffic file may contain all documented types of statements") {
  const TrafficFile file = parsed(
      "\xEF\xBB\xBF"
      "duration 100ms ; sample 5ms ; warmup 0ms ; message 12 packets ; packet 2176B\r\n"
      "flow   H331 -> H221 start 0s               # static\r\n"
      "victim H212 -> lid 1 start 50ms label v\n"
      "\n"
      "uniform others -> all\n"
      "model marking every-nth\n"
      "model cct linear 14\n"
      "expect throughput 19.8GB/s within 8%\n"
      "expect share v 1 within 2%");
  CHECK(file.traffic.duration == 100 * picoseconds_per_millisecond);
  CHECK(file.traffic.sample == 5 * picoseconds_per_millisecond);
  CHECK(file.traffic.warmup == 0);
  CHECK(file.traffic.packet_bytes == 2176);
  REQUIRE(file.traffic.flows.size() == 2);
  CHECK(name_of(file.traffic.flows[0].hosts.source) == "H331");
  CHECK_FALSE(file.traffic.flows[0].victim);
  CHECK(file.traffic.flows[1].victim);
  CHECK(name_of(file.traffic.flows[1].hosts.destination) == "H111");
  CHECK(file.traffic.flows[1].start == 50 * picoseconds_per_millisecond);
  REQUIRE(file.traffic.uniform.size() == 1);
  CHECK(file.traffic.uniform[0].senders.size() == 16);
  CHECK(file.traffic.uniform[0].destinations.size() == 18);
  CHECK(file.traffic.uniform[0].message_packets == 12);
  REQUIRE(file.model.size() == 1);
  CHECK(file.model[0].name == "marking");
  REQUIRE(file.table);
  CHECK(file.table->flows == 14);
  REQUIRE(file.expectations.size() == 2);
  CHECK(file.expectations[0].value == Approx(19.8e9));
  CHECK(file.expectations[1].label == "v");
}

TEST_CASE("times that a traffic file does not set follow from the duration") {
  const Traffic traffic = parsed("flow H111 -> H112").traffic;
  CHECK(traffic.duration == 10 * picoseconds_per_millisecond);
  CHECK(traffic.warmup == 2 * picoseconds_per_millisecond);
  CHECK(traffic.sample == traffic.duration / 100);
  // Finite traffic has no steady state.
  CHECK(parsed("flow H111 -> H112 bytes 1MiB\npattern shift:1 bytes 1kB").traffic.warmup == 0);
  CHECK(parsed("trace list.trace").traffic.warmup == 0);
  CHECK(parsed("trace list.trace ; warmup 1ms").traffic.warmup == picoseconds_per_millisecond);
  CHECK(parsed("flow H111 -> H112 bytes 1MiB\nflow H112 -> H111").traffic.warmup != 0);
  CHECK(parsed("").traffic.warmup != 0);
}

TEST_CASE("a traffic file may request up to ten million samples") {
  CHECK(parsed("flow H111 -> H112\nduration 10ms\nsample 1ns").traffic.sample == 1000);
  CHECK_THROWS_WITH(parsed("flow H111 -> H112\nduration 10.000001ms\nsample 1ns"),
                    Catch::Contains("more than 10000000"));
}

TEST_CASE("a flow may start after the default end of the file if the run is longer") {
  constexpr SimulatedTime ms = picoseconds_per_millisecond;
  const auto start_of = [](const std::string& text, const TrafficTimes& instead) {
    return parse_traffic(text, "t.traffic", traffic_fabric(), 1, from_anywhere, instead)
        .traffic.flows.at(0)
        .start;
  };
  const std::string late = "flow H111 -> H112 start 50ms";
  CHECK(start_of(late, {.duration = 100 * ms, .warmup = {}, .sample = {}}) == 50 * ms);
  CHECK_THROWS_WITH(
      start_of(late, {.duration = 20 * ms, .warmup = {}, .sample = {}}),
      Catch::Contains("t.traffic:1: the traffic starts at 50ms, after the end at 20ms"));
  // A run that is shorter than its file accepts flows that start after the end of the run.
  CHECK(start_of(late + "\nduration 60ms", {.duration = 5 * ms, .warmup = {}, .sample = {}}) ==
        50 * ms);
}

TEST_CASE("a traffic file sets the options of flows") {
  const StaticFlow flow =
      parsed(
          "flow H111 -> H112 start 1us stop 2ms rate 25% arrivals poisson sl 3 bytes 1MiB on "
          "5us off 1us label \"a b\"")
          .traffic.flows.at(0);
  CHECK(flow.start == picoseconds_per_microsecond);
  CHECK(flow.stop == 2 * picoseconds_per_millisecond);
  CHECK(flow.rate == Approx(0.25));
  CHECK(flow.arrivals == Arrivals::poisson);
  CHECK(flow.level == 3);
  CHECK(flow.bytes == 1U << 20);
  CHECK(flow.on == 5 * picoseconds_per_microsecond);
  CHECK(flow.label == "a b");
  CHECK(parsed("flow H111 -> H112 rate 250MB/s").traffic.flows.at(0).rate == Approx(0.25));
  CHECK(parsed("model host-rate 4xDDR\nflow H111 -> H112 rate 500MB/s").traffic.flows.at(0).rate ==
        Approx(0.25));
  CHECK(parse_traffic("model host-rate 4xDDR\nflow H111 -> H112 rate 500MB/s", "t",
                      traffic_fabric(), 1, from_anywhere, {}, LinkRate{4, 8000})
            .traffic.flows.at(0)
            .rate == Approx(0.125));
  CHECK(parsed("flow {H1*, H222} -> H332").traffic.flows.size() == 7);
}

TEST_CASE("a traffic file selects sets of hosts") {
  CHECK(senders("H1*").size() == 6);
  CHECK(senders("{H111, \"H222\",H3?2}") ==
        std::vector<std::string>{"H111", "H222", "H312", "H322", "H332"});
  CHECK(senders("all").size() == 18);
  CHECK(senders("others").size() == 16);
  CHECK(senders("first 3 of others").size() == 3);
  CHECK(senders("others of {H331, H321}") == std::vector<std::string>{"H321"});
  CHECK(senders("random 5 seed 7") == senders("random 5 seed 7"));
  CHECK(senders("random 5 seed 7") != senders("random 5 seed 8"));
  // The order is by LID, not by rank.
  const Fabric& fabric = traffic_fabric();
  Lid largest = 0;
  for (const EndPortId id : fabric.endpoints())
    largest = std::max(largest, fabric.end_port(id).lid);
  const TrafficFile file = parsed("uniform last 1 -> all");
  CHECK(fabric.end_port(fabric.endpoints()[file.traffic.uniform[0].senders.at(0)]).lid == largest);
}

TEST_CASE("patterns and random selections of a traffic file depend only on the seed") {
  const auto rounds = [](const std::string& text, std::uint64_t seed) {
    return parsed(text, seed).traffic.rounds.at(0).rounds;
  };
  CHECK(rounds("pattern shift:1 bytes 1MiB", 1) == rounds("pattern shift:1 bytes 1MiB", 1));
  CHECK(rounds("pattern shift:1 bytes 1MiB", 1) != rounds("pattern shift:1 bytes 1MiB", 2));
  CHECK(rounds("pattern shift:1 bytes 1MiB order lid", 1) ==
        rounds("pattern shift:1 bytes 1MiB order lid", 2));
  CHECK(rounds("pattern shifts bytes 1MiB among H1*", 1).size() == 5);
  CHECK(rounds("pattern bisect bytes 64KiB", 3).at(0).size() == 9);
}

TEST_CASE("traces of a traffic file are sorted by time") {
  const std::vector<TracedMessage> trace = parsed("trace list.trace").traffic.trace;
  REQUIRE(trace.size() == 2);
  CHECK(trace[0].time == picoseconds_per_microsecond);
  CHECK(trace[0].level == 3);
  CHECK(trace[1].bytes == 4096);
}

TEST_CASE("errors in a traffic file name the file, the line and the allowed values") {
  struct Wrong {
    const char* text;
    const char* message;
  };
  const std::vector<Wrong> all{
      {"flow H111 -> H999", "t.traffic:1: 'H999' is not the name"},
      {"\nflow H9* -> H111", "t.traffic:2: 'H9*' matches the name or description of no host"},
      {"flow SW11 -> H111", "is not a host"},
      {"flow H111 -> H1*", "'H1*' is a set; expected one host"},
      {"flow H111 -> H111", "sends to itself"},
      {"flow H1* -> H111", "sends to itself"},
      {"flow H111 H112", "unexpected 'H112'; expected '->'"},
      {"flow H111 ->", "a host is missing after '->'"},
      {"flow H111 -> H112 start", "a time is missing"},
      {"flow H111 -> H112 speed 3", "expected: start, stop"},
      {"flow H111 -> H112 rate 110%", "a share from 0 to 1"},
      {"flow H111 -> H112 rate 2GB/s", "more than the rate of the link of H111"},
      {"flow H111 -> H112 rate 0", "a rate of 0"},
      {"flow H111 -> H112 bytes 0", "a size from 1B"},
      {"flow H111 -> H112 bytes 1TiB", "to 256GiB"},
      {"flow H111 -> H112 sl 16", "0 .. 15"},
      {"flow H111 -> H112 path 1", "unknown path 1 to H112; expected 0 .. 0"},
      {"flow H111 -> H112 on 1us", "belong together"},
      {"flow H111 -> H112 start 2us stop 1us", "the traffic stops at 1us, but starts at 2us"},
      {"flow H111 -> H112 start 20ms\nduration 5ms",
       "t.traffic:1: the traffic starts at 20ms, after the end"},
      {"duration 1ms\nduration 2ms", "t.traffic:2: the duration is given twice"},
      {"duration 0", "a duration of 0"},
      {"duration 1ms ; warmup 1ms", "nothing is measured"},
      {"duration 100s ; sample 1ns", "expected longer"},
      {"packet 32B", "expected 64 .. 65535"},
      {"packet 64KiB", "packets of 65536 bytes; expected 64 .. 65535"},
      {"message 0 packets", "1 .. 1000000"},
      {"uniform all -> H111", "to one host"},
      {"uniform others of {H111} -> H1* speed 1", "expected: start"},
      {"flow H111 -> H112\nuniform others of H111 -> all",
       "t.traffic:2: this set of hosts is empty"},
      {"uniform first 19 -> all", "19 hosts of 18"},
      {"uniform random 0 -> all", "1 .. 1000000"},
      {"uniform {H111, H112 -> all", "closing brace"},
      {"flow \"H111 -> H112", "closing quote"},
      {"pattern shift:1", "'bytes SIZE' is missing"},
      {"pattern shuffle bytes 1", "unknown pattern 'shuffle'"},
      {"pattern pipeline:900000 bytes 1", "more than 100000 levels"},
      {"pattern shift:1 bytes 1 order name", "expected random or lid"},
      {"trace nothing.trace", "nothing.trace: none"},
      {"flow H111 -> H112 rate 1MB/s\nmodel host-rate 4xDDR",
       "t.traffic:2: host-rate after a rate"},
      {"model buffer 0", "buffer: '0' is not allowed here"},
      {"model colour red", "unknown model value 'colour'"},
      {"model cct steep 3", "'steep' is not allowed here"},
      {"model cct linear 1", "2 .. 16384"},
      {"expect throughput 5 within 1%", "a rate above 0 with its unit"},
      {"expect throughput 5GB/s", "'within' is missing"},
      {"expect share x .5 within 1%", "t.traffic:1: no flow has the label 'x'"},
      {"stop", "unknown statement 'stop'; expected duration, warmup"},
      {"duration 1ms 2ms", "unexpected '2ms' after the end of statement duration"},
      {"->", "unknown statement '->'"},
      {"uniform {{{{{{{{{{{{{{{{{{H111}}}}}}}}}}}}}}}}}} -> all", "nested too deeply"},
  };
  for (const Wrong& wrong : all) {
    INFO(wrong.text);
    CHECK_THAT(complaint(wrong.text),
               Catch::Contains(wrong.message) && Catch::StartsWith("t.traffic"));
  }
  CHECK_THAT(complaint(std::string("duration 1ms\0\n", 14)), Catch::Contains("NUL"));
  CHECK_THAT(complaint("flow " + std::string(70'000, 'H')), Catch::Contains("t.traffic:1"));
}

TEST_CASE("a truncated traffic file is accepted or refused with an error") {
  const std::string whole =
      "duration 1ms ; packet 2176B\nflow {H111, \"H112\"} -> H221 start 0s rate 50%\n"
      "uniform random 3 seed 2 of others -> all messages 2\npattern shift:1 bytes 1kB\n"
      "expect throughput 1GB/s within 8%\n";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string message = complaint(whole.substr(0, size));
    if (message != "nothing") CHECK_THAT(message, Catch::StartsWith("t.traffic"));
  }
}

TEST_CASE("a traffic file without statements has no traffic") {
  const TrafficFile file = parsed("# nothing\n ; ;\n");
  CHECK(file.traffic.flows.empty());
  CHECK(file.traffic.uniform.empty());
}
