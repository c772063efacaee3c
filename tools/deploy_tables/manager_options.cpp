#include "tools/deploy_tables/manager_options.h"

#include "tools/kit/command_line.h"

namespace pssp {

void ManagerOptions::add_options(CommandLine& line) {
  const std::string group = "The subnet manager";
  line.option("--unit", unit, "systemd's unit of opensm").show_default().group(group);
  line.option("--pid-file", pid_file, "File with the number of opensm's process")
      .type_name("FILE")
      .group(group);
  line.option("--opensm-pid", process, "Number of opensm's process").range(1, 4194304).group(group);
  line.option("--reload", reload,
              "Command by which the subnet manager reads its file again, instead of SIGHUP to "
              "opensm; /bin/sh runs it. It is not kept: name it in each call")
      .type_name("COMMAND")
      .group(group);
  line.option("--opensm-log", log, "Its log (default: as opensm was started)")
      .type_name("FILE")
      .group(group);
  line.option("--patience", patience_s, "Seconds to wait for its sweep")
      .range(1, 86400)
      .show_default()
      .group(group);
}

}  // namespace pssp
