#include <atomic>
#include <catch2/catch.hpp>
#include <future>
#include <vector>

#include "base/error.h"
#include "monitor/notify/delivery_queue.h"

namespace pssp {
namespace {

constexpr DeliveryLimits patient{3, std::chrono::milliseconds(1), std::chrono::milliseconds(2)};

/// A receiver that gives prepared answers and records the calls.
struct Receiver {
  std::vector<DeliveryResult> answers;  // the last one is repeated
  std::size_t attempts = 0;
  std::vector<std::string> delivered = {}, lines = {};
  std::promise<void> last = {};

  DeliveryQueue::Functions functions(const std::string& last_incident) {
    return {[this](const Notification&, const StopSignal&) {
              const DeliveryResult& answer = answers[std::min(attempts++, answers.size() - 1)];
              if (answer.failure == "throw") throw Error(ErrorKind::missing_program, "no program");
              return answer;
            },
            [this, last_incident](const Notification& notification) {
              delivered.push_back(notification.incident);
              if (notification.incident == last_incident) last.set_value();
            },
            [this](const std::string& line) { lines.push_back(line); }};
  }
};

Notification about(const std::string& incident) { return {incident, false, "{}"}; }

TEST_CASE("failed deliveries are repeated in order, and each reason is logged once") {
  Receiver receiver{{{"closed", false}, {"closed", false}, {"throw", false}, {"", false}}};
  {
    DeliveryQueue queue("the webhook", receiver.functions("b"), patient);
    CHECK(queue.offer(about("a")));
    CHECK(queue.offer(about("b")));
    receiver.last.get_future().wait();
  }
  CHECK(receiver.attempts == 5);
  CHECK(receiver.delivered == std::vector<std::string>{"a", "b"});
  CHECK(receiver.lines ==
        std::vector<std::string>{
            "the webhook: a notification was not delivered: closed; next attempt in 0.0 s",
            "the webhook: a notification was not delivered: no program; next attempt in 0.0 s",
            "the webhook: notifications are delivered again"});
}

TEST_CASE("a refused notification is not repeated and does not delay the others") {
  Receiver receiver{{{"status 400", true}, {"", false}}};
  {
    DeliveryQueue queue("the webhook", receiver.functions("b"), patient);
    CHECK(queue.offer(about("a")));
    CHECK(queue.offer(about("b")));
    receiver.last.get_future().wait();
  }
  CHECK(receiver.attempts == 2);
  CHECK(receiver.lines ==
        std::vector<std::string>{
            "the webhook: notification 'a' was refused and will not be repeated: status 400"});
}

TEST_CASE("a full queue refuses notifications, and shutdown does not wait for a hanging receiver") {
  std::promise<void> tried;
  std::atomic<bool> has_tried = false;
  DeliveryQueue::Functions functions;
  functions.deliver = [&](const Notification&, const StopSignal& stop) -> DeliveryResult {
    if (has_tried.exchange(true)) {
      while (!stop.asked()) std::this_thread::yield();
      stop.check("waiting");
    }
    return {"hangs", false};
  };
  functions.delivered = [](const Notification&) { FAIL("delivered"); };
  functions.log = [&](const std::string&) { tried.set_value(); };
  DeliveryQueue queue("the webhook", functions, patient);
  CHECK(queue.problem().empty());
  for (const char* each : {"a", "b", "c"}) CHECK(queue.offer(about(each)));
  CHECK_FALSE(queue.offer(about("d")));
  tried.get_future().wait();
  CHECK(queue.problem() == "the webhook: 3 notifications waiting: hangs");
}

}  // namespace
}  // namespace pssp
