#pragma once

// The configuration of `monitor_fabric serve`: sections with `name = value` lines, '#' begins a
// comment (docs/reference/monitor.md, "Configuration"). Defaults, ranges and meanings are
// said once, in the tables of configuration.cpp.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/configuration/fit_settings.h"
#include "monitor/configuration/job_settings.h"
#include "monitor/configuration/notification_settings.h"
#include "monitor/configuration/verdict_settings.h"

namespace pssp {

struct FabricSettings {
  std::string adapter;
  std::uint32_t port = 0;
  std::string smi_device, gsi_device;
  std::uint32_t window = 128;
  std::uint32_t per_node = 4;
  std::uint32_t timeout_ms = 500;
  std::uint32_t retries = 2;
  std::string mkey_file, topology, labels;
  bool hosts = true;
};

struct SweepSettings {
  std::uint32_t interval_s = 10;
  std::uint32_t discovery_interval_s = 60;
  std::uint32_t tables_interval_s = 300;
  std::uint32_t verify_nodes = 30;
};

enum class DiskSync : std::uint8_t { normal, full };

struct StoreSettings {
  std::string database;  ///< empty: nothing is kept beyond memory
  std::uint64_t max_size_gb = 10;
  std::uint32_t raw_hours = 6;
  std::uint32_t five_minutes_days = 14;
  std::uint32_t hours_days = 400;
  DiskSync fsync = DiskSync::normal;
};

struct ServerSettings {
  std::string listen = "127.0.0.1:9684";
  std::string token_file;
  std::uint32_t max_event_streams = 200;
  std::string allow_hosts;  ///< names with a comma between them
  bool zero_counters = true;
};

/// Is the fabric cabled as planned?
struct CablingSettings {
  std::string plan_file;  ///< empty: no one compares
};

/// What is computed of the traffic.
struct AnalysisSettings {
  std::uint32_t threads = 2;
  std::string engines = "best,cassp,pssp";
  std::uint32_t advise_every_s = 3600;
  std::uint64_t bisections = 2000;
};

struct MonitorConfiguration {
  FabricSettings fabric;
  SweepSettings sweep;
  StoreSettings store;
  ServerSettings server;
  JobSettings jobs;
  VerdictSettings verdicts;
  AnalysisSettings analysis;
  CablingSettings cabling;
  FitSettings fit;
  NotificationSettings notifications;
};

/// `name` stands for the file in messages. Throws Error(unreadable_input), "name:line: what was
/// found, what is expected", on anything that is not the notation: an unknown section or name, one
/// that is given twice, a value out of range.
MonitorConfiguration parse_monitor_configuration(std::string_view text, std::string_view name);
/// A file of at most 1 MiB. Errors as above, and where it cannot be read.
MonitorConfiguration read_monitor_configuration(const std::filesystem::path& file);

/// The whole configuration with the meaning of each line, as a file that is read again as the same.
/// What has no value is a comment.
std::string configuration_text(const MonitorConfiguration& configuration);

/// For output: the URL of the webhook, which may contain a secret, is replaced by "(hidden)".
MonitorConfiguration without_secrets(MonitorConfiguration configuration);

struct ConfigurationChange {
  std::string name;            ///< "section.name"
  std::string before, after;   ///< as without_secrets() has them
  bool while_running = false;  ///< it takes effect without a new start
};
/// `running` with those settings of `read_again` that take effect while the daemon runs.
MonitorConfiguration taken_over(const MonitorConfiguration& running,
                                const MonitorConfiguration& read_again);
/// What a daemon that reads its configuration again finds changed.
std::vector<ConfigurationChange> changes(const MonitorConfiguration& before,
                                         const MonitorConfiguration& after);

}  // namespace pssp
