#include "monitor/api/recent_sweep.h"

#include <utility>

// Encodes numbers with seven bits in each byte: time, masks of the known, the saturated and the
// changed counters, and the changes. A port without traffic takes about ten bytes, a busy port
// forty.

namespace pssp {
namespace {

void put_number(std::vector<std::uint8_t>& packed, std::uint64_t number) {
  while (number >= 0x80) {
    packed.push_back(static_cast<std::uint8_t>(number | 0x80));
    number >>= 7U;
  }
  packed.push_back(static_cast<std::uint8_t>(number));
}

std::uint64_t take_packed(const std::uint8_t*& at) {
  std::uint64_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint8_t byte = *at++;
    number |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return number;
  }
}

}  // namespace

RecentSweep::RecentSweep(const Snapshot& snapshot, const std::vector<PortDifference>& differences,
                         std::string summary)
    : sweep_(snapshot.sweep),
      time_ms_(snapshot.time_ms),
      map_(snapshot.map),
      summary_(std::move(summary)) {
  first_.reserve(differences.size() + 1);
  for (const PortDifference& each : differences) {
    first_.push_back(static_cast<std::uint32_t>(packed_.size()));
    if (each.ns == 0) continue;
    CounterMask moved = 0;
    for (unsigned c = 0; c < counter_count; ++c) {
      if (each.delta[c] != 0) moved |= CounterMask{1} << c;
    }
    put_number(packed_, each.ns);
    put_number(packed_, each.known);
    put_number(packed_, each.saturated);
    put_number(packed_, moved);
    for (unsigned c = 0; c < counter_count; ++c) {
      if (each.delta[c] != 0) put_number(packed_, each.delta[c]);
    }
  }
  first_.push_back(static_cast<std::uint32_t>(packed_.size()));
  packed_.shrink_to_fit();
}

std::shared_ptr<const RecentSweep> RecentSweep::without(const std::vector<bool>& ports) const {
  auto rest = std::make_shared<RecentSweep>(*this);
  rest->packed_.clear();
  for (std::size_t port = 0; port + 1 < first_.size(); ++port) {
    rest->first_[port] = static_cast<std::uint32_t>(rest->packed_.size());
    if (port < ports.size() && ports[port]) continue;
    rest->packed_.insert(rest->packed_.end(), packed_.begin() + first_[port],
                         packed_.begin() + first_[port + 1]);
  }
  rest->first_.back() = static_cast<std::uint32_t>(rest->packed_.size());
  rest->packed_.shrink_to_fit();
  return rest;
}

std::optional<PortDifference> RecentSweep::difference(std::uint32_t port) const {
  if (port + 1 >= first_.size() || first_[port] == first_[port + 1]) return std::nullopt;
  const std::uint8_t* at = packed_.data() + first_[port];
  PortDifference found;
  found.ns = take_packed(at);
  found.known = static_cast<CounterMask>(take_packed(at));
  found.saturated = static_cast<CounterMask>(take_packed(at));
  const auto moved = static_cast<CounterMask>(take_packed(at));
  for (unsigned c = 0; c < counter_count; ++c) {
    if ((moved >> c & 1U) != 0) found.delta[c] = take_packed(at);
  }
  return found;
}

}  // namespace pssp
