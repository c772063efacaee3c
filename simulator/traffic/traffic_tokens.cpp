#include "simulator/traffic/traffic_tokens.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"

namespace pssp {
namespace {

/// Splits one line.
class LineSplitter {
 public:
  explicit LineSplitter(std::string_view line) : rest_(line) {}

  std::vector<TrafficTokens> statements() {
    for (rest_ = without_indent(rest_); !rest_.empty() && rest_.front() != '#';
         rest_ = without_indent(rest_)) {
      if (take(rest_, ";")) {
        end_statement();
      } else {
        take_one();
      }
    }
    end_statement();
    return std::move(statements_);
  }

 private:
  void take_one() {
    if (take(rest_, "\"")) {
      take_quoted();
    } else if (take(rest_, "->")) {
      tokens_.push_back({"->", false});
    } else if (take(rest_, "{")) {
      ++depth_;
      tokens_.push_back({"{", false});
    } else if (depth_ > 0 && (rest_.front() == '}' || rest_.front() == ',')) {
      if (rest_.front() == '}') --depth_;
      tokens_.push_back({std::string(rest_.substr(0, 1)), false});
      rest_.remove_prefix(1);
    } else {
      take_plain();
    }
  }

  void take_quoted() {
    const std::size_t end = rest_.find('"');
    if (end == std::string_view::npos) {
      throw Error(ErrorKind::usage, "the closing quote (\") is missing");
    }
    tokens_.push_back({std::string(rest_.substr(0, end)), true});
    rest_.remove_prefix(end + 1);
  }

  void take_plain() {
    std::size_t size = 1;  // a character that begins no other kind of word is a word of its own
    while (size < rest_.size() && !ends_word(size)) ++size;
    tokens_.push_back({std::string(rest_.substr(0, size)), false});
    rest_.remove_prefix(size);
  }

  bool ends_word(std::size_t at) const {
    const char c = rest_[at];
    return is_blank(c) || c == ';' || c == '#' || c == '"' || rest_.substr(at, 2) == "->" ||
           (depth_ > 0 && (c == '}' || c == ','));
  }

  void end_statement() {
    if (depth_ > 0) throw Error(ErrorKind::usage, "the closing brace (}) is missing");
    if (!tokens_.empty()) statements_.emplace_back(std::move(tokens_));
    tokens_.clear();
  }

  std::string_view rest_;
  unsigned depth_ = 0;
  std::vector<TrafficWord> tokens_;
  std::vector<TrafficTokens> statements_;
};

}  // namespace

const TrafficWord& TrafficTokens::take(std::string_view what) {
  if (empty()) {
    throw Error(ErrorKind::usage, tokens_.empty() ? fmt::format("{} is missing", what)
                                                  : fmt::format("{} is missing after '{}'", what,
                                                                excerpt(tokens_.back().text)));
  }
  return tokens_[next_++];
}

bool TrafficTokens::take_keyword(std::string_view keyword) noexcept {
  if (empty() || !tokens_[next_].is(keyword)) return false;
  ++next_;
  return true;
}

void TrafficTokens::expect(std::string_view keyword) {
  const TrafficWord& word = take(fmt::format("'{}'", keyword));
  if (!word.is(keyword)) {
    throw Error(ErrorKind::usage,
                fmt::format("unexpected '{}'; expected '{}'", excerpt(word.text), keyword));
  }
}

std::vector<TrafficTokens> split_statements(std::string_view line) {
  return LineSplitter(line).statements();
}

}  // namespace pssp
