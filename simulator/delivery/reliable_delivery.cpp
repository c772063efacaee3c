// A sender is informed only when it must repeat packets: acknowledgements for every packet would
// double the number of packets, without an effect in runs without losses.
//
// A message has one timer, for the first packet lost since its last repetition. Packets lost before
// that are already being repeated.

#include "simulator/delivery/reliable_delivery.h"

#include <algorithm>

namespace pssp {
namespace {

/// Compares numbers modulo 2^32 that differ by less than 2^31.
bool is_before(std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a - b) < 0; }

}  // namespace

std::uint32_t ReliableDelivery::packets_of(std::uint64_t bytes) const noexcept {
  return static_cast<std::uint32_t>((bytes + packet_bytes_ - 1) / packet_bytes_);
}

std::uint32_t ReliableDelivery::begun(std::uint32_t flow, std::uint64_t bytes, std::uint8_t level) {
  if (connections_.size() <= flow) connections_.resize(std::size_t{flow} + 1);
  Connection& connection = connections_[flow];
  const std::uint32_t first = connection.next_first;
  Message message{.bytes = bytes,
                  .first = first,
                  .packets = packets_of(bytes),
                  .expected = first,
                  .level = level};
  connection.next_first += message.packets;
  connection.messages.push_back(message);
  return first;
}

ReliableDelivery::Message* ReliableDelivery::find(std::uint32_t flow, std::uint32_t sequence) {
  for (Message& message : connections_[flow].messages) {
    if (message.packets == 0 || sequence - message.first < message.packets) return &message;
  }
  return nullptr;
}

/// This packet must be repeated, because it was lost or, if the receiver rejected it, because an
/// earlier one was.
std::optional<ReliableDelivery::Timer> ReliableDelivery::lack(const Packet& packet,
                                                              SimulatedTime now, Message& message) {
  if (!message.lacks || !is_before(packet.sequence, message.behind_lost)) {
    message.behind_lost = packet.sequence + 1;
  }
  message.lacks = true;
  if (message.lost_since == never) message.lost_since = now;
  if (message.has_timer) return std::nullopt;
  message.has_timer = true;
  return Timer{now + rules_.timeout, packet.sequence};
}

ReliableDelivery::Reception ReliableDelivery::received(const Packet& packet, SimulatedTime now) {
  Message* const message = find(packet.flow, packet.sequence);
  if (message == nullptr || is_before(packet.sequence, message->expected)) {
    ++counts_.not_taken;
    return {};
  }
  if (packet.sequence != message->expected) {
    ++counts_.not_taken;
    Reception reception{.timer = lack(packet, now, *message)};
    if (!message->has_asked) reception.missing = message->expected;
    message->has_asked = true;
    return reception;
  }
  ++message->expected;
  message->tries = 0;
  message->has_asked = false;
  if (message->lacks && !is_before(message->expected, message->behind_lost)) {
    message->lacks = false;
    counts_.recovered = now;
  }
  if (message->packets != 0 && message->expected == message->first + message->packets) {
    std::vector<Message>& messages = connections_[packet.flow].messages;
    messages.erase(messages.begin() + (message - messages.data()));
  }
  return {.is_taken = true};
}

std::optional<ReliableDelivery::Timer> ReliableDelivery::lost(const Packet& packet,
                                                              SimulatedTime now) {
  Message* const message = find(packet.flow, packet.sequence);
  // It had already arrived, so the repetition was unnecessary.
  if (message == nullptr || is_before(packet.sequence, message->expected)) return std::nullopt;
  return lack(packet, now, *message);
}

Repeat ReliableDelivery::repeat(std::uint32_t flow, Message& message) {
  message.lost_since = never;
  const std::uint64_t taken = std::uint64_t{message.expected - message.first} * packet_bytes_;
  Repeat again{.first = message.first,
               .packets = message.packets,
               .sequence = message.expected,
               .left = message.packets == 0 ? 0 : message.bytes - taken,
               .level = message.level};
  if (message.tries++ < rules_.retries) {
    ++counts_.repeats;
    return again;
  }
  again.gives_up = true;
  ++counts_.given_up;
  std::vector<Message>& messages = connections_[flow].messages;
  messages.erase(messages.begin() + (&message - messages.data()));
  return again;
}

std::optional<Repeat> ReliableDelivery::heard_nak(std::uint32_t flow, std::uint32_t sequence) {
  Message* const message = find(flow, sequence);
  if (message == nullptr || message->expected != sequence) return std::nullopt;
  return repeat(flow, *message);
}

std::optional<Repeat> ReliableDelivery::ran_out(std::uint32_t flow, std::uint32_t sequence,
                                                SimulatedTime now, std::optional<Timer>& again) {
  Message* const message = find(flow, sequence);
  if (message == nullptr) return std::nullopt;
  message->has_timer = false;
  if (message->lost_since == never) return std::nullopt;
  if (message->lost_since + rules_.timeout > now) {
    message->has_timer = true;
    again = Timer{message->lost_since + rules_.timeout, message->expected};
    return std::nullopt;
  }
  return repeat(flow, *message);
}

std::size_t ReliableDelivery::bytes() const noexcept {
  std::size_t messages = 0;
  for (const Connection& each : connections_) messages += each.messages.capacity();
  return messages * sizeof(Message) + connections_.capacity() * sizeof(Connection);
}

}  // namespace pssp
