#pragma once

// A management datagram (MAD) of any class: 256 bytes, beginning with the common header of 24 bytes
// (InfiniBand architecture 1.3, 13.4.2). The position of the attribute depends on the class.
// Numbers are big-endian. The folders below wire/ interpret the attributes of their class.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

#include "wire/destination.h"

namespace pssp {

inline constexpr std::size_t mad_size = 256;
using MadBytes = std::array<std::uint8_t, mad_size>;
/// The attribute of a MAD; a class may use less: see ManagementClass::data_size.
using MadData = std::array<std::uint8_t, 192>;

/// A class, and the position of the attribute in its MADs. Classes with a key of 64 bits (M_Key,
/// CC_Key) have it right after the common header.
struct ManagementClass {
  std::uint8_t number = 0;
  std::uint8_t version = 0;
  bool has_key = false;
  std::size_t data_offset = 64;
  std::size_t data_size = std::tuple_size_v<MadData>;

  bool operator==(const ManagementClass&) const = default;
};

/// The same attributes, by LID and by directed route.
inline constexpr ManagementClass subnet_class{0x01, 1, true, 64, 64};
inline constexpr ManagementClass directed_subnet_class{0x81, 1, true, 64, 64};

enum class MadMethod : std::uint8_t { get = 0x01, set = 0x02, get_response = 0x81 };

struct MadRequest {
  ManagementClass management_class;
  MadMethod method = MadMethod::get;
  std::uint16_t attribute = 0;
  std::uint32_t modifier = 0;
  std::uint64_t key = 0;  ///< only sent in classes with keys
  Destination to;
  MadData data{};  ///< sent up to the data_size of the class
};

struct MadHeader {
  std::uint8_t management_class = 0, class_version = 0, method = 0;
  std::uint16_t status = 0;  ///< without the direction bit of directed routes
  /// The kernel of the sender owns and changes the upper half.
  std::uint64_t transaction = 0;
  std::uint16_t attribute = 0;
  std::uint32_t modifier = 0;
};

struct MadAnswer {
  std::uint16_t status = 0;  ///< 0: done; see explain_mad_status()
  MadData data{};
};

/// The bytes of a request. With directed_subnet_class they contain the route to its destination.
MadBytes encode(const MadRequest& request, std::uint64_t transaction);
MadHeader header_of(std::span<const std::uint8_t, mad_size> mad);
/// Whether `mad` is a response to `request`, ignoring the transaction.
bool answers(std::span<const std::uint8_t, mad_size> mad, const MadRequest& request);
/// Status and attribute of a response of that class.
MadAnswer decode_answer(std::span<const std::uint8_t, mad_size> mad,
                        const ManagementClass& management_class);

/// Bits of a status after which the request can still succeed.
namespace mad_status {
inline constexpr std::uint16_t busy = 0x0001, redirect = 0x0002;
}
/// Why the receiver rejected a MAD: bits 2 to 4 of its status.
enum class MadReason : std::uint8_t {
  none = 0,
  unknown_class = 1,
  unknown_method = 2,
  unknown_attribute = 3,
  bad_value = 7,
};

/// The meaning of a reason in a class; empty if the class adds nothing.
using ReasonMeaning = std::string_view (*)(MadReason);
/// The status of a response as text (InfiniBand architecture 1.3, 13.4.7); must not be 0.
std::string explain_mad_status(std::uint16_t status, ReasonMeaning meaning = nullptr);

}  // namespace pssp
