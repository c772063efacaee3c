// Checks fault plans against a model of the ibsim console that only knows cables: ibsim accepts
// every command, and the commands lead to the cabling that the plan expects.

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/campaign/cabling.h"
#include "tests/campaign/fault_plan.h"
#include "topologies/registry.h"

using namespace pssp;
using namespace pssp::campaign;

namespace {

constexpr const char* specs[] = {"mesh 4x4 --hosts 2", "torus 3x3x2", "xgft 4,4,4 1,2,2",
                                 "director 48", "random-regular 12 --degree 4 --hosts 3"};
constexpr std::size_t events = 120;

/// The cables of ibsim. Ports have the notation of its console: "S00001"[4].
class Console {
 public:
  void link(const std::string& a, const std::string& b) {
    REQUIRE(far_.count(a) + far_.count(b) == 0);
    far_[a] = b;
    far_[b] = a;
  }

  /// Link, Unlink, Clear and Error, as the manual page of ibsim describes them.
  void do_command(const std::string& command) {
    INFO(command);
    std::istringstream words(command);
    std::string verb, one, two;
    words >> verb >> one >> two;
    if (verb == "Link") {
      link(one, two);
    } else if (verb == "Unlink") {
      REQUIRE(far_.count(one) == 1);
      unlink(one);
    } else if (verb == "Clear") {
      while (true) {
        const auto plug = far_.lower_bound(one + "[");
        if (plug == far_.end() || plug->first.rfind(one + "[", 0) != 0) break;
        unlink(std::string(plug->first));
      }
    } else {
      REQUIRE(verb == "Error");
      loss_[one] = two;
    }
  }

  void do_steps(const Fault& fault) {
    for (const Step& step : fault.steps) {
      if (step.rfind("send\t", 0) == 0) do_command(step.substr(5));
    }
  }

  bool loses_nothing() const {
    return std::all_of(loss_.begin(), loss_.end(), [](const auto& l) { return l.second == "0"; });
  }

  /// Identifiers of the nodes that cables connect to `start`, including `start`.
  std::set<std::string> island_of(const std::string& start) const {
    std::set<std::string> reached{start};
    for (std::size_t before = 0; before != reached.size();) {
      before = reached.size();
      for (const auto& [plug, far] : far_) {
        if (reached.count(node_of(plug)) == 1) reached.insert(node_of(far));
      }
    }
    return reached;
  }

  friend bool operator==(const Console& a, const Console& b) { return a.far_ == b.far_; }

 private:
  static std::string node_of(const std::string& plug) {
    return plug.substr(1, plug.rfind('"') - 1);
  }

  void unlink(const std::string& plug) {
    const std::string far = far_.at(plug);
    far_.erase(plug);
    far_.erase(far);
  }

  std::map<std::string, std::string> far_;
  std::map<std::string, std::string> loss_;
};

Console console_of(const Cabling& cabling) {
  Console console;
  for (std::size_t c = 0; c < cabling.cables().size(); ++c) {
    const campaign::Cable& cable = cabling.cables()[c];
    if (cabling.is_up(c)) console.link(cabling.quoted(cable.a), cabling.quoted(cable.b));
  }
  return console;
}

std::vector<std::uint32_t> two_managers(const Fabric& fabric) {
  return choose_managers(fabric, fabric.end_port(EndPortId(0)).name, 2);
}

std::vector<Fault> draw(const Fabric& fabric, std::uint64_t seed) {
  FaultPlan plan(fabric, two_managers(fabric), seed);
  std::vector<Fault> faults;
  for (std::size_t event = 0; event < events; ++event) faults.push_back(plan.next());
  return faults;
}

bool same(const std::vector<Fault>& a, const std::vector<Fault>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Fault& x, const Fault& y) {
    return x.kind == y.kind && x.what == y.what && x.steps == y.steps;
  });
}

}  // namespace

TEST_CASE("a fault plan depends only on the fabric, the managers and the seed", "[campaign]") {
  for (const char* spec : specs) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    CHECK(same(draw(fabric, 1), draw(fabric, 1)));
    CHECK_FALSE(same(draw(fabric, 1), draw(fabric, 2)));
  }
}

TEST_CASE("ibsim accepts every command of a fault plan and reaches the expected cabling",
          "[campaign]") {
  for (const char* spec : specs) {
    const Fabric fabric = make_fabric(spec);
    const std::vector<std::uint32_t> managers = two_managers(fabric);
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      FaultPlan plan(fabric, managers, seed);
      const Console original = console_of(plan.cabling());
      Console console = original;
      for (std::size_t event = 1; event <= events; ++event) {
        const Fault fault = plan.next();
        INFO(spec << ", seed " << seed << ", event " << event << ": " << fault.kind);
        console.do_steps(fault);
        REQUIRE(console == console_of(plan.cabling()));
        REQUIRE(console.loses_nothing());
      }
      console.do_steps(plan.restore());
      CHECK(console == original);
    }
  }
}

TEST_CASE("every fault leaves both managers on one island with most of the hosts", "[campaign]") {
  for (const char* spec : specs) {
    const Fabric fabric = make_fabric(spec);
    const std::vector<std::uint32_t> managers = two_managers(fabric);
    FaultPlan plan(fabric, managers, 4);
    for (std::size_t event = 1; event <= events; ++event) {
      const Fault fault = plan.next();
      INFO(spec << ", event " << event << ": " << fault.kind);
      const std::set<std::string> island =
          console_of(plan.cabling()).island_of(plan.cabling().name(managers[0]));
      REQUIRE(island.count(plan.cabling().name(managers[1])) == 1);
      std::size_t left = 0;
      for (std::uint32_t e = 0; e < fabric.end_port_count(); ++e) {
        left += island.count(fabric.end_port(EndPortId(e)).name);
      }
      REQUIRE(2 * left > fabric.end_port_count());
    }
  }
}

TEST_CASE("a fault plan can be resumed after any event", "[campaign]") {
  for (const char* spec : specs) {
    const Fabric fabric = make_fabric(spec);
    FaultPlan plan(fabric, two_managers(fabric), 5);
    const Console original = console_of(plan.cabling());
    for (std::size_t event = 1; event <= events; ++event) {
      plan.next();
      INFO(spec << ", event " << event);
      Console console = original;
      console.do_steps(plan.resume());
      REQUIRE(console == console_of(plan.cabling()));
    }
  }
}

TEST_CASE("a long fault plan contains every kind of fault of the theme fabric", "[campaign]") {
  std::set<std::string> kinds;
  for (const char* spec : specs) {
    for (const Fault& fault : draw(make_fabric(spec), 6)) kinds.insert(fault.kind);
  }
  CHECK(kinds.size() == 18);
}

TEST_CASE("a long fault plan of the theme managers consists mostly of faults of managers",
          "[campaign]") {
  const Fabric fabric = make_fabric("torus 4x4 --hosts 2");
  FaultPlan plan(fabric, two_managers(fabric), 1, FaultTheme::managers);
  const Console original = console_of(plan.cabling());
  Console console = original;
  std::map<std::string, unsigned> kinds;
  for (std::size_t event = 1; event <= events; ++event) {
    const Fault fault = plan.next();
    ++kinds[fault.kind];
    console.do_steps(fault);
    REQUIRE(console == console_of(plan.cabling()));
  }
  for (const char* kind : {"takeover", "handover", "restart", "start-together", "split", "cut"}) {
    CHECK(kinds[kind] != 0);
  }
  CHECK(kinds["restart"] + kinds["takeover"] + kinds["handover"] + kinds["start-together"] >
        events / 2);
  console.do_steps(plan.restore());
  CHECK(console == original);
}

TEST_CASE("missing and surplus parts of a discovered fabric are reported", "[campaign]") {
  const char* spec = "torus 4x4 --hosts 2";
  const Fabric whole = make_fabric(spec);
  const Fabric damaged = make_fabric(std::string(spec) + " --kill-links 3 --seed 9");
  const Cabling all(whole), rest(damaged);
  const std::uint32_t start = two_managers(whole).front();
  CHECK(differences(whole, all, start, whole).empty());

  const std::vector<std::string> lost = differences(whole, all, start, damaged);
  REQUIRE(lost.size() == 3);
  for (const std::string& line : lost) CHECK(line.rfind("lost: ", 0) == 0);
  const std::vector<std::string> surplus = differences(damaged, rest, start, whole);
  REQUIRE(surplus.size() == 3);
  for (const std::string& line : surplus) CHECK(line.rfind("surplus: ", 0) == 0);
}
