// topologies/family_arguments.cpp defines the arguments; here each becomes an option of the command
// line, so that a specification in a string and a call of make_topo always agree.

#include "tools/make_topo/make_topo_options.h"

#include <fmt/format.h>

#include <utility>
#include <variant>
#include <vector>

#include "tools/kit/command_line.h"
#include "topologies/registry.h"

namespace pssp {
namespace {

/// "mesh 5x5": a call without options.
std::string call(const TopologyFamily& family) {
  return fmt::format("pssp make-topo {}{}{}", family.name, family.example.empty() ? "" : " ",
                     family.example);
}

std::string list_of_kinds() {
  std::string text;
  for (const TopologyFamily& family : topology_registry()) {
    text += fmt::format("{:<16}{}\n{:<16}e.g. {}\n", family.name, family.summary, "", call(family));
  }
  return text;
}

/// Creates an option of a command from an argument, by the type of its variable.
class OptionMaker {
 public:
  OptionMaker(CommandLine& command, const Argument& argument)
      : command_(command), argument_(argument) {}

  Option operator()(bool* value) const {
    return command_.flag(argument_.name(), *value, argument_.meaning());
  }
  Option operator()(std::string* value) const {
    if (argument_.bare().empty()) return option(*value);
    return command_.flag(argument_.name(), argument_.bare(), *value, argument_.meaning());
  }
  template <class Value>
  Option operator()(Value* value) const {
    return option(*value);
  }

 private:
  template <class Value>
  Option option(Value& value) const {
    return command_.option(argument_.name(), value, argument_.meaning());
  }

  CommandLine& command_;
  const Argument& argument_;
};

void add(CommandLine& command, const Argument& argument) {
  Option option = std::visit(OptionMaker(command, argument), argument.target());
  if (argument.is_required()) option.required();
  if (argument.range()) {
    option.range(static_cast<double>(argument.range()->least),
                 static_cast<double>(argument.range()->most));
  }
  if (!argument.words().empty()) option.one_of(argument.words());
  if (!argument.type_name().empty()) option.type_name(argument.type_name());
  if (!argument.group().empty()) option.group(argument.group());
  if (argument.shows_default()) option.show_default();
}

}  // namespace

bool MakeTopoOptions::parse(const char* tool, int argc, char** argv) {
  CommandLine line(tool, "Generates the topology of an InfiniBand fabric as an ibsim net file.");
  line.answer("--list", "list the kinds of topologies, each with an example", list_of_kinds);
  line.footer(
      "`pssp make-topo KIND --help` lists the arguments of a kind of topology and the options "
      "of all kinds.\n"
      "Example: pssp make-topo chic --kill-links 20 --seed 7 -o chic.net");
  std::vector<std::pair<const CommandLine*, const TopologyRequest::Kind*>> commands;
  for (const TopologyRequest::Kind& kind : request.kinds()) {
    CommandLine& command =
        line.command(std::string(kind.family->name), std::string(kind.family->summary));
    for (const Argument& argument : kind.arguments) add(command, argument);
    command.output(output, "write the topology to FILE; - is standard output");
    command.footer(fmt::format("Example: {} -o fabric.net", call(*kind.family)));
    commands.emplace_back(&command, &kind);
  }
  if (!line.parse(argc, argv)) return false;
  for (const auto& [command, kind] : commands) {
    if (command->chosen()) request.choose(*kind);
  }
  return true;
}

}  // namespace pssp
