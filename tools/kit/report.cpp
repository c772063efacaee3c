// A remark is one write of one line, so that lines of several programs on one terminal do not mix.

#include "tools/kit/report.h"

#include <cstdio>

#include "tools/kit/program_name.h"

namespace pssp {
namespace {

bool report_is_quiet = false;  // set before any other thread

}  // namespace

void Report::be_quiet() noexcept { report_is_quiet = true; }

bool Report::is_quiet() noexcept { return report_is_quiet; }

void Report::write(std::string_view kind, std::string_view text) const noexcept {
  static_cast<void>(std::fprintf(stderr, "%s: %.*s%.*s\n", name_as_called(tool_),
                                 static_cast<int>(kind.size()), kind.data(),
                                 static_cast<int>(text.size()), text.data()));
}

void Report::print_line(std::string_view text) const noexcept { write("", text); }

void Report::warn(std::string_view text) const noexcept {
  if (!report_is_quiet) write("warning: ", text);
}

void Report::warn(std::span<const std::string> texts) const noexcept {
  for (const std::string& text : texts) warn(text);
}

}  // namespace pssp
