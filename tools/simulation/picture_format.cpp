#include "tools/simulation/picture_format.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/shown.h"

namespace pssp {

std::string picture_format(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".svg" || ending == ".png") return ending.substr(1);
  throw Error(ErrorKind::usage,
              fmt::format("'{}': expected a name that ends in .svg or .png", shown(file.string())));
}

std::string gnuplot_text(const std::string& text) {
  std::string quoted;
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return '"' + quoted + '"';
}

std::string gnuplot_head(const std::string& format, const std::string& title, int width,
                         int height) {
  const std::string terminal =
      format == "png"
          ? fmt::format("set terminal pngcairo size {},{} font 'sans,11'\n", width, height)
          : fmt::format(
                "set terminal svg size {},{} dynamic background rgb 'white' font 'sans,13'\n",
                width, height);
  return terminal + "set encoding utf8\nset title " + gnuplot_text(title) + " noenhanced\n";
}

}  // namespace pssp
