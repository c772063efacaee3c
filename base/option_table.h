#pragma once

// Options as a table: a struct contains the values, and each line of its table defines the name,
// range and meaning of one member. The default is the member's initializer. So each default, range
// and meaning is defined once, for parsing, checks, lists, messages and documents.
//
//   struct PsspOptions {
//     std::uint32_t max_extra_hops = 0;
//     OrderChoice order = OrderChoice::best;
//   };
//   constexpr std::array<std::string_view, 2> orders{"best", "by_switch"};
//   constexpr std::array lines{
//       number_option<&PsspOptions::max_extra_hops>("max_extra_hops", 0, 15, "hops that ..."),
//       choice_option<&PsspOptions::order>("order", orders, "order of ...")};
//   constexpr OptionTable<PsspOptions> table{lines};

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace pssp {

/// The description of an option, for lists, documents and messages.
struct OptionDescription {
  std::string name;
  std::string values;    ///< "0 .. 15", "on | off", "FILE"
  std::string fallback;  ///< value when the option is not given; empty: none
  std::string meaning;   ///< one line
};

/// A value, and the name with which it was given: an option may have several names.
struct GivenOption {
  std::string name, value;
};

/// The valid values of an option.
struct OptionDomain {
  enum class Kind : std::uint8_t {
    number,  ///< low .. high, or one of `words`
    choice,  ///< one of `words`
    text,    ///< anything; described by `hint`
    file,    ///< name of a file
    /// The same; must begin with '/'. For opensm: as a daemon it has another working directory than
    /// the user's shell.
    absolute_path,
  };

  Kind kind = Kind::text;
  std::uint64_t low = 0, high = 0;
  std::span<const std::string_view> words;
  std::string_view hint;

  /// For lists: "0 .. 15", "auto | 0 .. 10000", "on | off", "FILE".
  std::string values() const;
  /// For errors, after "not": "a number from 0 to 15", "on or off".
  std::string expected() const;
};

/// A parsed value.
struct OptionValue {
  std::uint64_t number = 0;
  std::optional<std::size_t> word;  ///< index in the domain's words
  std::string_view text;            ///< as it was given
};

/// Throws Error(usage), "option NAME=VALUE: not a number from 0 to 15", for an invalid value, with
/// a similar word.
OptionValue understand(const OptionDomain& domain, std::string_view name, std::string_view value);

/// A line of a table: one option of the struct T.
template <class T>
struct OptionLine {
  std::string_view name;
  OptionDomain domain;
  std::string_view meaning;
  void (*store)(T& options, const OptionValue& value);
  std::string (*show)(const T& options, const OptionDomain& domain);
};

namespace option_detail {

template <class Member>
struct MemberOf;
template <class Value, class Owner>
struct MemberOf<Value Owner::*> {
  using ValueType = Value;
  using OwnerType = Owner;
};
template <auto Member>
using OwnerOf = typename MemberOf<decltype(Member)>::OwnerType;
template <auto Member>
using ValueOf = typename MemberOf<decltype(Member)>::ValueType;

inline constexpr std::string_view on_and_off[] = {"on", "off"};

}  // namespace option_detail

/// An integer, low .. high.
template <auto Member>
constexpr auto number_option(std::string_view name, std::uint64_t low, std::uint64_t high,
                             std::string_view meaning) {
  using T = option_detail::OwnerOf<Member>;
  using Value = option_detail::ValueOf<Member>;
  static_assert(std::is_unsigned_v<Value>);
  return OptionLine<T>{
      name,
      {.kind = OptionDomain::Kind::number, .low = low, .high = high, .words = {}, .hint = {}},
      meaning,
      [](T& to, const OptionValue& value) { to.*Member = static_cast<Value>(value.number); },
      [](const T& from, const OptionDomain&) { return std::to_string(from.*Member); }};
}

/// An integer, low .. high, or the word for "none"; the member is an std::optional.
template <auto Member>
constexpr auto optional_number_option(std::string_view name,
                                      std::span<const std::string_view, 1> word, std::uint64_t low,
                                      std::uint64_t high, std::string_view meaning) {
  using T = option_detail::OwnerOf<Member>;
  using Value = typename option_detail::ValueOf<Member>::value_type;
  return OptionLine<T>{
      name,
      {.kind = OptionDomain::Kind::number, .low = low, .high = high, .words = word, .hint = {}},
      meaning,
      [](T& to, const OptionValue& value) {
        to.*Member = std::nullopt;
        if (!value.word) to.*Member = static_cast<Value>(value.number);
      },
      [](const T& from, const OptionDomain& domain) {
        return from.*Member ? std::to_string(*(from.*Member)) : std::string(domain.words.front());
      }};
}

/// One of the words; the member is an enumeration with enumerators in the same order, from 0.
template <auto Member>
constexpr auto choice_option(std::string_view name, std::span<const std::string_view> words,
                             std::string_view meaning) {
  using T = option_detail::OwnerOf<Member>;
  using Value = option_detail::ValueOf<Member>;
  static_assert(std::is_enum_v<Value>);
  return OptionLine<T>{
      name,
      {.kind = OptionDomain::Kind::choice, .low = 0, .high = 0, .words = words, .hint = {}},
      meaning,
      [](T& to, const OptionValue& value) { to.*Member = static_cast<Value>(*value.word); },
      [](const T& from, const OptionDomain& domain) {
        return std::string(domain.words[static_cast<std::size_t>(from.*Member)]);
      }};
}

/// on or off; the member is a bool.
template <auto Member>
constexpr auto switch_option(std::string_view name, std::string_view meaning) {
  using T = option_detail::OwnerOf<Member>;
  return OptionLine<T>{
      name,
      {.kind = OptionDomain::Kind::choice,
       .low = 0,
       .high = 0,
       .words = option_detail::on_and_off,
       .hint = {}},
      meaning,
      [](T& to, const OptionValue& value) { to.*Member = value.word == 0U; },
      [](const T& from, const OptionDomain&) { return std::string(from.*Member ? "on" : "off"); }};
}

/// Any text; `hint` stands for it in lists. The owner of the table checks it.
template <auto Member>
constexpr auto text_option(std::string_view name, std::string_view hint, std::string_view meaning) {
  using T = option_detail::OwnerOf<Member>;
  return OptionLine<T>{
      name,
      {.kind = OptionDomain::Kind::text, .low = 0, .high = 0, .words = {}, .hint = hint},
      meaning,
      [](T& to, const OptionValue& value) { to.*Member = std::string(value.text); },
      [](const T& from, const OptionDomain&) { return std::string(from.*Member); }};
}

/// The name of a file; the member is a std::string or a path, empty for no file.
template <auto Member>
constexpr auto file_option(std::string_view name, std::string_view hint, std::string_view meaning) {
  auto option = text_option<Member>(name, hint, meaning);
  option.domain.kind = OptionDomain::Kind::file;
  return option;
}

/// The same, but absolute.
template <auto Member>
constexpr auto absolute_path_option(std::string_view name, std::string_view meaning) {
  auto option = text_option<Member>(name, "absolute path", meaning);
  option.domain.kind = OptionDomain::Kind::absolute_path;
  return option;
}

/// All options of a struct. The lines must outlive the table.
template <class T>
class OptionTable {
 public:
  constexpr explicit OptionTable(std::span<const OptionLine<T>> lines) : lines_(lines) {}

  std::span<const OptionLine<T>> lines() const noexcept { return lines_; }

  /// Null if there is no such option.
  const OptionLine<T>* find(std::string_view name) const noexcept {
    for (const OptionLine<T>& line : lines_) {
      if (line.name == name) return &line;
    }
    return nullptr;
  }

  /// Every option with its value in `options`; by default those of the initializers.
  std::vector<OptionDescription> describe(const T& options = {}) const {
    std::vector<OptionDescription> all;
    for (const OptionLine<T>& line : lines_) {
      all.push_back({std::string(line.name), line.domain.values(), line.show(options, line.domain),
                     std::string(line.meaning)});
    }
    return all;
  }

  /// The struct with the results of `given(name)`, an std::optional<GivenOption>, for each option
  /// of the table. Throws Error(usage) as understand() does.
  template <class Given>
  T read(const Given& given, T options = {}) const {
    for (const OptionLine<T>& line : lines_) {
      if (const std::optional<GivenOption> each = given(line.name)) {
        line.store(options, understand(line.domain, each->name, each->value));
      }
    }
    return options;
  }

 private:
  std::span<const OptionLine<T>> lines_;
};

/// The options as the lines of a Markdown table (docs/reference/engines), without its head.
std::string markdown_rows(std::span<const OptionDescription> options);

}  // namespace pssp
