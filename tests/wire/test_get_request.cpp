#include <catch2/catch.hpp>

#include "base/error.h"
#include "wire/get_request.h"

using namespace pssp;

namespace {

class CountingPort final : public MadPort {
 public:
  bool send(const MadBytes&, const Destination&, std::chrono::milliseconds) override {
    ++sent;
    return true;
  }
  std::string send_error() const override { return {}; }
  std::optional<ReceivedMad> receive(std::chrono::milliseconds) override {
    return ReceivedMad{{}, true};
  }

  int sent = 0;
};

template <ManagementClass of, MadMethod method>
concept can_be_made = requires(Destination to) {
  request_of<of, method>(0, 0, to);
};

static_assert(can_be_made<performance_class, MadMethod::get>);
static_assert(!can_be_made<performance_class, MadMethod::set>);
static_assert(!can_be_made<subnet_class, MadMethod::set>);
static_assert(!can_be_made<directed_subnet_class, MadMethod::set>);

}  // namespace

TEST_CASE("a read-only port sends no Set of any class") {
  CountingPort outer;
  GetOnlyPort port(outer);
  const Destination to = general_services_at(3);
  const MadRequest get = request_of<performance_class>(0x12, 0, to);
  CHECK(port.send(encode(get, 1), to, std::chrono::milliseconds(1)));
  MadRequest set = get;
  set.method = MadMethod::set;
  CHECK_THROWS_AS(port.send(encode(set, 2), to, std::chrono::milliseconds(1)), Error);
  CHECK(outer.sent == 1);
  CHECK(port.sent() == 1);
  CHECK(port.receive(std::chrono::milliseconds(0))->timed_out);
  CHECK(port.timed_out() == 1);
}
