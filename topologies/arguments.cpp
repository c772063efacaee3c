// Numbers have the same notation as on the command line of make_topo: decimal, hexadecimal after
// 0x, or octal after 0, without a sign.

#include "topologies/arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <limits>
#include <set>

#include "base/error.h"
#include "base/printable.h"

namespace pssp {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw Error(ErrorKind::usage, what); }

/// Reads one word after another.
class Reader {
 public:
  Reader(const ArgumentList& arguments, const std::vector<std::string>& words)
      : arguments_(arguments), words_(words) {}

  void run() {
    while (next_ < words_.size()) {
      const std::string& word = words_[next_++];
      if (word.size() > 1 && word.front() == '-') {
        take_option(word);
      } else {
        take_operand(word);
      }
    }
    for (const Argument& argument : arguments_) {
      if (argument.is_required() && !given_.contains(&argument)) {
        refuse(fmt::format("{} is required", argument.name()));
      }
    }
  }

 private:
  void take_operand(const std::string& word) {
    const auto free = std::find_if(arguments_.begin(), arguments_.end(), [this](const Argument& a) {
      return !a.is_option() && !given_.contains(&a);
    });
    if (free == arguments_.end()) {
      refuse(fmt::format("unexpected argument '{}'", excerpt(word)));
    }
    given_.insert(&*free);
    free->take(word);
  }

  void take_option(const std::string& word) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const auto found = std::find_if(arguments_.begin(), arguments_.end(),
                                    [&](const Argument& a) { return a.name() == name; });
    if (found == arguments_.end()) refuse(fmt::format("unknown option '{}'", excerpt(name)));
    const bool again = !given_.insert(&*found).second;
    if (again && !found->is_flag()) refuse(fmt::format("{} is given twice", name));
    if (equals != std::string::npos) {
      found->take(word.substr(equals + 1));
    } else if (found->is_flag()) {
      found->take("true");
    } else if (!found->bare().empty()) {
      found->take(found->bare());
    } else {
      if (next_ == words_.size()) refuse(fmt::format("{} needs a value", name));
      found->take(words_[next_++]);
    }
  }

  const ArgumentList& arguments_;
  const std::vector<std::string>& words_;
  std::size_t next_ = 0;
  std::set<const Argument*> given_;
};

}  // namespace

std::uint64_t Argument::to_number(const std::string& text, std::uint64_t most) const {
  const std::uint64_t low = range_ ? range_->least : 0;
  const std::uint64_t high = range_ ? std::min(range_->most, most) : most;
  const bool begins_well = !text.empty() && text.front() >= '0' && text.front() <= '9';
  char* end = nullptr;
  errno = 0;
  const std::uint64_t value = std::strtoull(text.c_str(), &end, 0);
  if (!begins_well || errno != 0 || end != text.c_str() + text.size() || value < low ||
      value > high) {
    refuse(fmt::format("{}: '{}' is not a whole number from {} to {}", name_, excerpt(text), low,
                       high));
  }
  return value;
}

void Argument::take(const std::string& text) const {
  constexpr std::uint64_t most_unsigned = std::numeric_limits<unsigned>::max();
  constexpr std::uint64_t most_large = std::numeric_limits<std::uint64_t>::max();
  if (!words_.empty() && std::ranges::find(words_, text) == words_.end()) {
    refuse(fmt::format("{}: '{}' is not one of {}", name_, excerpt(text), fmt::join(words_, ", ")));
  }
  if (auto* const* const number = std::get_if<unsigned*>(&target_)) {
    **number = static_cast<unsigned>(to_number(text, most_unsigned));
  } else if (auto* const* const maybe = std::get_if<std::optional<unsigned>*>(&target_)) {
    **maybe = static_cast<unsigned>(to_number(text, most_unsigned));
  } else if (auto* const* const large = std::get_if<std::uint64_t*>(&target_)) {
    **large = to_number(text, most_large);
  } else if (auto* const* const word = std::get_if<std::string*>(&target_)) {
    **word = text;
  } else if (text == "true" || text == "false") {
    *std::get<bool*>(target_) = text == "true";
  } else {
    refuse(fmt::format("{} takes no value", name_));
  }
}

void ArgumentList::parse(const std::vector<std::string>& words) const {
  Reader(*this, words).run();
}

}  // namespace pssp
