// Most ports of a sweep are alike: they were read, and the same counters are known and have a
// difference from the previous sweep. A row therefore begins with up to three kinds (status, known,
// saturated), up to 63 masks of counters that rose, and the usual time between readings. The record
// of a port names its kind and its mask in one byte, followed by the differences of the counters
// that rose. The record of an idle port is that single byte. Ports with a rarer kind or mask spell
// it out.

#include "monitor/store/sample_codec.h"

#include <algorithm>

#include "monitor/store/row_format.h"

namespace pssp {
namespace row_format {
namespace {

// Layout of a row:
//   row     = head ports base_ms kinds kind* masks mask* record* crc
//   head    = byte: 0x01 sweep, 0x81 sweep with values (absolute), 0x02 period
//   kind    = state known saturated          (of periods: known)
//   record  = byte: index of the mask << 2 | index of the kind
//             [mask of counters that rose]    mask index 63
//             [state known saturated held]    kind index 3  (of periods: known partly)
//             [covered_ms - base_ms, signed]  if the mask has timed_bit
//             difference of each counter that rose
//             [largest rate of each peak counter that rose]   (periods)
//             [mask of values that are not 0, values]   (absolute rows)
// All numbers are base 128. Ports count words of four bytes, so bytes are rotated right by two
// bits: multiples of four become small, and other values lose nothing. Unicast packets are nearly
// all packets minus multicast packets, because a port is not read in one instant; the difference
// from that value is stored and is mostly 0. A largest rate is stored as 32 log2(largest / mean),
// rounded.
constexpr std::uint8_t present_bit = 0x80;

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

/// Whether the record must state the time of the port. It need not if the time is within 1/2048 of
/// the row's time, which is less than the clocks of nodes differ, or within 1/8 if the port counted
/// nothing.
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

void read_state(ByteReader& in, PortSample& port) noexcept {
  const std::uint8_t state = in.byte();
  const unsigned status = state & ~unsigned{present_bit};
  if (status > static_cast<unsigned>(PortStatus::left_out)) return in.fail();
  port.present = (state & present_bit) != 0;
  port.status = static_cast<PortStatus>(status);
}

PortSample read_kind_of_port(ByteReader& in) {
  PortSample kind;
  read_state(in, kind);
  kind.known = read_mask(in, all_counters);
  kind.saturated = read_mask(in, kind.known);
  kind.held = kind.known & ~kind.saturated;
  return kind;
}

/// Reads one record into `port`.
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

bool is_sample_row(const RowHead<PortSample>& head) noexcept {
  return head.format == plain_row || head.format == absolute_row;
}

}  // namespace
}  // namespace row_format

std::string encode_samples(std::span<const PortSample> ports, bool absolute) {
  using namespace row_format;
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

std::optional<SampleRow> decode_samples(std::string_view row) {
  using namespace row_format;
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

std::optional<PortSample> decode_sample(std::string_view row, std::size_t port) {
  using namespace row_format;
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

}  // namespace pssp
