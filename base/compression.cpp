#include "base/compression.h"

#include <zlib.h>

#include <new>

namespace pssp {
namespace {

// zlib reads and writes unsigned characters.
Bytef* bytes(char* characters) { return reinterpret_cast<Bytef*>(characters); }
const Bytef* bytes(const char* characters) { return reinterpret_cast<const Bytef*>(characters); }

}  // namespace

std::string compressed(std::string_view data) {
  constexpr int fastest = 1;
  uLongf size = compressBound(data.size());
  std::string stored(size, '\0');
  // zlib states the bound itself, so that only a lack of memory can make this fail.
  if (compress2(bytes(stored.data()), &size, bytes(data.data()), data.size(), fastest) != Z_OK) {
    throw std::bad_alloc();
  }
  stored.resize(size);
  stored.shrink_to_fit();
  return stored;
}

std::optional<std::string> decompressed(std::string_view stored, std::uint64_t size,
                                        std::size_t limit) {
  constexpr std::uint64_t best_ratio = 1032;  // of zlib's format
  if (size > limit || size / best_ratio > stored.size()) return std::nullopt;
  std::string data(size, '\0');
  uLongf found = size;
  if (uncompress(bytes(data.data()), &found, bytes(stored.data()), stored.size()) != Z_OK ||
      found != size) {
    return std::nullopt;
  }
  return data;
}

}  // namespace pssp
