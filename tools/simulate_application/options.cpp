#include "tools/simulate_application/options.h"

#include <fmt/format.h>

#include <initializer_list>

#include "applications/generators/applications.h"
#include "base/error.h"
#include "evaluator/pictures/drawing_programs.h"
#include "evaluator/pictures/fabric_map.h"
#include "simulator/values.h"
#include "tools/kit/command_line.h"
#include "tools/kit/fabric_options.h"
#include "tools/simulation/understood.h"

namespace pssp {
namespace {

constexpr const char* what_it_does =
    "Simulates an application (a GOAL schedule or a built-in one) on given forwarding tables and "
    "reports how long it takes";

/// Times and sizes in the notation of the command line.
struct CostTexts {
  std::string overhead = "500ns", overhead_per_byte = "0", gap = "0", latency = "700ns",
              gap_per_byte = "0", eager = "16KiB";
};

void add_cost_options(CommandLine& line, CostTexts& texts) {
  line.heading("Costs of a message");
  const auto add = [&](const char* name, std::string& text, const char* type, const char* help) {
    line.option(name, text, help).type_name(type).show_default();
  };
  add("--overhead", texts.overhead, "TIME", "o: processor time of each send and each receive");
  add("--overhead-per-byte", texts.overhead_per_byte, "TIME",
      "O: processor time of a send for each byte after the first");
  add("--gap", texts.gap, "TIME", "g: smallest interval between two sends of an adapter");
  add("--latency", texts.latency, "TIME",
      "L: latency of adapters and software, in addition to links and switches");
  add("--gap-per-byte", texts.gap_per_byte, "TIME", "G: time per byte, with --network loggp");
  add("--eager", texts.eager, "SIZE", "S: largest message sent without a handshake");
  line.heading("");
}

void add_adaptive_options(CommandLine& line, ApplicationQuestion& question) {
  line.heading("Adaptive routing, with --network packets");
  line.option("--adaptive", question.adaptive,
              "Send packets through the least loaded port of a group when the port in the tables "
              "is busy: choose for each packet (packet) or once for each message (flow)")
      .one_of({"none", "packet", "flow"})
      .show_default();
  line.option("--adaptive-busy", question.adaptive_busy,
              "Packets queued at the port in the tables, including the one being sent, above which "
              "other ports are considered")
      .range(0, 1e6)
      .type_name("N")
      .show_default();
  line.option("--groups", question.groups,
              "Groups of alternative ports, one line 'SWITCH LID: PORT PORT ..' for each group, "
              "LID * for any (default: all ports on minimal paths)")
      .reads();
}

/// Excludes options that other networks would need for comparable times.
void add_packet_options(CommandLine& line, ApplicationOptions& options, ModelTexts& texts) {
  line.heading("Model of the fabric, with --network packets");
  line.option("--cc", options.question.congestion_set,
              "Congestion control: off, a profile or a parameter file")
      .type_name("SET")
      .mentions()
      .show_default();
  add_model_options(line, options.model_options, texts,
                    {"link-rate", "host-rate", "link-delay", "switch-delay"});
}

MessageCosts read_costs(const CostTexts& texts) {
  MessageCosts costs;
  costs.overhead = read_time(texts.overhead);
  costs.overhead_per_byte = read_time(texts.overhead_per_byte);
  costs.gap = read_time(texts.gap);
  costs.latency = read_time(texts.latency);
  costs.gap_per_byte = read_time(texts.gap_per_byte);
  costs.eager = texts.eager == "0" ? 0 : read_size(texts.eager);
  return costs;
}

double read_precision(const std::string& text) {
  const double precision =
      understood("--until-precision", text, [](const std::string& t) { return read_share(t); });
  if (precision > 0) return precision;
  throw Error(ErrorKind::usage, "--until-precision: expected a share above 0");
}

std::string list_of_applications() {
  std::string text;
  for (const ApplicationDescription* const application : applications()) {
    text += fmt::format("{:<30} {}\n", application->name, application->summary);
  }
  return text;
}

void refuse(const CommandLine& line, const char* why, std::initializer_list<const char*> options) {
  for (const char* const option : options) {
    if (!line.given(option)) continue;
    throw Error(ErrorKind::usage, fmt::format("{}: leave out {}", why, option));
  }
}

void require_what_is_needed(const CommandLine& line, const ApplicationOptions& options,
                            const ModelTexts& model) {
  const int given = (options.question.application.empty() ? 0 : 1) +
                    (options.question.goal.empty() ? 0 : 1) +
                    (options.question.jobs.empty() ? 0 : 1);
  if (given != 1) {
    throw Error(ErrorKind::usage, "expected exactly one of --application, --goal and --job");
  }
  if (!options.question.jobs.empty()) {
    refuse(line, "--job specifies the hosts of its ranks",
           {"--ranks", "--ranks-on", "--order", "--ranks-per-host", "--cyclic", "--seeds",
            "--until-precision"});
  }
  if (options.question.order != "random" || !options.question.ranks_on.empty()) {
    refuse(line, "several seeds need --order random and no --ranks-on",
           {"--seeds", "--until-precision"});
  }
  if (!options.timeline.empty()) picture_format(options.timeline);
  if (!options.map.empty()) require_map_format(options.map);
  if (options.question.network == "packets") {
    refuse(line, "not supported with --network packets", {"--sharing", "--spread", "--map"});
  }
  if (options.question.network != "packets") {
    refuse(line, "adaptive routing needs --network packets",
           {"--adaptive", "--adaptive-busy", "--groups"});
    constexpr const char* why = "supported only with --network packets";
    refuse(line, why, {"--cc", "--then"});
    for (const std::string& option : model.declared) refuse(line, why, {option.c_str()});
  }
  if (!options.later.then.empty()) {
    refuse(line, "--then gives new tables only for the first tables and without adaptive routing",
           {"--adaptive", "--compare"});
  }
  if (options.question.adaptive == "none") {
    refuse(line, "supported only with adaptive routing (--adaptive packet or flow)",
           {"--adaptive-busy", "--groups"});
  }
  if (options.question.network == "crossbar") {
    refuse(line, "--network crossbar uses no tables",
           {"--spread", "--map", "--timeline", "--critical-path"});
  }
  if (options.question.network != "loggp") {
    if (!line.given("--gap-per-byte")) return;
    throw Error(ErrorKind::usage,
                "--gap-per-byte needs --network loggp; the other networks take the time per byte "
                "from the link rates");
  }
  refuse(line, "--network loggp models no links and no hosts",
         {"FILE", "--compare", "--ranks-on", "--order", "--seed", "--sharing", "--job",
          "--ranks-per-host", "--cyclic", "--compute-scale", "--per-rank", "--critical-path",
          "--timeline", "--map", "--spread"});
}

}  // namespace

std::optional<ApplicationOptions> parse_application_options(int argc, const char* const* argv) {
  ApplicationOptions options;
  CostTexts costs;
  ModelTexts model;
  LaterTexts later;
  std::string sharing = "equal", precision;
  CommandLine line("simulate_application", what_it_does);
  add_tables_and_topology(line, options.files).values(0, 2);
  line.option("--compare", options.compare, "Further tables of the same topology; repeatable")
      .one_at_a_time()
      .reads();
  line.option("-a,--application", options.question.application,
              "Built-in application: NAME,SIZE[,ITERATIONS][,key=value..], for example "
              "allreduce:ring,1MiB")
      .type_name("SPEC")
      .mentions();
  line.option("--goal", options.question.goal, "Schedule in GOAL, as text or as binary of txt2bin")
      .reads();
  line.option(
          "--job", options.question.jobs,
          "One of several applications that run at the same time on separate hosts, and each alone "
          "for comparison: SPEC@SET; SET is a file of hosts, 'leaf N' or a set as in traffic "
          "files, followed by optional 'start TIME' and (packets only) 'sl LEVEL'; repeatable")
      .one_at_a_time()
      .type_name("SPEC@SET")
      .mentions();
  line.option("--ranks", options.question.ranks, "Ranks of --application (default: all hosts)")
      .range(2, most_ranks)
      .type_name("N");
  line.option("--ranks-on", options.question.ranks_on,
              "File with the hosts of rank 0, 1, .., one per line")
      .reads();
  line.option("--ranks-per-host", options.question.ranks_per_host, "Consecutive ranks on each host")
      .range(1, 1e6)
      .type_name("K")
      .show_default();
  line.flag("--cyclic", options.question.cyclic, "Distribute ranks cyclically over the hosts");
  line.option("--order", options.question.order,
              "Order in which ranks are assigned to hosts: by GUID of their switch and its ports, "
              "or random")
      .one_of({"switch", "random"})
      .show_default();
  line.option("--seed", options.question.seed, "Seed of the random order and of random patterns")
      .show_default();
  line.option("--seeds", options.question.seeds,
              "Number of random orders (seeds S, S + 1, ..); reports means and paired differences")
      .range(1, most_seeds)
      .show_default();
  line.option("--until-precision", precision,
              "Add seeds (at most 64) until the 95 % interval of each mean time is within +- P, "
              "for example 1%")
      .type_name("P");
  line.option("--network", options.question.network,
              "Network model: links of the routes, shared by flows or by packets; only the links "
              "of hosts (crossbar); or no links (loggp)")
      .one_of({"flows", "packets", "crossbar", "loggp"})
      .show_default();
  line.option("--sharing", sharing,
              "How messages share a link: equal (capacity / messages) or max-min (unused shares go "
              "to other messages)")
      .one_of({"equal", "max-min"})
      .show_default();
  add_adaptive_options(line, options.question);
  add_packet_options(line, options, model);
  line.heading("Changes of the fabric, with --network packets");
  add_later_options(line, options.later, later);
  add_cost_options(line, costs);
  line.flag("--spread", options.question.spread,
            "Also simulate flows divided evenly over all minimal paths, instead of tables");
  line.option("--compute-scale", options.question.compute_scale,
              "Factor on the durations of computations")
      .range(0, 1e6)
      .type_name("F")
      .show_default();
  line.option("--csv", options.csv, "CSV file of the times, a line for each table and seed")
      .writes();
  line.option("--per-rank", options.per_rank,
              "CSV file of the end of each rank and its time by activity")
      .writes();
  line.flag("--critical-path", options.question.critical_path,
            "Report the critical path: the chain of operations that determines the total time");
  line.option("--timeline", options.timeline,
              "Timeline of the ranks and critical path, with the first tables: FILE.svg or .png")
      .writes();
  line.option("--map", options.map,
              "Map of the fabric, links colored by load with the first tables: .svg, .png, .pdf or "
              ".dot")
      .writes();
  line.option("--write-goal", options.write_goal, "Write the schedule as GOAL text").writes();
  line.flag("--json", options.json, "Report as JSON, with the end of each rank");
  line.output(options.output);
  line.answer("--list", "List the applications", list_of_applications);
  if (!line.parse(argc, argv)) return std::nullopt;
  options.question.costs = read_costs(costs);
  take_model_texts(model, options.model_options);
  take_later_texts(line, later, options.later);
  if (!precision.empty()) options.question.precision = read_precision(precision);
  options.question.sharing = sharing == "max-min" ? LinkSharing::max_min : LinkSharing::equal;
  require_what_is_needed(line, options, model);
  return options;
}

}  // namespace pssp
