#include "tests/fuzz/hostile_port.h"

#include <algorithm>
#include <span>

#include "wire/big_endian.h"

namespace pssp::test {
namespace {

constexpr std::size_t data_at = 64, transaction_at = 8, method_at = 3, status_at = 4;

/// Two switches with two cables between them. The first one has two hosts, one of which sends the
/// requests; the second one has one host.
void build(SimulatedSubnet& subnet) {
  for (unsigned s = 0; s < 2; ++s) {
    SimulatedNode node;
    node.guid = 100 + s;
    node.is_switch = true;
    node.ports = 4;
    node.description = "switch";
    node.lid = static_cast<Lid>(1 + s);
    node.table.assign(linear_block_size, PortNumber{1});
    subnet.add(node);
  }
  for (unsigned h = 0; h < 3; ++h) {
    SimulatedNode node;
    node.guid = 10 * (h + 1);
    node.description = "host";
    node.lid = static_cast<Lid>(10 + h);
    if (h == 1) node.manager = ManagerInfo{21, 7, 1, ManagerInfo::State::master};
    subnet.add(node);
  }
  subnet.cable({0, 1}, {1, 1});
  subnet.cable({0, 2}, {1, 2});
  subnet.cable({0, 3}, {2, 1});
  subnet.cable({0, 4}, {3, 1});
  subnet.cable({1, 3}, {4, 1});
  subnet.own = {2, 1};
  subnet.manager_lid = 11;
}

}  // namespace

HostilePort::HostilePort(std::string_view input) : input_(input) {
  build(subnet_);
  again_ = !input.empty() && (static_cast<unsigned char>(input.front()) & 1U) != 0;
}

bool HostilePort::send(const MadBytes& mad, const Destination& to,
                       std::chrono::milliseconds timeout) {
  ++sent_;
  return subnet_.send(mad, to, timeout);
}

std::uint8_t HostilePort::byte() {
  if (at_ >= input_.size() && again_ && input_.size() > 1) at_ = 1;
  return at_ < input_.size() ? static_cast<std::uint8_t>(input_[at_++]) : std::uint8_t{0};
}

std::optional<ReceivedMad> HostilePort::receive(std::chrono::milliseconds wait) {
  if (!repeated_.empty()) {
    const ReceivedMad mad = repeated_.front();
    repeated_.pop_front();
    return mad;
  }
  std::optional<ReceivedMad> mad = subnet_.receive(wait);
  if (mad) disturb(*mad);
  // Time passes even if the caller does not wait.
  if (!mad) subnet_.now += std::chrono::microseconds(1);
  return mad;
}

/// Changes one of the `positions` bytes from `first` on.
void HostilePort::change(MadBytes& bytes, std::size_t first, std::size_t positions) {
  const std::size_t place = first + byte() % positions;
  bytes[place] = byte();
}

/// Answers a request that timed out with the data of the last answer for the same attribute.
void HostilePort::make_up(ReceivedMad& mad) {
  const auto known = last_.find(header_of(mad.bytes).attribute);
  if (known == last_.end()) return;
  std::copy(known->second.begin() + data_at, known->second.end(), mad.bytes.begin() + data_at);
  mad.bytes[method_at] = static_cast<std::uint8_t>(MadMethod::get_response);
  mad.timed_out = false;
}

void HostilePort::disturb(ReceivedMad& mad) {
  const std::uint8_t what = byte();
  if (mad.timed_out && what % 4 != 0) make_up(mad);
  if (mad.timed_out) return;
  if (what >= 64 && what < 160) {
    for (unsigned changes = 1 + what % 4; changes > 0; --changes) {
      change(mad.bytes, data_at, mad_size - data_at);
    }
  } else if (what >= 160 && what < 208) {
    // Makes the node a new one: changes its GUID and the GUID of its port.
    put(std::span<std::uint8_t>(mad.bytes).subspan(data_at + 14),
        static_cast<std::uint32_t>(sent_));
    put(std::span<std::uint8_t>(mad.bytes).subspan(data_at + 22),
        static_cast<std::uint32_t>(sent_));
  } else if (what >= 208 && what < 216) {
    repeated_.push_back(mad);
  } else if (what >= 216 && what < 224) {
    mad.timed_out = true;
  } else if (what >= 224 && what < 232) {
    mad.bytes[status_at + 1] = byte();
  } else if (what >= 232 && what < 240) {
    change(mad.bytes, 0, data_at);
  } else if (what >= 240) {
    for (std::size_t place = transaction_at + sizeof(std::uint64_t); place < mad_size; ++place) {
      mad.bytes[place] = byte();
    }
  }
  last_.insert_or_assign(header_of(mad.bytes).attribute, mad.bytes);
}

}  // namespace pssp::test
