#pragma once

// Sets of hosts in the notation of traffic files.
//
//   HOST           by name or description; lid N; guid 0x..
//   H1*            all with a matching name or description (* any text, ? any character)
//   {SET, SET}     union
//   all            every host
//   others         hosts that send nothing so far
//   first N        the hosts with the N lowest LIDs; last N: the N highest
//   random N       drawn with the seed of the run; random N seed S: with seed S
//
// All but the first three can be followed by `of SET`: first 25 of others.

#include <cstdint>
#include <string>
#include <vector>

#include "evaluator/paths/node_directory.h"
#include "fabric/fabric.h"
#include "simulator/traffic/traffic_tokens.h"

namespace pssp {

class HostSets {
 public:
  /// The fabric must outlive the object. O(hosts log hosts).
  HostSets(const Fabric& fabric, std::uint64_t seed);

  /// Takes a set from the front of the words: ranks, ascending, at least one. Throws Error(usage)
  /// with the error and the allowed syntax.
  std::vector<std::uint32_t> take_set(TrafficTokens& tokens);
  /// Takes one host, and returns its rank.
  std::uint32_t take_host(TrafficTokens& tokens);
  /// The rank of a host given as for NodeDirectory::find().
  std::uint32_t host(std::string_view text) const;

  /// The host sends from now on.
  void note_sender(std::uint32_t rank) { sends_[rank] = 1; }

  /// Name of a host, for messages.
  std::string name(std::uint32_t rank) const;
  /// All ranks by ascending LID.
  const std::vector<std::uint32_t>& by_lid() const noexcept { return by_lid_; }

 private:
  using Ranks = std::vector<std::uint32_t>;

  Ranks take_term(TrafficTokens& tokens, unsigned depth);
  Ranks take_braces(TrafficTokens& tokens, unsigned depth);
  Ranks take_number_of(TrafficTokens& tokens, bool from_the_end, unsigned depth);
  Ranks take_random(TrafficTokens& tokens, unsigned depth);
  Ranks take_of(TrafficTokens& tokens, unsigned depth);
  Ranks fitting(const std::string& glob) const;

  const Fabric& fabric_;
  NodeDirectory directory_;
  std::uint64_t seed_;
  std::uint64_t draws_ = 0;
  std::vector<std::uint32_t> rank_of_end_port_;
  Ranks by_lid_;
  std::vector<char> sends_;
};

}  // namespace pssp
