// Engine `best`: several starts, one local search, one score, the best tables.
//
// 1. Starts: each construction that accepts the fabric computes tables (add_starts()).
// 2. Local search improves the promising ones for random and structured traffic
//    (parts/selection/structured_candidates.h).
// 3. Score: eBB / S^w. The bandwidth is an estimate (parts/counts/table_score.h), on complete
//    regular trees a simulation of fixed bisections. The caller may provide another score.
// 4. Selection: the ranking of parts/selection/selection.h. The caller may reject tables, for
//    example because they need too many virtual lanes. If it rejects all, up*/down* tables follow,
//    which need one lane on every fabric.
// 5. Budget: the number of hosts decides how many searches are affordable (parts/tuning.h), so that
//    the tables do not depend on the speed of the machine.
//
// Hosts with several LIDs: the base LIDs decide first, then the additional LIDs get other paths
// (parts/selection/plane_candidates.h), and a simulation of striped flows decides.

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
#include "routing/engines/dmodk.h"
#include "routing/engines/dmodk_candidates.h"
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
#include "routing/engines/parts/tuning.h"
#include "routing/engines/pssp.h"
#include "routing/engines/updown.h"
#include "routing/trees/numbered_tree.h"

namespace pssp {
namespace {

constexpr std::string_view best_name = "best";
/// LIDs of hosts that the score includes.
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
                                           "objective by which the tables are selected"),
    number_option<&BestOptions::structured_weight>(
        "structured_weight", 0, 2000,
        "exponent of structured traffic in the objective structured_suite, in per mille; 0: same "
        "as the objective bandwidth"),
    number_option<&BestOptions::slack>(
        "slack", 0, 1000,
        "score that may be sacrificed for one virtual lane and a lower EFI, in per mille"),
    choice_option<&BestOptions::lids>("lids", lids_text,
                                      "with LMC above 0: LIDs of a host that the score includes"),
    choice_option<&BestOptions::striping>("striping", striping_text,
                                          "bandwidth of a flow that is striped over all LIDs: "
                                          "limited by its slowest part, or the sum of "
                                          "independent parts")};
constexpr OptionTable<BestOptions> best_table{best_lines};

BestOptions parse(const EngineOptions& given) {
  BestOptions options = given.read(best_name, best_table);
  if (options.objective == Objective::structured_suite && options.structured_weight == 0) {
    options.objective = Objective::bandwidth;
  }
  return options;
}

/// The candidate contains the refusal instead of tables if `make` does not accept the fabric.
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

Evaluators evaluators_for(const Fabric& fabric, const BestOptions& options,
                          const StopSignal& stop) {
  return evaluators_for(
      fabric, options.objective, options.structured_weight / 1000.0,
      options.lids == LidsEvaluated::all ? std::optional(options.striping) : std::nullopt, stop);
}

/// One run of the engine.
class BestSearch {
 public:
  /// `given` contains the options of the other engines, too. All must outlive the object.
  BestSearch(const Fabric& fabric, const BestOptions& options, const EngineOptions& given,
             Evaluators evaluators, const RouteRequest& request)
      : fabric_(fabric),
        options_(given),
        request_(request),
        evaluators_(std::move(evaluators)),
        slack_(options.slack / 1000.0),
        scores_structured_traffic_(options.objective == Objective::structured_suite),
        scores_busiest_channel_(scores_busiest_channel(options.objective)),
        selection_(fabric, evaluators_.first, rules(options), request.workers, request.stop) {}

  BestTables run() {
    recognize_tree();
    add_starts();
    evaluate_starts();
    if (scores_structured_traffic_) add_local_searches();
    selection_.add_with_lower_efi();
    if (evaluators_.by_lids) add_planes();
    selection_.check_lanes();
    const std::size_t chosen = choose(selection_.ranking());
    BestTables best{std::move(selection_.at(chosen).tables), {}, chosen, std::move(inferred_)};
    for (std::size_t i = 0; i < selection_.size(); ++i) {
      best.tried.push_back(std::move(selection_.at(i).tried));
    }
    return best;
  }

 private:
  /// Lowering the EFI costs bandwidth or raises S. If the score includes both, a lower EFI alone
  /// may cost only a part of the slack.
  static Selection::Rules rules(const BestOptions& options) {
    const double slack = options.slack / 1000.0;
    return {scores_busiest_channel(options.objective), slack,
            options.objective == Objective::structured_suite ? slack * tuning.efi_share_of_slack
                                                             : slack};
  }

  static bool scores_busiest_channel(Objective objective) {
    return objective == Objective::index || objective == Objective::all_to_all;
  }

  // What the fabric is.

  void recognize_tree() {
    if (!scores_structured_traffic_) {
      order_ = tree_order(fabric_);
      return;
    }
    try {
      tree_ = infer_complete_tree(fabric_);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::unsuitable_topology) throw;
      return;
    }
    order_ = order_of(fabric_, tree_->preferred);
    dmodk_.emplace(fabric_, *tree_, options_, request_, selection_, slack_);
    if (tree_->is_regular && evaluators_.make_with_positions) {
      selection_.evaluate_by(evaluators_.make_with_positions());
    }
  }

  bool is_mesh() const { return selection_.at(mesh_).tried.refusal.empty(); }

  /// pssp and dmodk distribute the flows of every shift evenly over the links of such a tree.
  bool is_complete_regular_tree() const {
    return tree_ && tree_->is_regular && tree_->inferred.empty();
  }

  /// Local search gains less than the slack on such trees, at a higher S, and takes longest there.
  bool is_search_useless() const {
    return is_complete_regular_tree() && fabric_.endpoints().size() > tuning.huge_regular_tree;
  }

  // Starts.

  /// The order matters where candidates are equal: the first is kept.
  void add_starts() {
    add_independent_engines();
    cassp_ = add(is_search_useless() ? skipped(cassp_engine) : route_cassp());
    if (p2ssp_) selection_.add(*std::move(p2ssp_));
    if (!tree_) return;
    if (is_complete_regular_tree()) {
      dmodk_->add();
    } else {
      add_tree_repairs();
    }
  }

  /// P2-SSSP takes long on large fabrics and only lowers the EFI.
  void add_independent_engines() {
    std::array<std::optional<TableCandidate>, 3> made;
    run_tasks(
        worthwhile_workers(fabric_, request_.workers), scores_busiest_channel_ ? 3 : 2,
        [&](std::size_t i) {
          made[i] = i == 0 ? route_mesh() : i == 1 ? route_by(pssp_engine) : route_by(p2ssp_engine);
        });
    mesh_ = add(*std::move(made[0]));
    pssp_ = add(*std::move(made[1]));
    p2ssp_ = std::move(made[2]);
  }

  std::size_t add(TableCandidate candidate) {
    selection_.add(std::move(candidate));
    return selection_.size() - 1;
  }

  /// An engine gets no `accept`: the caller decides about the result of `best` only.
  RouteRequest with_workers(unsigned workers) const {
    return {.workers = workers, .stop = request_.stop};
  }

  TableCandidate skipped(const EngineDescription& engine) const {
    TableCandidate candidate{std::string(engine.name)};
    candidate.tried.refusal =
        fmt::format("skipped on regular trees of more than {} hosts", tuning.huge_regular_tree);
    return candidate;
  }

  /// On a tree, entries that violate the up*/down* order are replaced.
  TableCandidate route_by(const EngineDescription& engine) const {
    TableCandidate candidate = construct(engine.name, [&] {
      ForwardingTables tables = engine.make(options_)->route(fabric_, with_workers(1)).tables;
      if (!order_ || follow_order(fabric_, tables, *order_)) return tables;
      return heal_tables(fabric_, fabric_, std::move(tables), {.order = &*order_}, request_.stop);
    });
    candidate.up_down = order_;
    return candidate;
  }

  TableCandidate route_mesh() const {
    return construct(mesh_dor_engine.name, [&] {
      return mesh_dor_engine.make(options_)->route(fabric_, with_workers(1)).tables;
    });
  }

  /// cassp improves the tables of meshdor and pssp, which it need not compute again unless the user
  /// gave these engines options.
  TableCandidate route_cassp() const {
    std::optional<UpDownOrder> up_down;
    TableCandidate candidate = construct(cassp_engine.name, [&] {
      const CasspStarts starts{&selection_.at(pssp_).tables,
                               is_mesh() ? &selection_.at(mesh_).tables : nullptr};
      const bool are_defaults = !has_options(mesh_dor_engine) && !has_options(pssp_engine);
      ContentionAwareRouting made =
          route_contention_aware(fabric_, options_, are_defaults ? &starts : nullptr,
                                 with_workers(worthwhile_workers(fabric_, request_.workers)));
      up_down = std::move(made.up_down);
      return std::move(made.tables);
    });
    candidate.up_down = std::move(up_down);
    return candidate;
  }

  bool has_options(const EngineDescription& engine) const {
    return std::ranges::any_of(engine.options(), [&](const OptionDescription& option) {
      return options_.given(engine.name, option.name).has_value();
    });
  }

  /// Repairs take longest on large trees. heal would call cassp once more unless the complete tree
  /// is regular, and on even trees heal is the repaired dmodk.
  void add_tree_repairs() {
    const bool is_damaged = !tree_->inferred.empty();
    const bool is_even = tree_->is_regular && tree_->is_even;
    if (is_damaged && (tree_->is_regular || !is_large(fabric_))) add_heal();
    if (!is_damaged || (!is_large(fabric_) && !is_even)) dmodk_->add();
  }

  void add_heal() {
    HealRouting made =
        route_heal(fabric_, *tree_, plan_healing(options_), with_workers(request_.workers));
    TableCandidate candidate(std::string(heal_engine.name), std::move(made.tables));
    candidate.up_down = std::move(made.order);
    inferred_ = std::move(made.inferred);
    heal_ = add(std::move(candidate));
  }

  // Score.

  /// The estimate of the bandwidth is too low for tables that distribute shifts evenly, so it is
  /// simulated for them.
  void evaluate_starts() {
    if (is_complete_regular_tree() && evaluators_.make_simulating) {
      selection_.prefer_low_slowdown(evaluators_.make_simulating());
    } else {
      selection_.evaluate();
    }
  }

  // Local search.

  void add_local_searches() {
    if (is_complete_regular_tree()) {
      search_complete_regular_tree();
    } else {
      search_from_starts();
    }
    if (is_search_useless()) return;
    add_hot_spot_search(selection_, fabric_, request_.workers, request_.stop);
    if (!tree_ && !is_mesh()) {
      add_nonminimal_search(selection_, fabric_, request_.workers, request_.stop);
    }
  }

  /// The first search lowers contention in random traffic alone and keeps most shifts balanced.
  void search_complete_regular_tree() {
    const std::size_t first = selection_.size();
    if (!is_search_useless()) {
      for (const std::size_t position : dmodk_->starts()) {
        add_random_traffic_search(selection_, fabric_, position, request_.stop);
      }
    }
    selection_.evaluate(first);
    dmodk_->prefer_plain();
    if (tree_->is_even) return;
    dmodk_->compare_first_path();
    if (is_search_useless()) return;
    search({start_of(selection_.at(selection_.highest(dmodk_->starts().front())))}, tuning.of_heal,
           {});
  }

  void search_from_starts() {
    if (dmodk_) dmodk_->compare_first_path();
    const std::span heal_weights(tuning.of_heal);
    if (is_balance_restorable()) {
      search(starts_of_tree(), heal_weights.first(1), heal_weights.subspan(1));
    } else {
      search_from_all_starts();
    }
  }

  /// Missing links disturb the balance of shifts only around them. A missing switch halves the
  /// uplinks of some leaves, so that the balance of random traffic matters more.
  bool is_balance_restorable() const {
    return heal_ && !is_small(fabric_) && !lacks_switches(fabric_, tree_->inferred);
  }

  std::vector<SearchStart> starts_of_tree() const {
    std::vector<SearchStart> starts;
    if (heal_) starts.push_back(start_of(selection_.at(*heal_)));
    if (!dmodk_) return starts;
    for (const std::size_t i : dmodk_->starts()) starts.push_back(start_of(selection_.at(i)));
    return starts;
  }

  void search_from_all_starts() {
    const TableCandidate& cassp = selection_.at(cassp_);
    const UpDownOrder* const order = order_ ? &*order_ : nullptr;
    std::optional<ForwardingTables> round_robin;
    std::optional<UpDownRouting> up_down;
    std::vector<SearchStart> starts = starts_of_tree();
    if (cassp.tried.refusal.empty()) starts.push_back(start_of(cassp));
    if (!is_large(fabric_)) {
      round_robin = route_round_robin(fabric_, order, request_.stop);
      starts.push_back({"round-robin", &*round_robin, order});
    }
    if (is_small(fabric_) && order_) {
      up_down = route_up_down(fabric_, *order_, request_.stop);
      starts.push_back({std::string(updown_engine.name), &up_down->tables, order});
    } else if (is_small(fabric_)) {
      starts.push_back({std::string(pssp_engine.name), &selection_.at(pssp_).tables, nullptr});
    }
    search(std::move(starts), weights_for_all(fabric_), weights_for_best(fabric_));
  }

  void search(std::vector<SearchStart> starts, std::span<const StructuredWeights> for_all,
              std::span<const StructuredWeights> for_best) {
    add_structured_searches(selection_, fabric_, std::move(starts), {for_all, for_best},
                            request_.workers, request_.stop);
  }

  // Several LIDs per host.

  /// Most traffic uses base LIDs only, so tables that are worse for these are out. The other LIDs
  /// of the best tables get other paths by all known methods.
  void add_planes() {
    selection_.check_lanes();
    const std::vector<std::size_t> best = selection_.most_promising();
    selection_.evaluate_best_by_lids(evaluators_.by_lids->evaluate, evaluators_.by_lids->lids);
    const std::size_t first = selection_.size();
    // If nobody assigns virtual lanes, tables that need only one are not replaced by others.
    const bool needs_one_lane = selection_.at(best.front()).tried.one_lane && !request_.accept;
    for (const std::size_t i : best) {
      for (TableCandidate& each :
           with_other_planes(fabric_, selection_.at(i), request_.workers, request_.stop)) {
        selection_.add_planes(std::move(each), needs_one_lane);
      }
    }
    const TableCandidate& mesh = selection_.at(mesh_);
    if (is_mesh() && !mesh.is_eliminated) {
      const double base_score = mesh.tried.base_score;
      TableCandidate planes = construct("meshdor, an order of dimensions for each LID", [&] {
        return route_mesh_in_planes(fabric_, options_, request_);
      });
      planes.tried.base_score = base_score;
      selection_.add_planes(std::move(planes), needs_one_lane);
    }
    selection_.evaluate(first);
  }

  // Selection.

  std::size_t choose(const std::vector<std::size_t>& ranking) {
    if (!request_.accept) return ranking.front();
    std::optional<std::size_t> accepted = first_accepted(ranking);
    if (!accepted) accepted = first_accepted(add_one_lane_tables());
    return accepted.value_or(ranking.front());
  }

  std::optional<std::size_t> first_accepted(const std::vector<std::size_t>& positions) {
    for (const std::size_t i : positions) {
      request_.stop.check(best_name);
      selection_.at(i).tried.rejected = !request_.accept(selection_.at(i).tables);
      if (!selection_.at(i).tried.rejected) return i;
    }
    return std::nullopt;
  }

  /// up*/down* tables, and those improved by cassp, need one virtual lane on every fabric. Returns
  /// their positions, best first.
  std::vector<std::size_t> add_one_lane_tables() {
    UpDownRouting routing = route_up_down(fabric_, options_, request_.stop);
    const std::size_t improved = add(TableCandidate(
        "cassp from updown",
        route_contention_aware(fabric_, options_, routing, with_workers(request_.workers))));
    const std::size_t plain =
        add(TableCandidate(std::string(updown_engine.name), std::move(routing.tables)));
    selection_.evaluate(improved);
    const bool is_improved_better =
        selection_.at(improved).tried.score >= selection_.at(plain).tried.score;
    return is_improved_better ? std::vector{improved, plain} : std::vector{plain, improved};
  }

  const Fabric& fabric_;
  const EngineOptions& options_;
  const RouteRequest& request_;
  Evaluators evaluators_;
  double slack_;
  bool scores_structured_traffic_;
  bool scores_busiest_channel_;
  std::optional<UpDownOrder> order_;    // of a tree
  std::optional<CompletedTree> tree_;   // none: no tree, or only random traffic is scored
  std::vector<InferredLink> inferred_;  // links that heal added
  Selection selection_;
  std::optional<DmodkCandidates> dmodk_;  // of a tree
  std::size_t mesh_ = 0;                  // position in the selection, as the next three
  std::size_t pssp_ = 0;
  std::size_t cassp_ = 0;
  std::optional<std::size_t> heal_;
  std::optional<TableCandidate> p2ssp_;
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
    // Wrong options are reported now, not during a sweep of the subnet.
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
    /*takes_long=*/true};

}  // namespace pssp
