#pragma once

// The command line of deploy_tables.

#include <cstdint>
#include <optional>
#include <string>

#include "tools/deploy_tables/manager_options.h"
#include "tools/deploy_tables/plan.h"
#include "tools/kit/port_options.h"

namespace pssp {

enum class DeployCommand : std::uint8_t {
  plan,
  apply,
  confirm,
  back_out,
  status,
  guard,
  check_setup
};

/// The reaction of guard if the fabric no longer matches the tables.
enum class OnChange : std::uint8_t { alarm, fallback, reroute };

struct DeployOptions {
  std::string tables, topology;
  std::string against = "fabric";
  std::string state = "/var/lib/deploy_tables";
  PlanOptions plan;
  std::int64_t confirm_within_ms = 0;  ///< of apply

  std::string change;              ///< change for which a timer calls back-out; empty: any
  std::int64_t wait_until_ns = 0;  ///< since the start of the machine; 0: now

  double interval_s = 10;     ///< of guard
  std::string configuration;  ///< opensm.conf; empty: as opensm was started

  ManagerOptions manager;
  PortOptions port;
  std::string m_key_file;

  DeployCommand command = DeployCommand::status;
  OnChange on_change = OnChange::alarm;
  bool unconfirmed = false;  ///< back-out only if the change was not confirmed in time
  bool once = false;         ///< of guard
  bool write = false;        ///< check-setup corrects opensm.conf
  bool json = false;
};

/// None if --help or --version was printed. Throws Error(usage). Opens no file.
std::optional<DeployOptions> parse_deploy_options(int argc, const char* const* argv);

/// Milliseconds of "10m", "20s", "1h", "90" (seconds). Throws Error(usage).
std::int64_t parse_duration_ms(const std::string& text, const std::string& option);

}  // namespace pssp
