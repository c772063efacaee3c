#pragma once

// Reader of a file of pairs: whose paths are to be shown.

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

/// One pair a line: SOURCE DESTINATION, each as NodeDirectory::find() takes it, separated by
/// blanks. What has blanks, quotes or a '#' at its front is put in double quotes, and in these \"
/// and \\ stand for " and \. A '#' where a word would begin starts a comment; empty lines are
/// passed over. Throws Error(unreadable_input) with file:line for whatever is no pair of two known
/// ports. `name` stands for the file in messages. O(size).
std::vector<PathPair> parse_path_pairs(std::string_view text, std::string_view name,
                                       const NodeDirectory& nodes);

/// Reads the file, "-" for standard input, of at most 256 MiB.
std::vector<PathPair> read_path_pairs(const std::filesystem::path& path,
                                      const NodeDirectory& nodes);

}  // namespace pssp
