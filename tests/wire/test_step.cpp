// Exchange::step() as a daemon uses it: with the test's own clock, a port that answers on command,
// and many dialogues with one node.

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "wire/exchange.h"

using namespace pssp;
using namespace std::chrono_literals;

namespace {

struct TestClock {
  Exchange::Clock::time_point now{1h};
  Exchange::Now reader() {
    return [this] { return now; };
  }
};

/// Holds requests until the test calls answer_all(). Waiting without an answer advances the clock.
class HeldPort final : public MadPort {
 public:
  explicit HeldPort(TestClock& clock) : clock_(clock) {}

  bool send(const MadBytes& mad, const Destination& to, std::chrono::milliseconds) override {
    held.emplace_back(to.lid, mad);
    most_of_one = std::max(most_of_one, std::ranges::count(held, to.lid, &Held::first));
    return true;
  }
  std::string send_error() const override { return {}; }
  std::optional<ReceivedMad> receive(std::chrono::milliseconds wait) override {
    longest_wait = std::max(longest_wait, wait);
    if (arriving.empty()) {
      clock_.now += wait;
      return std::nullopt;
    }
    const ReceivedMad mad = arriving.front();
    arriving.pop_front();
    return mad;
  }

  void answer_all() {
    for (auto& [lid, mad] : held) {
      mad[3] = static_cast<std::uint8_t>(MadMethod::get_response);
      arriving.push_back({mad, false});
    }
    held.clear();
  }

  using Held = std::pair<Lid, MadBytes>;
  std::vector<Held> held;
  std::deque<ReceivedMad> arriving;
  std::ptrdiff_t most_of_one = 0;
  std::chrono::milliseconds longest_wait{0};

 private:
  TestClock& clock_;
};

/// Makes `questions` requests, whether or not they are answered.
class Questions final : public Dialogue {
 public:
  Questions(Lid lid, unsigned questions) : lid_(lid), left_(questions) {}

  std::optional<MadRequest> next() override {
    if (left_ == 0) return std::nullopt;
    --left_;
    MadRequest request;
    request.management_class = subnet_class;
    request.attribute = 0x11;
    request.to = subnet_management_at(lid_);
    return request;
  }
  void take(const MadAnswer&) override { ++taken; }
  void failed(const MadFailure& failure) override { failures.push_back(failure); }

  unsigned taken = 0;
  std::vector<MadFailure> failures;

 private:
  Lid lid_;
  unsigned left_;
};

}  // namespace

TEST_CASE("a step ends at its deadline, and does not wait if the deadline has passed") {
  TestClock clock;
  HeldPort port(clock);
  Exchange exchange(port, {}, clock.reader());
  Questions one(1, 1);
  exchange.add(one);
  const auto start = clock.now;
  CHECK(exchange.step(start));
  CHECK(clock.now == start);
  CHECK(port.held.size() == 1);
  CHECK(exchange.step(start + 30ms));
  CHECK(clock.now == start + 30ms);
  CHECK(port.longest_wait == 30ms);
  CHECK(exchange.due() > clock.now);
  port.answer_all();
  CHECK_FALSE(exchange.step(clock.now));
  CHECK(one.taken == 1);
  CHECK(exchange.done() == 1);
  CHECK(exchange.due() == Exchange::Clock::time_point::max());
}

TEST_CASE("dialogues can be added while others are in progress") {
  TestClock clock;
  HeldPort port(clock);
  Exchange exchange(port, {}, clock.reader());
  Questions first(1, 1), second(2, 2);
  exchange.add(first);
  CHECK(exchange.step(clock.now));
  exchange.add(second);
  CHECK(exchange.step(clock.now));
  CHECK(port.held.size() == 2);
  port.answer_all();
  CHECK(exchange.step(clock.now));
  port.answer_all();
  CHECK_FALSE(exchange.step(clock.now));
  CHECK(first.taken + second.taken == 3);
}

TEST_CASE("requests to one node are limited, and other nodes do not have to wait") {
  TestClock clock;
  HeldPort port(clock);
  ExchangeOptions options;
  options.per_node = 4;
  options.window = 6;
  Exchange exchange(port, options, clock.reader());
  std::vector<std::unique_ptr<Questions>> dialogues;
  for (int i = 0; i < 20; ++i) dialogues.push_back(std::make_unique<Questions>(1, 3));
  for (int i = 0; i < 2; ++i) dialogues.push_back(std::make_unique<Questions>(2, 1));
  for (const auto& dialogue : dialogues) exchange.add(*dialogue);
  CHECK(exchange.step(clock.now));
  CHECK(port.held.size() == 6);  // four to the first node, two to the other
  while (exchange.step(clock.now)) {
    CHECK(port.held.size() <= options.window);
    port.answer_all();
  }
  CHECK(port.most_of_one == 4);
  for (const auto& dialogue : dialogues) CHECK(dialogue->failures.empty());
  CHECK(dialogues.front()->taken == 3);
  CHECK(dialogues.back()->taken == 1);
}

TEST_CASE(
    "a request that vanishes is repeated at its deadline, and then the next request is sent") {
  TestClock clock;
  HeldPort port(clock);
  ExchangeOptions options;
  options.timeout = 100ms;
  options.retries = 1;
  Exchange exchange(port, options, clock.reader());
  Questions two(1, 2);
  exchange.add(two);
  const auto start = clock.now;
  CHECK_FALSE(exchange.step(start + 1h));
  CHECK(port.held.size() == 4);
  REQUIRE(two.failures.size() == 2);
  CHECK(two.failures[0].kind == MadFailure::Kind::unanswered);
  CHECK(two.failures[0].tries == 2);
  CHECK(clock.now - start == 4 * (options.timeout + 1s));
}

TEST_CASE("a stopped exchange receives outstanding answers and sends nothing more") {
  TestClock clock;
  HeldPort port(clock);
  ExchangeOptions options;
  options.window = 2;
  Exchange exchange(port, options, clock.reader());
  Questions answered(1, 2), lost(2, 1), waiting(3, 1);
  for (Questions* dialogue : {&answered, &lost, &waiting}) exchange.add(*dialogue);
  CHECK(exchange.step(clock.now));
  port.held.pop_back();
  port.answer_all();
  exchange.stop();
  CHECK_FALSE(exchange.step(clock.now + 1h));
  CHECK(port.held.empty());
  CHECK(answered.taken == 1);
  REQUIRE(answered.failures.size() == 1);
  CHECK(answered.failures[0].kind == MadFailure::Kind::stopped);
  REQUIRE(lost.failures.size() == 1);
  CHECK(lost.failures[0].kind == MadFailure::Kind::unanswered);
  CHECK(lost.failures[0].tries == 1);
  REQUIRE(waiting.failures.size() == 1);
  CHECK(waiting.failures[0].kind == MadFailure::Kind::stopped);
  CHECK(exchange.done() == 3);
}

TEST_CASE("ending in order waits for requests in transit, at most until they time out") {
  TestClock clock;
  HeldPort port(clock);
  Exchange exchange(port, {}, clock.reader());
  Questions answered(1, 2), lost(2, 2);
  for (Questions* dialogue : {&answered, &lost}) exchange.add(*dialogue);
  CHECK(exchange.step(clock.now));
  std::erase_if(port.held, [](const auto& sent) { return sent.first == 2; });
  port.answer_all();
  const auto began = clock.now;
  exchange.end_in_order();
  // The timeout of one try, and the extra second after which the exchange gives up a request.
  CHECK(clock.now - began <= ExchangeOptions{}.timeout + 1s);
  CHECK(port.held.empty());
  CHECK(answered.taken == 1);
  CHECK(lost.failures.at(0).kind == MadFailure::Kind::unanswered);
  CHECK(exchange.done() == 2);
  exchange.end_in_order();
}

TEST_CASE("abandoning waits for requests in transit without calling dialogues") {
  TestClock clock;
  HeldPort port(clock);
  Exchange exchange(port, {}, clock.reader());
  {
    Questions answered(1, 9), lost(2, 9), waiting(3, 9);
    for (Questions* dialogue : {&answered, &lost, &waiting}) exchange.add(*dialogue);
    CHECK(exchange.step(clock.now));
  }
  std::erase_if(port.held, [](const auto& sent) { return sent.first == 2; });
  const std::size_t kept = port.held.size();
  REQUIRE(kept > 0);
  port.answer_all();
  const auto began = clock.now;
  exchange.abandon();
  CHECK(port.arriving.empty());
  CHECK(port.held.empty());
  // Until the deadline of the lost request, rounded up by at most a millisecond.
  CHECK(clock.now - began >= ExchangeOptions{}.timeout);
  CHECK(clock.now - began <= ExchangeOptions{}.timeout + 1s + 1ms);
  CHECK_FALSE(exchange.step(clock.now));
}
