// Rows of the history, with a valid checksum so that the decoders read them. Decoded values must be
// the same after they are encoded and decoded again.

#include <zlib.h>

#include "monitor/store/period_codec.h"
#include "monitor/store/sample_codec.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {
namespace {

std::string with_checksum(std::string_view body) {
  std::string row(body);
  const auto sum = static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(row.data()), static_cast<uInt>(row.size())));
  for (unsigned shift = 0; shift < 32; shift += 8) row += static_cast<char>(sum >> shift);
  return row;
}

void require_samples(const std::string& row) {
  const auto read = decode_samples(row);
  if (!read) return;
  require(read->ports.size() <= chunk_ports, "more ports than fit in a row");
  for (std::size_t at = 0; at < read->ports.size(); ++at) {
    const PortSample& port = read->ports[at];
    require(((port.held | port.saturated) & ~port.known) == 0 && (port.known & ~all_counters) == 0,
            "an unknown counter has a difference");
    require(decode_sample(row, at) == port, "decoding one port differs from decoding its row");
  }
  const auto again = decode_samples(encode_samples(read->ports, read->absolute));
  require(again.has_value() && again->ports.size() == read->ports.size(),
          "a decoded row cannot be written");
  for (std::size_t at = 0; at < read->ports.size(); ++at) {
    require(again->ports[at].delta == read->ports[at].delta, "writing a row changes differences");
  }
}

void require_periods(const std::string& row) {
  const auto read = decode_periods(row);
  if (!read) return;
  require(read->size() <= chunk_ports, "more ports than fit in a row");
  for (std::size_t at = 0; at < read->size(); ++at) {
    require(decode_period(row, at) == (*read)[at],
            "decoding one port differs from decoding its row");
  }
  const auto again = decode_periods(encode_periods(*read));
  require(again.has_value() && again->size() == read->size(), "a decoded row cannot be written");
  for (std::size_t at = 0; at < read->size(); ++at) {
    require((*again)[at].sum == (*read)[at].sum, "writing a row changes sums");
  }
}

}  // namespace

void fuzz_samples(std::string_view input) {
  require_samples(with_checksum(input));
  require_periods(with_checksum(input));
  require_samples(std::string(input));
}

}  // namespace pssp::test
