#include "tools/eval_lft/requests.h"

#include <fmt/format.h>
#include <tbb/global_control.h>

#include <iterator>
#include <string>

#include "base/error.h"
#include "evaluator/metrics/metric.h"
#include "evaluator/patterns/registry.h"

// Each question has a request type with its options in its own file. Shared options are in Common
// (all), ScoringOptions (reports on tables) and RanksOptions (patterns).

namespace pssp {
namespace {

std::string list_of_patterns_and_metrics() {
  std::string text = "Patterns (--ptrn):\n";
  const auto out = std::back_inserter(text);
  for (const PatternDescription& pattern : pattern_registry()) {
    const std::string name = pattern.argument.empty()
                                 ? std::string(pattern.name)
                                 : fmt::format("{}:{}", pattern.name, pattern.argument);
    fmt::format_to(out, "  {:<26} {}\n", name, pattern.summary);
  }
  text += "\nMetrics (--metric):\n";
  for (const MetricDescription& metric : metric_registry())
    fmt::format_to(out, "  {:<26} {}\n", metric.name, metric.summary);
  return text;
}

}  // namespace

void Requests::add_options(QuestionLine& line) {
  common_.add_inputs(line);
  score_.add_options(line, scoring_.add_options(line));
  structured_suite_.add_options(line);
  paths_.add_options(line);
  ranks_.add_options(line);
  pattern_.add_options(line);
  adaptive_.add_options(line);
  print_.add_options(line);
  application_.add_options(line);
  common_.add_outputs(line);
  line.of_all()
      .answer("--list", "List the patterns and metrics", list_of_patterns_and_metrics)
      .group("Output");
}

Question Requests::question_of(const QuestionLine& line) const {
  const bool pattern = line.given("--ptrn");
  const int asked =
      (paths_.is_asked() ? 1 : 0) + (pattern ? 1 : 0) + (application_.is_asked() ? 1 : 0);
  if (asked > 1) {
    throw Error(ErrorKind::usage,
                "--path or --pairs, --ptrn and --time-shares exclude each other; use one of them");
  }
  if (print_.is_asked() && !pattern)
    throw Error(ErrorKind::usage, "--printptrn needs a pattern; add --ptrn");
  if (paths_.is_asked()) return Question::paths;
  if (application_.is_asked()) return Question::application;
  if (print_.is_asked()) return Question::print;
  if (adaptive_.is_asked()) return pattern ? Question::adaptive_pattern : Question::adaptive;
  if (common_.compared.empty()) return pattern ? Question::pattern : Question::score;
  return pattern ? Question::compare_patterns : Question::compare;
}

void Requests::take(const QuestionLine& line) {
  question_ = question_of(line);
  line.refuse_useless(question_);
  scoring_.take(line, common_);
  structured_suite_.take(line);
  ranks_.take();
  score_.take(scoring_, structured_suite_);
  compare_.take(scoring_, structured_suite_);
  pattern_.take(ranks_, scoring_);
  adaptive_.take(question_ == Question::adaptive_pattern, ranks_, scoring_);
  print_.take(ranks_);
  application_.take(ranks_);
}

std::optional<Requests> Requests::from_command_line(int argc, const char* const* argv) {
  QuestionLine line("eval_lft",
                    "Evaluates the forwarding tables of an InfiniBand fabric, or simulates a "
                    "communication pattern on them.");
  Requests requests;
  requests.add_options(line);
  if (!line.parse(argc, argv)) return std::nullopt;
  requests.take(line);
  return requests;
}

int Requests::run(Processes& processes) const {
  std::optional<tbb::global_control> limit;
  if (common_.threads != 0)
    limit.emplace(tbb::global_control::max_allowed_parallelism, common_.threads);
  switch (question_) {
    case Question::score:
      return score_.run(common_, processes);
    case Question::compare:
      return compare_.run(common_, processes);
    case Question::pattern:
    case Question::compare_patterns:
      return pattern_.run(common_, processes);
    case Question::adaptive:
    case Question::adaptive_pattern:
      return adaptive_.run(common_, processes);
    case Question::print:
      return print_.run(common_, processes);
    case Question::application:
      return application_.run(common_, processes);
    case Question::paths:
      return paths_.run(common_, processes);
  }
  return 0;
}

}  // namespace pssp
