#include "wire/umad_port.h"

#include <fmt/format.h>
#include <infiniband/umad.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>

#include "base/error.h"

namespace pssp {
namespace {

constexpr int general_services_key = static_cast<int>(0x80010000);  // well-known
constexpr int subnet_management_key = 0;
/// A receive can fail temporarily (a signal, a MAD that is too long). This many consecutive
/// failures mean that the port is gone.
constexpr unsigned most_failed_receives = 1000;

std::string port_name(const std::string& adapter, unsigned port) {
  if (adapter.empty() && port == 0) return "an active InfiniBand port";
  if (adapter.empty()) return fmt::format("port {} of the first InfiniBand adapter", port);
  return port == 0 ? fmt::format("an active port of '{}'", adapter)
                   : fmt::format("'{}' port {}", adapter, port);
}

[[noreturn]] void fail_to_open(const std::string& adapter, unsigned port, int reason) {
  const bool forbidden = reason == EACCES || reason == EPERM;
  throw Error(
      ErrorKind::fabric_access,
      fmt::format(
          "cannot open {}: {}; {}", port_name(adapter, port),
          reason == 0 ? "not found" : std::strerror(reason),
          forbidden ? "/dev/infiniband/umad* must be readable and writable: run the program as root"
                    : "ibstat shows the adapters and ports of this machine"));
}

}  // namespace

UmadPort::UmadPort(const std::string& adapter, unsigned port,
                   std::span<const ManagementClass> classes) {
  agents_.fill(no_agent);
  errno = 0;
  if (umad_init() < 0) {
    throw Error(ErrorKind::fabric_access,
                "this machine has no InfiniBand management interface (/sys/class/infiniband_mad); "
                "load the kernel module ib_umad");
  }
  errno = 0;
  port_ = umad_open_port(adapter.empty() ? nullptr : adapter.c_str(), static_cast<int>(port));
  if (port_ < 0) fail_to_open(adapter, port, errno);
  // Only now, because the kernel behind the open port determines the size of the header.
  buffer_ = std::make_unique<std::byte[]>(umad_size() + mad_size);
  for (const ManagementClass& management_class : classes) {
    register_class(management_class, port_name(adapter, port));
  }
}

/// One agent sends and receives the MADs of one class.
void UmadPort::register_class(const ManagementClass& management_class, const std::string& name) {
  errno = 0;
  const int agent =
      umad_register(port_, management_class.number, management_class.version, 0, nullptr);
  if (agent < 0) {
    const int reason = errno;
    close();
    throw Error(ErrorKind::fabric_access,
                fmt::format("{} does not accept MADs of class 0x{:02x}: {}", name,
                            management_class.number, std::strerror(reason)));
  }
  agents_[management_class.number] = agent;
}

void UmadPort::close() {
  for (const int agent : agents_) {
    if (agent != no_agent) umad_unregister(port_, agent);
  }
  umad_close_port(port_);
}

UmadPort::~UmadPort() { close(); }

bool UmadPort::send(const MadBytes& mad, const Destination& to, std::chrono::milliseconds timeout) {
  const int agent = agents_[header_of(mad).management_class];
  if (agent == no_agent) {
    send_errno_ = EPROTONOSUPPORT;
    return false;
  }
  std::fill_n(buffer_.get(), umad_size(), std::byte{});
  std::memcpy(umad_get_mad(buffer_.get()), mad.data(), mad.size());
  const bool to_subnet_management = to.queue_pair == QueuePair::subnet_management;
  umad_set_addr(buffer_.get(), to.lid, static_cast<int>(to.queue_pair), to.service_level,
                to_subnet_management ? subnet_management_key : general_services_key);
  umad_set_pkey(buffer_.get(), to.pkey_index);
  constexpr int no_retries = 0;  // the exchange retries
  errno = 0;
  const int result = umad_send(port_, agent, buffer_.get(), static_cast<int>(mad.size()),
                               static_cast<int>(timeout.count()), no_retries);
  send_errno_ = result < 0 ? std::max(errno, 1) : 0;
  return result >= 0;
}

int UmadPort::file_descriptor() const { return umad_get_fd(port_); }

std::string UmadPort::send_error() const { return std::strerror(send_errno_); }

std::optional<ReceivedMad> UmadPort::receive(std::chrono::milliseconds wait) {
  // With a wait of 0, libibumad reads immediately, and a simulator's read blocks.
  if (wait <= std::chrono::milliseconds(0) && umad_poll(port_, 0) < 0) return std::nullopt;
  int length = mad_size;
  std::fill_n(buffer_.get(), umad_size() + mad_size, std::byte{});
  errno = 0;
  const int result =
      umad_recv(port_, buffer_.get(), &length,
                static_cast<int>(std::max<std::chrono::milliseconds::rep>(wait.count(), 1)));
  if (result < 0) {
    const bool nothing_came = errno == ETIMEDOUT || errno == EAGAIN || errno == EINTR;
    failed_receives_ = nothing_came ? 0 : failed_receives_ + 1;
    if (failed_receives_ == most_failed_receives) {
      throw Error(
          ErrorKind::fabric_access,
          fmt::format("the InfiniBand port no longer receives MADs: {}", std::strerror(errno)));
    }
    return std::nullopt;
  }
  failed_receives_ = 0;
  ReceivedMad received;
  std::memcpy(received.bytes.data(), umad_get_mad(buffer_.get()), mad_size);
  received.timed_out = umad_status(buffer_.get()) != 0;
  return received;
}

}  // namespace pssp
