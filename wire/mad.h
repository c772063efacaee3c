#pragma once

// The congestion control MAD: management class 0x21, version 2 (InfiniBand Annex A10.4.1). Its 256
// bytes are the common MAD header, the CC_Key, 32 bytes that only CongestionLog uses, and 192 bytes
// for the attribute. Numbers are big-endian.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace pssp {

inline constexpr std::size_t mad_size = 256;
using MadBytes = std::array<std::uint8_t, mad_size>;
/// The attribute of a congestion control MAD.
using CcData = std::array<std::uint8_t, 192>;

inline constexpr std::uint8_t cc_class = 0x21;
inline constexpr std::uint8_t cc_class_version = 2;

enum class CcMethod : std::uint8_t { get = 0x01, set = 0x02, get_response = 0x81 };

/// Those that the tools use (Annex A10.4.3).
enum class CcAttribute : std::uint16_t {
  congestion_info = 0x0011,
  switch_setting = 0x0014,
  adapter_setting = 0x0016,
  table = 0x0017,
};
/// As the specification calls it.
const char* name_of(CcAttribute attribute);

struct CcRequest {
  CcMethod method = CcMethod::get;
  CcAttribute attribute = CcAttribute::congestion_info;
  std::uint32_t modifier = 0;  ///< of a table: the block
  CcData data{};
};

/// `transaction` is the lower half of the transaction ID, by which the response is recognised; the
/// upper half belongs to the kernel.
MadBytes encode(const CcRequest& request, std::uint64_t cc_key, std::uint32_t transaction);

struct CcResponse {
  std::uint16_t status = 0;  ///< 0: done; see explain_mad_status()
  CcData data{};
};

/// Lower half of the transaction ID.
std::uint32_t transaction_of(std::span<const std::uint8_t, mad_size> mad);
/// True when `mad` is a response of class 0x21 that answers `request`.
bool answers(std::span<const std::uint8_t, mad_size> mad, const CcRequest& request);
/// Status and attribute of a response.
CcResponse decode_response(std::span<const std::uint8_t, mad_size> mad);

/// The status of a response in words (InfiniBand architecture 1.3, 13.4.7), not 0: what it says and
/// what it means for congestion control.
std::string explain_mad_status(std::uint16_t status);

}  // namespace pssp
