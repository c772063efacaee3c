#pragma once

// Lists of node names in Slurm's notation: n[1-3,07-09],gpu[1-2]x[0-3].

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pssp {

inline constexpr std::size_t most_host_names = 65'536;  ///< of one list
inline constexpr std::size_t longest_host_name = 255;   ///< bytes

/// Whether launchers and schedulers take it for the name of a host: letters and digits of ASCII,
/// '-', '_' and '.', not beginning with '-', at most longest_host_name bytes. O(size).
bool is_host_name(std::string_view name);

/// The names of the list, in its order, the last bracket of a name counting fastest; a name that is
/// in the list twice is there twice. An empty list has no names. Throws Error(unreadable_input),
/// with the place in the list, where brackets do not fit or are nested, a range is empty, runs
/// backwards or is no number, a name is empty or too long or has a blank or a control character in
/// it, or there are more than `most` names, which is at most most_host_names. Nothing is expanded
/// before all of the list is known to be good. O(size + sizes of the names).
std::vector<std::string> expand_host_list(std::string_view list,
                                          std::size_t most = most_host_names);

/// The shortest such list that this way of writing has: names that follow each other and differ by
/// their last number alone share a bracket. expand_host_list() makes the same names of it, in the
/// same order. Throws Error(unreadable_input) on a name that no list can hold (empty, too long, or
/// with a bracket, a comma, a blank or a control character in it). O(sizes of the names).
std::string compress_host_list(std::span<const std::string> names);

}  // namespace pssp
