#pragma once

// Congestion control MADs: management class 0x21, version 2 (InfiniBand Annex A10.4.1). The common
// header is followed by the CC_Key, 32 bytes that only CongestionLog uses, and the attribute.

#include <cstdint>
#include <string>

#include "wire/dialogue.h"
#include "wire/mad.h"

namespace pssp {

inline constexpr ManagementClass congestion_class{0x21, 2, true, 64, 192};

/// The attribute of a congestion control MAD.
using CcData = MadData;

/// The attributes that the tools use (Annex A10.4.3).
enum class CcAttribute : std::uint16_t {
  congestion_info = 0x0011,
  switch_setting = 0x0014,
  adapter_setting = 0x0016,
  table = 0x0017,
};
/// The name in the specification.
const char* name_of(CcAttribute attribute);

/// A request without its destination and key.
struct CcRequest {
  MadMethod method = MadMethod::get;
  CcAttribute attribute = CcAttribute::congestion_info;
  std::uint32_t modifier = 0;  ///< of a table: the block
  CcData data{};

  bool operator==(const CcRequest&) const = default;
};
MadRequest mad_request(const CcRequest& request, std::uint64_t cc_key, const Destination& to);

/// The meaning of a status in congestion control.
std::string_view congestion_meaning(MadReason reason);

/// "CongestionInfo not read: refused, MAD status 0x0004: ..."
std::string explain(const CcRequest& request, const MadFailure& failure);

}  // namespace pssp
