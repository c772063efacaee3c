// Makes few changes per command line, so that most programs get past the first option. Half of the
// new words are valid somewhere (from other command lines and --help), the other half unusual: only
// valid words lead to options that contradict each other.

#include "tests/fuzz/programs/command_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "tests/fuzz/mutation.h"

namespace pssp::test {

namespace {

constexpr std::array unwanted = {"",
                                 "-",
                                 "--",
                                 "-1",
                                 "0",
                                 "1",
                                 "4096",
                                 "65536",
                                 "99999999999999999999",
                                 "-9223372036854775808",
                                 "1e308",
                                 "nan",
                                 "inf",
                                 "0x",
                                 "1:0",
                                 ",",
                                 "[",
                                 "(",
                                 "n[1-99999999]",
                                 "*",
                                 "%s%n",
                                 "\xff\xfe",
                                 "a\nb",
                                 "no_such_file",
                                 "no_such_folder/file",
                                 "..",
                                 ".",
                                 "50%",
                                 "1TiB",
                                 "1us",
                                 "--help",
                                 "--version",
                                 "--json"};

std::size_t any(std::size_t count, RandomGenerator& random) {
  return random.below(static_cast<std::uint32_t>(count));
}

std::string other_word(const std::vector<std::string>& vocabulary, RandomGenerator& random) {
  if (vocabulary.empty() || random.below(2) == 0) return unwanted[any(unwanted.size(), random)];
  return vocabulary[any(vocabulary.size(), random)];
}

/// Removes zero bytes, because an argument cannot contain them.
std::string garbled(const std::string& word, const std::vector<std::string>& vocabulary,
                    RandomGenerator& random) {
  std::string result = mutated(word, vocabulary, random);
  std::erase(result, '\0');
  return result;
}

void change_once(std::vector<std::string>& words, const std::vector<std::string>& vocabulary,
                 RandomGenerator& random) {
  const std::size_t place = any(words.size() + 1, random);
  const auto at = words.begin() + static_cast<std::ptrdiff_t>(place);
  if (at == words.end()) {
    words.push_back(other_word(vocabulary, random));
    return;
  }
  switch (random.below(6)) {
    case 0:
      words.erase(at);
      break;
    case 1:
      words.insert(at, *at);
      break;
    case 2:
      std::swap(words[place], words[any(words.size(), random)]);
      break;
    case 3:
      words[place] = garbled(*at, vocabulary, random);
      break;
    case 4:
      words.insert(at, other_word(vocabulary, random));
      break;
    default:
      words[place] = other_word(vocabulary, random);
  }
}

/// The cells of a table row, without surrounding blanks; empty if the line is not a table row.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  if (!line.starts_with('|')) return cells;
  std::istringstream rest(line.substr(1));
  for (std::string cell; std::getline(rest, cell, '|');) {
    const std::size_t first = cell.find_first_not_of(' ');
    const std::size_t last = cell.find_last_not_of(' ');
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
  }
  return cells;
}

/// For example, "`cc_apply`, `monitor_fabric check --nagios`: .." names two programs. Other words
/// in backquotes, such as the second command in "`deploy_tables apply`, `guard`: ..", match no
/// program and have no effect.
std::set<std::string> programs_of(const std::string& meaning) {
  std::set<std::string> programs;
  const std::size_t colon = meaning.find(':');
  if (!meaning.starts_with('`') || colon == std::string::npos) return programs;
  std::istringstream rest(meaning.substr(0, colon));
  std::string between, quoted;
  while (std::getline(rest, between, '`') && std::getline(rest, quoted, '`'))
    programs.insert(quoted.substr(0, quoted.find(' ')));
  return programs;
}

bool is_documented(const DocumentedStatuses& documented, std::string_view program, int status) {
  const auto has = [&](std::string_view whose) {
    const auto found = documented.find(whose);
    return found != documented.end() && found->second.contains(status);
  };
  return has("") || has(program);
}

}  // namespace

std::vector<CommandLine> read_command_lines(const std::filesystem::path& file) {
  std::istringstream lines(read_file(file.string()));
  std::vector<CommandLine> commands;
  std::string line;
  while (std::getline(lines, line)) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    CommandLine command;
    if (!(words >> command.status >> command.program)) {
      throw Error(ErrorKind::unreadable_input,
                  fmt::format("{}: '{}' has no status and program", file.string(), line));
    }
    for (std::string word; words >> word;) command.words.push_back(word);
    commands.push_back(std::move(command));
  }
  return commands;
}

std::vector<std::string> changed(std::vector<std::string> words,
                                 const std::vector<std::string>& vocabulary,
                                 RandomGenerator& random) {
  for (auto changes = 1 + random.below(4); changes > 0; --changes)
    change_once(words, vocabulary, random);
  return words;
}

DocumentedStatuses read_documented_statuses(const std::filesystem::path& page) {
  constexpr int internal = 70;
  DocumentedStatuses documented;
  std::istringstream lines(read_file(page.string()));
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() < 3 || cells[0].find_first_not_of("0123456789, ") != std::string::npos)
      continue;
    std::set<std::string> programs = programs_of(cells[2]);
    if (programs.empty()) programs.insert("");
    std::istringstream statuses(cells[0]);
    for (std::string status; std::getline(statuses, status, ',');) {
      const int number = std::stoi(status);
      if (number == internal) continue;
      for (const std::string& program : programs) documented[program].insert(number);
    }
  }
  if (documented.empty())
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: no table of exit codes", page.string()));
  return documented;
}

std::optional<std::string> wrong_ending(const DocumentedStatuses& documented,
                                        std::string_view program, int status,
                                        std::string_view errors) {
  if (status > 128) return fmt::format("ended by signal {}", status - 128);
  if (!is_documented(documented, program, status))
    return fmt::format("status {}, which the page does not document", status);
  constexpr std::array failures = {2, 3, 4, 5, 8, 9};
  if (std::ranges::find(failures, status) == failures.end()) return std::nullopt;
  const std::string beginning = fmt::format("{}: ", program);
  if (errors.starts_with(beginning) || errors.find('\n' + beginning) != std::string_view::npos)
    return std::nullopt;
  return fmt::format("status {}, and no line of standard error begins with '{}'", status,
                     beginning);
}

}  // namespace pssp::test
