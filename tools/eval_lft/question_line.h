#pragma once

// The command line of eval_lft, which has several tasks (questions). Every option lists its
// questions, and one rule rejects it for all others, because silently ignored options would hide
// mistakes.

#include <cstdint>
#include <string>
#include <vector>

#include "tools/kit/command_line.h"

namespace pssp {

/// The tasks of eval_lft.
enum class Question : std::uint8_t {
  score,             ///< the report on one set of tables
  compare,           ///< compares several sets of tables
  pattern,           ///< the simulation of a pattern
  compare_patterns,  ///< the same for several sets of tables
  adaptive,          ///< switches that choose ports, with or without tables
  adaptive_pattern,  ///< the same with a pattern
  print,             ///< prints the pattern of the first run
  application,       ///< estimate of an application's time
  paths,             ///< of single pairs
};

/// The questions to which an option belongs.
struct Position {
  std::vector<Question> questions;
  /// The message if the option is used with another question: "--plot ELSEWHERE".
  const char* elsewhere;
};

class QuestionLine {
 public:
  QuestionLine(const std::string& tool, const std::string& description)
      : line_(tool, description) {}

  /// An option or a flag for the questions of `place`, shown in `group`.
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

  /// Called after parsing: throws Error(usage) for given options that do not belong to the
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
