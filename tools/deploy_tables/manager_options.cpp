#include "tools/deploy_tables/manager_options.h"

#include "tools/kit/command_line.h"

namespace pssp {

void ManagerOptions::add_options(CommandLine& line) {
  const std::string group = "Subnet manager";
  line.option("--unit", unit, "systemd unit of opensm").show_default().group(group);
  line.option("--pid-file", pid_file, "File with the process ID of opensm")
      .type_name("FILE")
      .group(group);
  line.option("--opensm-pid", process, "Process ID of opensm").range(1, 4194304).group(group);
  line.option("--reload", reload,
              "Shell command that makes the subnet manager reload its file, instead of sending "
              "SIGHUP to opensm; not stored, so repeat it in every call")
      .type_name("COMMAND")
      .group(group);
  line.option("--opensm-log", log, "Log file of opensm (default: as opensm was started)")
      .type_name("FILE")
      .group(group);
  line.option("--patience", patience_s, "Seconds to wait for a sweep of the subnet manager")
      .range(1, 86400)
      .show_default()
      .group(group);
}

}  // namespace pssp
