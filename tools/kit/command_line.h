#pragma once

// The command line of a program: options, operands, commands, --help and --version. Behind it is
// CLI11, which command_line.cpp alone includes, so that it is compiled once.
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
//   /// Nothing when --help, --version or --list was answered.
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
// Commands (`name check SET`) are command lines themselves:
//
//   line.require_command();
//   CommandLine& check = line.command("check", "Is the set correct?");
//   check.option("SET", set, "Parameter file").required();
//   if (!line.parse(argc, argv)) return 0;
//   if (check.chosen()) ...
//
// What options are bound to, and captured references of an answer, must live until parse() has
// returned; it keeps its value where the option is not given. All of a mistake in a declaration
// (an option twice, no name) is std::exception, which is an internal error.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pssp {

struct OptionRecord;
struct CommandLineState;

/// Says more of an option that was declared; a light handle, valid as long as its command line.
class Option {
 public:
  explicit Option(OptionRecord& record) : record_(&record) {}

  /// Refuses a command line without it.
  Option& required();
  /// The numbers of values that it takes; of a vector, or of a pair of words.
  Option& values(int least, int most);
  /// Of a vector: takes one value each time it is given.
  Option& one_at_a_time();
  /// Of a vector: takes so many values each time it is given.
  Option& in_groups_of(int size);
  /// Of a vector: values may stand in one word with this between them.
  Option& separated_by(char separator);
  /// Of a number: refuses what is not in [least, most].
  Option& range(double least, double most);
  /// Of a text: refuses all others.
  Option& one_of(std::vector<std::string> words);
  /// Refuses both together.
  Option& excludes(const Option& other);
  /// Refuses this without the other.
  Option& needs(const Option& other);

  /// How --help shows it: name of the value, heading, and the value that it has at this moment.
  Option& type_name(const std::string& name);
  /// For an operand: the text that --help shows instead of its name, such as "TABLES TOPOLOGY" for
  /// two files.
  Option& usage(const std::string& text);
  Option& group(const std::string& heading);
  Option& show_default();

  /// Of a text or texts: it names files that are read, or one that is written. Standard input can
  /// be read once; an output must not be a file that is read, nor another output
  /// (output_targets.h). --help shows FILE unless type_name() says otherwise.
  Option& reads();
  /// Of a text or texts: some of the words in it may be files that are read, as in
  /// "pattern:file:NAME,1MiB" or "FILE@SET"; no output may be one of them.
  Option& mentions();
  Option& writes();

 private:
  OptionRecord* record_;
};

class CommandLine {
 public:
  /// --help, --version and --quiet come by themselves.
  CommandLine(const std::string& tool, const std::string& description);
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  /// Binds an option ("-o,--output": names with a comma between them) or an operand ("topo.osm": a
  /// name without a dash; in the order of declaration).
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

  /// Binds what is given or not. "!--no-header" makes it false.
  Option flag(const std::string& names, bool& value, const std::string& help);
  /// "--lids", "opensm": a flag that may have a value (--lids=VALUE), and this one otherwise.
  Option flag(const std::string& names, const std::string& bare, std::string& value,
              const std::string& help);
  /// A flag that is answered on standard output instead of anything else, as --help is; whatever is
  /// missing then is not asked for.
  Option answer(const std::string& names, const std::string& help,
                std::function<std::string()> text);

  /// A command: `NAME COMMAND ...`. The result lives as long as this.
  CommandLine& command(const std::string& name, const std::string& description);
  /// One of the commands must be given.
  void require_command();

  /// The heading in --help of the options that are declared from here on, unless group() gives
  /// them another one; empty: the usual one.
  void heading(const std::string& text);

  /// Text below the options in --help.
  void footer(const std::string& text);

  /// Fills what is bound. False when an answer (--help, --version, answer()) was printed and
  /// nothing is left to do. Throws Error(usage), and Error(output) where an answer cannot be
  /// printed. The message about a wrong option or command suggests the most similar one.
  bool parse(int argc, const char* const* argv);

  /// Once parsed: was this option given, by any of its names? "--patterns", or the name of an
  /// operand.
  bool given(const std::string& option) const;
  /// Once parsed: is this the command that was given?
  bool chosen() const;

 private:
  explicit CommandLine(std::unique_ptr<CommandLineState> state);

  template <class Value>
  Option bind(const std::string& names, Value& value, const std::string& help);

  std::unique_ptr<CommandLineState> state_;
};

}  // namespace pssp
