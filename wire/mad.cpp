// The bytes of MADs.
//
// The header is the same in all classes with one exception: in a directed-route MAD, the highest
// bit of the status indicates the way back, and the two bytes after the status count hops
// (InfiniBand architecture 1.3, 14.2.1.2). The routes in both directions fill its second half;
// permissive LIDs as source and destination mean that no part of the path uses forwarding tables.

#include "wire/mad.h"

#include <fmt/format.h>

#include <algorithm>

#include "wire/big_endian.h"

namespace pssp {
namespace {

// Offsets in the MAD.
constexpr std::size_t base_version_at = 0, class_at = 1, class_version_at = 2, method_at = 3,
                      status_at = 4, transaction_at = 8, attribute_at = 16, modifier_at = 20,
                      key_at = 24;
// Offsets in a directed-route MAD.
constexpr std::size_t hop_count_at = 7, route_from_lid_at = 32, route_to_lid_at = 34,
                      route_at = 128;
constexpr std::uint16_t direction_bit = 0x8000;

constexpr MadReason reason_of(std::uint16_t status) {
  return static_cast<MadReason>((status >> 2) & 7U);
}

std::string explain_reason(MadReason reason) {
  switch (reason) {
    case MadReason::unknown_class:
      return "class or class version not supported";
    case MadReason::unknown_method:
      return "method not supported";
    case MadReason::unknown_attribute:
      return "method not supported for this attribute";
    case MadReason::bad_value:
      return "a value in the attribute or its modifier is not valid";
    default:
      return fmt::format("reserved reason {}", static_cast<unsigned>(reason));
  }
}

void put_route(std::span<std::uint8_t> mad, const DirectedRoute& route) {
  mad[hop_count_at] = route.hops;
  put(mad.subspan(route_from_lid_at), permissive_lid);
  put(mad.subspan(route_to_lid_at), permissive_lid);
  std::ranges::copy(route.port, mad.subspan(route_at).begin());
}

}  // namespace

MadBytes encode(const MadRequest& request, std::uint64_t transaction) {
  MadBytes mad{};
  const std::span<std::uint8_t> bytes(mad);
  const ManagementClass& of = request.management_class;
  mad[base_version_at] = 1;
  mad[class_at] = of.number;
  mad[class_version_at] = of.version;
  mad[method_at] = static_cast<std::uint8_t>(request.method);
  put(bytes.subspan(transaction_at), transaction);
  put(bytes.subspan(attribute_at), request.attribute);
  put(bytes.subspan(modifier_at), request.modifier);
  if (of.has_key) put(bytes.subspan(key_at), request.key);
  std::copy_n(request.data.begin(), of.data_size, bytes.subspan(of.data_offset).begin());
  if (of.number == directed_subnet_class.number) put_route(bytes, request.to.route);
  return mad;
}

MadHeader header_of(std::span<const std::uint8_t, mad_size> mad) {
  MadHeader header;
  header.management_class = mad[class_at];
  header.class_version = mad[class_version_at];
  header.method = mad[method_at];
  header.status = take<std::uint16_t>(mad.subspan(status_at));
  if (header.management_class == directed_subnet_class.number) {
    header.status = static_cast<std::uint16_t>(header.status & ~direction_bit);
  }
  header.transaction = take<std::uint64_t>(mad.subspan(transaction_at));
  header.attribute = take<std::uint16_t>(mad.subspan(attribute_at));
  header.modifier = take<std::uint32_t>(mad.subspan(modifier_at));
  return header;
}

bool answers(std::span<const std::uint8_t, mad_size> mad, const MadRequest& request) {
  const MadHeader header = header_of(mad);
  return header.management_class == request.management_class.number &&
         header.method == static_cast<std::uint8_t>(MadMethod::get_response) &&
         header.attribute == request.attribute && header.modifier == request.modifier;
}

MadAnswer decode_answer(std::span<const std::uint8_t, mad_size> mad,
                        const ManagementClass& management_class) {
  MadAnswer answer;
  answer.status = header_of(mad).status;
  std::ranges::copy(mad.subspan(management_class.data_offset, management_class.data_size),
                    answer.data.begin());
  return answer;
}

std::string explain_mad_status(std::uint16_t status, ReasonMeaning meaning) {
  std::string text = fmt::format("MAD status 0x{:04x}", status);
  if ((status & mad_status::busy) != 0) text += ": busy, try again later";
  if ((status & mad_status::redirect) != 0) {
    text += ": the node redirects requests to another address";
  }
  if (const MadReason reason = reason_of(status); reason != MadReason::none) {
    text += ": " + explain_reason(reason);
    const std::string_view means = meaning == nullptr ? std::string_view{} : meaning(reason);
    if (!means.empty()) text.append(": ").append(means);
  }
  if ((status >> 8) != 0) text += fmt::format(": class-specific reason 0x{:02x}", status >> 8);
  return text;
}

}  // namespace pssp
