// An epoll descriptor is readable if one of its members is, so waiting for this port waits for
// both.

#include "wire/paired_port.h"

#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>

namespace pssp {
namespace {

bool is_subnet_management(const MadBytes& mad) {
  const std::uint8_t number = header_of(mad).management_class;
  return number == subnet_class.number || number == directed_subnet_class.number;
}

bool add_to(int epoll, int descriptor) {
  epoll_event event{};
  event.events = EPOLLIN;
  return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

}  // namespace

PairedPort::PairedPort(MadPort& subnet, MadPort& general)
    : subnet_(subnet), general_(general), last_(&general) {
  if (subnet.file_descriptor() < 0 || general.file_descriptor() < 0) return;
  either_ = epoll_create1(EPOLL_CLOEXEC);
  if (either_ < 0) return;
  // Without it, waiting alternates between the ports.
  if (add_to(either_, subnet.file_descriptor()) && add_to(either_, general.file_descriptor())) {
    return;
  }
  close(either_);
  either_ = -1;
}

PairedPort::~PairedPort() {
  if (either_ >= 0) close(either_);
}

bool PairedPort::send(const MadBytes& mad, const Destination& to,
                      std::chrono::milliseconds timeout) {
  last_ = is_subnet_management(mad) ? &subnet_ : &general_;
  return last_->send(mad, to, timeout);
}

std::optional<ReceivedMad> PairedPort::receive_now() {
  subnet_comes_first_ = !subnet_comes_first_;
  MadPort& first = subnet_comes_first_ ? subnet_ : general_;
  MadPort& second = subnet_comes_first_ ? general_ : subnet_;
  auto mad = first.receive(std::chrono::milliseconds(0));
  return mad ? mad : second.receive(std::chrono::milliseconds(0));
}

std::optional<ReceivedMad> PairedPort::receive(std::chrono::milliseconds wait) {
  constexpr std::chrono::milliseconds turn{5};
  if (auto mad = receive_now(); mad || wait <= std::chrono::milliseconds(0)) return mad;
  if (either_ >= 0) {
    pollfd waiting{either_, POLLIN, 0};
    poll(&waiting, 1, static_cast<int>(wait.count()));
    return receive_now();
  }
  while (wait > std::chrono::milliseconds(0)) {
    const auto each = std::min(wait, turn);
    wait -= each;
    subnet_comes_first_ = !subnet_comes_first_;
    MadPort& one = subnet_comes_first_ ? subnet_ : general_;
    if (auto mad = one.receive(each)) return mad;
  }
  return receive_now();
}

}  // namespace pssp
