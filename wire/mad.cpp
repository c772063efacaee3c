#include "wire/mad.h"

#include <fmt/format.h>

#include <algorithm>

#include "wire/big_endian.h"

namespace pssp {
namespace {

// Offsets in the MAD.
constexpr std::size_t base_version_at = 0, class_at = 1, class_version_at = 2, method_at = 3,
                      status_at = 4, transaction_at = 8, attribute_at = 16, modifier_at = 20,
                      key_at = 24, data_at = 64;

constexpr std::uint16_t busy = 0x0001, redirect = 0x0002;
/// Bits 2..4: why the MAD was not understood.
constexpr unsigned reason_of(std::uint16_t status) { return (status >> 2) & 7U; }

std::string explain_reason(unsigned reason) {
  switch (reason) {
    case 1:
      return "class or class version not supported: it has no congestion control";
    case 2:
      return "method not supported";
    case 3:
      return "method not supported for this attribute: it has no congestion control, or is of "
             "another node type than the topology says";
    case 7:
      return "a value in the attribute or its modifier is not valid: the node supports a smaller "
             "range or a shorter table";
    default:
      return fmt::format("reserved reason {}", reason);
  }
}

}  // namespace

const char* name_of(CcAttribute attribute) {
  switch (attribute) {
    case CcAttribute::congestion_info:
      return "CongestionInfo";
    case CcAttribute::switch_setting:
      return "SwitchCongestionSetting";
    case CcAttribute::adapter_setting:
      return "CACongestionSetting";
    case CcAttribute::table:
      return "CongestionControlTable";
  }
  return "";
}

MadBytes encode(const CcRequest& request, std::uint64_t cc_key, std::uint32_t transaction) {
  MadBytes mad{};
  const std::span<std::uint8_t> bytes(mad);
  mad[base_version_at] = 1;
  mad[class_at] = cc_class;
  mad[class_version_at] = cc_class_version;
  mad[method_at] = static_cast<std::uint8_t>(request.method);
  put<std::uint64_t>(bytes.subspan(transaction_at), transaction);
  put(bytes.subspan(attribute_at), static_cast<std::uint16_t>(request.attribute));
  put(bytes.subspan(modifier_at), request.modifier);
  put(bytes.subspan(key_at), cc_key);
  std::ranges::copy(request.data, bytes.subspan(data_at).begin());
  return mad;
}

std::uint32_t transaction_of(std::span<const std::uint8_t, mad_size> mad) {
  return static_cast<std::uint32_t>(take<std::uint64_t>(mad.subspan(transaction_at)));
}

bool answers(std::span<const std::uint8_t, mad_size> mad, const CcRequest& request) {
  return mad[class_at] == cc_class &&
         mad[method_at] == static_cast<std::uint8_t>(CcMethod::get_response) &&
         take<std::uint16_t>(mad.subspan(attribute_at)) ==
             static_cast<std::uint16_t>(request.attribute) &&
         take<std::uint32_t>(mad.subspan(modifier_at)) == request.modifier;
}

CcResponse decode_response(std::span<const std::uint8_t, mad_size> mad) {
  CcResponse response;
  response.status = take<std::uint16_t>(mad.subspan(status_at));
  std::ranges::copy(mad.subspan(data_at), response.data.begin());
  return response;
}

std::string explain_mad_status(std::uint16_t status) {
  std::string text = fmt::format("MAD status 0x{:04x}", status);
  if ((status & busy) != 0) text += ": busy, try again later";
  if ((status & redirect) != 0) text += ": it asks to be addressed elsewhere (redirection)";
  if (reason_of(status) != 0) text += ": " + explain_reason(reason_of(status));
  if ((status >> 8) != 0) text += fmt::format(": reason 0x{:02x} of the class itself", status >> 8);
  return text;
}

}  // namespace pssp
