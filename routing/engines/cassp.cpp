// Contention-aware shortest paths: changes the tables of another engine entry by entry to lower the
// contention (contention_search.h). docs/explanation/routing-algorithms.md derives the cost.
//
// The best kind of search differs from fabric to fabric, so several run, in parallel if the caller
// permits threads, and the tables with the lowest contention are kept:
// - changes that lower the cost: keeps the advantages of the starting tables, such as the order of
//   dimensions on a mesh;
// - the same after noisy passes: finds better tables on regular and on oversubscribed networks,
//   which no sequence of improvements reaches;
// - routes added one destination after the other, then noisy passes: best on damaged trees.

#include "routing/engines/cassp.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/workers.h"
#include "routing/engines/mesh_dor.h"
#include "routing/engines/p2ssp.h"
#include "routing/engines/parts/counts/route_contention.h"
#include "routing/engines/parts/counts/structured_counts.h"
#include "routing/engines/parts/local_search/contention_search.h"
#include "routing/engines/parts/local_search/structured_local_search.h"
#include "routing/engines/parts/selection/worthwhile_workers.h"
#include "routing/engines/parts/trees/round_robin.h"
#include "routing/engines/parts/trees/tree_order.h"
#include "routing/engines/pssp.h"

namespace pssp {
namespace {

constexpr std::string_view cassp_name = "cassp";
enum class StartingTables : std::uint8_t { best, pssp, p2ssp, meshdor, updown, rr };
struct CasspOptions {
  StartingTables start = StartingTables::best;
  std::uint32_t passes = 12;
  std::optional<std::uint32_t> noisy_passes;  // none: by the size of the fabric
  std::uint64_t work = 300;
  std::uint32_t max_extra_hops = 0;
  std::uint64_t seed = 1;
  std::uint32_t structured_weight = 0;  // per mille, as the next
  std::uint32_t leaf_weight = 0;
};
constexpr std::array<std::string_view, 6> cassp_start_text{"best",    "pssp",   "p2ssp",
                                                           "meshdor", "updown", "rr"};
constexpr std::array<std::string_view, 1> automatic{"auto"};
constexpr std::array cassp_lines{
    choice_option<&CasspOptions::start>(
        "start", cassp_start_text,
        "engine whose tables are improved; best: pssp, and meshdor on meshes and tori; updown: "
        "routes obey the up*/down* order, on one virtual lane, without extra hops; rr: next hops "
        "round-robin"),
    number_option<&CasspOptions::passes>("passes", 0, 1000,
                                         "maximum number of passes over all destinations"),
    optional_number_option<&CasspOptions::noisy_passes>(
        "noisy_passes", automatic, 0, 10000,
        "maximum number of earlier passes with random noise; auto: more on large fabrics; 0: none"),
    number_option<&CasspOptions::work>("work", 1, 1'000'000,
                                       "maximum number of probes from each start, in millions"),
    number_option<&CasspOptions::max_extra_hops>(
        "max_extra_hops", 0, 15, "hops by which a route may exceed the minimal hop count"),
    number_option<&CasspOptions::seed>("seed", 0, std::numeric_limits<std::uint32_t>::max(),
                                       "seed of the random noise"),
    number_option<&CasspOptions::structured_weight>(
        "structured_weight", 0, 10'000,
        "weight of two routes that share a channel in the same phase of a shift, in per mille"),
    number_option<&CasspOptions::leaf_weight>(
        "leaf_weight", 0, 10'000,
        "weight of two routes between the same two leaves over one channel, in per mille")};
constexpr OptionTable<CasspOptions> cassp_table{cassp_lines};

/// Tables and how good they are.
struct Candidate {
  ForwardingTables tables;
  double contention = std::numeric_limits<double>::infinity();
};

Candidate improve(const Fabric& fabric, ForwardingTables tables,
                  const ContentionSearchOptions& options, const StopSignal& stop) {
  reduce_contention(fabric, tables, options, stop);
  const double contention = contending_pairs(fabric, tables);
  return {std::move(tables), contention};
}

/// Improves the tables for random traffic first, then for random and structured traffic together.
Candidate improve(const Fabric& fabric, ForwardingTables tables,
                  const ContentionSearchOptions& options, StructuredWeights structured,
                  const StopSignal& stop) {
  Candidate candidate = improve(fabric, std::move(tables), options, stop);
  if (!structured.count()) return candidate;
  reduce_structured_contention(fabric, candidate.tables,
                               {.structured = structured,
                                .max_probes = options.max_probes,
                                .up_down = options.up_down,
                                .max_extra_hops = options.max_extra_hops},
                               stop);
  candidate.contention = contending_pairs(fabric, candidate.tables) +
                         structured_pairs(fabric, candidate.tables, structured);
  return candidate;
}

class Cassp {
 public:
  /// Throws Error(usage) on wrong options.
  explicit Cassp(const EngineOptions& given) {
    const CasspOptions options = given.read(cassp_name, cassp_table);
    start_ = options.start;
    plain_.max_passes = options.passes;
    plain_.max_probes = 1'000'000 * options.work;
    plain_.max_extra_hops = options.max_extra_hops;
    plain_.seed = options.seed;
    noisy_passes_ = options.noisy_passes;
    structured_ = {options.structured_weight / 1000.0, options.leaf_weight / 1000.0};
  }

  /// Requests that the engine ignores.
  std::vector<std::string> warnings(const Fabric& fabric) const {
    if (structured_.shifts == 0 || StructuredCounts::can_count_shifts(fabric)) return {};
    return {
        "cassp.structured_weight is ignored: counting the shifts of a fabric of this size would "
        "need more than 1 GiB of memory"};
  }

  ContentionAwareRouting route(const Fabric& fabric, const CasspStarts* starts,
                               const RouteRequest& request) const {
    switch (start_) {
      case StartingTables::p2ssp:
        return {improve(fabric, tables_of(p2ssp_engine, fabric, request), request), std::nullopt};
      case StartingTables::meshdor:
        return {improve(fabric, tables_of(mesh_dor_engine, fabric, request), request),
                std::nullopt};
      case StartingTables::pssp:
        return {improve(fabric, pssp_tables(fabric, starts, request), request), std::nullopt};
      case StartingTables::updown:
        return legally(fabric, route_up_down(fabric, UpDownOptions{}, request.stop), request);
      case StartingTables::rr:
        return round_robin(fabric, request);
      case StartingTables::best:
        break;
    }
    if (starts != nullptr) return route_best(fabric, starts, starts->meshdor, request);
    const std::optional<ForwardingTables> mesh = mesh_tables(fabric, request);
    return route_best(fabric, starts, mesh ? &*mesh : nullptr, request);
  }

  ForwardingTables route(const Fabric& fabric, const UpDownRouting& start,
                         const RouteRequest& request) const {
    Cassp legal = *this;
    legal.plain_.max_extra_hops = 0;
    legal.plain_.up_down = &start.order;
    return legal.improve(fabric, start.tables, request);
  }

 private:
  /// `mesh`: the tables of meshdor, null if the fabric is no mesh or torus.
  ContentionAwareRouting route_best(const Fabric& fabric, const CasspStarts* starts,
                                    const ForwardingTables* mesh,
                                    const RouteRequest& request) const {
    if (mesh == nullptr && plain_.max_extra_hops == 0) {
      if (std::optional<UpDownRouting> legal = tree_like_start(fabric, request.stop)) {
        return legally(fabric, *std::move(legal), request);
      }
    }
    return {improve(fabric, pssp_tables(fabric, starts, request), request, mesh), std::nullopt};
  }

  /// Starts from round-robin next hops on the paths that route_best() allows.
  ContentionAwareRouting round_robin(const Fabric& fabric, const RouteRequest& request) const {
    std::optional<UpDownOrder> order = tree_order(fabric);
    ForwardingTables tables = route_round_robin(fabric, order ? &*order : nullptr, request.stop);
    if (!order) return {improve(fabric, tables, request), std::nullopt};
    return legally(fabric, {.order = *std::move(order), .tables = std::move(tables)}, request);
  }

  ContentionAwareRouting legally(const Fabric& fabric, UpDownRouting start,
                                 const RouteRequest& request) const {
    ForwardingTables tables = route(fabric, start, request);
    return {std::move(tables), std::move(start.order)};
  }

  /// The tables of the engine with default options and without `accept`.
  static ForwardingTables tables_of(const EngineDescription& engine, const Fabric& fabric,
                                    const RouteRequest& request) {
    return engine.make({})
        ->route(fabric, {.workers = request.workers, .stop = request.stop})
        .tables;
  }

  static ForwardingTables pssp_tables(const Fabric& fabric, const CasspStarts* starts,
                                      const RouteRequest& request) {
    return starts != nullptr ? *starts->pssp : tables_of(pssp_engine, fabric, request);
  }

  static std::optional<UpDownRouting> tree_like_start(const Fabric& fabric,
                                                      const StopSignal& stop) {
    std::optional<UpDownOrder> order = tree_order(fabric);
    if (!order) return std::nullopt;
    return route_up_down(fabric, *std::move(order), stop);
  }

  /// One search.
  struct Try {
    const ForwardingTables* from;
    ContentionSearchOptions options;
  };

  /// The best result of all searches from `start`, and from `other` unless it is null.
  ForwardingTables improve(const Fabric& fabric, const ForwardingTables& start,
                           const RouteRequest& request,
                           const ForwardingTables* other = nullptr) const {
    const std::vector<Try> tries = plan_tries(fabric, start, other);
    std::vector<Candidate> candidates(tries.size());
    // The last searches take longest, so they begin first.
    run_tasks(worthwhile_workers(fabric, request.workers), tries.size(), [&](std::size_t i) {
      const std::size_t k = tries.size() - 1 - i;
      candidates[k] =
          ::pssp::improve(fabric, *tries[k].from, tries[k].options, structured_, request.stop);
    });
    const auto best = std::min_element(
        candidates.begin(), candidates.end(),
        [](const Candidate& a, const Candidate& b) { return a.contention < b.contention; });
    return std::move(best->tables);
  }

  /// The first of equal results is kept, so the simpler searches come first.
  std::vector<Try> plan_tries(const Fabric& fabric, const ForwardingTables& start,
                              const ForwardingTables* other) const {
    ContentionSearchOptions quick = plain_;
    ContentionSearchOptions noisy = plain_;
    noisy.noisy_passes = affordable_noisy_passes(fabric);
    // Noisy passes find what local search alone does not reach in two passes.
    if (noisy.noisy_passes != 0) quick.max_passes = std::min(plain_.max_passes, 2U);
    std::vector<Try> tries;
    if (other != nullptr) tries.push_back({other, quick});
    tries.push_back({&start, quick});
    if (noisy.noisy_passes != 0) {
      tries.push_back({&start, noisy});
      noisy.grow = true;
      tries.push_back({&start, noisy});
    }
    return tries;
  }

  /// Noisy passes do harm unless enough other passes follow.
  std::uint32_t affordable_noisy_passes(const Fabric& fabric) const {
    constexpr std::uint64_t passes_behind = 5;
    const std::uint32_t wanted = noisy_passes_.value_or(worthwhile_noisy_passes(fabric));
    if (wanted == 0) return 0;
    const std::uint64_t probes =
        std::max<std::uint64_t>(1, probes_per_pass(fabric, plain_.max_extra_hops));
    const std::uint64_t passes = plain_.max_probes / probes;
    if (passes <= passes_behind) return 0;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(wanted, passes - passes_behind));
  }

  /// A few passes bring nearly all of the gain on a hundred switches; large fabrics need more.
  static std::uint32_t worthwhile_noisy_passes(const Fabric& fabric) {
    constexpr std::uint32_t switches_a_pass = 20;
    return std::clamp<std::uint32_t>(
        static_cast<std::uint32_t>(fabric.switch_count()) / switches_a_pass, 4, 64);
  }

  /// The tables of meshdor; nothing if the fabric is no mesh or torus.
  static std::optional<ForwardingTables> mesh_tables(const Fabric& fabric,
                                                     const RouteRequest& request) {
    try {
      return tables_of(mesh_dor_engine, fabric, request);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::unsuitable_topology) throw;
      return std::nullopt;
    }
  }

  StartingTables start_ = StartingTables::best;
  ContentionSearchOptions plain_;
  StructuredWeights structured_;
  std::optional<std::uint32_t> noisy_passes_;  // none: by the size of the fabric
};

class CasspEngine : public RoutingEngine {
 public:
  explicit CasspEngine(const EngineOptions& options) : cassp_(options) {}

 private:
  Routing compute(const Fabric& fabric, const RouteRequest& request) const override {
    return {cassp_.route(fabric, nullptr, request).tables, {.warnings = cassp_.warnings(fabric)}};
  }

  Cassp cassp_;
};

}  // namespace

ContentionAwareRouting route_contention_aware(const Fabric& fabric, const EngineOptions& options,
                                              const CasspStarts* starts,
                                              const RouteRequest& request) {
  return Cassp(options).route(fabric, starts, request);
}

ForwardingTables route_contention_aware(const Fabric& fabric, const EngineOptions& options,
                                        const UpDownRouting& start, const RouteRequest& request) {
  return Cassp(options).route(fabric, start, request);
}

constinit const EngineDescription cassp_engine{
    cassp_name, "contention-aware: improves the tables of another engine by local search",
    [] { return cassp_table.describe(); },
    [](const EngineOptions& options) -> std::unique_ptr<RoutingEngine> {
      return std::make_unique<CasspEngine>(options);
    },
    /*takes_long=*/true};

}  // namespace pssp
