#pragma once

// The arguments of a topology family, declared once: make_topo derives its command line and help
// from them, and the parser of specifications uses them.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace pssp {

/// One argument: an operand ("SIZES") or an option ("--hosts"). If the argument is not given, the
/// bound member keeps its value.
class Argument {
 public:
  using Target =
      std::variant<unsigned*, std::optional<unsigned>*, std::uint64_t*, std::string*, bool*>;
  struct Range {
    std::uint64_t least, most;
  };

  Argument(std::string name, Target target, std::string meaning)
      : name_(std::move(name)), target_(target), meaning_(std::move(meaning)) {}

  Argument& required() { return required_ = true, *this; }
  Argument& range(std::uint64_t least, std::uint64_t most) {
    return range_ = Range{least, most}, *this;
  }
  Argument& one_of(std::vector<std::string> words) { return words_ = std::move(words), *this; }
  /// The value of a text option that is given without a value.
  Argument& bare(std::string value) { return bare_ = std::move(value), *this; }
  /// For the help: shows the default, names the value, and sets the heading.
  Argument& show_default() { return shows_default_ = true, *this; }
  Argument& type_name(std::string name) { return type_name_ = std::move(name), *this; }
  Argument& group(std::string heading) { return group_ = std::move(heading), *this; }

  const std::string& name() const noexcept { return name_; }
  const Target& target() const noexcept { return target_; }
  const std::string& meaning() const noexcept { return meaning_; }
  const std::optional<Range>& range() const noexcept { return range_; }
  const std::vector<std::string>& words() const noexcept { return words_; }
  const std::string& bare() const noexcept { return bare_; }
  const std::string& type_name() const noexcept { return type_name_; }
  const std::string& group() const noexcept { return group_; }
  bool is_required() const noexcept { return required_; }
  bool shows_default() const noexcept { return shows_default_; }
  bool is_option() const noexcept { return name_.front() == '-'; }
  bool is_flag() const noexcept { return std::holds_alternative<bool*>(target_); }

  /// Stores the value of `text` in the bound member. Throws Error(usage).
  void take(const std::string& text) const;

 private:
  std::uint64_t to_number(const std::string& text, std::uint64_t most) const;

  std::string name_;
  Target target_;
  std::string meaning_, bare_, type_name_, group_;
  std::optional<Range> range_;
  std::vector<std::string> words_;
  bool required_ = false, shows_default_ = false;
};

/// The arguments of a family, in the order of the help; operands in the order of the command line.
class ArgumentList {
 public:
  template <class Value>
  Argument& add(std::string name, Value& value, std::string meaning) {
    return arguments_.emplace_back(std::move(name), &value, std::move(meaning));
  }

  auto begin() const { return arguments_.begin(); }
  auto end() const { return arguments_.end(); }

  /// Parses the words of a command line: operands, --option VALUE, --option=VALUE, --flag. Throws
  /// Error(usage).
  void parse(const std::vector<std::string>& words) const;

 private:
  std::deque<Argument> arguments_;  // references to them stay valid
};

}  // namespace pssp
