#pragma once

// Lists of nodes as people have them: a hostfile, or Slurm's notation in one word.

#include <string>
#include <string_view>
#include <vector>

namespace pssp {

/// The first words of all lines, without what Open MPI and MPICH write behind a name ("slots=8",
/// ":8"), and Slurm in front of one ("NodeName="); '#' begins a comment. A line may be a list in
/// Slurm's notation (host_list.h). In their order, each once. Throws Error(unreadable_input,
/// "name:line: ...").
std::vector<std::string> parse_host_file(std::string_view text, std::string_view name);

/// Of a file of that name, where there is one (at most 64 MiB; "-" is standard input), else of the
/// list itself. Throws Error(unreadable_input); Error(usage) where it is neither, or names no one.
std::vector<std::string> read_host_names(const std::string& list_or_file);

}  // namespace pssp
