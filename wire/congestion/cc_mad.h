#pragma once

// Congestion control MADs: management class 0x21, version 2 (InfiniBand Annex A10.4.1). Behind the
// common header they have the CC_Key, 32 bytes that only CongestionLog uses, and the attribute.

#include <cstdint>
#include <string>

#include "wire/dialogue.h"
#include "wire/mad.h"

namespace pssp {

inline constexpr ManagementClass congestion_class{0x21, 2, true, 64, 192};

/// The attribute of a congestion control MAD.
using CcData = MadData;

/// Those that the tools use (Annex A10.4.3).
enum class CcAttribute : std::uint16_t {
  congestion_info = 0x0011,
  switch_setting = 0x0014,
  adapter_setting = 0x0016,
  table = 0x0017,
};
/// As the specification calls it.
const char* name_of(CcAttribute attribute);

/// A request whoever it is for, and whatever the key.
struct CcRequest {
  MadMethod method = MadMethod::get;
  CcAttribute attribute = CcAttribute::congestion_info;
  std::uint32_t modifier = 0;  ///< of a table: the block
  CcData data{};

  bool operator==(const CcRequest&) const = default;
};
MadRequest mad_request(const CcRequest& request, std::uint64_t cc_key, const Destination& to);

/// What a status means where congestion control was asked for.
std::string_view congestion_meaning(MadReason reason);

/// "CongestionInfo not read: refused, MAD status 0x0004: ..."
std::string explain(const CcRequest& request, const MadFailure& failure);

}  // namespace pssp
