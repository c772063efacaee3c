#pragma once

#include <string_view>

namespace pssp {

/// Compares runs of digits as numbers: H9 comes before H10.
bool is_naturally_less(std::string_view a, std::string_view b) noexcept;

}  // namespace pssp
