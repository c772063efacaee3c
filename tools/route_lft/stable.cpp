#include "tools/route_lft/stable.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "fabric/input/fabric_input.h"
#include "routing/repair/legal_order.h"
#include "routing/repair/repair_tables.h"
#include "routing/repair/stable_options.h"
#include "routing/repair/table_transfer.h"

namespace pssp {

void StableRequest::add_options(CommandLine& line) {
  line.heading("After a change of the fabric");
  line.option("--stable", file,
              "Repair these earlier tables of the fabric instead of computing new ones with an "
              "engine")
      .type_name("OLD.lft");
  line.flag("--from-baseline", from_baseline,
            "Treat the tables of --stable as the baseline: the tables of the complete fabric");
  line.option(
          "--in-force", in_force,
          "With --from-baseline: count changes relative to these tables, which the switches have "
          "now")
      .type_name("NOW.lft");
  line.flag("--first-start", first_start,
            "With --engine: compute the tables of opensm's first start with stable=on; for a "
            "tree with missing links or switches, repair the tables of the complete tree");
  line.option("--stable-extra-hops", options.max_extra_hops,
              "Hops by which a route may exceed the minimal hop count, as in the earlier tables")
      .range(0, max_stable_extra_hops)
      .type_name("N")
      .show_default();
  line.option("--stable-gain", options.least_gain,
              "Move a valid entry only if this reduces the contention of its routes by N per cent; "
              "100: never")
      .range(0, 100)
      .type_name("N")
      .show_default();
  line.heading("");
}

void StableRequest::complete(const CommandLine& line, const PluginOptions& settings,
                             const std::string& engine, const std::string& topology) {
  const StableOptions given = settings.stable_options(engine);
  if (!line.given("--stable-extra-hops")) options.max_extra_hops = given.max_extra_hops;
  if (!line.given("--stable-gain")) options.least_gain = given.least_gain;
  if (wanted() && first_start) {
    throw Error(ErrorKind::usage,
                "--first-start and --stable exclude each other; omit one of them");
  }
  for (const char* option : {"--from-baseline", "--in-force"}) {
    if (!wanted() && line.given(option)) {
      throw Error(ErrorKind::usage,
                  fmt::format("{} concerns earlier tables; add --stable OLD.lft", option));
    }
  }
  for (const char* option : {"--stable-extra-hops", "--stable-gain"}) {
    if (!wanted() && !first_start && line.given(option)) {
      throw Error(
          ErrorKind::usage,
          fmt::format("{} concerns earlier tables; add --stable OLD.lft or --first-start", option));
    }
  }
  if (first_start) return;
  if (!wanted()) {
    for (const OptionDescription& each : stable_option_table().describe()) {
      const std::string name = fmt::format("stable.{}", each.name);
      if (!settings.is_given(name)) continue;
      throw Error(
          ErrorKind::usage,
          fmt::format("--set {} concerns earlier tables; add --stable OLD.lft or --first-start",
                      name));
    }
    return;
  }
  if (!in_force.empty() && !from_baseline) {
    throw Error(ErrorKind::usage,
                "--in-force needs --from-baseline; add --from-baseline or omit --in-force");
  }
  const bool sets_engine = !settings.engines.entries().empty();
  if (line.given("--engine") || sets_engine) {
    throw Error(ErrorKind::usage,
                fmt::format("--stable repairs existing tables and calls no engine; omit {}",
                            sets_engine ? "--set" : "--engine"));
  }
  if ((file == "-" ? 1 : 0) + (topology == "-" ? 1 : 0) + (in_force == "-" ? 1 : 0) > 1) {
    throw Error(ErrorKind::usage,
                "only one of the topology and the earlier tables can come from standard input");
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
  if (!request.from_baseline) return reroute_stably(fabric, previous, request.options, stop);
  const std::vector<std::uint32_t> preference = legal_preference(fabric, previous);
  StableRouting made =
      repair(fabric, {.baseline = previous, .preference = preference}, request.options, stop);
  if (in_force) {
    made.changes = changes_since(fabric, *in_force, made.tables, request.options.max_extra_hops);
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
