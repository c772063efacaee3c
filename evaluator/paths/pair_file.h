#pragma once

// Reads a file of pairs whose paths are shown.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "evaluator/paths/node_directory.h"

namespace pssp {

struct PathPair {
  PathEnd source, destination;
};

/// One pair per line: SOURCE DESTINATION, each as accepted by NodeDirectory::find(), separated by
/// blanks. Names with blanks, quotes or an initial '#' must be in double quotes, with \" and \\ for
/// " and \. A '#' at the beginning of a word starts a comment; empty lines are ignored. Throws
/// Error(unreadable_input) with file:line for lines that are not a pair of two known ports. `name`
/// stands for the file in messages. O(size).
std::vector<PathPair> parse_path_pairs(std::string_view text, std::string_view name,
                                       const NodeDirectory& nodes);

/// Reads a file of at most 256 MiB, or standard input for "-".
std::vector<PathPair> read_path_pairs(const std::filesystem::path& path,
                                      const NodeDirectory& nodes);

}  // namespace pssp
