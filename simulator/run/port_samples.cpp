#include "simulator/run/port_samples.h"

#include <fmt/format.h>

#include "base/error.h"

namespace pssp {
namespace {

constexpr std::uint64_t most_port_samples = std::uint64_t{1} << 26U;  // 1 GiB

}  // namespace

PortSamples::PortSamples(const std::vector<std::uint32_t>& ports, const Traffic& traffic)
    : ports_(ports), samples_(ports.size()), before_(ports.size()), kept_(ports.size()) {
  if (ports.empty()) return;
  const auto samples = static_cast<std::uint64_t>((traffic.duration - 1) / traffic.sample + 1);
  if (samples > most_port_samples / ports.size()) {
    throw Error(ErrorKind::usage,
                fmt::format("{} samples of {} ports are too many to store; expected longer "
                            "--sample, or --select with fewer ports",
                            samples, ports.size()));
  }
}

void PortSamples::end_sample(const Network& network) {
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    const LinkRecord& now = network.records[ports_[i]];
    samples_[i].push_back({kept_[i].bytes + now.sent_bytes - before_[i].bytes,
                           kept_[i].marks + now.marks - before_[i].marks, now.queue_bytes});
    before_[i] = {now.sent_bytes, now.marks};
    kept_[i] = {};
  }
}

void PortSamples::before_reset(const Network& network) {
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    const LinkRecord& now = network.records[ports_[i]];
    kept_[i].bytes += now.sent_bytes - before_[i].bytes;
    kept_[i].marks += now.marks - before_[i].marks;
    before_[i] = {};
  }
}

}  // namespace pssp
