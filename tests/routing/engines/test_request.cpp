// Tests the limits that a caller sets for an engine: threads and time.

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>

#include "base/stop_signal.h"
#include "routing/engines/engine.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

/// Options that make the engines fast, and make best try as many candidates as possible.
const EngineOptions& options() {
  static const EngineOptions quick =
      EngineOptions::parse("best.objective=index cassp.work=1 cassp.noisy_passes=4 updown.work=1");
  return quick;
}

/// Number of threads of this process.
std::size_t thread_count() {
  const auto tasks = std::filesystem::directory_iterator("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

/// Counts the checks of the stop signal and the threads that check it. Requests a stop from check
/// number `stop_at` on, if `stop_at` is not 0.
class Watch {
 public:
  explicit Watch(std::size_t stop_at = 0) : stop_at_(stop_at), threads_before_(thread_count()) {}

  StopSignal signal() {
    return StopSignal([this] { return probe(); });
  }
  std::size_t checks() const { return checks_; }
  std::size_t most_threads() const { return most_threads_; }
  std::size_t checking_threads() const { return checking_threads_.size(); }

 private:
  bool probe() {
    const std::lock_guard lock(mutex_);
    checking_threads_.insert(std::this_thread::get_id());
    if (checks_ % 16 == 0) {
      most_threads_ = std::max(most_threads_, 1 + thread_count() - threads_before_);
    }
    ++checks_;
    return stop_at_ != 0 && checks_ >= stop_at_;
  }

  std::mutex mutex_;
  std::size_t stop_at_;
  std::size_t threads_before_;
  std::size_t checks_ = 0;
  std::size_t most_threads_ = 0;
  std::set<std::thread::id> checking_threads_;
};

constexpr const char* mesh = "mesh 5x5 --hosts 3";
constexpr const char* damaged_tree = "xgft 6,6,4 1,3,3 --kill-links 9";

/// True if the engine accepts the fabric: heal and dmodk need a tree, meshdor needs a mesh.
bool suits(const EngineDescription& engine, std::string_view spec) {
  if (engine.name == "heal" || engine.name == "dmodk") return spec != mesh;
  return engine.name != "meshdor" || spec == mesh;
}

Fabric fabric_for(const EngineDescription& engine) {
  return make_fabric(suits(engine, mesh) ? mesh : damaged_tree);
}

}  // namespace

TEST_CASE("every engine gives the same tables with any number of workers") {
  for (const char* const spec : {mesh, damaged_tree}) {
    const Fabric fabric = make_fabric(spec);
    for (const EngineDescription& engine : engine_registry()) {
      if (!suits(engine, spec)) continue;
      INFO(engine.name << " on " << spec);
      const auto made = engine.make(options());
      const ForwardingTables tables = made->route(fabric).tables;
      for (const unsigned workers : {0U, 2U, 3U, 16U}) {
        CHECK(made->route(fabric, {.workers = workers}).tables == tables);
      }
    }
  }
}

TEST_CASE("an engine with one worker starts no thread") {
  for (const EngineDescription& engine : engine_registry()) {
    const Fabric fabric = fabric_for(engine);
    INFO(engine.name);
    Watch watch;
    bool was_offered = false;
    RouteRequest request{.stop = watch.signal()};
    // All tables are rejected, so best offers all its candidates.
    request.accept = [&](const ForwardingTables&) {
      was_offered = true;
      return false;
    };
    engine.make(options())->route(fabric, request);
    CHECK(was_offered == (engine.name == "best"));
    CHECK(watch.most_threads() == 1);
    CHECK(watch.checking_threads() == 1);
  }
}

TEST_CASE("no engine uses more threads than it was granted") {
  for (const EngineDescription& engine : engine_registry()) {
    const Fabric fabric = fabric_for(engine);
    for (const unsigned workers : {2U, 3U}) {
      INFO(engine.name << " with " << workers);
      Watch watch;
      engine.make(options())->route(fabric, {.workers = workers, .stop = watch.signal()});
      CHECK(watch.most_threads() <= workers);
    }
  }
}

TEST_CASE("each engine stops on request at any point of its work") {
  for (const EngineDescription& engine : engine_registry()) {
    const Fabric fabric = fabric_for(engine);
    const auto made = engine.make(options());
    Watch whole;
    made->route(fabric, {.stop = whole.signal()});
    // The main loop checks the signal at least once for each switch.
    CHECK(whole.checks() >= fabric.switch_count());
    for (const unsigned workers : {1U, 3U}) {
      for (std::size_t at : {std::size_t{1}, std::size_t{2}, whole.checks() / 3, whole.checks() / 2,
                             whole.checks() - 1}) {
        INFO(engine.name << " with " << workers << ", stopped at check " << at << " of "
                         << whole.checks());
        Watch watch(at);
        CHECK_THROWS_AS(made->route(fabric, {.workers = workers, .stop = watch.signal()}), Stopped);
        // Each working thread checks the signal at most once more.
        CHECK(watch.checks() < at + workers);
      }
    }
  }
}

TEST_CASE("engines report the name and the progress of their work") {
  for (const EngineDescription& engine : engine_registry()) {
    INFO(engine.name);
    std::mutex mutex;
    std::set<std::string> works;
    double most = 0;
    bool is_part = true;
    RouteRequest request{.workers = 2};
    request.stop =
        StopSignal().reporting_to([&](std::string_view work, std::optional<double> part) {
          const std::lock_guard lock(mutex);
          works.emplace(work);
          most = std::max(most, part.value_or(0));
          is_part = is_part && part.value_or(0) >= 0 && part.value_or(0) <= 1;
        });
    engine.make(options())->route(fabric_for(engine), request);
    CHECK_FALSE(works.empty());
    CHECK(works.count("") == 0);
    CHECK(is_part);
    CHECK(most > 0.5);
  }
}
