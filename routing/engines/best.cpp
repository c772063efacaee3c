// The best of several constructions. Each engine that suits the fabric makes its tables, and all
// are scored. Those that score best and are hop-minimal are tried once more with their busiest
// channels relieved (load_relief.h), which lowers the edge forwarding index and often costs no
// bandwidth to speak of. The tables of the highest score win; among those whose score is not
// noticeably lower, those that are free of deadlocks on one virtual lane, and then those of the
// lowest index.
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
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "fabric/paths/allowed_ways.h"
#include "fabric/tables/channel_loads.h"
#include "fabric/tables/service_levels.h"
#include "routing/engines/cassp.h"
#include "routing/engines/mesh_dor.h"
#include "routing/engines/p2ssp.h"
#include "routing/engines/parts/launch_policy.h"
#include "routing/engines/parts/load_relief.h"
#include "routing/engines/pssp.h"
#include "routing/engines/updown.h"
#include "routing/verify/lanes.h"

namespace pssp {
namespace {

constexpr std::string_view engine_name = "best";
constexpr std::array engine_options{
    OptionDescription{"objective", "bandwidth | worst_host | index | all_to_all", "bandwidth",
                      "what the tables are to be good at"},
    OptionDescription{
        "slack", "0 .. 1000", "10",
        "per mille of the score that may be given up for one lane and a lower index"}};

Objective objective_of(const EngineOptions& options) {
  return static_cast<Objective>(
      options.choice(engine_name, "objective", {"bandwidth", "worst_host", "index", "all_to_all"}));
}

double slack_of(const EngineOptions& options) {
  return static_cast<double>(options.number(engine_name, "slack", 10, 0, 1000)) / 1000;
}

/// Tables of one construction.
struct Entry {
  explicit Entry(std::string name, ForwardingTables made = {}) : tables(std::move(made)) {
    tried.name = std::move(name);
  }

  TriedConstruction tried;
  ForwardingTables tables;             // empty where it was refused
  std::optional<UpDownOrder> up_down;  // by which all routes are legal
  std::optional<std::size_t> same_as;  // an entry before this one with the same tables
};

/// `make` computes the tables, and may refuse the fabric.
template <class Make>
Entry construct(const EngineDescription& engine, const Make& make) {
  Entry entry{std::string(engine.name)};
  try {
    entry.tables = make();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unsuitable_topology) throw;
    entry.tried.refusal = error.what();
  }
  return entry;
}

/// Constructions from first to last.
class Contest {
 public:
  Contest(const Fabric& fabric, const EngineOptions& options, const TableScore& score)
      : fabric_(fabric),
        options_(options),
        score_(score),
        objective_(objective_of(options)),
        slack_(slack_of(options)) {}

  void run() {
    construct_all();
    judge_from(0);
    relieve();
    look_at_lanes();
  }

  /// Positions of the entries, best first: those that score the best but for the slack, and of
  /// these first those for which one virtual lane is enough, by lower index and then by higher
  /// score; then the others, by score. Of equals the first.
  std::vector<std::size_t> ranking() const {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].tried.refusal.empty() && !entries_[i].same_as) order.push_back(i);
    }
    const double enough = good_score();
    std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
      const TriedConstruction& a = entries_[left].tried;
      const TriedConstruction& b = entries_[right].tried;
      if ((a.score >= enough) != (b.score >= enough)) return a.score >= enough;
      if (a.one_lane != b.one_lane) return a.one_lane;
      if (a.score >= enough && a.index != b.index) return a.index < b.index;
      return a.score > b.score;
    });
    return order;
  }

  BestTables take(const Acceptance& accept) && {
    const std::vector<std::size_t> order = ranking();
    std::size_t chosen = order.front();
    if (accept) {
      std::optional<std::size_t> accepted = first_accepted(order, accept);
      if (!accepted) accepted = first_accepted(enter_up_down(), accept);
      chosen = accepted.value_or(chosen);
    }
    BestTables best{std::move(entries_[chosen].tables), {}, chosen};
    for (Entry& each : entries_) best.tried.push_back(std::move(each.tried));
    return best;
  }

 private:
  std::optional<std::size_t> first_accepted(const std::vector<std::size_t>& order,
                                            const Acceptance& accept) {
    for (const std::size_t i : order) {
      entries_[i].tried.turned_down = !accept(entries_[i].tables);
      if (!entries_[i].tried.turned_down) return i;
    }
    return std::nullopt;
  }

  /// The positions of what is entered, the better first.
  std::vector<std::size_t> enter_up_down() {
    const std::size_t first = entries_.size();
    UpDownRouting routing = route_up_down(fabric_, options_);
    entries_.emplace_back("cassp from updown", route_contention_aware(fabric_, options_, routing));
    entries_.emplace_back(std::string(updown_engine.name), std::move(routing.tables));
    judge_from(first);
    if (entries_[first].tried.score >= entries_[first + 1].tried.score) return {first, first + 1};
    return {first + 1, first};
  }

  bool counts_busiest_channel() const {
    return objective_ == Objective::index || objective_ == Objective::all_to_all;
  }

  /// The mesh's first: of equals the simplest is kept. P2-SSSP takes long on large fabrics and has
  /// never won but by its index.
  void construct_all() {
    std::future<Entry> mesh = construct_aside(mesh_dor_engine);
    std::future<Entry> p2ssp;
    if (counts_busiest_channel()) p2ssp = construct_aside(p2ssp_engine);
    Entry pssp = construct(pssp_engine, [this] { return tables_of(pssp_engine); });
    entries_.push_back(mesh.get());
    entries_.push_back(std::move(pssp));
    entries_.push_back(contention_aware());
    if (p2ssp.valid()) entries_.push_back(p2ssp.get());
  }

  ForwardingTables tables_of(const EngineDescription& engine) const {
    return engine.make(options_)->route(fabric_).tables;
  }

  /// Of cassp, from the tables of meshdor and pssp, which come first.
  Entry contention_aware() const {
    std::optional<UpDownOrder> up_down;
    Entry entry = construct(cassp_engine, [&] {
      const bool is_mesh = entries_[0].tried.refusal.empty();
      const CasspStarts starts{&entries_[1].tables, is_mesh ? &entries_[0].tables : nullptr};
      // cassp starts from what these engines make without options.
      const bool are_its_own = !has_options(mesh_dor_engine) && !has_options(pssp_engine);
      ContentionAwareRouting made =
          route_contention_aware(fabric_, options_, are_its_own ? &starts : nullptr);
      up_down = std::move(made.up_down);
      return std::move(made.tables);
    });
    entry.up_down = std::move(up_down);
    return entry;
  }

  bool has_options(const EngineDescription& engine) const {
    return std::any_of(engine.options.begin(), engine.options.end(), [&](const auto& option) {
      return !options_.text(engine.name, option.name, "").empty();
    });
  }

  std::future<Entry> construct_aside(const EngineDescription& engine) const {
    return std::async(launch_policy(fabric_), [this, &engine] {
      return construct(engine, [&] { return tables_of(engine); });
    });
  }

  void judge_from(std::size_t first) {
    std::vector<std::future<void>> judged;
    for (std::size_t i = first; i < entries_.size(); ++i) {
      entries_[i].same_as = find_same(i);
      if (entries_[i].same_as) continue;
      judged.push_back(std::async(launch_policy(fabric_), [this, i] { judge(entries_[i]); }));
    }
    for (std::future<void>& each : judged) each.get();
    for (std::size_t i = first; i < entries_.size(); ++i) {
      if (!entries_[i].same_as) continue;
      entries_[i].tried.score = entries_[*entries_[i].same_as].tried.score;
      entries_[i].tried.index = entries_[*entries_[i].same_as].tried.index;
    }
  }

  /// The first entry with the tables of entry i, where there is one before it: on a fabric without
  /// faults cassp often ends where it began.
  std::optional<std::size_t> find_same(std::size_t i) const {
    if (!entries_[i].tried.refusal.empty()) return std::nullopt;
    for (std::size_t k = 0; k < i; ++k) {
      if (entries_[k].tables == entries_[i].tables) return k;
    }
    return std::nullopt;
  }

  void judge(Entry& entry) const {
    if (!entry.tried.refusal.empty()) return;
    entry.tried.score = score_(fabric_, entry.tables);
    entry.tried.index = edge_forwarding_index(fabric_, channel_loads(fabric_, entry.tables));
  }

  double good_score() const {
    double best = 0;
    for (const Entry& each : entries_) best = std::max(best, each.tried.score);
    return best * (1 - slack_);
  }

  /// Relief lowers every score but those that count the busiest channel, so only of the best can
  /// anything come that is chosen.
  void relieve() {
    const double enough = counts_busiest_channel() ? 0 : good_score();
    std::vector<std::future<std::optional<Entry>>> relieved;
    for (const Entry& each : entries_) {
      if (!each.tried.refusal.empty() || each.same_as || each.tried.score < enough) continue;
      relieved.push_back(std::async(launch_policy(fabric_), [&] { return relieve(each, enough); }));
    }
    std::vector<std::optional<Entry>> made;
    made.reserve(relieved.size());
    for (std::future<std::optional<Entry>>& each : relieved) made.push_back(each.get());
    for (std::optional<Entry>& each : made) {
      if (each) entries_.push_back(std::move(*each));
    }
  }

  /// Goes on while the score is at least `enough`. Nothing where nothing can be relieved so.
  std::optional<Entry> relieve(const Entry& entry, double enough) const {
    const AllowedWays ways =
        entry.up_down ? AllowedWays(fabric_, *entry.up_down) : AllowedWays(fabric_);
    if (!ways.allow(fabric_, entry.tables)) return std::nullopt;
    std::optional<Entry> relieved;
    ForwardingTables tables = entry.tables;
    std::uint64_t looks_left = 20'000'000;
    // To judge takes about as long as so many moves; twice as many each time, for there may be
    // thousands.
    std::uint64_t moves = std::max<std::uint64_t>(250, fabric_.channel_count() / 8);
    for (bool is_relieved = true; is_relieved; moves *= 2) {
      const Relief relief = relieve_busiest_channels(fabric_, ways, tables, looks_left, moves);
      if (relief.moves == 0) break;
      Entry next(entry.tried.name + ", relieved", tables);
      judge(next);
      if (next.tried.score < enough) break;
      relieved = std::move(next);
      looks_left -= relief.looks;
      is_relieved = relief.moves == moves;
    }
    if (relieved) relieved->up_down = entry.up_down;
    return relieved;
  }

  /// Of those among which it can decide.
  void look_at_lanes() {
    const double enough = good_score();
    std::vector<std::future<void>> looked;
    for (Entry& each : entries_) {
      if (!each.tried.refusal.empty() || each.same_as || each.tried.score < enough) continue;
      looked.push_back(std::async(launch_policy(fabric_), [&] {
        each.tried.one_lane =
            each.up_down ||
            verify_lanes(fabric_, each.tables, level_zero(each.tables)).is_deadlock_free();
      }));
    }
    for (std::future<void>& each : looked) each.get();
  }

  const Fabric& fabric_;
  const EngineOptions& options_;
  const TableScore& score_;
  Objective objective_;
  double slack_;
  std::vector<Entry> entries_;
};

class BestEngine : public RoutingEngine {
 public:
  explicit BestEngine(const EngineOptions& options)
      : options_(options), score_(score_without_simulation(objective_of(options))) {
    // What is wrong with an option shows now, not during a sweep of the subnet.
    slack_of(options);
    for (const EngineDescription* const engine :
         {&mesh_dor_engine, &pssp_engine, &cassp_engine, &p2ssp_engine, &updown_engine}) {
      engine->make(options);
    }
  }

 private:
  Routing compute(const Fabric& fabric) const override { return compute_accepted(fabric, {}); }
  Routing compute_accepted(const Fabric& fabric, const Acceptance& accept) const override {
    return {find_best_tables(fabric, options_, score_, accept).tables};
  }

  EngineOptions options_;
  TableScore score_;
};

}  // namespace

BestTables find_best_tables(const Fabric& fabric, const EngineOptions& options,
                            const TableScore& score, const Acceptance& accept) {
  Contest contest(fabric, options, score);
  contest.run();
  return std::move(contest).take(accept);
}

constinit const EngineDescription best_engine{
    engine_name, "the best of pssp, meshdor and cassp (and p2ssp, for the index)", engine_options,
    [](const EngineOptions& options) -> std::unique_ptr<RoutingEngine> {
      return std::make_unique<BestEngine>(options);
    }};

}  // namespace pssp
