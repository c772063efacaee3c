#pragma once

// The command line of eval_lft, which answers several questions. Every option carries the questions
// that it belongs to, and one rule refuses it beside all others: what would be passed over in
// silence is a mistake of whoever typed it.

#include <cstdint>
#include <string>
#include <vector>

#include "tools/kit/command_line.h"

namespace pssp {

/// What eval_lft can be asked.
enum class Question : std::uint8_t {
  score,             ///< the report on one set of tables
  compare,           ///< several sets of tables side by side
  pattern,           ///< the simulation of a pattern
  compare_patterns,  ///< the same on several sets of tables
  adaptive,          ///< switches that choose ports, beside tables or without
  adaptive_pattern,  ///< the same under a pattern
  print,             ///< the pattern itself, as the first run has it
  application,       ///< estimate of an application's time
  paths,             ///< of single pairs
};

/// Where an option belongs.
struct Position {
  std::vector<Question> questions;
  /// What is said of the option beside another question: "--plot ELSEWHERE".
  const char* elsewhere;
};

class QuestionLine {
 public:
  QuestionLine(const std::string& tool, const std::string& description)
      : line_(tool, description) {}

  /// An option or a flag that belongs to `place`, shown under `group`.
  template <class Value>
  Option option(const Position& place, const char* group, const std::string& names, Value& value,
                const std::string& help) {
    note(place, names);
    return line_.option(names, value, help).group(group);
  }
  Option flag(const Position& place, const char* group, const std::string& names, bool& value,
              const std::string& help) {
    note(place, names);
    return line_.flag(names, value, help).group(group);
  }
  /// For options that belong to every question.
  CommandLine& of_all() noexcept { return line_; }

  bool parse(int argc, const char* const* argv) { return line_.parse(argc, argv); }
  bool given(const std::string& option) const { return line_.given(option); }

  /// Once parsed: throws Error(usage) for an option that was given and does not belong to the
  /// question.
  void refuse_useless(Question asked) const;

 private:
  struct Placed {
    std::string name;  // "--patterns"
    std::vector<Question> questions;
    const char* elsewhere;
  };

  void note(const Position& place, const std::string& names);

  CommandLine line_;
  std::vector<Placed> placed_;
};

}  // namespace pssp
