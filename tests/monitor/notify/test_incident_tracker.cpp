#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "monitor/notify/incident_tracker.h"
#include "tests/monitor/notify/incidents.h"

namespace pssp {
namespace {

constexpr std::int64_t second = 1'000'000'000;

/// A tracker, and the notifications that it sent in the last sweep: "+id" for opened, "-id" for
/// cleared.
struct Announcements {
  IncidentTracker tracker;
  std::int64_t now_s = 100;
  bool has_room = true;
  std::vector<std::string> all = {};

  std::vector<std::string> sweep(std::vector<FabricFault> faults, std::int64_t seconds = 10) {
    IncidentList list;
    list.faults = std::move(faults);
    return sweep(list, seconds);
  }
  std::vector<std::string> sweep(const IncidentList& list, std::int64_t seconds = 10) {
    now_s += seconds;
    std::vector<std::string> sent;
    tracker.add(list, now_s * second, now_s * 1000, [&](const Notification& notification) {
      if (!has_room) return false;
      sent.push_back((notification.is_cleared ? "-" : "+") + notification.incident);
      return true;
    });
    return sent;
  }
};

using Lines = std::vector<std::string>;

NotificationRules after_seconds(std::int64_t seconds) {
  NotificationRules rules;
  rules.delay_ns = seconds * second;
  return rules;
}

TEST_CASE("the beginning and the end of an incident are each sent once, after the delay") {
  Announcements sent{{after_seconds(20), {}}};
  const FabricFault a = test::faulty_cable("a");
  CHECK(sent.sweep({a}).empty());
  CHECK(sent.sweep({a}).empty());
  CHECK(sent.sweep({a}) == Lines{"+a"});
  CHECK(sent.sweep({a}).empty());
  CHECK(sent.sweep(std::vector<FabricFault>{}).empty());
  CHECK(sent.sweep({a}).empty());  // absent for only ten seconds
  CHECK(sent.sweep(std::vector<FabricFault>{}).empty());
  CHECK(sent.sweep(std::vector<FabricFault>{}).empty());
  CHECK(sent.sweep(std::vector<FabricFault>{}) == Lines{"-a"});
  CHECK(sent.sweep(std::vector<FabricFault>{}).empty());
}

TEST_CASE("an incident that ends within the delay is not sent") {
  Announcements sent{{after_seconds(15), {}}};
  const FabricFault a = test::faulty_cable("a");
  for (int i = 0; i < 5; ++i) {
    CHECK(sent.sweep({a}).empty());
    CHECK(sent.sweep(std::vector<FabricFault>{}).empty());
  }
}

TEST_CASE("an incident whose kind changes is the same incident") {
  Announcements sent{{after_seconds(0), {}}};
  FabricFault a = test::faulty_cable("a");
  CHECK(sent.sweep({a}) == Lines{"+a"});
  a.kind = FaultKind::link_down;
  CHECK(sent.sweep({a}).empty());
}

TEST_CASE("after a restart, incidents are not sent again, but their ends are") {
  const std::string body = opened(test::faulty_cable("a"), "", 5).body;
  Announcements sent{{after_seconds(10), {{"a", body}, {"b", body}}}};
  const FabricFault a = test::faulty_cable("a");
  CHECK(sent.sweep({a}).empty());
  CHECK(sent.sweep({a}) == Lines{"-b"});
  CHECK(sent.sweep(std::vector<FabricFault>{}).empty());
  CHECK(sent.sweep(std::vector<FabricFault>{}) == Lines{"-a"});
}

TEST_CASE("a notification that finds the queue full is offered again") {
  Announcements sent{{after_seconds(0), {}}};
  const FabricFault a = test::faulty_cable("a");
  sent.has_room = false;
  CHECK(sent.sweep({a}).empty());
  sent.has_room = true;
  CHECK(sent.sweep({a}) == Lines{"+a"});
  sent.has_room = false;
  CHECK(sent.sweep(std::vector<FabricFault>{}).empty());
  sent.has_room = true;
  CHECK(sent.sweep(std::vector<FabricFault>{}) == Lines{"-a"});
}

TEST_CASE("rules select which incidents are sent") {
  IncidentList list;
  list.faults.push_back(test::faulty_cable("bad"));
  list.faults.push_back(test::faulty_cable("minor"));
  list.faults[1].level = Level::watch;
  list.congestion.emplace_back();
  list.congestion[0].id = "congestion-1";
  CHECK(Announcements{{{}, {}}}.sweep(list) == Lines{"+bad", "+minor", "+congestion-1"});
  NotificationRules rules;
  rules.only_bad = true;
  rules.has_congestion = false;
  CHECK(Announcements{{rules, {}}}.sweep(list) == Lines{"+bad"});
}

}  // namespace
}  // namespace pssp
