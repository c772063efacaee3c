// Statements end with their lines, so each statement is parsed from the words of one line. Braces
// and colons are separate words; comments between /* and */ may span lines. Labels belong to their
// rank, and must precede their use.
//
// Differences from LogGOPSim's reader: ranks can be in any order, "100 b" means "100b", and a rank
// that the file lacks does nothing, where that reader stops.

#include "applications/formats/goal_text.h"

#include <fmt/format.h>

#include <limits>
#include <unordered_map>

#include "base/text_lines.h"

namespace pssp {
namespace {

bool is_label(std::string_view word) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (word.empty() || !is_letter(word.front())) return false;
  for (const char c : word) {
    if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '_') return false;
  }
  return true;
}

class GoalReader {
 public:
  explicit GoalReader(TextLines& lines) : lines_(lines) {}

  GoalText read() {
    while (lines_.next()) {
      split_into_tokens();
      while (next_ < words_.size()) read_statement();
    }
    if (in_comment_) lines_.fail("the comment that begins with /* does not end with */");
    if (rank_ != nullptr) lines_.fail("the '}' of the last rank is missing");
    if (file_.ranks.empty()) lines_.fail("expected 'num_ranks N' and the ranks");
    warn_of_missing_ranks();
    return std::move(file_);
  }

 private:
  void split_into_tokens() {
    words_.clear();
    next_ = 0;
    const std::string_view line = lines_.line();
    std::size_t i = 0;
    while (i < line.size()) {
      const std::string_view rest = line.substr(i);
      if (in_comment_) {
        in_comment_ = !rest.starts_with("*/");
        i += in_comment_ ? 1 : 2;
      } else if (rest.starts_with("//")) {
        return;
      } else if (rest.starts_with("/*")) {
        in_comment_ = true;
        i += 2;
      } else if (is_blank(line[i])) {
        ++i;
      } else if (is_sign(line[i])) {
        words_.push_back(line.substr(i++, 1));
      } else {
        const std::size_t begin = i;
        while (i < line.size() && !is_blank(line[i]) && !is_sign(line[i]) &&
               !line.substr(i).starts_with("//") && !line.substr(i).starts_with("/*")) {
          ++i;
        }
        words_.push_back(line.substr(begin, i - begin));
      }
    }
  }
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f'; }
  static bool is_sign(char c) { return c == '{' || c == '}' || c == ':'; }

  /// The next word of the line, empty at its end.
  std::string_view peek(std::size_t ahead = 0) const {
    return next_ + ahead < words_.size() ? words_[next_ + ahead] : std::string_view{};
  }
  bool take(std::string_view word) {
    if (peek() != word) return false;
    ++next_;
    return true;
  }
  [[noreturn]] void fail(std::string_view expected) const {
    const std::string found =
        next_ < words_.size() ? fmt::format("'{}'", excerpt(peek())) : "the end of the line";
    lines_.fail(fmt::format("found {}; expected {}", found, expected));
  }
  void require(std::string_view word) {
    if (!take(word)) fail(fmt::format("'{}'", word));
  }
  std::uint64_t number(std::string_view what, std::uint64_t most, std::string_view unit = {}) {
    std::string_view rest = peek();
    const auto value = take_number(rest);
    if (!value || *value > most || (!rest.empty() && rest != unit)) {
      fail(fmt::format("{}, 0 .. {}{}", what, most, unit));
    }
    ++next_;
    if (!unit.empty() && rest.empty()) require(unit);
    return *value;
  }

  void read_statement() {
    if (file_.ranks.empty()) {
      require("num_ranks");
      const std::uint64_t count = number("the number of ranks", most_goal_ranks);
      if (count == 0) lines_.fail("num_ranks is 0; at least one rank is needed");
      file_.ranks.resize(count);
      is_there_.resize(count);
    } else if (rank_ == nullptr) {
      begin_rank();
    } else if (take("}")) {
      rank_ = nullptr;
      labels_.clear();
    } else if (peek(1) == "requires" || peek(1) == "irequires") {
      read_dependency();
    } else {
      read_operation();
    }
  }

  void begin_rank() {
    require("rank");
    const auto r = static_cast<std::uint32_t>(number("a rank", file_.ranks.size() - 1));
    if (is_there_[r] != 0) lines_.fail(fmt::format("rank {} is already described", r));
    require("{");
    is_there_[r] = 1;
    rank_ = &file_.ranks[r];
  }

  void read_dependency() {
    const std::uint32_t later = labelled();
    const bool begun_is_enough = take("irequires");
    if (!begun_is_enough) require("requires");
    const std::uint32_t earlier = labelled();
    end_statement();
    if (++dependencies_ > most_dependencies) {
      lines_.fail(fmt::format("more than {} dependencies are not simulated", most_dependencies));
    }
    rank_->dependencies.push_back({earlier, later, begun_is_enough});
  }
  std::uint32_t labelled() {
    const auto found = labels_.find(std::string(peek()));
    if (found == labels_.end()) fail("a label that this rank has already set");
    ++next_;
    return found->second;
  }

  void read_operation() {
    if (peek(1) == ":") {
      if (!is_label(peek())) fail("a label: a letter, then letters, digits and '_'");
      const auto operation = static_cast<std::uint32_t>(rank_->operations.size());
      if (!labels_.emplace(peek(), operation).second) fail("a label that is not yet set");
      next_ += 2;
    }
    Operation operation;
    if (take("calc")) {
      operation.size = number("nanoseconds", largest);
    } else if (take("send")) {
      operation.kind = OperationKind::send;
      operation.size = number("a size in bytes", largest, "b");
      require("to");
      operation.peer = static_cast<std::uint32_t>(number("a rank", file_.ranks.size() - 1));
    } else if (take("recv")) {
      operation.kind = OperationKind::receive;
      operation.size = number("a size in bytes", largest, "b");
      require("from");
      operation.peer =
          take("-1") ? any_rank
                     : static_cast<std::uint32_t>(number("a rank or -1", file_.ranks.size() - 1));
    } else {
      fail("calc, send, recv, a label or '}'");
    }
    read_attributes(operation);
    if (++operations_ > most_operations) {
      lines_.fail(fmt::format("more than {} operations are not simulated", most_operations));
    }
    rank_->operations.push_back(operation);
  }

  void read_attributes(Operation& operation) {
    const bool is_message = operation.kind != OperationKind::compute;
    if (is_message && take("tag")) {
      operation.tag =
          take("-1") ? any_tag : static_cast<std::uint32_t>(number("a tag or -1", any_tag));
    }
    if (take("cpu")) operation.processor = static_cast<std::uint8_t>(number("a processor", 255));
    if (is_message && take("nic")) {
      operation.adapter = static_cast<std::uint8_t>(number("an adapter", 255));
    }
    end_statement();
  }
  void end_statement() const {
    if (next_ < words_.size() && peek() != "}") fail("the end of the line");
  }

  void warn_of_missing_ranks() {
    std::size_t missing = 0;
    std::size_t first = 0;
    for (std::size_t r = is_there_.size(); r-- > 0;) {
      if (is_there_[r] != 0) continue;
      ++missing;
      first = r;
    }
    if (missing == 0) return;
    file_.warnings.push_back(
        fmt::format("{} of {} ranks are not in the schedule and do nothing; the first is rank {}",
                    missing, is_there_.size(), first));
  }

  static constexpr std::uint64_t largest = std::uint64_t{1} << 63U;

  TextLines& lines_;
  std::vector<std::string_view> words_;  // of the line
  std::size_t next_ = 0;                 // index into words_
  bool in_comment_ = false;
  std::uint64_t operations_ = 0, dependencies_ = 0;  // so far
  GoalText file_;
  std::vector<char> is_there_;
  RankSchedule* rank_ = nullptr;  // current rank; null: between ranks
  std::unordered_map<std::string, std::uint32_t> labels_;
};

std::string operation_text(const Operation& operation) {
  const auto or_any = [](std::uint32_t value) {
    return value == any_tag ? std::string("-1") : fmt::to_string(value);
  };
  std::string text;
  if (operation.kind == OperationKind::compute) {
    text = fmt::format("calc {}", operation.size);
  } else {
    const bool sends = operation.kind == OperationKind::send;
    text = fmt::format("{} {}b {} {} tag {}", sends ? "send" : "recv", operation.size,
                       sends ? "to" : "from", or_any(operation.peer), or_any(operation.tag));
  }
  if (operation.processor != 0) text += fmt::format(" cpu {}", operation.processor);
  if (operation.adapter != 0) text += fmt::format(" nic {}", operation.adapter);
  return text;
}

}  // namespace

GoalText parse_goal_text(std::string_view text, std::string_view name) {
  TextLines lines(text, name);
  return GoalReader(lines).read();
}

GoalText parse_goal_text(TextLines& lines) { return GoalReader(lines).read(); }

void write_goal_text(const Schedule& schedule, const ContentSink& sink) {
  sink(fmt::format("num_ranks {}\n", schedule.rank_count()));
  for (std::uint32_t r = 0; r < schedule.rank_count(); ++r) {
    std::string text = fmt::format("rank {} {{\n", r);
    const std::uint32_t first = schedule.first_operation(r);
    const std::uint32_t end = schedule.first_operation(r + 1);
    for (std::uint32_t i = first; i < end; ++i) {
      text += fmt::format("l{}: {}\n", i - first, operation_text(schedule.operation(i)));
    }
    for (std::uint32_t i = first; i < end; ++i) {
      for (const std::uint32_t later : schedule.after_end(i)) {
        text += fmt::format("l{} requires l{}\n", later - first, i - first);
      }
      for (const std::uint32_t later : schedule.after_begin(i)) {
        text += fmt::format("l{} irequires l{}\n", later - first, i - first);
      }
    }
    sink(text + "}\n");
  }
}

}  // namespace pssp
