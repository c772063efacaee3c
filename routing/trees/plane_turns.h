#pragma once

// Computes the paths of further LIDs from those of base LIDs.

#include <cstddef>
#include <span>

namespace pssp {

/// Plane k contains the k-th LIDs of all hosts. At a switch of rank `rank` with `paths` next hops
/// (at least one) towards a host, returns the next hop of plane `plane` of `planes` if plane 0 uses
/// `path`. `usual`: by rank, the usual number of next hops of the switches below, at least one. A
/// permutation of the paths for each plane; if there are as many paths as planes, all planes
/// differ. O(rank).
std::size_t turned_path(std::size_t path, std::size_t paths, std::size_t plane, std::size_t planes,
                        std::size_t rank, std::span<const std::size_t> usual);

}  // namespace pssp
