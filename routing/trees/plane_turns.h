#pragma once

// Ways of further LIDs by arithmetic, from those of base LIDs.

#include <cstddef>
#include <span>

namespace pssp {

/// Plane k is what tables say of the k-th LIDs of all hosts. Of a switch of rank `rank` that has
/// `paths` next hops (at least one) towards a host: which of them plane `plane` of `planes` takes
/// where plane 0 takes `way`. `usual`: by rank, how many next hops most switches below have, at
/// least one. For each plane a permutation of the paths; with as many ways as planes no two planes
/// take the same. O(rank).
std::size_t turned_path(std::size_t path, std::size_t paths, std::size_t plane, std::size_t planes,
                        std::size_t rank, std::span<const std::size_t> usual);

}  // namespace pssp
