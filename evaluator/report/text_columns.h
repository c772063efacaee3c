#pragma once

// Cells of a text table, in rows; the first column is flush left, the others right.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace pssp {

class TextColumns {
 public:
  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// Indented by two blanks, without blanks at the ends of lines.
  std::string text() const {
    std::vector<std::size_t> widths;
    for (const std::vector<std::string>& cells : rows_) {
      widths.resize(std::max(widths.size(), cells.size()));
      for (std::size_t i = 0; i < cells.size(); ++i) {
        widths[i] = std::max(widths[i], cells[i].size());
      }
    }
    std::string text;
    for (const std::vector<std::string>& cells : rows_) {
      std::string line = fmt::format("  {:<{}}", cells[0], widths[0]);
      for (std::size_t i = 1; i < cells.size(); ++i) {
        line += fmt::format("  {:>{}}", cells[i], widths[i]);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
    return text;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace pssp
