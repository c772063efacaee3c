#pragma once

// Common options of commands that read a database: the file, the time range, and nodes and ports.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "monitor/counters/fabric_map.h"
#include "monitor/store/history_reader.h"
#include "tools/kit/command_line.h"
#include "tools/monitor_fabric/table.h"

namespace pssp {

struct HistoryArguments {
  std::string database, at, since, until, node;
  bool json = false;
  std::string csv, output = "-";

  /// The object must outlive the parsing.
  void add_options(CommandLine& line, bool with_at);

  void add_csv_option(CommandLine& line);

  /// From --since to --until; without them, the range of `default_ms` before --at or the newest
  /// sweep. Throws Error(usage) if it ends before it begins.
  TimeWindow window(const HistoryReader& reader, std::int64_t default_ms) const;

  /// Writes the table to the file of --csv, and as text or JSON to that of --output. Throws
  /// Error(output).
  void write(const Table& table) const;
};

/// Selects ports by name: "name", "name port 7", "name[7]"; the name is a description, a GUID
/// (0x...) or a LID. Empty means all.
class PortFilter {
 public:
  /// Throws Error(usage) if no node, or more than one, has the name; several are listed.
  PortFilter(const std::string& name, const FabricMap& map, std::string_view option = "--node");

  bool wants(Guid node) const noexcept { return !node_ || *node_ == node; }
  bool wants(Guid node, PortNumber port) const noexcept {
    return wants(node) && (!port_ || *port_ == port);
  }
  std::optional<Guid> node() const noexcept { return node_; }
  std::optional<PortNumber> port() const noexcept { return port_; }

 private:
  std::optional<Guid> node_;
  std::optional<PortNumber> port_;
};

}  // namespace pssp
