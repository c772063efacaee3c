#pragma once

// The command line of a program: options, operands, commands, --help and --version. It uses CLI11,
// which only command_line.cpp includes, so that it is compiled once.
//
// A program with an option of each kind:
//
//   struct Arguments {
//     std::string topology, output = "-";
//     unsigned lanes = 8;
//     std::vector<std::string> settings;
//     bool json = false;
//   };
//
//   /// Nothing if --help, --version or --list was given.
//   std::optional<Arguments> parse_arguments(int argc, char** argv) {
//     Arguments arguments;
//     CommandLine line("name", "Does this and that with a fabric.");
//     line.option("topo.osm", arguments.topology, "Topology; - is standard input")
//         .required()
//         .reads();
//     line.output(arguments.output);
//     line.option("--lanes", arguments.lanes, "Virtual lanes")
//         .range(1, 15)
//         .type_name("N")
//         .group("Virtual lanes");
//     line.option("-s,--set", arguments.settings, "NAME=VALUE; repeatable").one_at_a_time();
//     line.flag("--json", arguments.json, "As JSON");
//     line.answer("--list", "List the engines", list_of_engines);  // std::string list_of_engines()
//     line.footer("Example: name fabric.net -o tables.lft");
//     if (!line.parse(argc, argv)) return std::nullopt;
//     if (line.given("--lanes") && arguments.json) throw Error(ErrorKind::usage, "...");
//     return arguments;
//   }
//
//   int main(int argc, char** argv) {
//     return run_tool("name", argc, argv, parse_arguments, run);
//   }
//
// Commands (`name check SET`) are separate command lines:
//
//   line.require_command();
//   CommandLine& check = line.command("check", "Is the set correct?");
//   check.option("SET", set, "Parameter file").required();
//   if (!line.parse(argc, argv)) return 0;
//   if (check.chosen()) ...
//
// Variables of options, and references captured by an answer, must live until parse() has returned.
// A variable keeps its value if its option is not given. A wrong declaration (an option declared
// twice, or without a name) throws std::exception, which is reported as an internal error.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pssp {

struct OptionRecord;
struct CommandLineState;

/// Sets properties of a declared option; a small handle, valid as long as its command line.
class Option {
 public:
  explicit Option(OptionRecord& record) : record_(&record) {}

  /// Rejects a command line without the option.
  Option& required();
  /// For a vector: the permitted numbers of values.
  Option& values(int least, int most);
  /// For a vector: the option has one value each time it is given.
  Option& one_at_a_time();
  /// For a vector: the option has `size` values each time it is given.
  Option& in_groups_of(int size);
  /// For a vector: one word can contain several values with this separator.
  Option& separated_by(char separator);
  /// For a number: rejects values outside [least, most].
  Option& range(double least, double most);
  /// For a text: rejects all other texts.
  Option& one_of(std::vector<std::string> words);
  /// Rejects both options together.
  Option& excludes(const Option& other);
  /// Rejects this option without the other.
  Option& needs(const Option& other);

  /// Details in --help: the name of the value, the heading, and the current value as the default.
  Option& type_name(const std::string& name);
  /// For an operand: the text that --help shows instead of its name, such as "TABLES TOPOLOGY" for
  /// two files.
  Option& usage(const std::string& text);
  Option& group(const std::string& heading);
  Option& show_default();

  /// For a text or texts: names of files that the program reads or writes. Standard input can be
  /// read only once; an output must be neither a file that is read nor another output
  /// (output_targets.h). --help shows FILE unless type_name() sets another text.
  Option& reads();
  Option& writes();
  /// For a text or texts: parts of the text can be names of files that the program reads, as in
  /// "pattern:file:NAME,1MiB" or "FILE@SET"; no output must be one of these files.
  Option& mentions();

 private:
  OptionRecord* record_;
};

class CommandLine {
 public:
  /// Also declares --help, --version and --quiet.
  CommandLine(const std::string& tool, const std::string& description);
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  /// Declares an option ("-o,--output": names separated by commas) or an operand ("topo.osm": a
  /// name without a dash; in the order of declaration) that sets `value`.
  Option option(const std::string& names, std::string& value, const std::string& help);
  Option option(const std::string& names, std::vector<std::string>& value, const std::string& help);
  Option option(const std::string& names, int& value, const std::string& help);
  Option option(const std::string& names, unsigned& value, const std::string& help);
  Option option(const std::string& names, std::uint64_t& value, const std::string& help);
  Option option(const std::string& names, double& value, const std::string& help);
  Option option(const std::string& names, std::optional<unsigned>& value, const std::string& help);
  Option option(const std::string& names, std::optional<std::uint64_t>& value,
                const std::string& help);
  Option option(const std::string& names, std::optional<double>& value, const std::string& help);

  /// -o, --output: the file to write, with "-" for standard output.
  Option output(std::string& file,
                const std::string& help = "Write the result to FILE; - is standard output");

  /// Declares a flag that sets `value` to true, or to false if its name begins with "!", as in
  /// "!--no-header".
  Option flag(const std::string& names, bool& value, const std::string& help);
  /// Declares a flag with an optional value (--lids=VALUE); `bare` is the value without one.
  Option flag(const std::string& names, const std::string& bare, std::string& value,
              const std::string& help);
  /// Declares a flag that prints `text` to standard output and does nothing else, like --help.
  /// Required options can then be missing.
  Option answer(const std::string& names, const std::string& help,
                std::function<std::string()> text);

  /// Declares a command: `NAME COMMAND ...`. The result lives as long as this object.
  CommandLine& command(const std::string& name, const std::string& description);
  /// Rejects a command line without a command.
  void require_command();

  /// Sets the heading in --help for all options that are declared after this call, unless group()
  /// sets another heading. An empty text restores the default heading.
  void heading(const std::string& text);

  /// Sets the text below the options in --help.
  void footer(const std::string& text);

  /// Sets the variables of the options. Returns false if an answer (--help, --version, answer())
  /// was printed, so that the program must do nothing else. Throws Error(usage), or Error(output)
  /// if an answer cannot be printed. The message about a wrong option or command suggests the most
  /// similar one.
  bool parse(int argc, const char* const* argv);

  /// After parse(): whether this option ("--patterns", by any of its names) or operand was given.
  bool given(const std::string& option) const;
  /// After parse(): whether this is the given command.
  bool chosen() const;

 private:
  explicit CommandLine(std::unique_ptr<CommandLineState> state);

  template <class Value>
  Option bind(const std::string& names, Value& value, const std::string& help);

  std::unique_ptr<CommandLineState> state_;
};

}  // namespace pssp
