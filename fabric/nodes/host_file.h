#pragma once

// Lists of nodes: a hostfile, or Slurm's notation in one word.

#include <string>
#include <string_view>
#include <vector>

namespace pssp {

/// The first words of all lines, without the suffixes of Open MPI and MPICH ("slots=8", ":8") and
/// Slurm's prefix ("NodeName="); '#' begins a comment. A line may be a list in Slurm's notation
/// (host_list.h). In the order of the file, without repetitions. Throws Error(unreadable_input,
/// "name:line: ...").
std::vector<std::string> parse_host_file(std::string_view text, std::string_view name);

/// From the file with that name, if it exists (at most 64 MiB; "-" is standard input), else from
/// the list itself. Throws Error(unreadable_input); Error(usage) if it is neither, or contains no
/// name.
std::vector<std::string> read_host_names(const std::string& list_or_file);

}  // namespace pssp
