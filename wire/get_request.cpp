#include "wire/get_request.h"

#include <fmt/format.h>

#include "base/error.h"

namespace pssp {

bool GetOnlyPort::send(const MadBytes& mad, const Destination& to,
                       std::chrono::milliseconds timeout) {
  const MadHeader header = header_of(mad);
  if (header.method != static_cast<std::uint8_t>(MadMethod::get)) {
    throw Error(ErrorKind::internal,
                fmt::format("a program that only reads tried to send a MAD of class 0x{:02x} with "
                            "method 0x{:02x}; the MAD was not sent",
                            header.management_class, header.method));
  }
  const bool done = port_.send(mad, to, timeout);
  if (done) ++sent_;
  return done;
}

std::optional<ReceivedMad> GetOnlyPort::receive(std::chrono::milliseconds wait) {
  std::optional<ReceivedMad> mad = port_.receive(wait);
  if (mad && mad->timed_out) ++timed_out_;
  return mad;
}

}  // namespace pssp
