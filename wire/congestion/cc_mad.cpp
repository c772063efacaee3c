#include "wire/congestion/cc_mad.h"

#include <fmt/format.h>

namespace pssp {

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

MadRequest mad_request(const CcRequest& request, std::uint64_t cc_key, const Destination& to) {
  return {congestion_class, request.method, static_cast<std::uint16_t>(request.attribute),
          request.modifier, cc_key,         to,
          request.data};
}

std::string_view congestion_meaning(MadReason reason) {
  switch (reason) {
    case MadReason::unknown_class:
      return "the node has no congestion control";
    case MadReason::unknown_attribute:
      return "the node has no congestion control, or its node type differs from the topology";
    case MadReason::bad_value:
      return "the node supports a smaller range or a shorter table";
    default:
      return {};
  }
}

std::string explain(const CcRequest& request, const MadFailure& failure) {
  return fmt::format("{} {}: {}", name_of(request.attribute),
                     request.method == MadMethod::set ? "not set" : "not read",
                     explain(failure, congestion_meaning));
}

}  // namespace pssp
