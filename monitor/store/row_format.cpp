// Ports count words of four bytes, so byte counts are rotated right by two bits. Unicast packets
// are stored as their difference from all packets minus multicast packets (sample_codec.cpp).

#include "monitor/store/row_format.h"

#include <zlib.h>

namespace pssp::row_format {
namespace {

constexpr std::size_t crc_size = 4;

struct PacketCounters {
  Counter unicast, all, multicast;
};
constexpr std::array<PacketCounters, 2> packet_counters{{
    {Counter::unicast_transmit_packets, Counter::transmit_packets,
     Counter::multicast_transmit_packets},
    {Counter::unicast_receive_packets, Counter::receive_packets,
     Counter::multicast_receive_packets},
}};

bool predicts(CounterMask held, const PacketCounters& counters) noexcept {
  const CounterMask all =
      mask_of(counters.unicast) | mask_of(counters.all) | mask_of(counters.multicast);
  return (held & all) == all;
}

constexpr std::array<std::size_t, 2> byte_counters{
    static_cast<std::size_t>(Counter::transmit_bytes),
    static_cast<std::size_t>(Counter::receive_bytes)};

std::uint32_t checksum(std::string_view bytes) noexcept {
  // zlib takes 32-bit lengths; rows are far shorter.
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

}  // namespace

CounterValues folded(CounterValues delta, CounterMask held) noexcept {
  for (const std::size_t at : byte_counters) delta[at] = std::rotr(delta[at], 2);
  for (const PacketCounters& each : packet_counters) {
    if (!predicts(held, each)) continue;
    delta[index(each.unicast)] =
        zigzag(delta[index(each.unicast)] - delta[index(each.all)] + delta[index(each.multicast)]);
  }
  return delta;
}
void unfold(CounterValues& delta, CounterMask held) noexcept {
  for (const std::size_t at : byte_counters) delta[at] = std::rotl(delta[at], 2);
  for (const PacketCounters& each : packet_counters) {
    if (!predicts(held, each)) continue;
    delta[index(each.unicast)] = unzigzag(delta[index(each.unicast)]) + delta[index(each.all)] -
                                 delta[index(each.multicast)];
  }
}

CounterMask not_zero(const CounterValues& values, CounterMask among) noexcept {
  CounterMask mask = 0;
  for_each_counter(among, [&](std::size_t at) {
    if (values[at] != 0) mask |= CounterMask{1} << at;
  });
  return mask;
}

void write_record_head(ByteWriter& out, CounterMask risen, std::uint64_t kind, const Masks& masks) {
  const std::uint64_t place = std::min<std::uint64_t>(
      static_cast<std::uint64_t>(std::find(masks.begin(), masks.end(), risen) - masks.begin()),
      masks.size());
  const bool listed = place < masks.size();
  out.byte(static_cast<std::uint8_t>((listed ? place : most_masks) << 2 | kind));
  if (!listed) out.number(risen);
}

void write_masks(ByteWriter& out, const Masks& masks) {
  out.byte(static_cast<std::uint8_t>(masks.size()));
  for (const CounterMask mask : masks) out.number(mask);
}

void write_values(ByteWriter& out, const CounterValues& values, CounterMask which) {
  for_each_counter(which, [&](std::size_t at) { out.number(values[at]); });
}

void finish(std::string& row) {
  const std::uint32_t sum = checksum(row);
  ByteWriter(row).fixed32(sum);
}

std::optional<std::string_view> checked(std::string_view row) noexcept {
  if (row.size() <= crc_size) return std::nullopt;
  const std::string_view body = row.substr(0, row.size() - crc_size);
  std::uint32_t stated = 0;
  for (std::size_t i = 0; i < crc_size; ++i) {
    stated |= std::uint32_t{static_cast<std::uint8_t>(row[body.size() + i])} << (8 * i);
  }
  if (stated != checksum(body)) return std::nullopt;
  return body;
}

CounterMask read_mask(ByteReader& in, CounterMask within) noexcept {
  const std::uint64_t mask = in.number();
  if ((mask & ~std::uint64_t{within}) != 0) {
    in.fail();
    return 0;
  }
  return static_cast<CounterMask>(mask);
}

void read_values(ByteReader& in, CounterValues& values, CounterMask which) {
  for_each_counter(which, [&](std::size_t at) { values[at] = in.number(); });
}

}  // namespace pssp::row_format
