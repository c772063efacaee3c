// The best of several constructions. Each engine that suits the fabric makes its tables, and where
// structured traffic counts, what local search against it makes of these is tried, too
// (parts/structured_contestants.h). All are scored, the best of them once more with their busiest
// channels relieved (parts/selection.h). The tables of the highest score win; among those whose
// score is not noticeably lower, those that are free of deadlocks on one virtual lane, and then
// those of the lowest index.
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
#include "routing/engines/closed_form_candidates.h"
#include "routing/engines/dmodk.h"
#include "routing/engines/heal.h"
#include "routing/engines/mesh_dor.h"
#include "routing/engines/p2ssp.h"
#include "routing/engines/parts/local_search/heal_tables.h"
#include "routing/engines/parts/local_search/structured_local_search.h"
#include "routing/engines/parts/selection/plane_candidates.h"
#include "routing/engines/parts/selection/structured_candidates.h"
#include "routing/engines/parts/selection/worthwhile_workers.h"
#include "routing/engines/parts/trees/round_robin.h"
#include "routing/engines/parts/trees/tree_order.h"
#include "routing/engines/pssp.h"
#include "routing/engines/updown.h"
#include "routing/trees/numbered_tree.h"

namespace pssp {
namespace {

constexpr std::string_view best_name = "best";
/// LIDs of hosts that tables are judged by.
enum class LidsEvaluated : std::uint8_t { base, all };
struct BestOptions {
  Objective objective = Objective::structured_suite;
  std::uint32_t structured_weight = default_structured_weight;
  std::uint32_t slack = 10;
  LidsEvaluated lids = LidsEvaluated::all;
  Striping striping = Striping::slowest;
};
constexpr std::array<std::string_view, 5> objective_text{"structured_suite", "bandwidth",
                                                         "worst_host", "index", "all_to_all"};
constexpr std::array<std::string_view, 2> lids_text{"base", "all"};
constexpr std::array<std::string_view, 2> striping_text{word_for(Striping::slowest),
                                                        word_for(Striping::free)};
constexpr std::array best_lines{
    choice_option<&BestOptions::objective>("objective", objective_text,
                                           "what the tables are to be good at"),
    number_option<&BestOptions::structured_weight>(
        "structured_weight", 0, 2000,
        "per mille: exponent of structured traffic in the objective structured_suite; 0: as "
        "bandwidth"),
    number_option<&BestOptions::slack>(
        "slack", 0, 1000,
        "per mille of the score that may be given up for one lane and a lower index"),
    choice_option<&BestOptions::lids>(
        "lids", lids_text,
        "with LMC above 0: LIDs of a host by which structured_suite and bandwidth score tables"),
    choice_option<&BestOptions::striping>(
        "striping", striping_text,
        "what a flow gets that is sent to all LIDs: as its slowest part, or each part by itself")};
constexpr OptionTable<BestOptions> best_table{best_lines};

BestOptions parse(const EngineOptions& given) {
  BestOptions options = given.read(best_name, best_table);
  if (options.objective == Objective::structured_suite && options.structured_weight == 0) {
    options.objective = Objective::bandwidth;
  }
  return options;
}

/// `make` computes the tables, and may refuse the fabric.
template <class Make>
TableCandidate construct(std::string_view name, const Make& make) {
  TableCandidate candidate{std::string(name)};
  try {
    candidate.tables = make();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unsuitable_topology) throw;
    candidate.tried.refusal = error.what();
  }
  return candidate;
}

/// What the tables are to be judged by.
Evaluators evaluators_for(const Fabric& fabric, const BestOptions& options,
                          const StopSignal& stop) {
  return evaluators_for(
      fabric, options.objective, options.structured_weight / 1000.0,
      options.lids == LidsEvaluated::all ? std::optional(options.striping) : std::nullopt, stop);
}

/// Where the first constructions stand in the selection.
constexpr std::size_t mesh_position = 0;
constexpr std::size_t pssp_position = 1;
constexpr std::size_t cassp_position = 2;

/// Constructions from first to last.
class BestSearch {
 public:
  /// `given` goes on to the engines; both must outlive the object.
  BestSearch(const Fabric& fabric, const BestOptions& options, const EngineOptions& given,
             Evaluators evaluators, const RouteRequest& request)
      : fabric_(fabric),
        options_(given),
        request_(request),
        by_lids_(std::move(evaluators.by_lids)),
        make_for_step_(std::move(evaluators.make_for_step)),
        make_with_positions_(std::move(evaluators.make_with_positions)),
        slack_(options.slack / 1000.0),
        counts_structured_traffic_(options.objective == Objective::structured_suite),
        counts_busiest_channel_(counts_busiest_channel(options.objective)),
        selection_(fabric, std::move(evaluators.first), rules(options), request.workers,
                   request.stop) {}

  BestTables run() {
    if (counts_structured_traffic_) {
      look_at_tree();
      if (tree_) order_ = order_of(fabric_, tree_->preferred);
    } else {
      order_ = tree_order(fabric_);
    }
    if (tree_ && tree_->is_regular && make_with_positions_) evaluate_with_positions();
    construct_all();
    if (is_in_step()) {
      evaluate_in_step();
    } else {
      selection_.evaluate();
      if (counts_structured_traffic_) enter_structured();
    }
    if (counts_structured_traffic_ && !is_pssp_enough()) {
      enter_against_hot_spots(selection_, fabric_, request_.workers, request_.stop);
      if (!tree_ && !is_mesh()) {
        enter_nonminimal(selection_, fabric_, request_.workers, request_.stop);
      }
    }
    selection_.relieve();
    if (by_lids_) enter_planes();
    selection_.look_at_lanes();
    const std::size_t chosen = choose(selection_.ranking());
    BestTables best{std::move(selection_.at(chosen).tables), {}, chosen, std::move(inferred_)};
    for (std::size_t i = 0; i < selection_.size(); ++i) {
      best.tried.push_back(std::move(selection_.at(i).tried));
    }
    return best;
  }

 private:
  /// Relief spends bandwidth or the step of structured traffic, for a lower index alone: where both
  /// count it may spend a third of what one lane may.
  static Selection::Rules rules(const BestOptions& options) {
    const double slack = options.slack / 1000.0;
    return {counts_busiest_channel(options.objective), slack,
            options.objective == Objective::structured_suite ? slack / 3 : slack};
  }

  /// What the closed form is best with on a regular tree is a matter of such hosts. Elsewhere they
  /// share paths by chance.
  void evaluate_with_positions() { selection_.evaluate_by(make_with_positions_()); }

  static bool counts_busiest_channel(Objective objective) {
    return objective == Objective::index || objective == Objective::all_to_all;
  }

  /// The mesh's first: of equals the simplest is kept. P2-SSSP takes long on large fabrics and has
  /// never won but by its index. cassp begins from the first two, so it waits for them.
  void construct_all() {
    const unsigned workers = worthwhile_workers(fabric_, request_.workers);
    std::array<std::optional<TableCandidate>, 2> first, second;
    run_tasks(workers, first.size(), [&](std::size_t i) {
      first[i] = i == 0 ? dimension_order() : by_itself(pssp_engine);
    });
    for (std::optional<TableCandidate>& each : first) selection_.enter(*std::move(each));
    const unsigned aside = counts_busiest_channel_ && workers > 1 ? 1 : 0;
    run_tasks(workers, counts_busiest_channel_ ? 2 : 1, [&](std::size_t i) {
      second[i] = i != 0             ? by_itself(p2ssp_engine)
                  : is_pssp_enough() ? not_tried(cassp_engine)
                                     : contention_aware(workers - aside);
    });
    for (std::optional<TableCandidate>& each : second) {
      if (each) selection_.enter(*std::move(each));
    }
  }

  /// Whether the engine for meshes routes the fabric, whole or damaged.
  bool is_mesh() const { return selection_.at(mesh_position).tried.refusal.empty(); }

  /// The engine's part of the request: whatever is accepted in the end, an engine is asked for its
  /// first choice.
  RouteRequest with_workers(unsigned workers) const {
    return {.workers = workers, .stop = request_.stop};
  }

  /// A regular tree without holes, where routes of pssp and dmodk are in step with all shifts.
  bool is_in_step() const { return tree_ && tree_->is_regular && tree_->inferred.empty(); }

  /// Where there are many hosts nothing else is tried on such trees: what cassp gains in bandwidth
  /// has always been lost many times over in structured traffic, and what local search makes of
  /// pssp is within the slack, with a higher S (docs/reference/engines/best.md).
  bool is_pssp_enough() const {
    constexpr std::size_t very_many_hosts = 5000;
    return is_in_step() && fabric_.endpoints().size() > very_many_hosts;
  }

  static TableCandidate not_tried(const EngineDescription& engine) {
    TableCandidate candidate{std::string(engine.name)};
    candidate.tried.refusal =
        "not tried: on a regular tree of more than 5000 hosts it takes longest and pssp wins";
    return candidate;
  }

  /// On a tree, entries that do not follow the order are replaced.
  TableCandidate by_itself(const EngineDescription& engine) const {
    TableCandidate candidate = construct(engine.name, [&] {
      ForwardingTables tables = engine.make(options_)->route(fabric_, with_workers(1)).tables;
      if (!order_ || follow_order(fabric_, tables, *order_)) return tables;
      return heal_tables(fabric_, fabric_, std::move(tables), {.order = &*order_}, request_.stop);
    });
    candidate.up_down = order_;
    return candidate;
  }

  TableCandidate dimension_order() {
    return construct(mesh_dor_engine.name, [&] {
      return mesh_dor_engine.make(options_)->route(fabric_, with_workers(1)).tables;
    });
  }

  /// What cassp makes of the tables of meshdor and pssp, which have been entered first.
  TableCandidate contention_aware(unsigned workers) const {
    std::optional<UpDownOrder> up_down;
    TableCandidate candidate = construct(cassp_engine.name, [&] {
      const CasspStarts starts{&selection_.at(pssp_position).tables,
                               is_mesh() ? &selection_.at(mesh_position).tables : nullptr};
      // cassp starts from what these engines make without options.
      const bool are_its_own = !has_options(mesh_dor_engine) && !has_options(pssp_engine);
      ContentionAwareRouting made = route_contention_aware(
          fabric_, options_, are_its_own ? &starts : nullptr, with_workers(workers));
      up_down = std::move(made.up_down);
      return std::move(made.tables);
    });
    candidate.up_down = std::move(up_down);
    return candidate;
  }

  /// On a regular tree the routes of pssp are in step, and only what leaves that alone is wanted.
  void evaluate_in_step() {
    const std::size_t first = selection_.size();
    closed_forms_->enter();
    if (!is_pssp_enough()) {
      for (const std::size_t position : closed_forms_->starts()) enter_improved(position);
    }
    if (make_for_step_) {
      selection_.prefer_step(make_for_step_());
    } else {
      selection_.evaluate();
    }
    closed_forms_->prefer();
    if (tree_->is_even) return;
    closed_forms_->compare_first_path();
    if (!is_pssp_enough()) improve_from_highest(first);
  }

  /// Which tables structured traffic is looked at from. A tree that lost links is healed: its
  /// routes are in step where nothing is missing. Elsewhere nothing is in step, and no start wins
  /// everywhere.
  void enter_structured() {
    const std::size_t first = selection_.size();
    std::optional<HealRouting> heal_start;
    // Where the complete tree is no regular one, cassp would have to route it once more.
    const bool can_be_repaired = tree_ && !tree_->inferred.empty();
    if (can_be_repaired && (tree_->is_regular || !is_large(fabric_))) heal_start = enter_heal();
    // Repair takes longest on large trees.
    if (tree_ && (!can_be_repaired || (!is_large(fabric_) && !is_repaired_by_rule()))) {
      closed_forms_->enter();
    }
    selection_.evaluate(first);
    if (tree_) closed_forms_->compare_first_path();
    if (heal_start && !is_small(fabric_) && !lacks_switches()) {
      improve_heal(*heal_start);
    } else {
      improve_elsewhere(heal_start ? &*heal_start : nullptr);
    }
  }

  /// A dead switch halves what some leaves have, and then balance counts for more than step.
  bool lacks_switches() const { return pssp::lacks_switches(fabric_, tree_->inferred); }

  /// Then heal has the closed form for its base.
  bool is_repaired_by_rule() const { return tree_->is_regular && tree_->is_even; }

  void improve_from_highest(std::size_t first) {
    improve({start_of(selection_.at(selection_.highest(first)))}, weights_for_heal(), {});
  }

  void improve_heal(const HealRouting& heal_start) {
    const std::vector<StructuredWeights> weights = weights_for_heal();
    std::vector<StructuredStart> starts{start_of_heal(heal_start)};
    add_closed_forms(starts);
    improve(std::move(starts), std::span(weights).first(1), std::span(weights).subspan(1));
  }

  void add_closed_forms(std::vector<StructuredStart>& starts) const {
    if (!tree_) return;
    for (const std::size_t i : closed_forms_->starts())
      starts.push_back(start_of(selection_.at(i)));
  }

  static StructuredStart start_of_heal(const HealRouting& heal_start) {
    return {std::string(heal_engine.name), &heal_start.tables,
            heal_start.order ? &*heal_start.order : nullptr};
  }

  void improve_elsewhere(const HealRouting* heal_start) {
    const TableCandidate& cassp = selection_.at(cassp_position);
    const UpDownOrder* const legal = order_ ? &*order_ : nullptr;
    std::optional<ForwardingTables> round_robin;
    std::optional<UpDownRouting> balanced;
    std::vector<StructuredStart> starts;
    if (heal_start != nullptr) starts.push_back(start_of_heal(*heal_start));
    add_closed_forms(starts);
    if (cassp.tried.refusal.empty()) starts.push_back(start_of(cassp));
    if (!is_large(fabric_)) {
      round_robin = route_round_robin(fabric_, legal, request_.stop);
      starts.push_back({"round-robin", &*round_robin, legal});
    }
    if (is_small(fabric_)) {
      if (order_) balanced = route_up_down(fabric_, *order_, request_.stop);
      const TableCandidate& pssp = selection_.at(pssp_position);
      starts.push_back({balanced ? std::string(updown_engine.name) : pssp.tried.name,
                        balanced ? &balanced->tables : &pssp.tables, legal});
    }
    improve(std::move(starts), weights_for_all(fabric_), weights_for_best(fabric_));
  }

  /// Most traffic uses base LIDs alone, so what loses by these is out, and the other LIDs of the
  /// best are routed in all ways there are.
  void enter_planes() {
    selection_.look_at_lanes();
    const std::vector<std::size_t> best = selection_.most_promising();
    selection_.evaluate_again(by_lids_->evaluate, by_lids_->lids);
    const std::size_t first = selection_.size();
    // Where no one assigns lanes, what base LIDs have without deadlocks is not given up for others.
    const bool needs_one_lane = selection_.at(best.front()).tried.one_lane && !request_.accept;
    for (const std::size_t i : best) {
      for (TableCandidate& each :
           with_other_planes(fabric_, selection_.at(i), request_.workers, request_.stop)) {
        selection_.enter_planes(std::move(each), needs_one_lane);
      }
    }
    const TableCandidate& mesh = selection_.at(mesh_position);
    if (mesh.tried.refusal.empty() && !mesh.is_behind) {
      const double base_score = mesh.tried.base_score;
      TableCandidate planes = construct("meshdor, an order of dimensions for each LID", [&] {
        return route_mesh_in_planes(fabric_, options_, request_);
      });
      planes.tried.base_score = base_score;
      selection_.enter_planes(std::move(planes), needs_one_lane);
    }
    selection_.evaluate(first);
  }

  void look_at_tree() {
    try {
      tree_ = pssp::look_at_tree(fabric_);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::unsuitable_topology) throw;
      return;
    }
    closed_forms_.emplace(fabric_, *tree_, options_, request_, selection_, slack_);
  }

  /// Moves entries of dmodk by the merging pairs alone, without noise: what is in step mostly
  /// stays.
  void enter_improved(std::size_t position) {
    const TableCandidate& start = selection_.at(position);
    TableCandidate candidate(start.tried.name + ", descended", start.tables);
    candidate.up_down = start.up_down;
    const UpDownOrder* const order = candidate.up_down ? &*candidate.up_down : nullptr;
    if (!has_minimal_paths(fabric_, {candidate.tried.name, &candidate.tables, order})) return;
    constexpr std::uint32_t passes = 12;
    improve_against_structured_traffic(fabric_, candidate.tables,
                                       {.structured = {}, .passes = passes, .up_down = order},
                                       request_.stop);
    selection_.enter(std::move(candidate));
  }

  HealRouting enter_heal() {
    HealRouting heal_start =
        route_heal(fabric_, *tree_, plan_healing(options_), with_workers(request_.workers));
    TableCandidate candidate(std::string(heal_engine.name), heal_start.tables);
    candidate.up_down = heal_start.order;
    selection_.enter(std::move(candidate));
    inferred_ = heal_start.inferred;
    return heal_start;
  }

  void improve(std::vector<StructuredStart> starts, std::span<const StructuredWeights> for_all,
               std::span<const StructuredWeights> for_best) {
    enter_structured_descents(selection_, fabric_, std::move(starts), {for_all, for_best},
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
      selection_.at(i).tried.turned_down = !request_.accept(selection_.at(i).tables);
      if (!selection_.at(i).tried.turned_down) return i;
    }
    return std::nullopt;
  }

  /// The positions of what is entered, the better first.
  std::vector<std::size_t> enter_up_down() {
    const std::size_t first = selection_.size();
    UpDownRouting routing = route_up_down(fabric_, options_, request_.stop);
    selection_.enter(TableCandidate(
        "cassp from updown",
        route_contention_aware(fabric_, options_, routing, with_workers(request_.workers))));
    selection_.enter(TableCandidate(std::string(updown_engine.name), std::move(routing.tables)));
    selection_.evaluate(first);
    const bool is_first_better =
        selection_.at(first).tried.score >= selection_.at(first + 1).tried.score;
    return is_first_better ? std::vector{first, first + 1} : std::vector{first + 1, first};
  }

  const Fabric& fabric_;
  const EngineOptions& options_;
  const RouteRequest& request_;
  std::optional<LidEvaluator> by_lids_;
  std::function<TableEvaluator()> make_for_step_;
  std::function<TableEvaluator()> make_with_positions_;
  double slack_;
  bool counts_structured_traffic_;
  bool counts_busiest_channel_;
  std::optional<UpDownOrder> order_;   // of a tree
  std::optional<TreeWithHoles> tree_;  // none: no tree, or structured traffic does not count
  std::vector<InferredLink> inferred_;
  Selection selection_;
  std::optional<ClosedFormCandidates> closed_forms_;  // where there is a tree
};

Routing to_routing(BestTables best) {
  return {std::move(best.tables),
          {.tried = std::move(best.tried),
           .chosen = best.chosen,
           .inferred = std::move(best.inferred)}};
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
    return to_routing(BestSearch(fabric, options, options_,
                                 evaluators_for(fabric, options, request.stop), request)
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
        const TableEvaluator evaluate = [&](const Fabric& /*of*/, const ForwardingTables& tables) {
          return TableQuality{.score = score(fabric, original(tables))};
        };
        return to_routing(BestSearch(numbered, parse(options), options,
                                     {evaluate, {}, std::nullopt, {}}, of_numbered)
                              .run());
      });
  return {std::move(made.tables), std::move(made.notes.tried), made.notes.chosen,
          std::move(made.notes.inferred)};
}

constinit const EngineDescription best_engine{
    best_name,
    "selects the best tables of pssp, meshdor, cassp and heal for random and structured traffic",
    [] { return best_table.describe(); },
    [](const EngineOptions& options) -> std::unique_ptr<RoutingEngine> {
      return std::make_unique<BestEngine>(options);
    },
    true};

}  // namespace pssp
