// Most ports of a sweep are like their neighbours: read, with the same counters known, and with a
// difference of each of these since the sweep before. So a row begins with up to three kinds
// (status, known, saturated), up to 63 masks of counters that rose, and the time between most
// readings; a port's record names its kind and its mask in one byte, and says by how much these
// counters rose. An idle port is that byte alone. What is not among these is said in full.
//
//   row     = head ports base_ms kinds kind* masks mask* record* crc
//   head    = byte: 0x01, 0x81 absolute, 0x02 periods
//   kind    = state known saturated          (of periods: known)
//   record  = byte: place of the mask << 2 | kind
//             [mask of what rose]             place 63
//             [state known saturated held]    kind 3  (of periods: known partly)
//             [covered_ms - base_ms, signed]  where the mask says so
//             difference of each that rose
//             [largest rate of each peak counter that rose]   (periods)
//             [mask of values that are not 0, values]   (absolute rows)
//
// All numbers are base 128. Ports count words of four bytes: bytes are rotated by two bits, which
// makes small numbers of multiples of four and loses nothing of others. Unicast packets are what is
// left of all packets without the multicast ones, or nearly so, for a port is not read in one
// instant: what is kept is the difference to that and most often nothing. A largest rate is kept as
// 32 log2(largest / mean), rounded.

#include "monitor/store/sample_codec.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "monitor/store/byte_stream.h"

namespace pssp {
namespace {

constexpr std::uint8_t plain_row = 0x01, absolute_row = 0x81, period_row = 0x02;
constexpr std::size_t crc_size = 4;
constexpr std::size_t most_kinds = 3, most_masks = 63;
constexpr std::uint64_t full_record = 3;
constexpr std::uint8_t present_bit = 0x80;
/// Beside a mask of counters: the time of the port is said.
constexpr CounterMask timed_bit = all_counters + 1;

struct PacketCounters {
  Counter unicast, all, multicast;
};
constexpr std::array<PacketCounters, 2> packet_counters{{
    {Counter::unicast_transmit_packets, Counter::transmit_packets,
     Counter::multicast_transmit_packets},
    {Counter::unicast_receive_packets, Counter::receive_packets,
     Counter::multicast_receive_packets},
}};

constexpr std::size_t index(Counter counter) noexcept { return static_cast<std::size_t>(counter); }

template <class Function>
void for_each_counter(CounterMask mask, const Function& function) {
  for (; mask != 0; mask &= mask - 1) function(static_cast<std::size_t>(std::countr_zero(mask)));
}

bool predicts(CounterMask held, const PacketCounters& counters) noexcept {
  const CounterMask all =
      mask_of(counters.unicast) | mask_of(counters.all) | mask_of(counters.multicast);
  return (held & all) == all;
}

/// Counters of bytes.
constexpr std::array<std::size_t, 2> byte_counters{
    static_cast<std::size_t>(Counter::transmit_bytes),
    static_cast<std::size_t>(Counter::receive_bytes)};

/// Differences as they are written, and as they were.
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

std::uint32_t checksum(std::string_view bytes) noexcept {
  // zlib's lengths are 32 bits wide; rows are far below that.
  return static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

/// What most of the values are; the smallest of those that are equally frequent.
template <class Value>
std::vector<Value> most_frequent(std::vector<Value> values, std::size_t how_many) {
  std::sort(values.begin(), values.end());
  std::vector<std::pair<std::size_t, Value>> counted;
  for (const Value& value : values) {
    if (counted.empty() || !(counted.back().second == value)) counted.emplace_back(0, value);
    ++counted.back().first;
  }
  std::stable_sort(counted.begin(), counted.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Value> result;
  for (std::size_t i = 0; i < std::min(how_many, counted.size()); ++i) {
    result.push_back(counted[i].second);
  }
  return result;
}

/// What rose at a port, of all ports of a row.
using Masks = std::vector<CounterMask>;

/// Writes which of the masks and of the kinds a record is of.
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

struct Kind {
  std::uint8_t state = 0;
  CounterMask known = 0, saturated = 0;

  auto operator<=>(const Kind&) const = default;  // NOLINT(modernize-use-nullptr)
};

std::uint8_t state_of(const PortSample& port) noexcept {
  return static_cast<std::uint8_t>(static_cast<unsigned>(port.status) |
                                   (port.present ? present_bit : 0U));
}
Kind kind_of(const PortSample& port) noexcept {
  return {state_of(port), port.known, port.saturated};
}

/// Must the time of the port be said? Not where it is that of the row within a two-thousandth, less
/// than the clocks of nodes differ; of a port that counted nothing, within an eighth.
bool is_timed(const PortSample& port, std::uint64_t base_ms, CounterMask risen) noexcept {
  const std::uint64_t off =
      port.covered_ms > base_ms ? port.covered_ms - base_ms : base_ms - port.covered_ms;
  return port.held != 0 && off > base_ms / (risen != 0 ? 2048 : 8);
}

std::uint64_t base_of(std::vector<std::uint64_t> times) {
  if (times.empty()) return 0;
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

void write_values(ByteWriter& out, const CounterValues& values, CounterMask which) {
  for_each_counter(which, [&](std::size_t at) { out.number(values[at]); });
}

template <class Kinds, class Value>
std::uint64_t place_in(const Kinds& kinds, const Value& kind) {
  return static_cast<std::uint64_t>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin());
}

void write_port(ByteWriter& out, const PortSample& port, std::span<const Kind> kinds,
                const Masks& masks, std::uint64_t base_ms) {
  const CounterValues delta = folded(port.delta, port.held);
  const CounterMask risen = not_zero(delta, port.held);
  std::uint64_t which = place_in(kinds, kind_of(port));
  if (which >= kinds.size() || port.held != (port.known & ~port.saturated)) which = full_record;
  const bool timed = is_timed(port, base_ms, risen);
  write_record_head(out, risen | (timed ? timed_bit : 0), which, masks);
  if (which == full_record) {
    out.byte(state_of(port));
    out.number(port.known);
    out.number(port.saturated);
    out.number(port.held);
  }
  if (timed) out.number(zigzag(port.covered_ms - base_ms));
  write_values(out, delta, risen);
}

void finish(std::string& row) {
  const std::uint32_t sum = checksum(row);
  ByteWriter(row).fixed32(sum);
}

// ---- reading ----

/// The row without its checksum; nothing where that is wrong.
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

void read_state(ByteReader& in, PortSample& port) noexcept {
  const std::uint8_t state = in.byte();
  const unsigned status = state & ~unsigned{present_bit};
  if (status > static_cast<unsigned>(PortStatus::left_out)) return in.fail();
  port.present = (state & present_bit) != 0;
  port.status = static_cast<PortStatus>(status);
}

void read_values(ByteReader& in, CounterValues& values, CounterMask which) {
  for_each_counter(which, [&](std::size_t at) { values[at] = in.number(); });
}

template <class Kind>
struct RowHead {
  std::uint8_t format = 0;
  std::size_t ports = 0;
  std::uint64_t base_ms = 0;
  std::array<Kind, most_kinds> kinds{};
  std::size_t kind_count = 0;
  std::array<CounterMask, most_masks> masks{};
  std::size_t mask_count = 0;
};

template <class Kind, class ReadKind>
RowHead<Kind> read_head(ByteReader& in, const ReadKind& read_kind) {
  RowHead<Kind> head;
  head.format = in.byte();
  const std::uint64_t ports = in.number();
  head.base_ms = in.number();
  head.kind_count = in.byte();
  if (ports > chunk_ports || head.kind_count > most_kinds) {
    in.fail();
    return head;
  }
  head.ports = ports;
  for (std::size_t i = 0; i < head.kind_count; ++i) head.kinds[i] = read_kind(in);
  head.mask_count = in.byte();
  if (head.mask_count > most_masks) {
    in.fail();
    return head;
  }
  for (std::size_t i = 0; i < head.mask_count; ++i)
    head.masks[i] = read_mask(in, all_counters | timed_bit);
  return head;
}

/// Mask of what rose, and the kind. Checks that the mask is one of counters, and the kind there is.
template <class Kind>
std::pair<CounterMask, std::uint64_t> read_record_head(ByteReader& in,
                                                       const RowHead<Kind>& head) noexcept {
  const std::uint8_t first = in.byte();
  const std::uint64_t which = first & 3U, place = first >> 2U;
  if ((which != full_record && which >= head.kind_count) ||
      (place != most_masks && place >= head.mask_count)) {
    in.fail();
    return {0, full_record};
  }
  return {place == most_masks ? read_mask(in, all_counters | timed_bit) : head.masks[place], which};
}

PortSample read_kind_of_port(ByteReader& in) {
  PortSample kind;
  read_state(in, kind);
  kind.known = read_mask(in, all_counters);
  kind.saturated = read_mask(in, kind.known);
  kind.held = kind.known & ~kind.saturated;
  return kind;
}

/// Reads over one record, and into `port` where it is wanted.
void read_port(ByteReader& in, const RowHead<PortSample>& head, PortSample& port) {
  const auto [shape, which] = read_record_head(in, head);
  const CounterMask risen = shape & all_counters;
  if (which == full_record) {
    port = {};
    read_state(in, port);
    port.known = read_mask(in, all_counters);
    port.saturated = read_mask(in, port.known);
    port.held = read_mask(in, port.known);
  } else {
    port = head.kinds[which];
  }
  if ((risen & ~port.held) != 0) return in.fail();
  if (port.held != 0) port.covered_ms = head.base_ms;
  if ((shape & timed_bit) != 0) port.covered_ms += unzigzag(in.number());
  read_values(in, port.delta, risen);
  if (port.held != 0) unfold(port.delta, port.held);
  if (head.format == absolute_row) {
    read_values(in, port.value, read_mask(in, port.known));
  }
}

template <class Kind, class ReadKind, class Row, class ReadRow>
bool read_row(std::string_view bytes, const ReadKind& read_kind, Row&& accept,
              const ReadRow& record) {
  const std::optional<std::string_view> body = checked(bytes);
  if (!body) return false;
  ByteReader in(*body);
  const RowHead<Kind> head = read_head<Kind>(in, read_kind);
  if (in.failed() || !accept(head)) return false;
  for (std::size_t i = 0; i < head.ports; ++i) {
    if (!record(in, head, i)) return !in.failed();
    if (in.failed()) return false;
  }
  return in.at_end();
}

bool is_sample_row(const RowHead<PortSample>& head) noexcept {
  return head.format == plain_row || head.format == absolute_row;
}
bool is_period_row(const RowHead<PeriodSample>& head) noexcept { return head.format == period_row; }

// ---- periods ----

double mean_of(std::uint64_t sum, std::uint64_t covered_ms) noexcept {
  return covered_ms == 0 ? 0 : static_cast<double>(sum) * 1e3 / static_cast<double>(covered_ms);
}

constexpr double peak_steps = 32;  // an octave

std::uint64_t peak_code(double peak, double mean) noexcept {
  if (!(mean > 0) || !(peak > mean)) return 0;
  return static_cast<std::uint64_t>(std::lround(peak_steps * std::log2(peak / mean)));
}

void write_period(ByteWriter& out, const PeriodSample& port, std::span<const CounterMask> kinds,
                  const Masks& masks, std::uint64_t base_ms) {
  const CounterValues sum = folded(port.sum, port.known);
  const CounterMask risen = not_zero(sum, port.known);
  std::uint64_t which = place_in(kinds, port.known);
  if (which >= kinds.size() || port.partly != 0) which = full_record;
  const bool timed = port.known != 0 && port.covered_ms != base_ms;
  write_record_head(out, risen | (timed ? timed_bit : 0), which, masks);
  if (which == full_record) {
    out.number(port.known);
    out.number(port.partly);
  }
  if (timed) out.number(zigzag(port.covered_ms - base_ms));
  write_values(out, sum, risen);
  for (std::size_t i = 0; i < peak_counters.size(); ++i) {
    const std::size_t at = index(peak_counters[i]);
    if ((risen & mask_of(peak_counters[i])) == 0) continue;
    out.number(peak_code(port.peak[i], mean_of(port.sum[at], port.covered_ms)));
  }
}

PeriodSample read_kind_of_period(ByteReader& in) {
  PeriodSample kind;
  kind.known = read_mask(in, all_counters);
  return kind;
}

void read_period(ByteReader& in, const RowHead<PeriodSample>& head, PeriodSample& port) {
  const auto [shape, which] = read_record_head(in, head);
  const CounterMask risen = shape & all_counters;
  if (which == full_record) {
    port = {};
    port.known = read_mask(in, all_counters);
    port.partly = read_mask(in, port.known);
  } else {
    port = head.kinds[which];
  }
  if (port.known != 0) port.covered_ms = head.base_ms;
  if ((shape & timed_bit) != 0) port.covered_ms += unzigzag(in.number());
  if ((risen & ~port.known) != 0) return in.fail();
  read_values(in, port.sum, risen);
  if (port.known != 0) unfold(port.sum, port.known);
  for (std::size_t i = 0; i < peak_counters.size(); ++i) {
    const std::size_t at = index(peak_counters[i]);
    if ((risen & mask_of(peak_counters[i])) == 0) continue;
    const std::uint64_t code = in.number();
    // 2^64 times the mean is more than any counter can hold.
    if (code > 64 * static_cast<std::uint64_t>(peak_steps)) return in.fail();
    port.peak[i] =
        mean_of(port.sum[at], port.covered_ms) * std::exp2(static_cast<double>(code) / peak_steps);
  }
}

}  // namespace

std::string encode_samples(std::span<const PortSample> ports, bool absolute) {
  std::vector<Kind> all;
  Masks risen;
  std::vector<std::uint64_t> times;
  all.reserve(ports.size());
  risen.reserve(ports.size());
  times.reserve(ports.size());
  for (const PortSample& port : ports) {
    all.push_back(kind_of(port));
    if (port.held != 0) times.push_back(port.covered_ms);
  }
  const std::vector<Kind> kinds = most_frequent(std::move(all), most_kinds);
  const std::uint64_t base_ms = base_of(std::move(times));
  for (const PortSample& port : ports) {
    const CounterMask mask = not_zero(folded(port.delta, port.held), port.held);
    risen.push_back(mask | (is_timed(port, base_ms, mask) ? timed_bit : 0));
  }

  std::string row;
  row.reserve(ports.size() * 24);
  ByteWriter out(row);
  out.byte(absolute ? absolute_row : plain_row);
  out.number(ports.size());
  out.number(base_ms);
  out.byte(static_cast<std::uint8_t>(kinds.size()));
  for (const Kind& kind : kinds) {
    out.byte(kind.state);
    out.number(kind.known);
    out.number(kind.saturated);
  }
  const Masks masks = most_frequent(std::move(risen), most_masks);
  write_masks(out, masks);
  for (const PortSample& port : ports) {
    write_port(out, port, kinds, masks, base_ms);
    if (!absolute) continue;
    const CounterMask set = not_zero(port.value, port.known);
    out.number(set);
    write_values(out, port.value, set);
  }
  finish(row);
  return row;
}

std::string encode_periods(std::span<const PeriodSample> ports) {
  Masks all, risen;
  std::vector<std::uint64_t> times;
  all.reserve(ports.size());
  risen.reserve(ports.size());
  times.reserve(ports.size());
  for (const PeriodSample& port : ports) {
    all.push_back(port.known);
    if (port.known != 0) times.push_back(port.covered_ms);
  }
  const Masks kinds = most_frequent(std::move(all), most_kinds);
  const std::vector<std::uint64_t> base = most_frequent(std::move(times), 1);
  const std::uint64_t base_ms = base.empty() ? 0 : base.front();
  for (const PeriodSample& port : ports) {
    risen.push_back(not_zero(folded(port.sum, port.known), port.known) |
                    (port.known != 0 && port.covered_ms != base_ms ? timed_bit : 0));
  }

  std::string row;
  row.reserve(ports.size() * 24);
  ByteWriter out(row);
  out.byte(period_row);
  out.number(ports.size());
  out.number(base_ms);
  out.byte(static_cast<std::uint8_t>(kinds.size()));
  for (const CounterMask known : kinds) out.number(known);
  const Masks masks = most_frequent(std::move(risen), most_masks);
  write_masks(out, masks);
  for (const PeriodSample& port : ports) write_period(out, port, kinds, masks, base_ms);
  finish(row);
  return row;
}

std::optional<SampleRow> decode_samples(std::string_view row) {
  SampleRow result;
  const bool good = read_row<PortSample>(
      row, read_kind_of_port,
      [&](const RowHead<PortSample>& head) {
        result.absolute = head.format == absolute_row;
        result.ports.resize(head.ports);
        return is_sample_row(head);
      },
      [&](ByteReader& in, const RowHead<PortSample>& head, std::size_t at) {
        read_port(in, head, result.ports[at]);
        return true;
      });
  if (!good) return std::nullopt;
  return result;
}

std::optional<std::vector<PeriodSample>> decode_periods(std::string_view row) {
  std::vector<PeriodSample> result;
  const bool good = read_row<PeriodSample>(
      row, read_kind_of_period,
      [&](const RowHead<PeriodSample>& head) {
        result.resize(head.ports);
        return is_period_row(head);
      },
      [&](ByteReader& in, const RowHead<PeriodSample>& head, std::size_t at) {
        read_period(in, head, result[at]);
        return true;
      });
  if (!good) return std::nullopt;
  return result;
}

std::optional<PortSample> decode_sample(std::string_view row, std::size_t port) {
  PortSample each, result;
  const bool good =
      read_row<PortSample>(row, read_kind_of_port, is_sample_row,
                           [&](ByteReader& in, const RowHead<PortSample>& head, std::size_t at) {
                             read_port(in, head, each);
                             if (at == port) result = each;
                             return at < port;
                           });
  if (!good) return std::nullopt;
  return result;
}

std::optional<PeriodSample> decode_period(std::string_view row, std::size_t port) {
  PeriodSample each, result;
  const bool good = read_row<PeriodSample>(
      row, read_kind_of_period, is_period_row,
      [&](ByteReader& in, const RowHead<PeriodSample>& head, std::size_t at) {
        read_period(in, head, each);
        if (at == port) result = each;
        return at < port;
      });
  if (!good) return std::nullopt;
  return result;
}

}  // namespace pssp
