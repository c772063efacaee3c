#include "osm_plugin/packed_state.h"

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <new>

#include "base/error.h"

namespace pssp {
namespace {

constexpr std::string_view first_line = "osmpssp state packed 1\n";
static_assert(first_line.starts_with(state_file_mark.text));

[[noreturn]] void reject(const char* why) { throw Error(ErrorKind::unreadable_input, why); }

// zlib reads and writes unsigned characters.
Bytef* bytes(char* characters) { return reinterpret_cast<Bytef*>(characters); }
const Bytef* bytes(const char* characters) { return reinterpret_cast<const Bytef*>(characters); }

}  // namespace

std::string packed_state(std::string_view content) {
  constexpr int fastest = 1;
  const std::uint64_t size = content.size();
  std::string packed(first_line);
  packed.append(reinterpret_cast<const char*>(&size), sizeof size);
  const std::size_t head = packed.size();
  uLongf room = compressBound(content.size());
  packed.resize(head + room);
  if (compress2(bytes(packed.data() + head), &room, bytes(content.data()), content.size(),
                fastest) != Z_OK) {
    throw std::bad_alloc();
  }
  packed.resize(head + room);
  packed.shrink_to_fit();
  return packed;
}

std::string unpacked_state(std::string_view packed, std::size_t limit) {
  constexpr std::uint64_t best_ratio = 1032;  // of zlib's format
  if (!packed.starts_with(first_line)) reject("it is of another version");
  packed.remove_prefix(first_line.size());
  std::uint64_t size = 0;
  if (packed.size() < sizeof size) reject("it is damaged: it ends too early");
  std::memcpy(&size, packed.data(), sizeof size);
  packed.remove_prefix(sizeof size);
  if (size > limit || size > best_ratio * packed.size()) {
    reject("it is damaged: its size is not possible");
  }
  std::string content(size, '\0');
  uLongf found = size;
  if (uncompress(bytes(content.data()), &found, bytes(packed.data()), packed.size()) != Z_OK ||
      found != size) {
    reject("it is damaged: its content does not unpack");
  }
  return content;
}

}  // namespace pssp
