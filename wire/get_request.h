#pragma once

// Makes all requests of subnet management and performance management. Programs that only read a
// fabric must not change it: a Set of one of these classes does not compile here, and GetOnlyPort
// permits only Get at run time.

#include "wire/mad.h"
#include "wire/mad_port.h"

namespace pssp {

inline constexpr ManagementClass performance_class{0x04, 1, false, 64, 192};

/// Classes in which this project never sets anything.
consteval bool is_read_only(const ManagementClass& of) {
  return of == subnet_class || of == directed_subnet_class || of == performance_class;
}

/// A request of class `of` to `to`.
template <ManagementClass of, MadMethod method = MadMethod::get>
requires(!is_read_only(of) || method == MadMethod::get) MadRequest
    request_of(std::uint16_t attribute, std::uint32_t modifier, const Destination& to,
               std::uint64_t key = 0) {
  MadRequest request;
  request.management_class = of;
  request.method = method;
  request.attribute = attribute;
  request.modifier = modifier;
  request.key = key;
  request.to = to;
  return request;
}

/// Subnet management, in the class that the destination requires.
inline MadRequest subnet_request(std::uint16_t attribute, std::uint32_t modifier,
                                 const Destination& to, std::uint64_t m_key) {
  return to.lid == permissive_lid
             ? request_of<directed_subnet_class>(attribute, modifier, to, m_key)
             : request_of<subnet_class>(attribute, modifier, to, m_key);
}

/// A port that sends only Get requests, and counts them. The other port must outlive it.
class GetOnlyPort final : public MadPort {
 public:
  explicit GetOnlyPort(MadPort& port) : port_(port) {}

  /// Throws Error(internal) for a MAD of any other method.
  bool send(const MadBytes& mad, const Destination& to, std::chrono::milliseconds timeout) override;
  std::string send_error() const override { return port_.send_error(); }
  std::optional<ReceivedMad> receive(std::chrono::milliseconds wait) override;
  int file_descriptor() const override { return port_.file_descriptor(); }

  std::uint64_t sent() const noexcept { return sent_; }            ///< retries included
  std::uint64_t timed_out() const noexcept { return timed_out_; }  ///< of these, without an answer

 private:
  MadPort& port_;
  std::uint64_t sent_ = 0, timed_out_ = 0;
};

}  // namespace pssp
