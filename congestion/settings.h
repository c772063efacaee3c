#pragma once

// Text of the form `name = value`, one a line, '#' begins a comment.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pssp {

struct Setting {
  std::string name, value;
  std::size_t line = 0;
};

/// The settings in the order of the text; `name` stands for the file in messages. Throws
/// Error(unreadable_input), "name:line: ...", on a line of another form, a name that occurs twice,
/// and on text without any setting.
std::vector<Setting> read_settings(std::string_view text, std::string_view name);

}  // namespace pssp
