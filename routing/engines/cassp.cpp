// Contention-aware shortest paths: the tables of another engine, improved entry by entry until few
// routes merge (merge_reduction.h). docs/engines/cassp.md derives what is counted and why.
//
// No way to begin wins everywhere, so several are tried, side by side on threads, and the tables
// with the fewest merging pairs are kept:
// - the start engine's routes, and moves that lower the count: keeps what is good about the start,
//   such as the order of dimensions on a mesh;
// - the same with noise: forgets the start, and on regular and on oversubscribed networks finds
//   what no sequence of gains leads to;
// - routes grown from nothing, then noise: best on damaged trees.

#include "routing/engines/cassp.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <future>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "routing/engines/merge_reduction.h"
#include "routing/engines/mesh_dor.h"
#include "routing/engines/p2ssp.h"
#include "routing/engines/pssp.h"
#include "routing/engines/route_merges.h"
#include "routing/support/error.h"

namespace pssp {
namespace {

constexpr std::string_view engine_name = "cassp";
constexpr std::array engine_options{
    OptionDescription{"start", "best | pssp | p2ssp | meshdor", "best",
                      "engine whose tables are improved; best: pssp, and meshdor where it suits"},
    OptionDescription{"passes", "0 .. 1000", "12", "passes over all destinations, at most"},
    OptionDescription{"noisy_passes", "0 .. 10000", "64",
                      "passes of simulated annealing before them, at most; 0: none"},
    OptionDescription{"work", "1 .. 1000000", "300",
                      "millions of other ways for an entry to look at, at most, in each try"},
    OptionDescription{"max_detour", "0 .. 15", "0",
                      "hops that a route may be longer than the shortest between its ends"},
    OptionDescription{"seed", "0 .. 4294967295", "1", "of the noise"}};

/// Tables and how good they are.
struct Candidate {
  ForwardingTables tables;
  double merges = std::numeric_limits<double>::infinity();
};

Candidate improve(const Fabric& fabric, ForwardingTables tables,
                  const MergeReductionOptions& options) {
  reduce_merges(fabric, tables, options);
  const double merges = merging_pairs(fabric, tables);
  return {std::move(tables), merges};
}

class CasspEngine : public RoutingEngine {
 public:
  explicit CasspEngine(const EngineOptions& options)
      : start_(static_cast<Start>(
            options.choice(engine_name, "start", {"best", "pssp", "p2ssp", "meshdor"}))) {
    const auto number = [&](std::string_view name, std::uint64_t fallback, std::uint64_t low,
                            std::uint64_t high) {
      return options.number(engine_name, name, fallback, low, high);
    };
    plain_.max_passes = static_cast<std::uint32_t>(number("passes", 12, 0, 1000));
    plain_.max_looks = 1'000'000 * number("work", 300, 1, 1'000'000);
    plain_.max_detour = static_cast<std::uint32_t>(number("max_detour", 0, 0, 15));
    plain_.seed = number("seed", 1, 0, std::numeric_limits<std::uint32_t>::max());
    noisy_passes_ = static_cast<std::uint32_t>(number("noisy_passes", 64, 0, 10000));
  }

 private:
  enum class Start : std::uint8_t { best, pssp, p2ssp, meshdor };

  Routing compute(const Fabric& fabric) const override {
    const ForwardingTables start = first_tables(fabric);
    std::vector<std::future<Candidate>> tries;
    const auto try_with = [&](const ForwardingTables& tables,
                              const MergeReductionOptions& options) {
      tries.push_back(std::async(std::launch::async, improve, std::cref(fabric), tables, options));
    };
    try_with(start, plain_);
    if (start_ == Start::best) {
      if (const auto mesh = mesh_tables(fabric)) try_with(*mesh, plain_);
    }
    MergeReductionOptions noisy = plain_;
    noisy.noisy_passes = affordable_noisy_passes(fabric);
    if (noisy.noisy_passes != 0) {
      try_with(start, noisy);
      MergeReductionOptions grown = noisy;
      grown.grow = true;
      try_with(start, grown);
    }
    Candidate best;
    for (std::future<Candidate>& each : tries) {
      Candidate candidate = each.get();
      if (candidate.merges < best.merges) best = std::move(candidate);
    }
    return {std::move(best.tables)};
  }

  /// Noisy passes do harm without enough passes behind them.
  std::uint32_t affordable_noisy_passes(const Fabric& fabric) const {
    constexpr std::uint64_t passes_behind = 5;
    const std::uint64_t looks =
        std::max<std::uint64_t>(1, looks_in_a_pass(fabric, plain_.max_detour));
    const std::uint64_t passes = plain_.max_looks / looks;
    if (passes <= passes_behind) return 0;
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(noisy_passes_, passes - passes_behind));
  }

  ForwardingTables first_tables(const Fabric& fabric) const {
    switch (start_) {
      case Start::p2ssp:
        return p2ssp_engine.make({})->route(fabric).tables;
      case Start::meshdor:
        return mesh_dor_engine.make({})->route(fabric).tables;
      default:
        return pssp_engine.make({})->route(fabric).tables;
    }
  }

  /// Those of meshdor; nothing where the fabric is no mesh or torus.
  static std::optional<ForwardingTables> mesh_tables(const Fabric& fabric) {
    try {
      return mesh_dor_engine.make({})->route(fabric).tables;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::unsuitable_topology) throw;
      return std::nullopt;
    }
  }

  Start start_;
  MergeReductionOptions plain_;
  std::uint32_t noisy_passes_;
};

}  // namespace

constinit const EngineDescription cassp_engine{
    engine_name, "contention-aware: the tables of another engine, improved until few routes merge",
    engine_options, [](const EngineOptions& options) -> std::unique_ptr<RoutingEngine> {
      return std::make_unique<CasspEngine>(options);
    }};

}  // namespace pssp
