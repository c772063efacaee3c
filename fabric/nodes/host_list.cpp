// An item of the list is a sequence of parts: text, or a bracket with its ranges. The names of an
// item are all combinations of one number per bracket. As in Slurm, numbers are padded to the width
// of the lower end of their range ([07-9]: 07, 08, 09; [7-09]: 7, 8, 9). Text after the last
// bracket, which Slurm reads but never writes, is accepted; blanks between names are not.

#include "fabric/nodes/host_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"

namespace pssp {
namespace {

/// More digits than any fabric needs, and sums fit into 64 bits.
constexpr std::size_t most_digits = 10;
/// Slurm supports at most four dimensions; this is only a safety limit.
constexpr std::size_t most_brackets = 8;

struct NumberRange {
  std::uint64_t first = 0, last = 0;
  int width = 1;
};

/// Text, and the bracket after it; no ranges: no bracket.
struct NamePart {
  std::string_view text;
  std::vector<NumberRange> ranges;
};

class HostListParser {
 public:
  HostListParser(std::string_view list, std::size_t most) : list_(list), most_(most) {}

  /// The parts of each item.
  std::vector<std::vector<NamePart>> parse() {
    std::vector<std::vector<NamePart>> items;
    while (place_ < list_.size()) {
      items.push_back(take_item());
      if (place_ == list_.size()) break;
      ++place_;  // the comma
      if (place_ == list_.size()) fail("a name is missing after the last comma");
    }
    return items;
  }

  std::size_t names() const { return names_; }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("the list of nodes '{}' cannot be read at character {}: {}; expected "
                            "names as in n[1-3,07-09],gpu[1-2]x[0-3]",
                            excerpt(list_), place_ + 1, what));
  }

  bool at(char c) const { return place_ < list_.size() && list_[place_] == c; }

  std::vector<NamePart> take_item() {
    std::vector<NamePart> parts;
    std::uint64_t count = 1;
    std::size_t length = 0;
    while (place_ < list_.size() && !at(',')) {
      NamePart part;
      part.text = take_text();
      if (at('[')) part.ranges = take_ranges();
      if (!part.ranges.empty()) count *= numbers_of(part.ranges);
      length += part.text.size() + digits_of(part.ranges);
      if (length > longest_host_name) fail("a name is too long");
      parts.push_back(std::move(part));
      if (parts.size() > most_brackets + 1) fail("a name has too many brackets");
      if (count > most_ - names_) {
        fail(fmt::format("there are more than {} names", most_));
      }
    }
    if (parts.empty()) fail("a name is empty");
    names_ += count;
    return parts;
  }

  std::string_view take_text() {
    const std::size_t begin = place_;
    while (place_ < list_.size() && !at(',') && !at('[')) {
      const auto byte = static_cast<unsigned char>(list_[place_]);
      if (byte == ']') fail("the closing bracket has no opening bracket");
      if (byte <= ' ' || byte == 0x7f) fail("there is a blank or a control character");
      ++place_;
    }
    return list_.substr(begin, place_ - begin);
  }

  std::vector<NumberRange> take_ranges() {
    std::vector<NumberRange> ranges;
    do {
      ++place_;  // the bracket or the comma
      ranges.push_back(take_range());
    } while (at(','));
    if (!at(']')) fail("the bracket is not closed");
    ++place_;
    return ranges;
  }

  NumberRange take_range() {
    NumberRange range;
    const std::size_t begin = place_;
    range.first = range.last = take_digits();
    range.width = static_cast<int>(place_ - begin);
    if (at('-')) {
      ++place_;
      range.last = take_digits();
    }
    if (range.last < range.first) fail("the end of a range is below its start");
    return range;
  }

  std::uint64_t take_digits() {
    std::size_t end = place_;
    while (end < list_.size() && is_digit(list_[end])) ++end;
    if (end == place_) fail("a number is missing");
    if (end - place_ > most_digits) fail("a number has too many digits");
    std::string_view digits = list_.substr(place_, end - place_);
    place_ = end;
    return *take_number(digits);
  }

  static std::uint64_t numbers_of(const std::vector<NumberRange>& ranges) {
    std::uint64_t count = 0;
    // Ranges of up to 10^10 numbers, of which no text can have 10^9, so no overflow. A product with
    // further brackets can only increase the count.
    for (const NumberRange& range : ranges) count += range.last - range.first + 1;
    return std::min<std::uint64_t>(count, most_host_names + 1);
  }

  static std::size_t digits_of(const std::vector<NumberRange>& ranges) {
    std::size_t digits = 0;
    for (const NumberRange& range : ranges) {
      digits = std::max(
          {digits, static_cast<std::size_t>(range.width), fmt::formatted_size("{}", range.last)});
    }
    return digits;
  }

  std::string_view list_;
  std::size_t most_;
  std::size_t place_ = 0;
  std::uint64_t names_ = 0;
};

/// Recursion depth is the number of parts, of which each except the last has a bracket.
void expand(const std::vector<NamePart>& parts, std::size_t part, const std::string& beginning,
            std::vector<std::string>& names) {
  if (part == parts.size()) {
    names.push_back(beginning);
    return;
  }
  const std::string stem = beginning + std::string(parts[part].text);
  if (parts[part].ranges.empty()) expand(parts, part + 1, stem, names);
  for (const NumberRange& range : parts[part].ranges) {
    for (std::uint64_t number = range.first; number <= range.last; ++number) {
      expand(parts, part + 1, fmt::format("{}{:0{}}", stem, number, range.width), names);
    }
  }
}

/// A name split at its last number.
struct NumberedName {
  std::string_view stem, digits, tail;  // no digits: the name is its stem
};

NumberedName around_last_number(std::string_view name) {
  std::size_t end = name.size();
  while (end > 0 && !is_digit(name[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_digit(name[begin - 1])) --begin;
  if (begin == end || end - begin > most_digits) return {name, {}, {}};
  return {name.substr(0, begin), name.substr(begin, end - begin), name.substr(end)};
}

void require_listable(std::string_view name) {
  const bool is_good =
      !name.empty() && name.size() <= longest_host_name && std::ranges::none_of(name, [](char c) {
        return static_cast<unsigned char>(c) <= ' ' || c == '\x7f' || c == ',' || c == '[' ||
               c == ']';
      });
  if (is_good) return;
  throw Error(ErrorKind::unreadable_input,
              fmt::format("'{}' cannot be written into a list of nodes: expected a name without "
                          "blanks, commas and brackets",
                          excerpt(name)));
}

/// Writes names with the same stem and tail: [1-3,07-09].
class BracketWriter {
 public:
  void begin(const NumberedName& name) {
    parts_ = name;
    text_.clear();
    count_ = 0;
    begin_range(name.digits);
  }
  bool fits(const NumberedName& name) const {
    return !name.digits.empty() && !parts_.digits.empty() && name.stem == parts_.stem &&
           name.tail == parts_.tail;
  }
  void add(std::string_view digits) {
    // Numbers have at least the width of the range's first number.
    if (digits == fmt::format("{:0{}}", last_ + 1, width_)) {
      ++last_;
    } else {
      end_range();
      begin_range(digits);
    }
    ++count_;
  }
  std::string finish() {
    end_range();
    const bool is_plain = count_ == 0;
    return fmt::format("{}{}{}{}{}", parts_.stem, is_plain ? "" : "[", text_, is_plain ? "" : "]",
                       parts_.tail);
  }

 private:
  void begin_range(std::string_view digits) {
    first_ = digits;
    width_ = digits.size();
    last_ = take_number(digits).value_or(0);
    begin_ = last_;
  }
  void end_range() {
    if (!text_.empty()) text_ += ',';
    text_ += first_;
    if (last_ != begin_) text_ += fmt::format("-{:0{}}", last_, width_);
  }

  NumberedName parts_;
  std::string text_;
  std::string_view first_;
  std::size_t width_ = 1, count_ = 0;
  std::uint64_t begin_ = 0, last_ = 0;
};

}  // namespace

std::string compress_host_list(std::span<const std::string> names) {
  std::string list;
  BracketWriter bracket;
  for (std::size_t i = 0; i < names.size(); ++i) {
    require_listable(names[i]);
    const NumberedName name = around_last_number(names[i]);
    if (i != 0 && bracket.fits(name)) {
      bracket.add(name.digits);
      continue;
    }
    if (i != 0) list += bracket.finish() + ',';
    bracket.begin(name);
  }
  if (!names.empty()) list += bracket.finish();
  return list;
}

bool is_host_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_host_name && name.front() != '-' &&
         std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '-' ||
                  c == '_' || c == '.';
         });
}

std::vector<std::string> expand_host_list(std::string_view list, std::size_t most) {
  HostListParser parser(list, std::min(most, most_host_names));
  const std::vector<std::vector<NamePart>> items = parser.parse();
  std::vector<std::string> names;
  names.reserve(parser.names());
  for (const std::vector<NamePart>& parts : items) expand(parts, 0, {}, names);
  return names;
}

}  // namespace pssp
