#include "tools/route_lft/stable.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "fabric/input/fabric_input.h"
#include "routing/repair/mending.h"
#include "routing/repair/stable_options.h"
#include "routing/repair/table_transfer.h"

namespace pssp {

void StableRequest::add_options(CommandLine& line) {
  const std::string group = "After a change of the fabric";
  line.option("--stable", file,
              "Bring these tables of the fabric before the change up to date, instead of routing "
              "with an engine, and keep every entry that is still valid and good")
      .type_name("OLD.lft")
      .group(group);
  line.flag(
          "--from-home", from_home,
          "The tables of --stable are those of the fabric when nothing is missing: what is handed "
          "over depends on them and on what is missing alone")
      .group(group);
  line.option("--in-force", in_force,
              "With --from-home: tables that the switches have now; what changes is counted since "
              "these")
      .type_name("NOW.lft")
      .group(group);
  line.flag("--first-start", first_start,
            "With --engine: the tables that opensm hands over at its first start with stable=on: "
            "of a tree that lacks links or switches those of the whole tree, mended")
      .group(group);
  line.option("--stable-detour", options.max_detour,
              "Hops that a route may be longer than the shortest, as in the tables before")
      .range(0, max_stable_detour)
      .type_name("N")
      .show_default()
      .group(group);
  line.option("--stable-gain", options.least_gain,
              "Move a valid entry for balance only where its routes then merge with fewer others "
              "by so many per cent; 100: never")
      .range(0, 100)
      .type_name("N")
      .show_default()
      .group(group);
}

void StableRequest::complete(const CommandLine& line, const PluginOptions& settings,
                             const std::string& engine, const std::string& topology) {
  const StableOptions given = settings.stable_options(engine);
  if (!line.given("--stable-detour")) options.max_detour = given.max_detour;
  if (!line.given("--stable-gain")) options.least_gain = given.least_gain;
  if (wanted() && first_start) {
    throw Error(ErrorKind::usage,
                "--first-start asks an engine for tables, and --stable has some: leave one out");
  }
  for (const char* option : {"--from-home", "--in-force"}) {
    if (!wanted() && line.given(option)) {
      throw Error(ErrorKind::usage,
                  fmt::format("{} is about previous tables: add --stable OLD.lft", option));
    }
  }
  for (const char* option : {"--stable-detour", "--stable-gain"}) {
    if (!wanted() && !first_start && line.given(option)) {
      throw Error(ErrorKind::usage,
                  fmt::format("{} is about previous tables: add --stable OLD.lft, or --first-start",
                              option));
    }
  }
  if (first_start) return;
  if (!wanted()) {
    for (const OptionDescription& each : stable_option_table().describe()) {
      const std::string name = fmt::format("stable.{}", each.name);
      if (!settings.is_given(name)) continue;
      throw Error(ErrorKind::usage,
                  fmt::format("--set {} is about previous tables: add --stable OLD.lft, or "
                              "--first-start",
                              name));
    }
    return;
  }
  if (!in_force.empty() && !from_home) {
    throw Error(ErrorKind::usage,
                "--in-force is about tables that come home: add --from-home, or leave it out");
  }
  const bool sets_engine = !settings.engines.entries().empty();
  if (line.given("--engine") || sets_engine) {
    throw Error(ErrorKind::usage,
                fmt::format("--stable keeps what an engine has made already and calls none; leave "
                            "{} out",
                            sets_engine ? "--set" : "--engine"));
  }
  if ((file == "-" ? 1 : 0) + (topology == "-" ? 1 : 0) + (in_force == "-" ? 1 : 0) > 1) {
    throw Error(ErrorKind::usage,
                "the topology and the previous tables cannot both come from standard input");
  }
}

ForwardingTables read_previous_tables(const std::string& file, const Fabric& fabric,
                                      std::vector<std::string>& warnings) {
  const std::filesystem::path path(file);
  const FabricSources sources = read_fabric_sources({&path, 1});
  if (!sources.tables) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: this is a topology; --stable needs forwarding tables", file));
  }
  const std::vector<std::string>& found = sources.tables->warnings;
  warnings.insert(warnings.end(), found.begin(), found.end());
  return transfer_tables(*sources.tables, fabric);
}

StableRouting bring_up_to_date(const Fabric& fabric, const StableRequest& request,
                               const ForwardingTables& previous,
                               const std::optional<ForwardingTables>& in_force,
                               const StopSignal& stop) {
  if (!request.from_home) return reroute_stably(fabric, previous, request.options, stop);
  StableRouting made = mend(fabric, {.home = previous, .legal = legal_ways(fabric, previous)},
                            request.options, stop);
  if (in_force) {
    made.changes = changes_since(fabric, *in_force, made.tables, request.options.max_detour);
  }
  return made;
}

nlohmann::ordered_json to_json(const EntryChanges& changes) {
  return {{"kept", changes.kept},
          {"replaced", changes.replaced},
          {"moved", changes.moved},
          {"added", changes.added},
          {"removed", changes.removed}};
}

}  // namespace pssp
