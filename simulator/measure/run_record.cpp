// Samples count from the start of the run, everything else from the end of the warm-up: forget()
// then resets the counts, so that counting needs no check of the time.
//
// Samples are added over time: a run that may take seconds (if connections give up late) usually
// ends after microseconds.

#include "simulator/measure/run_record.h"

#include <fmt/format.h>

#include "base/error.h"

namespace pssp {
namespace {

constexpr std::uint64_t most_sampled_values = std::uint64_t{1} << 27U;  // 1 GiB

}  // namespace

RunRecord::RunRecord(const Traffic& traffic)
    : sample_length_(traffic.sample), sample_end_(traffic.sample) {
  if (traffic.duration <= 0 || traffic.sample <= 0 || traffic.warmup < 0 ||
      traffic.warmup >= traffic.duration) {
    throw Error(ErrorKind::usage,
                "the duration and the samples of a run must be above 0, and the warm-up shorter "
                "than the duration");
  }
  const auto samples = static_cast<std::uint64_t>((traffic.duration - 1) / traffic.sample + 1);
  if (samples > most_sampled_values / (traffic.flows.size() + 1)) {
    throw Error(ErrorKind::usage,
                fmt::format("{} samples of {} flows are too many to store; specify longer samples",
                            samples, traffic.flows.size()));
  }
  bytes_by_sample.resize(1);
  for (const StaticFlow& flow : traffic.flows) {
    FlowRecord record;
    record.hosts = flow.hosts;
    record.end_bytes = flow.bytes;
    flows.push_back(record);
    flow_bytes_by_sample.emplace_back(1);
  }
  if (flows.size() <= most_flows_with_latencies) flow_latencies.resize(flows.size());
}

std::uint32_t RunRecord::pair(Flow hosts, std::uint32_t owner, std::uint64_t bytes) {
  const std::uint64_t key =
      std::uint64_t{hosts.source} << 48U | std::uint64_t{hosts.destination} << 32U | owner;
  const auto fresh = static_cast<std::uint32_t>(flows.size());
  const std::uint32_t found = pairs_.find_or_add(key, fresh);
  if (found == fresh) {
    flows.emplace_back();
    flows.back().hosts = hosts;
    flows.back().owner = owner;
  }
  flows[found].end_bytes += bytes;
  ++flows[found].messages;
  flows[found].finished = never;
  return found;
}

void RunRecord::next_sample(SimulatedTime now) {
  sample_ = static_cast<std::size_t>(now / sample_length_);
  sample_end_ = sample_length_ * static_cast<SimulatedTime>(sample_ + 1);
  bytes_by_sample.resize(sample_ + 1);
  for (std::vector<std::uint64_t>& each : flow_bytes_by_sample) each.resize(sample_ + 1);
}

void RunRecord::taken_of_flow(const Packet& packet, SimulatedTime now) {
  FlowRecord& flow = flows[packet.flow];
  flow.bytes += packet.bytes;
  flow.all_bytes += packet.bytes;
  ++flow.packets;
  if (packet.flow < flow_bytes_by_sample.size()) {
    flow_bytes_by_sample[packet.flow][sample_] += packet.bytes;
    if (packet.sequence != flow.next_sequence++) ++out_of_order;
  }
  if (packet.flow < flow_latencies.size()) flow_latencies[packet.flow].add(now - packet.created);
  if (flow.end_bytes != 0 && flow.all_bytes >= flow.end_bytes) flow.finished = now;
}

void RunRecord::forget() {
  delivered_bytes = becns = 0;
  latencies = {};
  for (FlowRecord& flow : flows) flow.bytes = flow.packets = 0;
  for (LatencyHistogram& each : flow_latencies) each = {};
}

std::size_t RunRecord::bytes() const noexcept {
  std::size_t of_latencies = latencies.bytes();
  for (const LatencyHistogram& each : flow_latencies) of_latencies += each.bytes();
  return flows.capacity() * sizeof(FlowRecord) + pairs_.bytes() +
         bytes_by_sample.size() * sizeof(std::uint64_t) * (1 + flow_bytes_by_sample.size()) +
         of_latencies;
}

}  // namespace pssp
