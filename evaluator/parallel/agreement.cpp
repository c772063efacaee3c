#include "evaluator/parallel/agreement.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "base/error.h"
#include "fabric/fabric_digest.h"

namespace pssp {
namespace {

/// Names the claims in which a process differs from the first; empty if they agree.
std::string differences(std::span<const Claim> claims, std::span<const DigestValue> first,
                        std::span<const DigestValue> other) {
  std::string text;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (first[i] == other[i]) continue;
    text += fmt::format("{}{}", text.empty() ? "" : " and ", claims[i].other);
  }
  return text;
}

}  // namespace

void InputClaims::add(const Fabric& fabric) { topology_.add_all<std::uint64_t>(digest_of(fabric)); }

void InputClaims::add(const ForwardingTables& tables) { tables_.add_all(tables.entries()); }

void InputClaims::add(const ServiceLevels& levels) { tables_.add_all(levels.entries()); }

void require_agreement(Processes& processes, std::span<const Claim> claims) {
  if (processes.count() == 1) return;
  std::vector<DigestValue> own;
  for (const Claim& claim : claims) own.push_back(claim.digest);
  const std::vector<DigestValue> all = processes.gather(own);
  const std::span<const DigestValue> digests(all);
  const std::span<const DigestValue> first = digests.first(claims.size());
  // Every process draws the same conclusion from the same digests, so that either all stop or none.
  std::string text;
  for (int rank = 1; rank < processes.count(); ++rank) {
    const std::string different =
        differences(claims, first,
                    digests.subspan(static_cast<std::size_t>(rank) * claims.size(), claims.size()));
    if (different.empty()) continue;
    text += fmt::format("{}rank {} has {}", text.empty() ? "" : ", ", rank, different);
  }
  if (text.empty()) return;
  processes.together([&text]() -> int {
    throw Error(
        ErrorKind::unreadable_input,
        fmt::format("the processes have different inputs: {} than rank 0. Give all processes the "
                    "same files, with the same content on every machine, and the same options",
                    text));
  });
}

void require_all_or_none(Processes& processes, bool has_work) {
  const std::array claims{Claim{"other options", {has_work ? 1U : 0U, 0}}};
  require_agreement(processes, claims);
}

}  // namespace pssp
