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

/// How every such file begins.
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

/// Throws Error(unreadable_input) with file:line: no mark, a line that is none, a port and
/// direction said twice, a last line without an end (the file was cut). O(size).
CapacityFile parse_capacities(std::string_view text, std::string_view name);
/// Reads a file of at most 16 MiB by `source`.
CapacityFile read_capacities(const std::filesystem::path& path,
                             const FileSource& source = from_anywhere);

enum class AtZero : std::uint8_t {
  left_out,  ///< for routing: the link is no part of the fabric, unless nothing else joins its ends
  slow,      ///< for evaluation: it is there, with the least capacity
};

struct CapacityEffect {
  std::size_t links = 0;          ///< between switches
  std::size_t lowered = 0;        ///< of these, those at 0 included
  std::size_t left_out = 0;       ///< of these, at 0
  std::size_t needed = 0;         ///< at 0 and there, since nothing else joins their ends
  std::size_t without_cable = 0;  ///< lines for ports that have no cable now
};

/// Lowers capacities of a builder that has all nodes and cables. A link that is 0 in one direction
/// is so in both; of two lines about one direction the lower counts. Links at 0 that are there
/// have 1 percent. The nominal capacity of a link whose rate is not stated is that of most hosts;
/// where no rate is stated at all, 4xSDR, which all others then have, too. Throws Error(mismatch),
/// and changes nothing, for a node or port that the fabric does not have, and where more than one
/// in ten of the links between switches (at least one) would be lowered. O(ports).
CapacityEffect apply_capacities(const CapacityFile& file, AtZero at_zero, FabricBuilder& builder);

/// "3 of 432 links have less capacity, 1 of them is left out".
std::string to_string(const CapacityEffect& effect);

}  // namespace pssp
