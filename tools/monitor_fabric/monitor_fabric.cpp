// monitor_fabric: reads the counters of a live fabric and says what they mean. It sends Get and
// nothing else, and clears nothing. Each of its commands is a pair of files; commands.cpp has the
// list.

#include "tools/kit/tool.h"
#include "tools/monitor_fabric/commands.h"

int main(int argc, char** argv) {
  return pssp::run_tool("monitor_fabric", [&] { return pssp::run_command(argc, argv); });
}
