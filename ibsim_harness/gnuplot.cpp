// The script is a file with data and all, named relative to the folder where gnuplot runs: no name
// of the user's becomes part of a command.

#include "ibsim_harness/gnuplot.h"

#include <algorithm>

#include "base/error.h"
#include "base/file_io.h"
#include "base/shown.h"

namespace pssp {

std::string gnuplot_literal(std::string_view text) {
  std::string literal = "'";
  for (const char c : printable(text)) {
    if (c == '\'') literal += '\'';
    literal += c;
  }
  return literal + "'";
}

std::string gnuplot_cell(std::string_view text) {
  std::string cell = printable(text);
  std::replace(cell.begin(), cell.end(), '"', '\'');
  return cell;
}

std::string draw(const Surroundings& surroundings, const SignalQueue& signals,
                 const std::filesystem::path& folder, const std::string& name,
                 const std::string& script) {
  write_file(folder / (name + ".gnuplot"), script);
  Command command;
  command.program = surroundings.program("gnuplot", "gnuplot-nox");
  command.arguments = {"--default-settings", "./" + name + ".gnuplot"};
  command.environment = surroundings.environment;
  command.directory = folder;
  command.output = folder / (name + ".part");
  command.errors = folder / (name + ".err");
  const std::optional<Ending> ending = run_to_end(command, signals);
  std::string picture = read_file(command.output);
  const std::string said = read_file(command.errors);
  std::filesystem::remove(command.output);
  std::filesystem::remove(command.errors);
  if (!ending || ending->status != 0 || picture.empty())
    throw Error(ErrorKind::output, "gnuplot cannot draw " + name + ": " + printable(said));
  return picture;
}

}  // namespace pssp
