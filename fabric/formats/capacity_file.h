#pragma once

// What links are still worth: a file that lowers the capacity of links for routing and evaluation,
// as a monitor writes it of cables that fail.
//
//   # pssp capacity 1                  the first line; what follows on it is a remark
//   # comment
//   0x0002c90300000101 17 50           node GUID, port, percent of the nominal capacity
//   0x0002c90300000101 18 0            0: avoided; used only where nothing else joins two parts
//   0x0002c90300000101 19 50 out       only what leaves by that port; "in": what arrives there

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/guarded_files.h"
#include "fabric/builder.h"

namespace pssp {

/// The beginning of every such file.
inline constexpr std::string_view capacity_mark = "# pssp capacity 1";

struct LinkCapacity {
  Guid node = 0;
  PortNumber port = no_port;
  unsigned percent = 100;  ///< 0 .. 100
  bool out = true, in = true;
  std::size_t line = 0;
};

struct CapacityFile {
  std::string name;
  std::vector<LinkCapacity> links;
};

/// Throws Error(unreadable_input) with file:line for a missing mark, an invalid line, a repeated
/// port and direction, and a last line without an end (truncated file). O(size).
CapacityFile parse_capacities(std::string_view text, std::string_view name);
/// Reads a file of at most 16 MiB with `source`.
CapacityFile read_capacities(const std::filesystem::path& path,
                             const FileSource& source = from_anywhere);

enum class AtZero : std::uint8_t {
  left_out,  ///< for routing: the link is removed, unless nothing else joins its ends
  slow,      ///< for evaluation: it has the smallest capacity
};

struct CapacityEffect {
  std::size_t links = 0;          ///< between switches
  std::size_t lowered = 0;        ///< links with lower capacity, including those at 0
  std::size_t left_out = 0;       ///< removed links at 0
  std::size_t needed = 0;         ///< links at 0 that stay, because nothing else joins their ends
  std::size_t without_cable = 0;  ///< lines for ports without a cable
};

/// Lowers capacities in a builder with all nodes and cables. A link with 0 in one direction has 0
/// in both; of two lines for one direction, the lower value counts. Links at 0 that stay have 1
/// percent. The nominal capacity of a link with unknown rate is that of most hosts; if no rate is
/// known at all, 4xSDR, which all other links then get, too. Throws Error(mismatch), and changes
/// nothing, for an unknown node or port, and if more than one in ten links between switches (at
/// least one) would be lowered. O(ports).
CapacityEffect apply_capacities(const CapacityFile& file, AtZero at_zero, FabricBuilder& builder);

/// "3 of 432 links have less capacity, 1 of them is left out".
std::string to_string(const CapacityEffect& effect);

}  // namespace pssp
