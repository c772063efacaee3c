#include "osm_plugin/packed_state.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>

#include "base/compression.h"
#include "base/error.h"

namespace pssp {
namespace {

constexpr std::string_view first_line = "osmpssp state packed 1\n";
static_assert(first_line.starts_with(state_file_mark.text));

[[noreturn]] void reject(const char* why) { throw Error(ErrorKind::unreadable_input, why); }

}  // namespace

std::string packed_state(std::string_view content) {
  const std::uint64_t size = content.size();
  std::string packed(first_line);
  packed.append(reinterpret_cast<const char*>(&size), sizeof size);
  packed += compressed(content);
  return packed;
}

std::string unpacked_state(std::string_view packed, std::size_t limit) {
  if (!packed.starts_with(first_line)) reject("it was written by another version of the plugin");
  packed.remove_prefix(first_line.size());
  std::uint64_t size = 0;
  if (packed.size() < sizeof size) reject("it is damaged: it ends too early");
  std::memcpy(&size, packed.data(), sizeof size);
  packed.remove_prefix(sizeof size);
  std::optional<std::string> content = decompressed(packed, size, limit);
  if (!content) reject("it is damaged: its content does not unpack");
  return *std::move(content);
}

}  // namespace pssp
