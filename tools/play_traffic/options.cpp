#include "tools/play_traffic/options.h"

#include "tools/kit/command_line.h"

namespace pssp {
namespace {

constexpr const char* description =
    "Simulates the port counters of a fabric with jobs, to try monitoring programs without "
    "hardware. It runs ibsim and opensm until Ctrl-C, and writes the exact traffic of each job to "
    "truth.json.";

constexpr const char* footer_text =
    "COMMAND (after --) runs in the simulated fabric; the simulation ends with it and returns its "
    "status. To run other programs in the fabric: DIR/attach.sh PROGRAM ...\n"
    "Example: pssp play-traffic fabric.net -- pssp monitor serve\n\n"
    "PSSP_BUILD_DIR  build folder of plugin and tools (default: this build)\nSIM_HOST        host "
    "on which opensm and COMMAND run; it is in no "
    "job\n\nExit codes: 0 done, 2 usage, 3 unreadable topology or jobs, 4 unknown "
    "nodes, 5 opensm used another engine, 8 a result cannot be written, 20 a tool or the "
    "plugin is missing, 21 ibsim or opensm failed, 130 interrupted; otherwise that of COMMAND.";

Activity activity_of(const std::string& word) {
  if (word == "constant") return Activity::constant;
  return word == "drifting" ? Activity::drifting : Activity::phases;
}

}  // namespace

std::optional<PlayTrafficOptions> parse_replay_options(int argc, const char* const* argv) {
  PlayTrafficOptions options;
  std::string engine = "pssp", activity = "phases";
  CommandLine line("play_traffic", description);
  line.option("TOPOLOGY", options.topology, "ibsim net file, or output of ibnetdiscover")
      .required()
      .reads();
  line.option("COMMAND", options.command,
              "Command to run in the fabric during the traffic, after --");
  line.option("-e,--engine", engine, "Engine, as for pssp compare-engines").show_default();
  const Option jobs =
      line.option("--jobs", options.jobs, "JSON Lines file with one job and its pattern per line")
          .reads();
  line.option("--scatter", options.scatter, "Place N random jobs of 4 to 64 hosts")
      .range(1, 10000)
      .type_name("N")
      .show_default()
      .excludes(jobs);
  line.option("--activity", activity, "Activity of the random jobs over time")
      .one_of({"constant", "phases", "drifting"})
      .show_default();
  line.option(
          "--storage-share", options.storage_share,
          "Share of the bytes of random jobs that goes to eight storage hosts, which are in no job")
      .range(0, 0.9)
      .type_name("X")
      .show_default();
  line.option("--for", options.seconds,
              "Seconds of traffic; the counters then stop, and the simulation ends with COMMAND "
              "(default: no limit)")
      .range(0.1, 1e8)
      .type_name("S");
  line.option("--interval", options.interval, "Seconds between two updates of the counters")
      .range(0.1, 60)
      .type_name("S")
      .show_default();
  line.option("--pace", options.pace, "Seconds between changes of a job's activity")
      .range(0.1, 3600)
      .type_name("S")
      .show_default();
  line.option("--errors", options.errors, "Number of cables with errors")
      .range(0, 1000)
      .type_name("N")
      .show_default();
  line.option("--cut", options.cut,
              "Remove a cable between switches after this many seconds, and restore it after as "
              "many again (default: never)")
      .range(0.1, 1e8)
      .type_name("S");
  line.option("--seed", options.seed, "Random seed").type_name("S").show_default();
  line.option("--timeout", options.timeout, "Time limit for the first sweep of opensm")
      .range(1, 999999)
      .type_name("SECONDS")
      .show_default();
  line.option("--out", options.out, "Folder of results and logs (default: a new folder in ./out)")
      .type_name("DIR");
  line.footer(footer_text);
  if (!line.parse(argc, argv)) return std::nullopt;
  options.engine = parse_engine(engine);
  options.activity = activity_of(activity);
  return options;
}

}  // namespace pssp
