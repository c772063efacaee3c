#pragma once

// Converts untrusted text to the dot language: node descriptions come from the network, and must
// not be able to end a string, begin an element or insert other values.

#include <string>
#include <string_view>

namespace pssp {

/// An attribute value in double quotes that shows as `text`. Line feeds remain, other control
/// characters become blanks, bytes that are not UTF-8 become '?'.
std::string dot_label(std::string_view text);
/// The same for "tooltip", in which graphviz replaces escape sequences twice.
std::string dot_tooltip(std::string_view text);
/// For use between the tags of an HTML-like label, on one line.
std::string html_text(std::string_view text);

}  // namespace pssp
