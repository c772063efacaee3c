#pragma once

// Collects the settings table.* of a parameter file, and builds the congestion control table.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/guarded_files.h"
#include "congestion/parameters.h"

namespace pssp {

class TableNotation {
 public:
  /// The settings that set() accepts.
  static constexpr std::array<std::string_view, 9> names{"ccti_limit",    "law",       "flows",
                                                         "largest_delay", "values",    "block.0",
                                                         "mtu",           "link_rate", "capacity"};

  /// `file` stands for the parameter file in messages; relative paths are resolved in `folder`, and
  /// `reader` reads the file of values.
  TableNotation(std::string_view file, std::filesystem::path folder, FileSource reader)
      : file_(file), folder_(std::move(folder)), reader_(std::move(reader)) {}

  /// Reads the setting table.NAME = value. Returns false if there is no such setting. Throws
  /// Error(usage) if the value is not allowed.
  bool set(std::string_view name, std::string_view value, std::size_t line);

  /// Nanoseconds of a full packet, from table.mtu and table.link_rate.
  double packet_time() const;

  /// Builds the table. Throws Error(unreadable_input) with the line of the error in the parameter
  /// file or in the file of values.
  CongestionControlTable build() const;

 private:
  struct Text {
    std::string text;
    std::size_t line = 0;
  };
  struct Value {
    CctEntry entry;
    std::string_view file;
    std::size_t line = 0;
  };

  [[noreturn]] void fail(std::size_t line, std::string_view message) const;
  std::size_t line_of_source() const;
  void build_from_law(CongestionControlTable& table) const;
  void build_from_values(CongestionControlTable& table) const;
  std::vector<Value> values_of_blocks() const;
  std::vector<Value> values_of_file(const std::string& path) const;
  void require_matching_limit(std::size_t entries) const;

  std::string file_;
  std::filesystem::path folder_;
  FileSource reader_;
  CongestionControlTable stated_;
  TableOrigin origin_;
  std::optional<std::uint16_t> ccti_limit_;
  std::map<std::string, std::size_t, std::less<>> line_of_;
  std::map<std::size_t, Text> blocks_;
  Text values_;
};

}  // namespace pssp
