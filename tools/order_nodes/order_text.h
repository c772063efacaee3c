#pragma once

// Formats of node orders for launchers.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pssp {

enum class OrderFormat : std::uint8_t {
  plain,              ///< one name per line
  slurm,              ///< one name per task: SLURM_HOSTFILE of srun -m arbitrary
  openmpi_hostfile,   ///< "name slots=8"
  openmpi_rankfile,   ///< "rank 0=name slot=0"
  mpich_machinefile,  ///< "name:8"
  torchrun,           ///< shell code that sets NODE_RANK
  kubernetes,         ///< a JSON object of indices by name
};

/// Their names on a command line, in this order.
std::vector<std::string> order_format_names();
/// From one of these names.
OrderFormat order_format(std::string_view name);

/// `names` in order; each gets this many ranks.
std::string order_text(std::span<const std::string> names, OrderFormat format,
                       std::uint32_t ranks_per_node);

}  // namespace pssp
