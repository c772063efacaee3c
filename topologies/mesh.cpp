// One loop adds all switches; a second loop connects each switch to its neighbor in the plus
// direction of each dimension. A single function computes the port numbers, so the numbering of the
// thesis differs from the regular numbering only there.

#include "topologies/mesh.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "base/error.h"
#include "topologies/thesis_mesh.h"

namespace pssp {
namespace {

using Coordinates = std::vector<unsigned>;

/// Advances to the next coordinates; the last one varies fastest. False after the last coordinates.
bool advance(Coordinates& at, const std::vector<unsigned>& sizes) {
  for (std::size_t d = sizes.size(); d-- > 0;) {
    if (++at[d] < sizes[d]) return true;
    at[d] = 0;
  }
  return false;
}

class MeshDrawing {
 public:
  explicit MeshDrawing(const MeshParameters& parameters) : mesh_(parameters) {}

  CablingPlan draw() {
    Coordinates at(mesh_.sizes.size(), 0);
    do {
      draw_switch(at);
    } while (advance(at, mesh_.sizes));
    do {
      for (unsigned d = 0; d < mesh_.sizes.size(); ++d) cable_to_next(at, d);
    } while (advance(at, mesh_.sizes));
    return std::move(plan_);
  }

 private:
  void draw_switch(const Coordinates& at) {
    const bool thesis = mesh_.ports == MeshPorts::thesis;
    const std::string place =
        thesis ? thesis_name("SW", at) : fmt::format("switch {}", fmt::join(at, ","));
    const PlanNodeId id = plan_.add_switch(port_count(at), place, thesis ? place : std::string());
    switches_.push_back(id);
    for (unsigned host = 1; host <= mesh_.hosts; ++host) {
      if (thesis) {
        const std::string name = fmt::format("{}{}", thesis_name("H", at), host);
        plan_.add_host({id, host}, name, name);
      } else {
        plan_.add_host({id, host}, fmt::format("{} host {}", place, host));
      }
    }
  }

  void cable_to_next(const Coordinates& at, unsigned dimension) {
    const unsigned size = mesh_.sizes[dimension];
    const bool is_last = at[dimension] + 1 == size;
    if (is_last && (!mesh_.wraps || size <= 2)) return;
    Coordinates next = at;
    next[dimension] = (at[dimension] + 1) % size;
    for (unsigned copy = 0; copy < mesh_.parallel; ++copy) {
      plan_.connect({switch_at(at), port(at, dimension, true, copy)},
                    {switch_at(next), port(next, dimension, false, copy)});
    }
  }

  unsigned port_count(const Coordinates& at) const {
    if (mesh_.ports == MeshPorts::thesis) return mesh_.hosts + thesis_link_count(mesh_, at);
    return mesh_.hosts + 2 * static_cast<unsigned>(mesh_.sizes.size()) * mesh_.parallel;
  }

  unsigned port(const Coordinates& at, unsigned dimension, bool plus, unsigned copy) const {
    if (mesh_.ports == MeshPorts::thesis)
      return mesh_.hosts + 1 + thesis_link_index(mesh_, at, dimension, plus);
    return mesh_.hosts + 1 + (2 * dimension + (plus ? 1 : 0)) * mesh_.parallel + copy;
  }

  PlanNodeId switch_at(const Coordinates& at) const {
    std::size_t index = 0;
    for (std::size_t d = 0; d < at.size(); ++d) index = index * mesh_.sizes[d] + at[d];
    return switches_[index];
  }

  const MeshParameters& mesh_;
  CablingPlan plan_;
  std::vector<PlanNodeId> switches_;
};

void check(const MeshParameters& mesh) {
  std::uint64_t switches = 1;
  for (const unsigned size : mesh.sizes) switches = saturating_product(switches, size);
  if (mesh.sizes.empty() || switches == 0 || mesh.parallel == 0) {
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "mesh {} with {} cables between neighbors: expected at least one dimension, and "
            "sizes and cables of at least 1",
            fmt::join(mesh.sizes, "x"), mesh.parallel));
  }
  const std::string what =
      fmt::format("{} {}", mesh.wraps ? "torus" : "mesh", fmt::join(mesh.sizes, "x"));
  require_lid_space(what, switches, saturating_product(switches, mesh.hosts));
  const std::uint64_t cables = saturating_product(2 * mesh.sizes.size(), mesh.parallel);
  if (cables > max_port_number || mesh.hosts + cables > max_port_number) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: a switch with {} hosts and {} cables in each of {} directions would "
                    "need more than {} ports",
                    what, mesh.hosts, mesh.parallel, 2 * mesh.sizes.size(), max_port_number));
  }
  if (mesh.ports == MeshPorts::thesis) require_thesis_mesh(mesh);
}

}  // namespace

CablingPlan make_mesh(const MeshParameters& parameters) {
  check(parameters);
  return MeshDrawing(parameters).draw();
}

}  // namespace pssp
