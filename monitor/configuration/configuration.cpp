// Each section is a struct and a table of its members. Reader, writer and comparison use only the
// list of sections and name no single setting.

#include "monitor/configuration/configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "base/option_table.h"
#include "base/text_lines.h"

namespace pssp {
namespace {

constexpr std::size_t largest_file = std::size_t{1} << 20;

constexpr std::array fabric_lines{
    text_option<&FabricSettings::adapter>(
        "adapter", "NAME",
        "adapter that sends requests; if not set: the first with an active port"),
    number_option<&FabricSettings::port>("port", 0, 254,
                                         "port of the adapter; 0: the first active port"),
    number_option<&FabricSettings::window>("window", 1, 256,
                                           "largest number of outstanding requests"),
    number_option<&FabricSettings::per_node>("per_node", 1, 256,
                                             "largest number of outstanding requests to one node"),
    number_option<&FabricSettings::timeout_ms>("timeout_ms", 1, 60'000,
                                               "timeout of a request, in milliseconds"),
    number_option<&FabricSettings::retries>("retries", 0, 100,
                                            "repetitions of a request that timed out"),
    file_option<&FabricSettings::mkey_file>("mkey_file", "FILE",
                                            "file with the M_Key of fabrics that hide PortInfo"),
    file_option<&FabricSettings::topology>("topology", "FILE",
                                           "output of ibnetdiscover, used instead of discovery"),
    file_option<&FabricSettings::labels>(
        "labels", "FILE", "names of nodes, in the format of node-name maps; reread on SIGHUP"),
    switch_option<&FabricSettings::hosts>("hosts", "read the counters of hosts, too"),
    text_option<&FabricSettings::smi_device>(
        "smi_device", "NAME",
        "device for subnet management; if not set: the device of the adapter"),
    text_option<&FabricSettings::gsi_device>(
        "gsi_device", "NAME",
        "device for all other requests; if not set: the device of the adapter"),
};

constexpr std::array sweep_lines{
    number_option<&SweepSettings::interval_s>("interval_s", 1, 3600, "seconds between sweeps"),
    number_option<&SweepSettings::discovery_interval_s>("discovery_interval_s", 1, 86'400,
                                                        "seconds between discoveries"),
    number_option<&SweepSettings::tables_interval_s>(
        "tables_interval_s", 0, 86'400, "seconds between readings of all tables; 0: never"),
    number_option<&SweepSettings::verify_nodes>(
        "verify_nodes", 1, 10'000, "sweeps after which the GUID of a node is verified again"),
};

constexpr std::array<std::string_view, 2> sync_text{"normal", "full"};
constexpr std::array store_lines{
    file_option<&StoreSettings::database>(
        "database", "FILE", "file of the history; if not set: history is kept in memory only"),
    number_option<&StoreSettings::max_size_gb>("max_size_gb", 1, 100'000,
                                               "largest size of the database, in GiB"),
    number_option<&StoreSettings::raw_hours>("raw_hours", 1, 10'000,
                                             "hours for which sweeps are kept"),
    number_option<&StoreSettings::five_minutes_days>(
        "five_minutes_days", 1, 10'000, "days for which sums over five minutes are kept"),
    number_option<&StoreSettings::hours_days>("hours_days", 1, 10'000,
                                              "days for which sums over hours are kept"),
    choice_option<&StoreSettings::fsync>("fsync", sync_text,
                                         "full: a power failure loses no sweep that was written"),
};

constexpr std::array server_lines{
    text_option<&ServerSettings::listen>("listen", "ADDRESS:PORT or unix:PATH",
                                         "address of the web pages and metrics"),
    file_option<&ServerSettings::token_file>("token_file", "FILE",
                                             "file with the token that clients must send"),
    number_option<&ServerSettings::max_event_streams>("max_event_streams", 0, 10'000,
                                                      "largest number of open event streams"),
    text_option<&ServerSettings::allow_hosts>(
        "allow_hosts", "NAME,...", "other host names of the server that requests may use"),
    switch_option<&ServerSettings::zero_counters>(
        "zero_counters",
        "/metrics includes error counters that are 0, so that the first error is an increase"),
};

constexpr std::array<std::string_view, 3> job_source_text{"none", "slurm", "file"};
constexpr std::array<std::string_view, 2> user_text{"show", "hide"};
constexpr std::array job_lines{
    choice_option<&JobSettings::source>("source", job_source_text, "source of the list of jobs"),
    file_option<&JobSettings::file>("file", "FILE",
                                    "list of jobs for source = file, one JSON object per line"),
    number_option<&JobSettings::poll_s>("poll_s", 1, 86'400,
                                        "seconds between queries of the source"),
    text_option<&JobSettings::node_names>("node_names", "REGEX",
                                          "regular expression for descriptions of adapters: group "
                                          "1 is the node, group 2 (optional) its "
                                          "adapter; if not set: the first word is the node"),
    text_option<&JobSettings::shared_hosts>(
        "shared_hosts", "NAME,...",
        "nodes that serve several jobs, such as storage and login nodes"),
    choice_option<&JobSettings::users>("users", user_text,
                                       "hide: user names are neither shown nor stored"),
};

constexpr std::uint64_t most_events = 1'000'000'000, most_percent = 100;
constexpr std::array verdict_lines{
    number_option<&VerdictSettings::short_window_s>(
        "short_window_s", 1, 86'400, "window in which most errors are counted, in seconds"),
    number_option<&VerdictSettings::long_window_s>(
        "long_window_s", 1, 2'592'000,
        "window in which symbol_errors, link_error_recoveries and link_downed are counted, in "
        "seconds"),
    number_option<&VerdictSettings::bit_errors_bad>(
        "bit_errors_bad", 1, most_events, "symbol errors per 10^15 bits above which a link is bad"),
    number_option<&VerdictSettings::corrected_bit_errors_bad>(
        "corrected_bit_errors_bad", 1, most_events,
        "the same for links with error correction (50 Gbit/s per lane or faster)"),
    number_option<&VerdictSettings::corrected_symbol_errors_watch>(
        "corrected_symbol_errors_watch", 1, most_events,
        "number of symbol errors from which a link with error correction is watched"),
    number_option<&VerdictSettings::symbol_errors_least>(
        "symbol_errors_least", 1, most_events,
        "number of symbol errors below which their rate is not evaluated"),
    number_option<&VerdictSettings::symbol_errors_watch_percent>(
        "symbol_errors_watch_percent", 1, most_percent,
        "percentage of bit_errors_bad above which a link is watched"),
    number_option<&VerdictSettings::recoveries_watch>(
        "recoveries_watch", 0, most_events,
        "number of link_error_recoveries from which a link is watched; 0: never"),
    number_option<&VerdictSettings::recoveries_bad>(
        "recoveries_bad", 0, most_events,
        "number of link_error_recoveries from which a link is bad; 0: never"),
    number_option<&VerdictSettings::downs_watch>(
        "downs_watch", 0, most_events,
        "number of link_downed from which a link is watched; 0: never"),
    number_option<&VerdictSettings::downs_bad>(
        "downs_bad", 0, most_events, "number of link_downed from which a link is bad; 0: never"),
    number_option<&VerdictSettings::flaps_bad>(
        "flaps_bad", 0, most_events,
        "number of link_downed within flaps_s from which a link is bad; 0: never"),
    number_option<&VerdictSettings::flaps_s>("flaps_s", 1, 3600, "window of flaps_bad, in seconds"),
    number_option<&VerdictSettings::receive_errors_watch>(
        "receive_errors_watch", 0, most_events,
        "number of receive_errors, local_link_integrity_errors or excessive_buffer_overruns from "
        "which a link is watched; 0: never"),
    number_option<&VerdictSettings::receive_errors_bad>(
        "receive_errors_bad", 0, most_events,
        "number of the same errors from which a link is bad; 0: never"),
    number_option<&VerdictSettings::remote_errors_watch>(
        "remote_errors_watch", 0, most_events,
        "number of receive_remote_physical_errors from which a link is watched; 0: never"),
    number_option<&VerdictSettings::relay_errors_watch>(
        "relay_errors_watch", 0, most_events,
        "number of receive_switch_relay_errors from which a link is watched; 0: never"),
    number_option<&VerdictSettings::constraint_errors_watch>(
        "constraint_errors_watch", 0, most_events,
        "number of constraint errors from which a link is watched; 0: never"),
    number_option<&VerdictSettings::discards_watch>(
        "discards_watch", 0, most_events,
        "number of transmit_discards from which a link is watched; 0: never"),
    number_option<&VerdictSettings::discards_bad>(
        "discards_bad", 0, most_events,
        "number of transmit_discards from which a link is bad; 0: never"),
    number_option<&VerdictSettings::discards_least>(
        "discards_least", 1, most_events,
        "number of transmit_discards below which their share of the packets is not evaluated"),
    number_option<&VerdictSettings::discards_per_million_bad>(
        "discards_per_million_bad", 1, 1'000'000,
        "transmit_discards per million packets above which a link is bad"),
    number_option<&VerdictSettings::vl15_dropped_watch>(
        "vl15_dropped_watch", 0, most_events,
        "number of vl15_dropped from which a link is watched; 0: never"),
    number_option<&VerdictSettings::vl15_dropped_bad>(
        "vl15_dropped_bad", 0, most_events,
        "number of vl15_dropped from which a link is bad; 0: never"),
    number_option<&VerdictSettings::waiting_watch_percent>(
        "waiting_watch_percent", 0, most_percent,
        "waiting share in percent above which a link is watched"),
    file_option<&VerdictSettings::ignore_file>(
        "ignore_file", "FILE",
        "list of ports in maintenance, each with the end of the maintenance"),
    file_option<&VerdictSettings::capacity_file>(
        "capacity_file", "FILE",
        "file to which the capacities of degraded links are written for routing; if not set: no "
        "file is written"),
    number_option<&VerdictSettings::capacity_every_s>(
        "capacity_every_s", 600, 86'400, "seconds between two updates of capacity_file, at least"),
    number_option<&VerdictSettings::capacity_bad_percent>(
        "capacity_bad_percent", 0, most_percent,
        "capacity in capacity_file of a bad link, in percent"),
    number_option<&VerdictSettings::capacity_down_percent>(
        "capacity_down_percent", 0, most_percent,
        "capacity in capacity_file of a link that is bad because of link_downed, in percent"),
};

constexpr std::array analysis_lines{
    number_option<&AnalysisSettings::threads>("threads", 1, 256, "threads for computing advice"),
    text_option<&AnalysisSettings::engines>("engines", "NAME,...",
                                            "engines whose tables are compared with those in "
                                            "force"),
    number_option<&AnalysisSettings::advise_every_s>(
        "advise_every_s", 0, 604'800,
        "seconds between two computations of advice; 0: only on request"),
    number_option<&AnalysisSettings::bisections>(
        "bisections", 30, 1'000'000, "random bisections for each computation of advice"),
};

constexpr std::array cabling_lines{
    file_option<&CablingSettings::plan_file>(
        "plan_file", "FILE",
        "planned cabling: a topology or a cabling list; reread when it changes"),
};

constexpr std::uint64_t most_nodes = 1'000'000;
constexpr std::array fit_lines{
    number_option<&FitSettings::most_drained>("most_drained", 0, most_nodes,
                                              "largest number of nodes to drain that become unfit "
                                              "within an hour; the others are held back"),
    number_option<&FitSettings::most_drained_percent>(
        "most_drained_percent", 0, most_percent,
        "the same in percent of all nodes; the larger number applies"),
};

constexpr std::array<std::string_view, 2> level_text{"all", "bad"};
constexpr std::array notification_lines{
    text_option<&NotificationSettings::webhook>(
        "webhook", "URL",
        "receiver of incidents, sent as JSON by HTTP POST; if not set: no webhook"),
    file_option<&NotificationSettings::token_file>("token_file", "FILE",
                                                   "file with the bearer token of the webhook"),
    file_option<&NotificationSettings::ca_file>("ca_file", "FILE",
                                                "certificate authorities that are accepted for the "
                                                "webhook; if not set: those of the system"),
    text_option<&NotificationSettings::mail_to>(
        "mail_to", "ADDRESS,...",
        "recipients of an e-mail for each incident; if not set: no e-mail"),
    file_option<&NotificationSettings::sendmail>("sendmail", "FILE",
                                                 "the sendmail program, required with mail_to"),
    text_option<&NotificationSettings::mail_from>(
        "mail_from", "ADDRESS", "sender of e-mails; if not set: sendmail chooses one"),
    text_option<&NotificationSettings::page_url>(
        "page_url", "URL",
        "address of the monitor's pages for links in messages; if not set: no links"),
    number_option<&NotificationSettings::delay_s>(
        "delay_s", 0, 86'400,
        "seconds for which an incident must last, or be over, before a message is sent"),
    choice_option<&NotificationSettings::levels>("levels", level_text,
                                                 "bad: report only faults with a bad verdict"),
    switch_option<&NotificationSettings::congestion>("congestion", "report congestion, too"),
};

constexpr OptionTable<FabricSettings> fabric_table{fabric_lines};
constexpr OptionTable<SweepSettings> sweep_table{sweep_lines};
constexpr OptionTable<StoreSettings> store_table{store_lines};
constexpr OptionTable<ServerSettings> server_table{server_lines};
constexpr OptionTable<JobSettings> job_table{job_lines};
constexpr OptionTable<VerdictSettings> verdict_table{verdict_lines};
constexpr OptionTable<AnalysisSettings> analysis_table{analysis_lines};
constexpr OptionTable<CablingSettings> cabling_table{cabling_lines};
constexpr OptionTable<FitSettings> fit_table{fit_lines};
constexpr OptionTable<NotificationSettings> notification_table{notification_lines};

/// Calls `function(name, table, member of the configuration, takes effect while running)`.
template <class Function>
void for_each_section(const Function& function) {
  function("fabric", fabric_table, &MonitorConfiguration::fabric, false);
  function("sweep", sweep_table, &MonitorConfiguration::sweep, true);
  function("store", store_table, &MonitorConfiguration::store, false);
  function("server", server_table, &MonitorConfiguration::server, false);
  function("jobs", job_table, &MonitorConfiguration::jobs, false);
  function("verdicts", verdict_table, &MonitorConfiguration::verdicts, false);
  function("analysis", analysis_table, &MonitorConfiguration::analysis, false);
  function("cabling", cabling_table, &MonitorConfiguration::cabling, false);
  function("fit", fit_table, &MonitorConfiguration::fit, true);
  function("notifications", notification_table, &MonitorConfiguration::notifications, false);
}

/// Settings that take effect while the daemon runs although their section as a whole does not.
constexpr std::array<std::string_view, 9> taken_while_running{
    "fabric.labels",     "fabric.window",           "fabric.per_node",
    "fabric.timeout_ms", "fabric.retries",          "store.max_size_gb",
    "store.raw_hours",   "store.five_minutes_days", "store.hours_days",
};
/// Exceptions: changed verdict limits take effect at once, but the windows and the file of ignored
/// ports stay.
constexpr std::array<std::string_view, 3> verdicts_that_stay{"short_window_s", "long_window_s",
                                                             "ignore_file"};

bool is_taken_over(std::string_view section, std::string_view name, bool whole_section) {
  if (section == "verdicts") {
    return !name.starts_with("capacity_") && std::ranges::count(verdicts_that_stay, name) == 0;
  }
  return whole_section ||
         std::ranges::count(taken_while_running, fmt::format("{}.{}", section, name)) != 0;
}

std::string known_sections() {
  std::string names;
  for_each_section([&](std::string_view name, const auto&, auto, bool) {
    names += fmt::format("{}[{}]", names.empty() ? "" : ", ", name);
  });
  return names;
}

template <class T>
std::string known_names(const OptionTable<T>& table) {
  std::string names;
  for (const auto& line : table.lines()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", line.name);
  }
  return names;
}

constexpr std::string_view name_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";

class ConfigurationReader {
 public:
  ConfigurationReader(std::string_view text, std::string_view name) : lines_(text, name) {}

  MonitorConfiguration read() {
    while (lines_.next()) {
      const std::string_view line = trimmed(lines_.line().substr(0, lines_.line().find('#')));
      if (line.empty()) continue;
      if (line.front() == '[') {
        begin_section(line);
      } else {
        take_setting(line);
      }
    }
    return std::move(configuration_);
  }

 private:
  void begin_section(std::string_view line) {
    if (line.back() != ']') lines_.fail(fmt::format("'{}' has no ']'", excerpt(line)));
    const std::string_view name = trimmed(line.substr(1, line.size() - 2));
    section_.clear();
    for_each_section([&](std::string_view known, const auto&, auto, bool) {
      if (name == known) section_ = known;
    });
    if (section_.empty()) {
      lines_.fail(
          fmt::format("unknown section [{}]; known sections: {}", excerpt(name), known_sections()));
    }
  }

  void take_setting(std::string_view line) {
    const std::size_t equals = line.find('=');
    const std::string_view name = trimmed(line.substr(0, equals));
    const std::string_view value =
        equals == std::string_view::npos ? "" : trimmed(line.substr(equals + 1));
    const std::size_t end_of_name = line.find_first_not_of(name_characters);
    if (name.empty() || value.empty() || end_of_name != name.size()) {
      // The message quotes only the name, because the rest may be a secret, such as a URL.
      lines_.fail(fmt::format("'{}': expected [section] or name = value, and comments after '#'",
                              excerpt(line.substr(0, end_of_name))));
    }
    if (section_.empty()) {
      lines_.fail(fmt::format("'{}' is not in a section; known sections: {}", excerpt(name),
                              known_sections()));
    }
    require_new(name);
    for_each_section([&](std::string_view section, const auto& table, auto member, bool) {
      if (section == section_) store(table, configuration_.*member, name, value);
    });
  }

  void require_new(std::string_view name) {
    const auto [earlier, is_new] =
        line_of_.try_emplace(fmt::format("{}.{}", section_, name), lines_.number());
    if (!is_new) {
      lines_.fail(fmt::format("'{}' is already set in line {}; set it once", excerpt(name),
                              earlier->second));
    }
  }

  template <class T>
  void store(const OptionTable<T>& table, T& to, std::string_view name, std::string_view value) {
    const OptionLine<T>* line = table.find(name);
    if (line == nullptr) {
      lines_.fail(fmt::format("unknown setting '{}' in section [{}]; known settings: {}",
                              excerpt(name), section_, known_names(table)));
    }
    try {
      line->store(to, understand(line->domain, name, value));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage) throw;
      lines_.fail(error.what());
    }
  }

  TextLines lines_;
  MonitorConfiguration configuration_;
  std::string section_;
  std::map<std::string, std::size_t, std::less<>> line_of_;
};

}  // namespace

MonitorConfiguration parse_monitor_configuration(std::string_view text, std::string_view name) {
  return ConfigurationReader(text, name).read();
}

MonitorConfiguration read_monitor_configuration(const std::filesystem::path& file) {
  return parse_monitor_configuration(read_file(file, largest_file), file.string());
}

std::string configuration_text(const MonitorConfiguration& configuration) {
  std::string text;
  for_each_section([&](std::string_view section, const auto& table, auto member, bool) {
    text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", section);
    for (const OptionDescription& option : table.describe(configuration.*member)) {
      const std::string setting = option.fallback.empty()
                                      ? fmt::format("# {} = {}", option.name, option.values)
                                      : fmt::format("{} = {}", option.name, option.fallback);
      text += fmt::format("{:<34} # {} ({})\n", setting, option.meaning, option.values);
    }
  });
  return text;
}

MonitorConfiguration taken_over(const MonitorConfiguration& running,
                                const MonitorConfiguration& read_again) {
  MonitorConfiguration result = running;
  for_each_section([&](std::string_view section, const auto& table, auto member, bool all) {
    for (const auto& line : table.lines()) {
      if (!is_taken_over(section, line.name, all)) continue;
      const std::string value = line.show(read_again.*member, line.domain);
      if (value == line.show(running.*member, line.domain)) continue;
      line.store(result.*member, understand(line.domain, line.name, value));
    }
  });
  return result;
}

MonitorConfiguration without_secrets(MonitorConfiguration configuration) {
  std::string& webhook = configuration.notifications.webhook;
  if (!webhook.empty()) webhook = "(hidden)";
  return configuration;
}

std::vector<ConfigurationChange> changes(const MonitorConfiguration& before,
                                         const MonitorConfiguration& after) {
  const MonitorConfiguration printed_before = without_secrets(before);
  const MonitorConfiguration printed_after = without_secrets(after);
  std::vector<ConfigurationChange> all;
  for_each_section([&](std::string_view section, const auto& table, auto member, bool running) {
    for (const auto& line : table.lines()) {
      if (line.show(before.*member, line.domain) == line.show(after.*member, line.domain)) continue;
      all.push_back({fmt::format("{}.{}", section, line.name),
                     line.show(printed_before.*member, line.domain),
                     line.show(printed_after.*member, line.domain),
                     is_taken_over(section, line.name, running)});
    }
  });
  return all;
}

}  // namespace pssp
