// A facade over the part of CLI11 that the programs use. CLI11 is a library of templates, which
// take many seconds to compile in each file that includes them; here they are compiled once, for
// the few types of options.

#include "tools/kit/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <limits>
#include <map>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/closest_name.h"
#include "base/error.h"
#include "base/file_io.h"
#include "base/output_targets.h"
#include "base/printable.h"
#include "tools/kit/program_name.h"
#include "tools/kit/report.h"

namespace pssp {

/// The help texts of CLI11 with the terms of our pages: "Arguments" and "COMMAND".
class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat() {
    label("Positionals", "Arguments");
    label("SUBCOMMAND", "COMMAND");
  }

  /// `text` replaces the name of the operand.
  void set_usage(const CLI::Option* operand, const std::string& text) { usages_[operand] = text; }

  std::string make_option_usage(const CLI::Option* option) const override {
    const auto found = usages_.find(option);
    if (found == usages_.end()) return Formatter::make_option_usage(option);
    return option->get_required() ? found->second : "[" + found->second + "]";
  }
  std::string make_option_name(const CLI::Option* option, bool is_operand) const override {
    const auto found = usages_.find(option);
    return found == usages_.end() ? Formatter::make_option_name(option, is_operand) : found->second;
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    if (!usages_.contains(option)) return Formatter::make_option_opts(option);
    return option->get_required() ? " REQUIRED" : "";
  }

 private:
  std::map<const CLI::Option*, std::string> usages_;
};

struct OptionRecord {
  enum class Number : std::uint8_t { none, integer, natural, large, real };
  enum class File : std::uint8_t { none, input, mentioned, output };

  CLI::Option* option = nullptr;
  HelpFormat* format = nullptr;
  Number number = Number::none;
  File file = File::none;
  const std::string* text = nullptr;
  const std::vector<std::string>* texts = nullptr;
};

struct CommandLineState {
  CLI::App* app = nullptr;          // of the program, or of one of its commands
  std::unique_ptr<CLI::App> owned;  // of the program; empty for commands
  std::shared_ptr<HelpFormat> format;
  std::deque<OptionRecord> options;
  std::deque<std::unique_ptr<CommandLine>> commands;
  std::string heading;  // of the next options; empty: that of CLI11
  bool requires_command = false;
};

namespace {

/// Adds a record of a new option, which gets the current heading.
OptionRecord& add_record(CommandLineState& state, CLI::Option* option) {
  OptionRecord& record = state.options.emplace_back();
  record.option = option;
  record.format = state.format.get();
  if (!state.heading.empty()) option->group(state.heading);
  return record;
}

/// The long options of a command line and of the given command.
std::vector<std::string> options_of(const CommandLineState& state) {
  std::vector<std::string> names;
  const auto add = [&](const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
  };
  add(*state.app);
  for (const CLI::App* command : state.app->get_subcommands()) add(*command);
  return names;
}

std::vector<std::string> commands_of(const CommandLineState& state) {
  std::vector<std::string> names;
  for (const CLI::App* command : state.app->get_subcommands({})) {
    names.push_back(command->get_name());
  }
  return names;
}

/// Advice about a word that is not in `names`, as the end of an error message.
std::string advice_on(const std::string& word, const std::vector<std::string>& names) {
  const std::vector<std::string_view> known(names.begin(), names.end());
  return " (see --help)" + did_you_mean(word.substr(0, word.find('=')), known);
}

/// The error in a command line. For an unknown option, CLI11 may only report too many files,
/// because it counts the value of the option as a file.
std::string wrong_with(const CommandLineState& state, const CLI::ParseError& error) {
  const std::vector<std::string> surplus = state.app->remaining(true);
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word[0] == '-'; };
  const auto unknown = std::ranges::find_if(surplus, is_option);
  if (unknown != surplus.end()) {
    return "unknown option '" + printable(*unknown) + "'" + advice_on(*unknown, options_of(state));
  }
  if (!state.commands.empty() && state.app->get_subcommands().empty() && !surplus.empty()) {
    return "unknown command '" + printable(surplus.front()) + "'" +
           advice_on(surplus.front(), commands_of(state));
  }
  return printable(error.what()) + "; see --help";
}

void add_quiet(CLI::App& app) {
  app.add_flag_callback("-q,--quiet", Report::be_quiet, "Print neither warnings nor progress");
}

/// Thrown to leave the parser: the text that options such as --list print.
struct Answer {
  std::string text;
};

template <class Value>
constexpr OptionRecord::Number number_kind() {
  using Number = OptionRecord::Number;
  if constexpr (std::is_same_v<Value, int>) return Number::integer;
  if constexpr (std::is_same_v<Value, unsigned>) return Number::natural;
  if constexpr (std::is_same_v<Value, std::uint64_t>) return Number::large;
  if constexpr (std::is_same_v<Value, double>) return Number::real;
  return Number::none;
}

template <class Value>
struct WithoutOptional {
  using Type = Value;
};
template <class Value>
struct WithoutOptional<std::optional<Value>> {
  using Type = Value;
};

template <class Value>
CLI::Range range_of(double least, double most) {
  return {static_cast<Value>(least), static_cast<Value>(most)};
}

/// CLI11 converts too large numbers to the largest number, and negative ones to positive ones.
std::string refusal_of_large(const std::string& text) {
  errno = 0;
  static_cast<void>(std::strtoull(text.c_str(), nullptr, 0));
  if (errno != ERANGE && !text.starts_with('-')) return {};
  return "Value " + text + " not in range 0 to " +
         std::to_string(std::numeric_limits<std::uint64_t>::max());
}

/// The existing files among the parts of a text: the whole text, and all parts between separators.
/// In texts with many separators, only parts without separators.
std::vector<std::string> files_mentioned(const std::string& text) {
  constexpr std::string_view signs = ":,;@= ";
  constexpr std::size_t most_whole = 16;
  std::vector<std::size_t> begins{0};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (signs.find(text[i]) != std::string_view::npos) begins.push_back(i + 1);
  }
  begins.push_back(text.size() + 1);
  std::vector<std::string> files;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    const std::size_t last = begins.size() <= most_whole ? begins.size() - 1 : i + 1;
    for (std::size_t j = i + 1; j <= last; ++j) {
      std::string word = text.substr(begins[i], begins[j] - 1 - begins[i]);
      std::error_code ignored;
      if (std::filesystem::is_regular_file(word, ignored)) files.push_back(std::move(word));
    }
  }
  return files;
}

void add_targets(const OptionRecord& record, OutputTargets& positions) {
  const auto add = [&](const std::string& file) {
    const std::string option = record.option->get_name();
    switch (record.file) {
      case OptionRecord::File::input:
        return positions.add_input(option, file);
      case OptionRecord::File::mentioned:
        for (const std::string& each : files_mentioned(file)) positions.add_input(option, each);
        return;
      case OptionRecord::File::output:
        return positions.add_output(option, file);
      case OptionRecord::File::none:
        return;
    }
  };
  const bool given = record.option->count() != 0;
  if (record.text != nullptr && (given || !record.text->empty())) add(*record.text);
  if (record.texts != nullptr) {
    for (const std::string& file : *record.texts) add(file);
  }
}

void names_file(OptionRecord& record, OptionRecord::File file) {
  record.file = file;
  if (record.option->get_type_name() == "TEXT") record.option->type_name("FILE");
}

void add_targets(const CommandLineState& state, OutputTargets& positions) {
  for (const OptionRecord& record : state.options) add_targets(record, positions);
}

}  // namespace

Option& Option::required() {
  record_->option->required();
  return *this;
}

Option& Option::values(int least, int most) {
  record_->option->expected(least, most);
  return *this;
}

Option& Option::one_at_a_time() {
  record_->option->allow_extra_args(false);
  return *this;
}

Option& Option::in_groups_of(int size) {
  record_->option->type_size(size)->allow_extra_args(false);
  return *this;
}

Option& Option::separated_by(char separator) {
  record_->option->delimiter(separator);
  return *this;
}

Option& Option::range(double least, double most) {
  using Number = OptionRecord::Number;
  switch (record_->number) {
    case Number::integer:
      record_->option->check(range_of<int>(least, most));
      break;
    case Number::natural:
      record_->option->check(range_of<unsigned>(least, most));
      break;
    case Number::large:
      record_->option->check(range_of<std::uint64_t>(least, most));
      break;
    case Number::real:
      record_->option->check(range_of<double>(least, most));
      break;
    case Number::none:
      throw std::logic_error(record_->option->get_name() + " is not a number and has no range");
  }
  return *this;
}

Option& Option::one_of(std::vector<std::string> words) {
  record_->option->check(CLI::IsMember(std::move(words)));
  return *this;
}

Option& Option::excludes(const Option& other) {
  record_->option->excludes(other.record_->option);
  return *this;
}

Option& Option::needs(const Option& other) {
  record_->option->needs(other.record_->option);
  return *this;
}

Option& Option::type_name(const std::string& name) {
  record_->option->type_name(name);
  return *this;
}

Option& Option::usage(const std::string& text) {
  record_->format->set_usage(record_->option, text);
  return *this;
}

Option& Option::group(const std::string& heading) {
  record_->option->group(heading);
  return *this;
}

Option& Option::show_default() {
  record_->option->capture_default_str();
  return *this;
}

Option& Option::reads() {
  names_file(*record_, OptionRecord::File::input);
  return *this;
}

Option& Option::mentions() {
  record_->file = OptionRecord::File::mentioned;
  return *this;
}

Option& Option::writes() {
  names_file(*record_, OptionRecord::File::output);
  return *this;
}

CommandLine::CommandLine(const std::string& tool, const std::string& description)
    : state_(std::make_unique<CommandLineState>()) {
  const std::string name = name_as_called(tool.c_str());
  state_->owned = std::make_unique<CLI::App>(description, name);
  state_->app = state_->owned.get();
  state_->format = std::make_shared<HelpFormat>();
  state_->app->formatter(state_->format);
  state_->app->set_version_flag("--version", version_line(name));
  add_quiet(*state_->app);
}

CommandLine::CommandLine(std::unique_ptr<CommandLineState> state) : state_(std::move(state)) {}

CommandLine::~CommandLine() = default;

template <class Value>
Option CommandLine::bind(const std::string& names, Value& value, const std::string& help) {
  OptionRecord& record = add_record(*state_, state_->app->add_option(names, value, help));
  record.number = number_kind<typename WithoutOptional<Value>::Type>();
  if (record.number == OptionRecord::Number::large) {
    record.option->check(
        CLI::Validator([](std::string& text) { return refusal_of_large(text); }, std::string()));
  }
  if constexpr (std::is_same_v<Value, std::string>) record.text = &value;
  if constexpr (std::is_same_v<Value, std::vector<std::string>>) record.texts = &value;
  return Option(record);
}

Option CommandLine::option(const std::string& names, std::string& value, const std::string& help) {
  return bind(names, value, help);
}

Option CommandLine::option(const std::string& names, std::vector<std::string>& value,
                           const std::string& help) {
  return bind(names, value, help);
}

Option CommandLine::option(const std::string& names, int& value, const std::string& help) {
  return bind(names, value, help);
}

Option CommandLine::option(const std::string& names, unsigned& value, const std::string& help) {
  return bind(names, value, help);
}

Option CommandLine::option(const std::string& names, std::uint64_t& value,
                           const std::string& help) {
  return bind(names, value, help);
}

Option CommandLine::option(const std::string& names, double& value, const std::string& help) {
  return bind(names, value, help);
}

Option CommandLine::option(const std::string& names, std::optional<unsigned>& value,
                           const std::string& help) {
  return bind(names, value, help);
}

Option CommandLine::option(const std::string& names, std::optional<std::uint64_t>& value,
                           const std::string& help) {
  return bind(names, value, help);
}

Option CommandLine::option(const std::string& names, std::optional<double>& value,
                           const std::string& help) {
  return bind(names, value, help);
}

Option CommandLine::output(std::string& file, const std::string& help) {
  return option("-o,--output", file, help).show_default().writes();
}

Option CommandLine::flag(const std::string& names, bool& value, const std::string& help) {
  return Option(add_record(*state_, state_->app->add_flag(names, value, help)));
}

Option CommandLine::flag(const std::string& names, const std::string& bare, std::string& value,
                         const std::string& help) {
  return Option(add_record(*state_, state_->app->add_flag(names + "{" + bare + "}", value, help)));
}

Option CommandLine::answer(const std::string& names, const std::string& help,
                           std::function<std::string()> text) {
  return Option(
      add_record(*state_, state_->app->add_flag_callback(
                              names, [text = std::move(text)] { throw Answer{text()}; }, help)));
}

CommandLine& CommandLine::command(const std::string& name, const std::string& description) {
  // At most one; a second name is then an operand of the first command, which can reject it.
  state_->app->require_subcommand(state_->requires_command ? 1 : 0, 1);
  auto state = std::make_unique<CommandLineState>();
  state->app = state_->app->add_subcommand(name, description)->group("Commands");
  state->format = state_->format;
  add_quiet(*state->app);
  std::unique_ptr<CommandLine> made(new CommandLine(std::move(state)));
  return *state_->commands.emplace_back(std::move(made));
}

void CommandLine::require_command() {
  state_->requires_command = true;
  state_->app->require_subcommand(1, 1);
}

void CommandLine::heading(const std::string& text) { state_->heading = text; }

void CommandLine::footer(const std::string& text) { state_->app->footer(text); }

bool CommandLine::parse(int argc, const char* const* argv) {
  CLI::App& app = *state_->app;
  try {
    app.parse(argc, argv);
  } catch (const Answer& answer) {
    write_file("-", answer.text);
    return false;
  } catch (const CLI::CallForHelp&) {
    write_file("-", app.help());
    return false;
  } catch (const CLI::CallForVersion& answer) {
    write_file("-", std::string(answer.what()) + "\n");
    return false;
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::usage, wrong_with(*state_, error));
  }
  OutputTargets positions;
  add_targets(*state_, positions);
  for (const auto& command : state_->commands) {
    if (command->chosen()) add_targets(*command->state_, positions);
  }
  positions.require_separate();
  return true;
}

bool CommandLine::given(const std::string& option) const { return state_->app->count(option) != 0; }

bool CommandLine::chosen() const { return state_->app->parsed(); }

}  // namespace pssp
