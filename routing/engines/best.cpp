// The best of several constructions. Each engine that suits the fabric makes its tables, and all
// are scored, the best of them once more with their busiest channels relieved (parts/contest.h).
// The tables of the highest score win; among those whose score is not noticeably lower, those that
// are free of deadlocks on one virtual lane, and then those of the lowest index.
//
// A caller who asks for more, for instance that the tables are free of deadlocks on the virtual
// lanes at hand, is shown one after the other in this order, until some suit. At the end come those
// of up*/down* routing, which do with one lane, and what cassp makes of them within its rules.
//
// The score is an estimate without simulation unless the caller brings one (table_score.h): it is
// deterministic, and orders tables as simulated bandwidth does (docs/engines/best.md).

#include "routing/engines/best.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/workers.h"
#include "routing/engines/cassp.h"
#include "routing/engines/mesh_dor.h"
#include "routing/engines/p2ssp.h"
#include "routing/engines/parts/worthwhile_workers.h"
#include "routing/engines/pssp.h"
#include "routing/engines/updown.h"

namespace pssp {
namespace {

constexpr std::string_view engine_name = "best";
struct BestOptions {
  Objective objective = Objective::bandwidth;
  std::uint32_t slack = 10;
};
constexpr std::array<std::string_view, 4> objective_words{"bandwidth", "worst_host", "index",
                                                          "all_to_all"};
constexpr std::array option_lines{
    choice_option<&BestOptions::objective>("objective", objective_words,
                                           "what the tables are to be good at"),
    number_option<&BestOptions::slack>(
        "slack", 0, 1000,
        "per mille of the score that may be given up for one lane and a lower index")};
constexpr OptionTable<BestOptions> option_table{option_lines};

BestOptions parse(const EngineOptions& given) { return given.read(engine_name, option_table); }

/// `make` computes the tables, and may refuse the fabric.
template <class Make>
Contestant construct(const EngineDescription& engine, const Make& make) {
  Contestant contestant{std::string(engine.name)};
  try {
    contestant.tables = make();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unsuitable_topology) throw;
    contestant.tried.refusal = error.what();
  }
  return contestant;
}

/// Constructions from first to last.
class BestSearch {
 public:
  BestSearch(const Fabric& fabric, const EngineOptions& options, const TableScore& score,
             const RouteRequest& request)
      : fabric_(fabric),
        options_(options),
        request_(request),
        counts_busiest_channel_(counts_busiest_channel(parse(options).objective)),
        contest_(fabric, score, {counts_busiest_channel_, parse(options).slack / 1000.0},
                 request.workers, request.stop) {}

  BestTables run() {
    construct_all();
    contest_.judge();
    contest_.relieve();
    contest_.look_at_lanes();
    const std::size_t chosen = choose(contest_.ranking());
    BestTables best{std::move(contest_.at(chosen).tables), {}, chosen};
    for (std::size_t i = 0; i < contest_.size(); ++i) {
      best.tried.push_back(std::move(contest_.at(i).tried));
    }
    return best;
  }

 private:
  static bool counts_busiest_channel(Objective objective) {
    return objective == Objective::index || objective == Objective::all_to_all;
  }

  /// The mesh's first: of equals the simplest is kept. P2-SSSP takes long on large fabrics and has
  /// never won but by its index. cassp begins from the first two, so it waits for them.
  void construct_all() {
    const unsigned workers = worthwhile_workers(fabric_, request_.workers);
    std::array<std::optional<Contestant>, 2> first, second;
    run_tasks(workers, first.size(),
              [&](std::size_t i) { first[i] = by_itself(i == 0 ? mesh_dor_engine : pssp_engine); });
    for (std::optional<Contestant>& each : first) contest_.enter(*std::move(each));
    const unsigned aside = counts_busiest_channel_ && workers > 1 ? 1 : 0;
    run_tasks(workers, counts_busiest_channel_ ? 2 : 1, [&](std::size_t i) {
      second[i] = i == 0 ? contention_aware(workers - aside) : by_itself(p2ssp_engine);
    });
    for (std::optional<Contestant>& each : second) {
      if (each) contest_.enter(*std::move(each));
    }
  }

  /// The engine's part of the request: whatever is accepted in the end, an engine is asked for its
  /// first choice.
  RouteRequest with_workers(unsigned workers) const {
    return {.workers = workers, .stop = request_.stop};
  }

  Contestant by_itself(const EngineDescription& engine) const {
    return construct(engine,
                     [&] { return engine.make(options_)->route(fabric_, with_workers(1)).tables; });
  }

  /// What cassp makes of the tables of meshdor and pssp, which have been entered first.
  Contestant contention_aware(unsigned workers) const {
    std::optional<UpDownOrder> up_down;
    Contestant contestant = construct(cassp_engine, [&] {
      const bool is_mesh = contest_.at(0).tried.refusal.empty();
      const CasspStarts starts{&contest_.at(1).tables, is_mesh ? &contest_.at(0).tables : nullptr};
      // cassp starts from what these engines make without options.
      const bool are_its_own = !has_options(mesh_dor_engine) && !has_options(pssp_engine);
      ContentionAwareRouting made = route_contention_aware(
          fabric_, options_, are_its_own ? &starts : nullptr, with_workers(workers));
      up_down = std::move(made.up_down);
      return std::move(made.tables);
    });
    contestant.up_down = std::move(up_down);
    return contestant;
  }

  bool has_options(const EngineDescription& engine) const {
    return std::ranges::any_of(engine.options(), [&](const OptionDescription& option) {
      return options_.given(engine.name, option.name).has_value();
    });
  }

  std::size_t choose(const std::vector<std::size_t>& ranking) {
    if (!request_.accept) return ranking.front();
    std::optional<std::size_t> accepted = first_accepted(ranking);
    if (!accepted) accepted = first_accepted(enter_up_down());
    return accepted.value_or(ranking.front());
  }

  std::optional<std::size_t> first_accepted(const std::vector<std::size_t>& positions) {
    for (const std::size_t i : positions) {
      request_.stop.check(engine_name);
      contest_.at(i).tried.turned_down = !request_.accept(contest_.at(i).tables);
      if (!contest_.at(i).tried.turned_down) return i;
    }
    return std::nullopt;
  }

  /// The positions of what is entered, the better first.
  std::vector<std::size_t> enter_up_down() {
    const std::size_t first = contest_.size();
    UpDownRouting routing = route_up_down(fabric_, options_, request_.stop);
    contest_.enter(Contestant(
        "cassp from updown",
        route_contention_aware(fabric_, options_, routing, with_workers(request_.workers))));
    contest_.enter(Contestant(std::string(updown_engine.name), std::move(routing.tables)));
    contest_.judge(first);
    const bool is_first_better =
        contest_.at(first).tried.score >= contest_.at(first + 1).tried.score;
    return is_first_better ? std::vector{first, first + 1} : std::vector{first + 1, first};
  }

  const Fabric& fabric_;
  const EngineOptions& options_;
  const RouteRequest& request_;
  bool counts_busiest_channel_;
  Contest contest_;
};

class BestEngine : public RoutingEngine {
 public:
  explicit BestEngine(const EngineOptions& options)
      : options_(options), score_(score_without_simulation(parse(options).objective)) {
    // What is wrong with an option shows now, not during a sweep of the subnet.
    for (const EngineDescription* const engine :
         {&mesh_dor_engine, &pssp_engine, &cassp_engine, &p2ssp_engine, &updown_engine}) {
      engine->make(options);
    }
  }

 private:
  Routing compute(const Fabric& fabric, const RouteRequest& request) const override {
    return {find_best_tables(fabric, options_, score_, request).tables};
  }

  EngineOptions options_;
  TableScore score_;
};

}  // namespace

BestTables find_best_tables(const Fabric& fabric, const EngineOptions& options,
                            const TableScore& score, const RouteRequest& request) {
  return BestSearch(fabric, options, score, request).run();
}

constinit const EngineDescription best_engine{
    engine_name, "the best of pssp, meshdor and cassp (and p2ssp, for the index)",
    [] { return option_table.describe(); },
    [](const EngineOptions& options) -> std::unique_ptr<RoutingEngine> {
      return std::make_unique<BestEngine>(options);
    }};

}  // namespace pssp
