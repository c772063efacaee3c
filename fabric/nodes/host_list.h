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

/// Whether launchers and schedulers accept it as a host name: ASCII letters and digits, '-', '_'
/// and '.', not beginning with '-', at most longest_host_name bytes. O(size).
bool is_host_name(std::string_view name);

/// The names of the list, in its order, the last bracket of a name varying fastest; repeated names
/// are kept. An empty list has no names. Throws Error(unreadable_input), with the position in the
/// list, for unbalanced or nested brackets, an empty, decreasing or non-numeric range, a name that
/// is empty, too long or contains a blank or control character, or more than `most` names (at most
/// most_host_names). Validates the whole list before expanding it. O(size + sizes of the names).
std::vector<std::string> expand_host_list(std::string_view list,
                                          std::size_t most = most_host_names);

/// A short list with these names: consecutive names that differ only by their last number share a
/// bracket. expand_host_list() returns the same names in the same order. Throws
/// Error(unreadable_input) for a name that cannot be in a list (empty, too long, or containing a
/// bracket, a comma, a blank or a control character). O(sizes of the names).
std::string compress_host_list(std::span<const std::string> names);

}  // namespace pssp
