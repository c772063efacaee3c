#pragma once

// The configuration of `pssp monitor serve`: sections with lines `name = value`; '#' begins a
// comment (docs/reference/monitor.md, "Configuration"). The tables in configuration.cpp define
// defaults, ranges and meanings.

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
  std::string database;  ///< empty: history is kept in memory only
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
  std::string allow_hosts;  ///< host names, separated by commas
  bool zero_counters = true;
};

/// Comparison of the cabling with a plan.
struct CablingSettings {
  std::string plan_file;  ///< empty: no comparison
};

/// Analysis of the traffic.
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

/// Parses a configuration; `name` is the name of the file in messages. Throws
/// Error(unreadable_input) with "name:line", the text found and what is expected. Errors are an
/// invalid line, an unknown or repeated name, an unknown section, and a value out of range.
MonitorConfiguration parse_monitor_configuration(std::string_view text, std::string_view name);
/// Reads a file of at most 1 MiB. Throws the same errors, and if the file cannot be read.
MonitorConfiguration read_monitor_configuration(const std::filesystem::path& file);

/// The whole configuration as a file that parses to the same configuration, with the meaning of
/// each line. Settings without a value are comments.
std::string configuration_text(const MonitorConfiguration& configuration);

/// For output: the URL of the webhook, which may contain a secret, is replaced by "(hidden)".
MonitorConfiguration without_secrets(MonitorConfiguration configuration);

struct ConfigurationChange {
  std::string name;            ///< "section.name"
  std::string before, after;   ///< as in without_secrets()
  bool while_running = false;  ///< takes effect without a restart
};
/// `running`, changed by those settings of `read_again` that take effect while the daemon runs.
MonitorConfiguration taken_over(const MonitorConfiguration& running,
                                const MonitorConfiguration& read_again);
/// The settings that differ when a daemon reads its configuration again.
std::vector<ConfigurationChange> changes(const MonitorConfiguration& before,
                                         const MonitorConfiguration& after);

}  // namespace pssp
