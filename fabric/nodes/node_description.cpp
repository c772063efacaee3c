// Descriptions are free text of up to 64 bytes in InfiniBand, but files can contain anything;
// nothing here depends on their length or on the size of the numbers in them. All parsing of
// descriptions is here, except user-defined rules (node_name_rule.h).

#include "fabric/nodes/node_description.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text_lines.h"
#include "fabric/nodes/node_name_rule.h"

namespace pssp {
namespace {

/// Removes the digits at the front, and returns them without leading zeros.
std::string_view take_digits(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  while (!digits.empty() && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

std::string_view next_word(std::string_view& text) {
  text = without_indent(text);
  return take_word(text);
}

/// "MT4123", "ConnectX6", "Mellanox" ...
bool is_product_word(std::string_view word) {
  constexpr std::array<std::string_view, 11> beginnings{
      "ConnectX", "InfiniHost", "InfiniBand", "Infiniband",  "Mellanox", "Technologies",
      "NVIDIA",   "QLogic",     "Intel",      "Aggregation", "HCA"};
  // "Aggregation Node"; Node12 is a host.
  if (word == "Node") return true;
  if (word.size() > 2 && word.substr(0, 2) == "MT" && is_digit(word[2])) return true;
  return std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view beginning) {
    return word.substr(0, beginning.size()) == beginning;
  });
}

bool names_only_the_product(std::string_view text) {
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    if (!is_product_word(word)) return false;
  }
  return true;
}

/// "H-0002c90300001001": the identifier that ibnetdiscover assigns, which readers use if the
/// description is empty.
bool is_made_of_guid(std::string_view text) {
  constexpr std::string_view kinds = "HSRA";
  constexpr std::size_t digits = 16;
  if (text.size() != digits + 2 || kinds.find(text[0]) == std::string_view::npos || text[1] != '-')
    return false;
  return text.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string_view::npos;
}

}  // namespace

int compare_with_numbers(std::string_view a, std::string_view b) noexcept {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view number_a = take_digits(a);
      const std::string_view number_b = take_digits(b);
      if (number_a.size() != number_b.size()) return number_a.size() < number_b.size() ? -1 : 1;
      if (const int order = number_a.compare(number_b); order != 0) return order;
      continue;
    }
    const auto byte_a = static_cast<unsigned char>(a.front());
    const auto byte_b = static_cast<unsigned char>(b.front());
    if (byte_a != byte_b) return byte_a < byte_b ? -1 : 1;
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  return static_cast<int>(!a.empty()) - static_cast<int>(!b.empty());
}

bool is_installer_name(std::string_view name) {
  constexpr std::array<std::string_view, 12> names{
      "localhost", "localhost4", "localhost6", "localdomain", "(none)", "none",
      "unknown",   "ubuntu",     "debian",     "centos",      "rocky",  "rhel"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool names_no_node(std::string_view description) {
  if (names_only_the_product(description) || is_made_of_guid(trimmed(description))) return true;
  return is_installer_name(host_part(next_word(description)));
}

const std::string& description_or_name(const Switch& node) {
  return node.description.empty() ? node.name : node.description;
}

const std::string& description_or_name(const EndPort& port) {
  return port.description.empty() ? port.name : port.description;
}

std::string port_label(std::string_view node, PortNumber number) {
  return fmt::format("{} port {}", node, number);
}

std::string_view telling_name(const EndPort& port) {
  return names_no_node(port.description) ? port.name : port.description;
}

std::optional<NodeAndAdapter> node_and_adapter(std::string_view text) {
  NodeAndAdapter words;
  words.node = next_word(text);
  words.adapter = trimmed(text);
  std::string_view rest = words.adapter;
  const bool is_one_word = !next_word(rest).empty() && trimmed(rest).empty();
  if (words.adapter.empty() || (!is_one_word && !names_only_the_product(words.adapter))) {
    return std::nullopt;
  }
  return words;
}

}  // namespace pssp
