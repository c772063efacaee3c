// A line is parsed from left to right: first the parts that ibsim and ibnetdiscover always write
// (keyword or port, identifier in quotes, remote port), then the comment. The comment of
// ibnetdiscover contains a description, which may contain quotes, '#', '[' and words such as "lid
// 5". It extends from the first to the last quote of the comment, because the text after it has no
// quotes; LIDs, LMC and rate are searched before and after it. Blanks never matter, because tabs
// may have been lost.
//
// Unlike in ibsim, a LID after the description of an adapter's port line is the remote port's, as
// ibnetdiscover means it; ibsim takes it as the adapter's own if the file does not specify that.

#include "fabric/formats/topology_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pssp {
namespace {

/// InfiniBand's permissive LID: ibnetdiscover prints it for ports without a LID.
constexpr unsigned permissive_lid = 0xFFFF;

struct Keyword {
  std::string_view word;
  NodeKeyword keyword;
};
constexpr std::array node_line_keywords{
    Keyword{"Switch", NodeKeyword::switch_node}, Keyword{"Hca", NodeKeyword::adapter},
    Keyword{"Ca", NodeKeyword::adapter}, Keyword{"Rt", NodeKeyword::router}};
constexpr std::array guid_text{
    Keyword{"switchguid", NodeKeyword::switch_node}, Keyword{"hcaguids", NodeKeyword::adapter},
    Keyword{"hcaguid", NodeKeyword::adapter}, Keyword{"caguid", NodeKeyword::adapter},
    Keyword{"rtguid", NodeKeyword::router}};

template <std::size_t size>
const Keyword* take_keyword(std::string_view& text, const std::array<Keyword, size>& words) {
  const auto* const word = std::find_if(words.begin(), words.end(),
                                        [&text](const Keyword& k) { return take(text, k.word); });
  return word == words.end() ? nullptr : word;
}

/// A number for a field of InfiniBand; rejects values that are too large for every field, before
/// narrowing.
unsigned narrow(const TextLines& at, std::optional<std::uint64_t> number, std::string_view what) {
  if (!number) at.fail(fmt::format("{} is not a number or is too large", what));
  if (*number > 0xFFFF) at.fail(fmt::format("{} {} is out of range", what, *number));
  return static_cast<unsigned>(*number);
}

std::optional<std::string_view> take_quoted(std::string_view& text) {
  if (!text.starts_with('"')) return std::nullopt;
  const std::size_t end = text.find('"', 1);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view content = text.substr(1, end - 1);
  text.remove_prefix(end + 1);
  return content;
}

/// `(1c34da030071429a)`: 0 if there is none.
Guid take_guid_in_parentheses(const TextLines& at, std::string_view& text) {
  text = without_indent(text);
  if (!take(text, "(")) return 0;
  take(text, "0x");
  const std::optional<std::uint64_t> guid = take_number(text, 16);
  if (!guid || !take(text, ")"))
    at.fail("a GUID in parentheses was expected, e.g. (2c90300a1b2c3)");
  return *guid;
}

/// `[ext 12]`: the port's label on a chassis; irrelevant for the topology.
void skip_external_port(std::string_view& text) {
  text = without_indent(text);
  if (text.starts_with("[ext ")) text.remove_prefix(std::min(text.size(), text.find(']') + 1));
}

/// Words such as `lid 837`, `lmc 0`, `4xHDR`, `w=8`.
struct Details {
  unsigned first_lid = no_lid, last_lid = no_lid, lids = 0;
  std::optional<unsigned> lmc;
  LinkRate rate;
  std::string_view unknown_rate;
  std::optional<std::uint64_t> widths, speeds, extended_speeds;

  bool has_masks() const noexcept { return widths || speeds || extended_speeds; }
};

bool resembles_rate(std::string_view word) {
  const std::size_t end = word.find_first_not_of("0123456789");
  return end != 0 && end < word.size() && word[end] == 'x' && end + 1 < word.size();
}

constexpr unsigned max_widths = 31, max_speeds = 7, max_extended_speeds = 15;

std::uint8_t checked_mask(const TextLines& at, std::optional<std::uint64_t> mask, unsigned max,
                          std::string_view what) {
  if (!mask || *mask > max) at.fail(fmt::format("{} takes a mask of 0 to {}", what, max));
  return static_cast<std::uint8_t>(*mask);
}

void read_word(std::string_view word, Details& into) {
  if (take(word, "w=")) {
    into.widths = take_c_number(word);
  } else if (take(word, "s=")) {
    into.speeds = take_c_number(word);
  } else if (take(word, "e=")) {
    into.extended_speeds = take_c_number(word);
  } else if (const std::optional<LinkRate> rate = parse_link_rate(word)) {
    into.rate = *rate;
  } else if (resembles_rate(word)) {
    into.unknown_rate = word;
  }
}

/// `strict`: `text` contains no description, so "lid" without a number is an error.
void read_details(const TextLines& at, std::string_view text, bool strict, Details& into) {
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
    take(word, "#");
    if (word != "lid" && word != "lmc") {
      read_word(word, into);
      continue;
    }
    std::string_view after = without_indent(text);
    const std::optional<std::uint64_t> number = take_c_number(after);
    if (!number && !strict) continue;
    const unsigned value = narrow(at, number, word);
    if (word == "lmc") {
      into.lmc = value;
    } else {
      into.last_lid = value == permissive_lid ? unsigned{no_lid} : value;
      if (into.lids++ == 0) into.first_lid = into.last_lid;
    }
    text = after;
  }
}

/// The parts of a comment. Without a pair of quotes everything is `behind`, because the description
/// cannot be separated.
struct Comment {
  std::string_view before = {}, description = {}, behind = {};
  bool is_quoted = false;
};

Comment split_comment(std::string_view text) {
  const std::size_t first = text.find('"');
  const std::size_t last = text.rfind('"');
  if (first == std::string_view::npos) return {.behind = text};
  if (first == last) return {.before = text.substr(0, first), .behind = text.substr(first + 1)};
  return {.before = text.substr(0, first),
          .description = text.substr(first + 1, last - first - 1),
          .behind = text.substr(last + 1),
          .is_quoted = true};
}

/// The part of a node line's unquoted comment other than LID and LMC.
std::string_view unquoted_description(std::string_view comment) {
  comment = trimmed(comment);
  std::size_t end = comment.size();
  for (const std::string_view stop : {" enhanced port ", " base port ", " lid ", " lmc "}) {
    end = std::min(end, comment.find(stop));
  }
  return trimmed(comment.substr(0, end));
}

EnabledRates enabled_rates(const TextLines& at, const Details& details,
                           const EnabledRates& defaults) {
  EnabledRates rates = defaults;
  rates.stated |= details.has_masks();
  if (details.widths) rates.widths = checked_mask(at, details.widths, max_widths, "w=");
  if (details.speeds) rates.speeds = checked_mask(at, details.speeds, max_speeds, "s=");
  if (details.extended_speeds) {
    rates.extended_speeds = checked_mask(at, details.extended_speeds, max_extended_speeds, "e=");
  }
  if (rates.speeds == 0) rates.speeds = 4;  // ibsim interprets 0 as QDR
  return rates;
}

/// The part of a port line after the identifiers.
void read_port_details(const TextLines& at, std::string_view text, NodeKeyword node,
                       const EnabledRates& defaults, PortLine& port) {
  const Comment comment = split_comment(text);
  Details before, behind;
  read_details(at, comment.before, comment.is_quoted, before);
  read_details(at, comment.behind, comment.is_quoted, behind);
  if (node == NodeKeyword::switch_node) {
    port.remote_lid = behind.last_lid;
  } else if (comment.is_quoted || before.lids != 0) {
    port.lid = before.first_lid;
    port.lmc = before.lmc.value_or(0);
    port.remote_lid = behind.last_lid;
  } else {
    // A single part: the port's own LID comes first.
    port.lid = behind.first_lid;
    port.lmc = behind.lmc.value_or(0);
    if (behind.lids > 1) port.remote_lid = behind.last_lid;
  }
  port.rate = behind.rate.stated() ? behind.rate : before.rate;
  port.enabled = defaults;
  if (port.rate.stated()) return;  // the masks of ibnetdiscover -f add nothing to the rate
  port.unknown_rate = behind.unknown_rate;
  port.enabled = enabled_rates(at, behind.has_masks() ? behind : before, defaults);
}

}  // namespace

bool begins_node_line(std::string_view line) {
  line = without_indent(line);
  if (take_keyword(line, node_line_keywords) == nullptr) return false;
  line = without_indent(line);
  return take_number(line) && without_indent(line).starts_with('"');
}

bool begins_guid_line(std::string_view line) {
  line = without_indent(line);
  if (take_keyword(line, guid_text) == nullptr) return false;
  line = without_indent(line);
  if (!take(line, "=") && !take(line, "+")) return false;
  line = without_indent(line);
  return take_c_number(line).has_value();
}

std::optional<NodeLine> parse_node_line(const TextLines& at) {
  std::string_view text = without_indent(at.line());
  NodeLine node;
  const Keyword* const word = take_keyword(text, node_line_keywords);
  if (word == nullptr) return std::nullopt;
  node.keyword = word->keyword;
  text = without_indent(text);
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  node.ports = narrow(at, take_number(text), "the number of ports");
  text = without_indent(text);
  const std::optional<std::string_view> id = take_quoted(text);
  if (!id || id->empty()) {
    at.fail(fmt::format(
        "'{}' begins a node, but its identifier in double quotes is missing; expected e.g. "
        "Switch 36 \"S-0002c90200405060\"",
        excerpt(at.line())));
  }
  node.id = *id;
  text = without_indent(text);
  take(text, "#");
  const Comment comment = split_comment(text);
  if (comment.is_quoted) {
    node.description = comment.description;
  } else if (const std::string_view unquoted = unquoted_description(comment.behind);
             !unquoted.empty()) {
    node.description = unquoted;
  }
  if (node.keyword == NodeKeyword::switch_node) {
    Details details;
    read_details(at, comment.behind, comment.is_quoted, details);
    node.lid = details.last_lid;
    node.lmc = details.lmc.value_or(0);
  }
  return node;
}

std::optional<GuidLine> parse_guid_line(const TextLines& at) {
  std::string_view text = without_indent(at.line());
  const Keyword* const word = take_keyword(text, guid_text);
  if (word == nullptr) return std::nullopt;
  text = without_indent(text);
  const bool relative = take(text, "+");
  if (!relative && !take(text, "=")) return std::nullopt;
  text = without_indent(text);
  const std::optional<std::uint64_t> value = take_c_number(text);
  if (!value) {
    at.fail(fmt::format("'{}' states no GUID; expected e.g. {}=0x2c90300a1b2c3", excerpt(at.line()),
                        word->word));
  }
  return GuidLine{.keyword = word->keyword, .relative = relative, .value = *value};
}

std::optional<SettingLine> parse_setting_line(const TextLines& at) {
  std::string_view text = without_indent(at.line());
  const auto is = [&text](std::string_view word) {
    std::string_view rest = text;
    if (!take(rest, word)) return false;
    rest = without_indent(rest);
    if (!take(rest, "=")) return false;
    text = without_indent(rest);
    return true;
  };
  using Key = SettingLine::Key;
  if (is("module")) {
    const std::optional<std::string_view> prefix = take_quoted(text);
    if (!prefix) at.fail("a module's name in double quotes was expected, e.g. module=\"rack1\"");
    return SettingLine{.key = Key::module_prefix, .text = *prefix};
  }
  if (is("width")) {
    return SettingLine{.key = Key::width,
                       .mask = checked_mask(at, take_c_number(text), max_widths, "width=")};
  }
  if (is("speed")) {
    return SettingLine{.key = Key::speed,
                       .mask = checked_mask(at, take_c_number(text), max_speeds, "speed=")};
  }
  if (is("extspeed")) {
    return SettingLine{
        .key = Key::extended_speed,
        .mask = checked_mask(at, take_c_number(text), max_extended_speeds, "extspeed=")};
  }
  return std::nullopt;
}

std::optional<UncabledPort> parse_uncabled_port(std::string_view comment) {
  constexpr unsigned longest_mask = 7;
  if (!take(comment, "# port ")) return std::nullopt;
  const auto port = take_number(comment);
  if (!port || !take(comment, " (")) return std::nullopt;
  const auto guid = take_number(comment, 16);
  if (!guid || !take(comment, ") lid ")) return std::nullopt;
  const auto lid = take_number(comment);
  if (!lid || !take(comment, " lmc ")) return std::nullopt;
  const auto lmc = take_number(comment);
  if (!lmc || comment != " without a cable") return std::nullopt;
  if (*port > max_port_number || *lid == no_lid || *lid > 0xFFFF || *lmc > longest_mask) {
    return std::nullopt;
  }
  return UncabledPort{static_cast<unsigned>(*port), *guid, static_cast<unsigned>(*lid),
                      static_cast<unsigned>(*lmc)};
}

std::optional<PortLine> parse_port_line(const TextLines& at, NodeKeyword node, bool in_node,
                                        const EnabledRates& defaults) {
  std::string_view text = without_indent(at.line());
  PortLine port;
  port.is_alias = take(text, "@");
  if (!take(text, "[") || text.empty() || !is_digit(text.front())) return std::nullopt;
  port.port = narrow(at, take_number(text), "the port number");
  if (!take(text, "]")) {
    if (!in_node) return std::nullopt;
    at.fail(fmt::format("'{}': a port in brackets was expected, e.g. [17]", excerpt(at.line())));
  }
  skip_external_port(text);
  const bool has_id = text.find('"') != std::string_view::npos;
  if (!has_id && (!in_node || text.starts_with('+') || text.starts_with('-'))) return std::nullopt;
  port.guid = take_guid_in_parentheses(at, text);
  text = without_indent(text);
  const std::optional<std::string_view> id = take_quoted(text);
  if (!id || id->empty()) {
    at.fail(fmt::format(
        "'{}': the identifier of the node at the other end is missing or its quotes are; "
        "expected e.g. [17] \"S-0002c90200405060\"[3]",
        excerpt(at.line())));
  }
  port.remote_id = *id;
  text = without_indent(text);
  if (take(text, "[")) {
    port.remote_port = narrow(at, take_number(text), "the port number at the other end");
    if (!take(text, "]")) at.fail("a port in brackets was expected after the identifier, e.g. [3]");
  }
  skip_external_port(text);
  port.remote_guid = take_guid_in_parentheses(at, text);
  read_port_details(at, text, node, defaults, port);
  return port;
}

}  // namespace pssp
