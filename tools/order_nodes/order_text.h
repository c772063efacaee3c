#pragma once

// An order of nodes, as those who start jobs read it.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pssp {

enum class OrderFormat : std::uint8_t {
  plain,              ///< a name a line
  slurm,              ///< a name a task: SLURM_HOSTFILE of srun -m arbitrary
  openmpi_hostfile,   ///< "name slots=8"
  openmpi_rankfile,   ///< "rank 0=name slot=0"
  mpich_machinefile,  ///< "name:8"
  torchrun,           ///< a piece of shell that sets NODE_RANK
  kubernetes,         ///< a JSON object of indices by name
};

/// Their words on a command line, in this order.
std::vector<std::string> order_format_names();
/// Of a word of these.
OrderFormat order_format(std::string_view name);

/// `names` in their order; each is to have so many ranks.
std::string order_text(std::span<const std::string> names, OrderFormat format,
                       std::uint32_t ranks_per_node);

}  // namespace pssp
