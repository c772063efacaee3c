// Traffic files for the sample fabric; the second file is a trace.

#include <string>

#include "simulator/traffic/traffic_file.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_traffic(std::string_view input) {
  const auto [first, second] = two_files(input);
  const auto reader = [trace = second](const std::filesystem::path&, std::size_t) {
    return std::string(trace);
  };
  const TrafficFile file = parse_traffic(first, "input", sample_fabric(), 1, reader);
  const Traffic& traffic = file.traffic;
  const std::size_t hosts = sample_fabric().endpoints().size();
  const auto require_flow = [&](Flow flow) {
    require(flow.source < hosts && flow.destination < hosts && flow.source != flow.destination,
            "a flow has an invalid host or equal hosts");
  };
  require(traffic.warmup < traffic.duration && traffic.sample > 0,
          "the warm-up, duration or sample interval is invalid");
  for (const StaticFlow& flow : traffic.flows) {
    require_flow(flow.hosts);
    require(flow.start < flow.stop && flow.start < traffic.duration && flow.rate > 0 &&
                flow.rate <= 1 && flow.level < 16,
            "the times, rate or service level of a flow are invalid");
  }
  for (const UniformTraffic& uniform : traffic.uniform) {
    require(!uniform.senders.empty() && uniform.destinations.size() >= 2 &&
                uniform.senders.back() < hosts && uniform.destinations.back() < hosts,
            "uniform traffic has no sender, fewer than two destinations, or an invalid host");
  }
  for (const RoundTraffic& rounds : traffic.rounds) {
    require(rounds.bytes > 0, "messages have a size of 0 bytes");
    for (const auto& round : rounds.rounds) {
      for (const Flow& flow : round) require_flow(flow);
    }
  }
  SimulatedTime last = 0;
  for (const TracedMessage& message : traffic.trace) {
    require_flow(message.hosts);
    require(message.time >= last && message.bytes > 0,
            "a trace is not sorted by time, or has an empty message");
    last = message.time;
  }
}

}  // namespace pssp::test
