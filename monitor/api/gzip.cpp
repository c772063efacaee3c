#include "monitor/api/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>

namespace pssp {
namespace {

/// zlib declares its input as a pointer to non-const data.
Bytef* input_of(std::string_view piece) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));  // NOLINT
}

}  // namespace

struct Gzip::Stream {
  z_stream state{};

  void run(std::string& packed, int flush) {
    std::array<char, 65536> room{};
    do {
      state.next_out = reinterpret_cast<Bytef*>(room.data());  // NOLINT
      state.avail_out = room.size();
      deflate(&state, flush);
      packed.append(room.data(), room.size() - state.avail_out);
    } while (state.avail_out == 0);
  }
};

Gzip::Gzip() : stream_(std::make_unique<Stream>()) {
  constexpr int gzip_format = 15 + 16;
  constexpr int memory_level = 8;
  if (deflateInit2(&stream_->state, 1, Z_DEFLATED, gzip_format, memory_level, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::bad_alloc();
  }
}

Gzip::~Gzip() { deflateEnd(&stream_->state); }

void Gzip::add(std::string_view piece) {
  while (!piece.empty()) {
    const auto part = static_cast<uInt>(
        std::min<std::size_t>(piece.size(), std::numeric_limits<std::uint16_t>::max()));
    stream_->state.next_in = input_of(piece);
    stream_->state.avail_in = part;
    stream_->run(packed_, Z_NO_FLUSH);
    piece.remove_prefix(part);
  }
}

std::string Gzip::finish() {
  stream_->state.avail_in = 0;
  stream_->run(packed_, Z_FINISH);
  return std::move(packed_);
}

std::string gzipped(std::string_view text) {
  Gzip gzip;
  gzip.add(text);
  return gzip.finish();
}

}  // namespace pssp
