#include <poll.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <deque>

#include "wire/exchange.h"
#include "wire/paired_port.h"
#include "wire/performance/port_counters.h"
#include "wire/subnet/node_info.h"

using namespace pssp;
using namespace std::chrono_literals;

namespace {

/// Answers every MAD. With a descriptor, a pipe contains one byte per answer.
class EchoPort final : public MadPort {
 public:
  explicit EchoPort(bool has_descriptor) {
    if (has_descriptor) REQUIRE(pipe(pipe_.data()) == 0);
  }
  EchoPort(const EchoPort&) = delete;
  EchoPort& operator=(const EchoPort&) = delete;
  ~EchoPort() override {
    for (const int end : pipe_) {
      if (end >= 0) close(end);
    }
  }

  bool send(const MadBytes& mad, const Destination&, std::chrono::milliseconds) override {
    classes.push_back(header_of(mad).management_class);
    if (refuses) return false;
    ReceivedMad answer{mad, false};
    answer.bytes[3] = static_cast<std::uint8_t>(MadMethod::get_response);
    arriving_.push_back(answer);
    if (pipe_[1] >= 0) REQUIRE(write(pipe_[1], "", 1) == 1);
    return true;
  }
  std::string send_error() const override { return "refused by " + name; }
  std::optional<ReceivedMad> receive(std::chrono::milliseconds) override {
    if (arriving_.empty()) return std::nullopt;
    char byte = 0;
    if (pipe_[0] >= 0) REQUIRE(read(pipe_[0], &byte, 1) == 1);
    const ReceivedMad mad = arriving_.front();
    arriving_.pop_front();
    return mad;
  }
  int file_descriptor() const override { return pipe_[0]; }

  std::string name = "it";
  bool refuses = false;
  std::vector<std::uint8_t> classes;

 private:
  std::array<int, 2> pipe_{-1, -1};
  std::deque<ReceivedMad> arriving_;
};

/// Alternates requests for NodeInfo and PortCounters, three of each.
class Questions final : public Dialogue {
 public:
  std::optional<MadRequest> next() override {
    if (asked_ == 6) return std::nullopt;
    return asked_++ % 2 == 0 ? node_info_request(subnet_management_at(7), 0)
                             : port_counters_request(7, 1);
  }
  void take(const MadAnswer&) override { ++answers; }
  void failed(const MadFailure& failure) override { failures.push_back(explain(failure)); }

  unsigned answers = 0;
  std::vector<std::string> failures;

 private:
  unsigned asked_ = 0;
};

}  // namespace

TEST_CASE("each class uses its own port, and answers of both ports are received") {
  for (const bool first : {true, false}) {
    for (const bool second : {true, false}) {
      EchoPort subnet(first);
      EchoPort general(second);
      PairedPort both(subnet, general);
      CHECK((both.file_descriptor() >= 0) == (first && second));
      Questions questions;
      Exchange exchange(both, {});
      exchange.add(questions);
      while (exchange.step(Exchange::Clock::now() + 1s)) {
      }
      CHECK(questions.answers == 6);
      CHECK(subnet.classes == std::vector<std::uint8_t>{1, 1, 1});
      CHECK(general.classes == std::vector<std::uint8_t>{4, 4, 4});
    }
  }
}

TEST_CASE("a pair is readable if either port is, and both ports are served alternately") {
  EchoPort subnet(true);
  EchoPort general(true);
  PairedPort both(subnet, general);
  const auto readable = [&] {
    pollfd waiting{both.file_descriptor(), POLLIN, 0};
    return poll(&waiting, 1, 0) == 1;
  };
  CHECK_FALSE(readable());
  CHECK_FALSE(both.receive(1ms));
  const Destination directed = subnet_management_along({});
  for (int i = 0; i < 4; ++i) {
    REQUIRE(both.send(encode(node_info_request(directed, 0), 1), directed, 1ms));
    REQUIRE(both.send(encode(port_counters_request(7, 1), 2), general_services_at(7), 1ms));
  }
  std::array<unsigned, 2> heard{};
  for (int i = 0; i < 4; ++i) {
    CHECK(readable());
    const auto mad = both.receive(1s);
    REQUIRE(mad);
    ++heard.at(header_of(mad->bytes).management_class == 4 ? 1 : 0);
  }
  CHECK(heard == std::array<unsigned, 2>{2, 2});
}

TEST_CASE("the port that did not send a MAD gives the reason") {
  EchoPort subnet(false);
  EchoPort general(false);
  subnet.name = "the first";
  subnet.refuses = true;
  general.name = "the second";
  PairedPort both(subnet, general);
  CHECK_FALSE(both.send(encode(node_info_request(subnet_management_at(1), 0), 1),
                        subnet_management_at(1), 1ms));
  CHECK(both.send_error() == "refused by the first");
  CHECK(both.send(encode(port_counters_request(1, 1), 1), general_services_at(1), 1ms));
  CHECK(both.send_error() == "refused by the second");
}
