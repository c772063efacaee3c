#include "tools/simulate_application/options.h"

#include <fmt/format.h>

#include <initializer_list>

#include "applications/generators/applications.h"
#include "base/error.h"
#include "evaluator/pictures/drawing_programs.h"
#include "evaluator/pictures/fabric_map.h"
#include "simulator/values.h"
#include "tools/kit/command_line.h"
#include "tools/simulation/understood.h"

namespace pssp {
namespace {

constexpr const char* what_it_does =
    "How long does an application take with these forwarding tables? Plays a schedule of messages "
    "that wait for each other, of a GOAL file or built in, on the links of a fabric.";

/// Times and sizes as they stand on the command line.
struct CostTexts {
  std::string overhead = "500ns", overhead_per_byte = "0", gap = "0", latency = "700ns",
              gap_per_byte = "0", eager = "16KiB";
};

void add_cost_options(CommandLine& line, CostTexts& texts) {
  constexpr const char* group = "Costs of a message";
  const auto add = [&](const char* name, std::string& text, const char* type, const char* help) {
    line.option(name, text, help).type_name(type).show_default().group(group);
  };
  add("--overhead", texts.overhead, "TIME", "o: processor time of a send and of a receive");
  add("--overhead-per-byte", texts.overhead_per_byte, "TIME",
      "O: processor time of a send for each byte but the first");
  add("--gap", texts.gap, "TIME", "g: between the starts of two sends of an adapter");
  add("--latency", texts.latency, "TIME", "L: of adapters and software, beside links and switches");
  add("--gap-per-byte", texts.gap_per_byte, "TIME", "G: of a byte, with --network loggp");
  add("--eager", texts.eager, "SIZE", "S: largest message that is sent at once");
}

void add_adaptive_options(CommandLine& line, ApplicationQuestion& question) {
  constexpr const char* group = "Adaptive routing, with --network packets";
  line.option(
          "--adaptive", question.adaptive,
          "Packets leave a port of the tables that has much to send for the least loaded of its "
          "group: each by itself (packet), or all of a message as its first (flow)")
      .one_of({"none", "packet", "flow"})
      .show_default()
      .group(group);
  line.option("--adaptive-busy", question.adaptive_busy,
              "So many packets may wait for the port of the tables before another is looked at, "
              "one that it sends included")
      .range(0, 1e6)
      .type_name("N")
      .show_default()
      .group(group);
  line.option("--groups", question.groups,
              "Ports that packets may take: a line 'SWITCH LID: PORT PORT ..' a group, LID * for "
              "any (default: all ports one hop nearer)")
      .type_name("FILE")
      .reads()
      .group(group);
}

/// Not what other networks would have to know as well, so that times can be compared.
void add_packet_options(CommandLine& line, ApplicationOptions& options, ModelTexts& texts) {
  constexpr const char* group = "The model, with --network packets";
  line.option("--cc", options.question.congestion_set,
              "Congestion control: off, a profile or a parameter file")
      .type_name("SET")
      .mentions()
      .show_default()
      .group(group);
  add_model_options(line, options.model_options, texts, group,
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
  throw Error(ErrorKind::usage, "--until-precision: expected more than 0");
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
    throw Error(ErrorKind::usage,
                "one of --application, --goal and --job is required, and no more than one");
  }
  if (!options.question.jobs.empty()) {
    refuse(line, "--job says itself where its ranks are",
           {"--ranks", "--ranks-on", "--order", "--ranks-per-host", "--cyclic", "--seeds",
            "--until-precision"});
  }
  if (options.question.order != "random" || !options.question.ranks_on.empty()) {
    refuse(line, "seeds are of random orders (--order random)", {"--seeds", "--until-precision"});
  }
  if (!options.timeline.empty()) picture_format(options.timeline);
  if (!options.map.empty()) require_map_format(options.map);
  if (options.question.network == "packets") {
    refuse(line, "--network packets shares links packet by packet",
           {"--sharing", "--spread", "--map"});
  }
  if (options.question.network != "packets") {
    refuse(line, "adaptive routing is of packets (--network packets)",
           {"--adaptive", "--adaptive-busy", "--groups"});
    constexpr const char* why = "this is of packets (--network packets)";
    refuse(line, why, {"--cc", "--then"});
    for (const std::string& option : model.declared) refuse(line, why, {option.c_str()});
  }
  if (!options.later.then.empty()) {
    refuse(line,
           "packets of a fabric that changes go by its tables, which --then has for the first",
           {"--adaptive", "--compare"});
  }
  if (options.question.adaptive == "none") {
    refuse(line, "this is of adaptive routing (--adaptive packet)",
           {"--adaptive-busy", "--groups"});
  }
  if (options.question.network == "crossbar") {
    refuse(line, "--network crossbar has no tables",
           {"--spread", "--map", "--timeline", "--critical-path"});
  }
  if (options.question.network != "loggp") {
    if (!line.given("--gap-per-byte")) return;
    throw Error(ErrorKind::usage,
                "--gap-per-byte is for --network loggp; otherwise links say what a byte takes");
  }
  refuse(line, "--network loggp has no links and no hosts",
         {"files", "--compare", "--ranks-on", "--order", "--seed", "--sharing", "--job",
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
  line.option("files", options.files,
              "Forwarding tables and topology, or one file with both; - is standard input")
      .values(0, 2)
      .type_name("FILE")
      .reads();
  line.option("--compare", options.compare, "Further tables, of the same topology; repeatable")
      .one_at_a_time()
      .type_name("FILE")
      .reads();
  line.option("-a,--application", options.question.application,
              "NAME,SIZE[,ITERATIONS][,key=value..], as in allreduce:ring,1MiB")
      .type_name("SPEC")
      .mentions();
  line.option("--goal", options.question.goal, "Schedule: GOAL as text, or as txt2bin writes it")
      .type_name("FILE")
      .reads();
  line.option("-j,--job", options.question.jobs,
              "SPEC@SET: several applications side by side, each on hosts of its own, and each "
              "alone; SET is a file of hosts, 'leaf N', or as in traffic files, and behind it "
              "'start TIME' and, of packets, 'sl LEVEL'; repeatable")
      .one_at_a_time()
      .type_name("SPEC@SET")
      .mentions();
  line.option("--ranks", options.question.ranks, "Ranks of --application (default: all hosts)")
      .range(2, most_ranks)
      .type_name("N");
  line.option("--ranks-on", options.question.ranks_on, "Hosts of rank 0, 1, .., one a line")
      .type_name("FILE")
      .reads();
  line.option("--ranks-per-host", options.question.ranks_per_host,
              "So many ranks on each host, one after the other")
      .range(1, 1e6)
      .type_name("K")
      .show_default();
  line.flag("--cyclic", options.question.cyclic,
            "A rank on each host before a second one is on any");
  line.option("--order", options.question.order,
              "Hosts of ranks: by GUID of their switch and its ports, or random")
      .one_of({"switch", "random"})
      .show_default();
  line.option("--seed", options.question.seed,
              "Of the random order, and of a pattern that is drawn by chance")
      .show_default();
  line.option("--seeds", options.question.seeds,
              "Random orders with seeds S, S + 1, ..: means, and differences order by order")
      .range(1, most_seeds)
      .show_default();
  line.option("--until-precision", precision,
              "As many seeds as a 95 % interval of +- P of each mean time takes, 64 at most, as in "
              "1%")
      .type_name("P");
  line.option(
          "--network", options.question.network,
          "What messages share: the links of the tables, as flows or packet by packet; those of "
          "hosts alone; or none")
      .one_of({"flows", "packets", "crossbar", "loggp"})
      .show_default();
  line.option("--sharing", sharing,
              "How messages share a link: equal, capacity / messages, or max-min, where others get "
              "what one cannot use")
      .one_of({"equal", "max-min"})
      .show_default();
  add_adaptive_options(line, options.question);
  add_packet_options(line, options, model);
  add_later_options(line, options.later, later, "Changes of the fabric, with --network packets");
  add_cost_options(line, costs);
  line.flag("--spread", options.question.spread,
            "Also with flows divided evenly over all minimal ways, in the place of tables");
  line.option("--compute-scale", options.question.compute_scale,
              "Computations last so many times as long")
      .range(0, 1e6)
      .type_name("F")
      .show_default();
  line.option("--csv", options.csv, "The times, a line for each of the tables and each seed")
      .type_name("FILE")
      .writes();
  line.option("--per-rank", options.per_rank,
              "When each rank ends, and what it did until then: CSV")
      .type_name("FILE")
      .writes();
  line.flag("--critical-path", options.question.critical_path,
            "What decided the time: from the last operation backwards, always to what was waited "
            "for last");
  line.option("--timeline", options.timeline,
              "What ranks did when with the first tables, and the critical path: FILE.svg or .png")
      .type_name("FILE")
      .writes();
  line.option("--map", options.map,
              "The fabric, links coloured by what they carried with the first tables: .svg, .png, "
              ".pdf or .dot")
      .type_name("FILE")
      .writes();
  line.option("--write-goal", options.write_goal, "The schedule as GOAL text")
      .type_name("FILE")
      .writes();
  line.flag("--json", options.json, "As JSON, with the end of each rank");
  line.option("-o,--output", options.output, "File for the answer; - is standard output")
      .show_default()
      .writes();
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
