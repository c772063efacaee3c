// eval_lft: how good are the forwarding tables of a fabric? See docs/reference/eval.md.

#include "tools/eval_lft/requests.h"
#include "tools/launch/parallel_tool.h"

int main(int argc, char** argv) {
  using namespace pssp;
  return run_parallel_tool(
      "eval_lft", argc, argv, Requests::from_command_line,
      [](const Requests& requests, Processes& processes) { return requests.run(processes); });
}
