// The best of several constructions. Each engine that suits the fabric makes its tables, and where
// structured traffic counts, what descent against it makes of these is tried, too
// (parts/structured_contestants.h). All are scored, the best of them once more with their busiest
// channels relieved (parts/contest.h).
// The tables of the highest score win; among those whose score is not noticeably lower, those that
// are free of deadlocks on one virtual lane, and then those of the lowest index.
//
// A caller who asks for more, for instance that the tables are free of deadlocks on the virtual
// lanes at hand, is shown one after the other in this order, until some suit. At the end come those
// of up*/down* routing, which do with one lane, and what cassp makes of them within its rules.
//
// Where hosts have several LIDs, what is best by base LIDs gets other ways for the further ones
// (parts/plane_contestants.h), and is judged by all.
//
// The score is an estimate without simulation unless the caller brings one (table_score.h): it is
// deterministic, and orders tables as simulated bandwidth does (docs/reference/engines/best.md).
// Flows over several LIDs are simulated, on bisections that are always the same.

#include "routing/engines/best.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/workers.h"
#include "routing/engines/cassp.h"
#include "routing/engines/closed_form_contestants.h"
#include "routing/engines/dmodk.h"
#include "routing/engines/heal.h"
#include "routing/engines/mesh_dor.h"
#include "routing/engines/p2ssp.h"
#include "routing/engines/parts/contest/plane_contestants.h"
#include "routing/engines/parts/contest/structured_contestants.h"
#include "routing/engines/parts/contest/worthwhile_workers.h"
#include "routing/engines/parts/healing/structured_descent.h"
#include "routing/engines/parts/trees/round_robin.h"
#include "routing/engines/pssp.h"
#include "routing/engines/updown.h"
#include "routing/trees/numbered_tree.h"

namespace pssp {
namespace {

constexpr std::string_view best_name = "best";
/// LIDs of hosts that tables are judged by.
enum class LidsJudged : std::uint8_t { base, all };
struct BestOptions {
  Objective objective = Objective::portfolio;
  std::uint32_t structured_weight = default_structured_weight;
  std::uint32_t slack = 10;
  LidsJudged lids = LidsJudged::all;
  Striping striping = Striping::slowest;
};
constexpr std::array<std::string_view, 5> objective_words{"portfolio", "bandwidth", "worst_host",
                                                          "index", "all_to_all"};
constexpr std::array<std::string_view, 2> lids_words{"base", "all"};
constexpr std::array<std::string_view, 2> striping_words{word_for(Striping::slowest),
                                                         word_for(Striping::free)};
constexpr std::array best_lines{
    choice_option<&BestOptions::objective>("objective", objective_words,
                                           "what the tables are to be good at"),
    number_option<&BestOptions::structured_weight>(
        "structured_weight", 0, 2000,
        "per mille: exponent of structured traffic in the objective portfolio; 0: as bandwidth"),
    number_option<&BestOptions::slack>(
        "slack", 0, 1000,
        "per mille of the score that may be given up for one lane and a lower index"),
    choice_option<&BestOptions::lids>(
        "lids", lids_words,
        "with LMC above 0: LIDs of a host that portfolio and bandwidth judge tables by"),
    choice_option<&BestOptions::striping>(
        "striping", striping_words,
        "what a flow gets that is sent to all LIDs: as its slowest part, or each part by itself")};
constexpr OptionTable<BestOptions> best_table{best_lines};

BestOptions parse(const EngineOptions& given) {
  BestOptions options = given.read(best_name, best_table);
  if (options.objective == Objective::portfolio && options.structured_weight == 0) {
    options.objective = Objective::bandwidth;
  }
  return options;
}

/// `make` computes the tables, and may refuse the fabric.
template <class Make>
Contestant construct(std::string_view name, const Make& make) {
  Contestant contestant{std::string(name)};
  try {
    contestant.tables = make();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unsuitable_topology) throw;
    contestant.tried.refusal = error.what();
  }
  return contestant;
}

/// What the tables are to be judged by.
Judges judges_for(const Fabric& fabric, const BestOptions& options, const StopSignal& stop) {
  return judges_for(
      fabric, options.objective, options.structured_weight / 1000.0,
      options.lids == LidsJudged::all ? std::optional(options.striping) : std::nullopt, stop);
}

/// Where the first constructions stand in the contest.
constexpr std::size_t mesh_position = 0;
constexpr std::size_t pssp_position = 1;
constexpr std::size_t cassp_position = 2;

/// Constructions from first to last.
class BestSearch {
 public:
  /// `given` goes on to the engines; both must outlive the object.
  BestSearch(const Fabric& fabric, const BestOptions& options, const EngineOptions& given,
             Judges judges, const RouteRequest& request)
      : fabric_(fabric),
        options_(given),
        request_(request),
        by_lids_(std::move(judges.by_lids)),
        make_for_step_(std::move(judges.make_for_step)),
        make_with_places_(std::move(judges.make_with_places)),
        slack_(options.slack / 1000.0),
        counts_structured_traffic_(options.objective == Objective::portfolio),
        counts_busiest_channel_(counts_busiest_channel(options.objective)),
        contest_(fabric, std::move(judges.first), rules(options), request.workers, request.stop) {}

  BestTables run() {
    if (counts_structured_traffic_) look_at_tree();
    if (tree_ && tree_->is_regular && make_with_places_) judge_with_places();
    construct_all();
    if (is_in_step()) {
      judge_in_step();
    } else {
      contest_.judge();
      if (counts_structured_traffic_) enter_structured();
    }
    if (counts_structured_traffic_ && !is_pssp_enough()) {
      enter_against_crowds(contest_, fabric_, request_.workers, request_.stop);
      if (!tree_ && !is_mesh()) {
        enter_detours(contest_, fabric_, request_.workers, request_.stop);
      }
    }
    contest_.relieve();
    if (by_lids_) enter_planes();
    contest_.look_at_lanes();
    const std::size_t chosen = choose(contest_.ranking());
    BestTables best{std::move(contest_.at(chosen).tables), {}, chosen, std::move(imagined_)};
    for (std::size_t i = 0; i < contest_.size(); ++i) {
      best.tried.push_back(std::move(contest_.at(i).tried));
    }
    return best;
  }

 private:
  /// Relief spends bandwidth or the step of structured traffic, for a lower index alone: where both
  /// count it may spend a third of what one lane may.
  static Contest::Rules rules(const BestOptions& options) {
    const double slack = options.slack / 1000.0;
    return {counts_busiest_channel(options.objective), slack,
            options.objective == Objective::portfolio ? slack / 3 : slack};
  }

  /// What the closed form is best with on a regular tree is a matter of such hosts. Elsewhere they
  /// share ways by chance.
  void judge_with_places() { contest_.judge_by(make_with_places_()); }

  static bool counts_busiest_channel(Objective objective) {
    return objective == Objective::index || objective == Objective::all_to_all;
  }

  /// The mesh's first: of equals the simplest is kept. P2-SSSP takes long on large fabrics and has
  /// never won but by its index. cassp begins from the first two, so it waits for them.
  void construct_all() {
    const unsigned workers = worthwhile_workers(fabric_, request_.workers);
    std::array<std::optional<Contestant>, 2> first, second;
    run_tasks(workers, first.size(), [&](std::size_t i) {
      first[i] = i == 0 ? dimension_order() : by_itself(pssp_engine);
    });
    for (std::optional<Contestant>& each : first) contest_.enter(*std::move(each));
    const unsigned aside = counts_busiest_channel_ && workers > 1 ? 1 : 0;
    run_tasks(workers, counts_busiest_channel_ ? 2 : 1, [&](std::size_t i) {
      second[i] = i != 0             ? by_itself(p2ssp_engine)
                  : is_pssp_enough() ? not_tried(cassp_engine)
                                     : contention_aware(workers - aside);
    });
    for (std::optional<Contestant>& each : second) {
      if (each) contest_.enter(*std::move(each));
    }
  }

  /// Whether the engine for meshes routes the fabric, whole or damaged.
  bool is_mesh() const { return contest_.at(mesh_position).tried.refusal.empty(); }

  /// The engine's part of the request: whatever is accepted in the end, an engine is asked for its
  /// first choice.
  RouteRequest with_workers(unsigned workers) const {
    return {.workers = workers, .stop = request_.stop};
  }

  /// A regular tree without holes, where routes of pssp and dmodk are in step with all shifts.
  bool is_in_step() const { return tree_ && tree_->is_regular && tree_->imagined.empty(); }

  /// Where there are many hosts nothing else is tried on such trees: what cassp gains in bandwidth
  /// has always been lost many times over in structured traffic, and what descent makes of pssp is
  /// within the slack, with a higher S (docs/reference/engines/best.md).
  bool is_pssp_enough() const {
    constexpr std::size_t very_many_hosts = 5000;
    return is_in_step() && fabric_.endpoints().size() > very_many_hosts;
  }

  static Contestant not_tried(const EngineDescription& engine) {
    Contestant contestant{std::string(engine.name)};
    contestant.tried.refusal =
        "not tried: on a regular tree of more than 5000 hosts it takes longest and pssp wins";
    return contestant;
  }

  Contestant by_itself(const EngineDescription& engine) const {
    return construct(engine.name,
                     [&] { return engine.make(options_)->route(fabric_, with_workers(1)).tables; });
  }

  Contestant dimension_order() {
    return construct(mesh_dor_engine.name, [&] {
      Routing made = mesh_dor_engine.make(options_)->route(fabric_, with_workers(1));
      // It warns of gaps and of nothing else.
      is_whole_mesh_ = made.notes.warnings.empty();
      return std::move(made.tables);
    });
  }

  /// What cassp makes of the tables of meshdor and pssp, which have been entered first.
  Contestant contention_aware(unsigned workers) const {
    std::optional<UpDownOrder> up_down;
    Contestant contestant = construct(cassp_engine.name, [&] {
      const CasspStarts starts{&contest_.at(pssp_position).tables,
                               is_mesh() ? &contest_.at(mesh_position).tables : nullptr};
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

  /// On a regular tree the routes of pssp are in step, and only what leaves that alone is wanted.
  void judge_in_step() {
    const std::size_t first = contest_.size();
    closed_forms_->enter();
    if (!is_pssp_enough()) {
      for (const std::size_t position : closed_forms_->starts()) enter_descended(position);
    }
    if (make_for_step_) {
      contest_.prefer_step(make_for_step_());
    } else {
      contest_.judge();
    }
    closed_forms_->prefer();
    if (tree_->is_even) return;
    closed_forms_->compare_first_way();
    if (!is_pssp_enough()) descend_from_highest(first);
  }

  /// Which tables structured traffic is looked at from. A tree that lost links is healed: its
  /// routes are in step where nothing is missing. Elsewhere nothing is in step, and no start wins
  /// everywhere.
  void enter_structured() {
    const std::size_t first = contest_.size();
    std::optional<HealedRouting> healed;
    // Where the complete tree is no regular one, cassp would have to route it once more.
    const bool can_be_healed = tree_ && !tree_->imagined.empty();
    if (can_be_healed && (tree_->is_regular || !is_large(fabric_))) healed = enter_healed();
    // Mending takes longest on large trees.
    if (tree_ && (!can_be_healed || (!is_large(fabric_) && !is_healed_by_rule()))) {
      closed_forms_->enter();
    } else if (tree_ && lacks_switches() && !is_large(fabric_)) {
      closed_forms_->enter_of_switches_left();
    }
    if (healed && is_healed_by_rule()) closed_forms_->enter_gap_around_holes();
    contest_.judge(first);
    if (tree_) closed_forms_->compare_first_way();
    if (healed && !is_small(fabric_) && !lacks_switches()) {
      descend_healed(*healed);
    } else {
      descend_elsewhere(healed ? &*healed : nullptr);
    }
  }

  /// A dead switch halves what some leaves have, and then balance counts for more than step.
  bool lacks_switches() const { return pssp::lacks_switches(fabric_, tree_->imagined); }

  /// Then heal has the closed form for its base.
  bool is_healed_by_rule() const { return tree_->is_regular && tree_->is_even; }

  void descend_from_highest(std::size_t first) {
    descend({start_of(contest_.at(contest_.highest(first)))}, weights_for_healed(), {});
  }

  void descend_healed(const HealedRouting& healed) {
    const std::vector<StructuredWeights> weights = weights_for_healed();
    std::vector<StructuredStart> starts{start_of_healed(healed)};
    add_closed_forms(starts);
    descend(std::move(starts), std::span(weights).first(1), std::span(weights).subspan(1));
  }

  void add_closed_forms(std::vector<StructuredStart>& starts) const {
    if (!tree_) return;
    for (const std::size_t i : closed_forms_->starts()) starts.push_back(start_of(contest_.at(i)));
  }

  static StructuredStart start_of_healed(const HealedRouting& healed) {
    const UpDownOrder* const kept = healed.order ? &*healed.order : nullptr;
    return {std::string(heal_engine.name), &healed.tables, kept, kept == nullptr};
  }

  /// On whole meshes and tori cassp has begun with the order of dimensions, which other starts were
  /// far behind on each that was tried (docs/reference/engines/best.md).
  void descend_elsewhere(const HealedRouting* healed) {
    const Contestant& cassp = contest_.at(cassp_position);
    if (is_whole_mesh_ && cassp.tried.refusal.empty()) {
      descend({start_of(cassp)}, weights_for_all(fabric_), weights_for_best(fabric_));
      return;
    }
    const std::optional<UpDownOrder> order = tree_like_order(fabric_);
    const UpDownOrder* const legal = order ? &*order : nullptr;
    std::optional<ForwardingTables> in_turns;
    std::optional<UpDownRouting> balanced;
    std::vector<StructuredStart> starts;
    if (healed != nullptr) starts.push_back(start_of_healed(*healed));
    add_closed_forms(starts);
    if (cassp.tried.refusal.empty()) starts.push_back(start_of(cassp));
    if (!is_large(fabric_)) {
      in_turns = route_round_robin(fabric_, legal, request_.stop);
      starts.push_back({"in turns", &*in_turns, legal});
    }
    if (is_small(fabric_)) {
      if (order) balanced = route_up_down(fabric_, *order, request_.stop);
      const Contestant& pssp = contest_.at(pssp_position);
      starts.push_back({balanced ? std::string(updown_engine.name) : pssp.tried.name,
                        balanced ? &balanced->tables : &pssp.tables, legal});
    }
    descend(std::move(starts), weights_for_all(fabric_), weights_for_best(fabric_));
  }

  /// Most traffic uses base LIDs alone, so what loses by these is out, and the other LIDs of the
  /// best are routed in all ways there are.
  void enter_planes() {
    contest_.look_at_lanes();
    const std::vector<std::size_t> best = contest_.most_promising();
    contest_.judge_anew(by_lids_->judge, by_lids_->lids);
    const std::size_t first = contest_.size();
    // Where nobody assigns lanes, what base LIDs have without deadlocks is not given up for others.
    const bool needs_one_lane = contest_.at(best.front()).tried.one_lane && !request_.accept;
    for (const std::size_t i : best) {
      for (Contestant& each :
           with_other_planes(fabric_, contest_.at(i), request_.workers, request_.stop)) {
        contest_.enter_planes(std::move(each), needs_one_lane);
      }
    }
    const Contestant& mesh = contest_.at(mesh_position);
    if (mesh.tried.refusal.empty() && !mesh.is_behind) {
      const double base_score = mesh.tried.base_score;
      Contestant planes = construct("meshdor, an order of dimensions for each LID", [&] {
        return route_mesh_in_planes(fabric_, options_, request_);
      });
      planes.tried.base_score = base_score;
      contest_.enter_planes(std::move(planes), needs_one_lane);
    }
    contest_.judge(first);
  }

  void look_at_tree() {
    try {
      tree_ = pssp::look_at_tree(fabric_);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::unsuitable_topology) throw;
      return;
    }
    closed_forms_.emplace(fabric_, *tree_, options_, request_, contest_, slack_);
  }

  /// Moves entries of dmodk by the merging pairs alone, without noise: what is in step mostly
  /// stays.
  void enter_descended(std::size_t position) {
    const Contestant& start = contest_.at(position);
    Contestant contestant(start.tried.name + ", descended", start.tables);
    contestant.up_down = start.up_down;
    const UpDownOrder* const order = contestant.up_down ? &*contestant.up_down : nullptr;
    if (!has_shortest_ways(fabric_, {contestant.tried.name, &contestant.tables, order})) return;
    constexpr std::uint32_t passes = 12;
    descend_against_structured_traffic(fabric_, contestant.tables,
                                       {.structured = {}, .passes = passes, .up_down = order},
                                       request_.stop);
    contest_.enter(std::move(contestant));
  }

  HealedRouting enter_healed() {
    HealedRouting healed =
        route_healed(fabric_, *tree_, plan_healing(options_), with_workers(request_.workers));
    Contestant contestant(std::string(heal_engine.name), healed.tables);
    contestant.up_down = healed.order;
    contestant.may_be_relieved = healed.order.has_value();
    contest_.enter(std::move(contestant));
    imagined_ = healed.imagined;
    return healed;
  }

  void descend(std::vector<StructuredStart> starts, std::span<const StructuredWeights> for_all,
               std::span<const StructuredWeights> for_best) {
    enter_structured_descents(contest_, fabric_, std::move(starts), {for_all, for_best},
                              request_.workers, request_.stop);
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
      request_.stop.check(best_name);
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
  std::optional<LidJudge> by_lids_;
  std::function<TableJudge()> make_for_step_;
  std::function<TableJudge()> make_with_places_;
  double slack_;
  bool counts_structured_traffic_;
  bool counts_busiest_channel_;
  bool is_whole_mesh_ = false;         // by meshdor
  std::optional<TreeWithHoles> tree_;  // none: no tree, or structured traffic does not count
  std::vector<ImaginedLink> imagined_;
  Contest contest_;
  std::optional<ClosedFormContestants> closed_forms_;  // where there is a tree
};

Routing to_routing(BestTables best) {
  return {std::move(best.tables),
          {.tried = std::move(best.tried),
           .chosen = best.chosen,
           .imagined = std::move(best.imagined)}};
}

class BestEngine : public RoutingEngine {
 public:
  explicit BestEngine(const EngineOptions& options) : options_(options) {
    parse(options);
    // What is wrong with an option shows now, not during a sweep of the subnet.
    for (const EngineDescription* const engine :
         {&mesh_dor_engine, &pssp_engine, &cassp_engine, &p2ssp_engine, &updown_engine,
          &dmodk_engine, &heal_engine}) {
      engine->make(options);
    }
  }

 private:
  Routing compute(const Fabric& fabric, const RouteRequest& request) const override {
    const BestOptions options = parse(options_);
    return to_routing(
        BestSearch(fabric, options, options_, judges_for(fabric, options, request.stop), request)
            .run());
  }

  EngineOptions options_;
};

}  // namespace

BestTables find_best_tables(const Fabric& fabric, const EngineOptions& options,
                            const TableScore& score, const RouteRequest& request) {
  Routing made = route_by_structure(
      fabric, request,
      [&](const Fabric& numbered, const RouteRequest& of_numbered, const ToOriginal& original) {
        const TableJudge judge = [&](const Fabric& /*of*/, const ForwardingTables& tables) {
          return TableQuality{.score = score(fabric, original(tables))};
        };
        return to_routing(BestSearch(numbered, parse(options), options,
                                     {judge, {}, std::nullopt, {}}, of_numbered)
                              .run());
      });
  return {std::move(made.tables), std::move(made.notes.tried), made.notes.chosen,
          std::move(made.notes.imagined)};
}

constinit const EngineDescription best_engine{
    best_name,
    "selects the best tables of pssp, meshdor, cassp and heal for random and structured traffic",
    [] { return best_table.describe(); },
    [](const EngineOptions& options) -> std::unique_ptr<RoutingEngine> {
      return std::make_unique<BestEngine>(options);
    }};

}  // namespace pssp
