// The best of several constructions. Each engine that suits the fabric makes its tables; those that
// are hop-minimal are tried once more with their busiest channels relieved (load_relief.h), which
// lowers the edge forwarding index and often costs no bandwidth to speak of. The tables of the
// highest score win; among those whose score is not noticeably lower, those of the lowest index.
//
// The score is an estimate without simulation unless the caller brings one (table_score.h): it is
// deterministic, and orders tables as simulated bandwidth does (docs/engines/best.md).

#include "routing/engines/best.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "routing/engines/cassp.h"
#include "routing/engines/distance_matrix.h"
#include "routing/engines/load_relief.h"
#include "routing/engines/mesh_dor.h"
#include "routing/engines/p2ssp.h"
#include "routing/engines/pssp.h"
#include "routing/support/error.h"
#include "routing/tables/channel_loads.h"

namespace pssp {
namespace {

constexpr std::string_view engine_name = "best";
constexpr std::array engine_options{
    OptionDescription{"objective", "bandwidth | worst_host | index | all_to_all", "bandwidth",
                      "what the tables are to be good at"},
    OptionDescription{"slack", "0 .. 1000", "10",
                      "per mille of the score that may be given up for a lower index"}};

Objective objective_of(const EngineOptions& options) {
  return static_cast<Objective>(
      options.choice(engine_name, "objective", {"bandwidth", "worst_host", "index", "all_to_all"}));
}

double slack_of(const EngineOptions& options) {
  return static_cast<double>(options.number(engine_name, "slack", 10, 0, 1000)) / 1000;
}

/// The mesh's first: of equals the simplest is kept. P2-SSSP takes long on large fabrics and has
/// never won but by its index.
constexpr std::array constructions{&mesh_dor_engine, &pssp_engine, &cassp_engine, &p2ssp_engine};

/// True when each entry for an endpoint's LID leads one hop nearer to it, or there is no way.
bool is_hop_minimal(const Fabric& fabric, const DistanceMatrix& distances,
                    const ForwardingTables& tables) {
  for (const Lid lid : fabric.lids()) {
    if (!fabric.is_endpoint_lid(lid)) continue;
    const SwitchId root = fabric.delivery(lid).at;
    const std::uint16_t* const distance = distances.to(root);
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      if (SwitchId(s) == root || distance[s] == DistanceMatrix::unreachable) continue;
      const PortTarget target = fabric.behind(SwitchId(s), tables.at(SwitchId(s), lid));
      if (target.kind != PortTarget::Kind::channel ||
          distance[fabric.channel_head()[target.index]] >= distance[s]) {
        return false;
      }
    }
  }
  return true;
}

/// Tables and scores of all constructions tried so far.
class Contest {
 public:
  Contest(const Fabric& fabric, const EngineOptions& options, const TableScore& score)
      : fabric_(fabric), options_(options), score_(score), distances_(fabric) {}

  void enter(const EngineDescription& engine) {
    const std::string name(engine.name);
    try {
      ForwardingTables tables = engine.make(options_)->route(fabric_).tables;
      if (is_hop_minimal(fabric_, distances_, tables)) enter_relieved(name, tables);
      judge(name, std::move(tables));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::unsuitable_topology) throw;
      tried_.push_back({name, 0, 0, error.what()});
      tables_.emplace_back();
    }
  }

  /// The tables of the lowest index among those that score the best but for `slack`; of equals
  /// those of the higher score, then the first.
  BestTables take_best(double slack) && {
    double best_score = 0;
    for (const TriedConstruction& each : tried_) best_score = std::max(best_score, each.score);
    std::size_t chosen = tried_.size();
    for (std::size_t i = 0; i < tried_.size(); ++i) {
      if (!tried_[i].refusal.empty() || tried_[i].score < best_score * (1 - slack)) continue;
      if (chosen == tried_.size() || is_better(tried_[i], tried_[chosen])) chosen = i;
    }
    return {std::move(tables_[chosen]), std::move(tried_), chosen};
  }

 private:
  static bool is_better(const TriedConstruction& a, const TriedConstruction& b) {
    return a.index < b.index || (a.index == b.index && a.score > b.score);
  }

  void enter_relieved(const std::string& name, ForwardingTables tables) {
    constexpr std::uint64_t max_looks = 20'000'000;
    const Relief relief = relieve_busiest_channels(fabric_, distances_, tables, max_looks);
    if (relief.moves != 0) judge(name + ", relieved", std::move(tables));
  }

  void judge(std::string name, ForwardingTables tables) {
    const double index = edge_forwarding_index(fabric_, channel_loads(fabric_, tables));
    tried_.push_back({std::move(name), score_(fabric_, tables), index, ""});
    tables_.push_back(std::move(tables));
  }

  const Fabric& fabric_;
  const EngineOptions& options_;
  const TableScore& score_;
  DistanceMatrix distances_;
  std::vector<TriedConstruction> tried_;
  std::vector<ForwardingTables> tables_;  // of each of tried_; empty where it was refused
};

class BestEngine : public RoutingEngine {
 public:
  explicit BestEngine(const EngineOptions& options)
      : options_(options), score_(score_without_simulation(objective_of(options))) {
    // What is wrong with an option shows now, not during a sweep of the subnet.
    slack_of(options);
    for (const EngineDescription* const engine : constructions) engine->make(options);
  }

 private:
  Routing compute(const Fabric& fabric) const override {
    return {find_best_tables(fabric, options_, score_).tables};
  }

  EngineOptions options_;
  TableScore score_;
};

}  // namespace

BestTables find_best_tables(const Fabric& fabric, const EngineOptions& options,
                            const TableScore& score) {
  const Objective objective = objective_of(options);
  Contest contest(fabric, options, score);
  for (const EngineDescription* const engine : constructions) {
    const bool is_for_index = objective == Objective::index || objective == Objective::all_to_all;
    if (engine == &p2ssp_engine && !is_for_index) continue;
    contest.enter(*engine);
  }
  return std::move(contest).take_best(slack_of(options));
}

constinit const EngineDescription best_engine{
    engine_name, "the best of pssp, meshdor and cassp (and p2ssp, for the index)", engine_options,
    [](const EngineOptions& options) -> std::unique_ptr<RoutingEngine> {
      return std::make_unique<BestEngine>(options);
    }};

}  // namespace pssp
