// Dimension-order routing: a packet corrects its coordinates one dimension after the other, in a
// fixed order (first x, then y ...). In a mesh, the routes are minimal and free of credit loops:
// within a dimension a packet never turns back, and it only continues to later dimensions (W. J.
// Dally, C. L. Seitz, Deadlock-free message routing in multiprocessor interconnection networks,
// IEEE Trans. Computers 36, 1987). In rings of a torus, packets take the shorter direction; their
// routes form credit loops, which virtual lanes must break.
//
// An entry depends only on the coordinates of the switch and of the destination, so each row of the
// tables is computed separately. Two choices remain, and balance the loads:
// - Ring of even size, opposite destination: destinations alternate between the two directions, so
//   that the numbers of such destinations differ by at most one at each switch. The first direction
//   alternates along the ring; otherwise, all switches would send the surplus one the same way
//   round.
// - Parallel links: each destination uses the link that is least loaded afterwards. In a row of a
//   mesh, all destinations ahead cause equally many routes; in a ring, nearer ones cause more,
//   since packets come from up to half the ring away.
//
// If links or switches are missing (damaged_mesh.h), an entry stays if its link exists and leads
// nearer to the destination; the others are chosen among all minimal paths as in engine heal
// (heal_tables.h), without regard to the order of dimensions.

#include "routing/engines/mesh_dor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/error.h"
#include "base/printable.h"
#include "fabric/lid_counts.h"
#include "routing/engines/parts/counts/destination_order.h"
#include "routing/engines/parts/local_search/heal_tables.h"
#include "routing/mesh/coordinates_file.h"
#include "routing/mesh/damaged_mesh.h"
#include "routing/mesh/mesh_coordinates.h"
#include "routing/mesh/mesh_recognition.h"

namespace pssp {
namespace {

/// The links to one neighbour.
class Cable {
 public:
  void add(PortNumber port, double cost) { strands_.push_back({port, cost, 0}); }
  bool is_parallel() const noexcept { return strands_.size() > 1; }
  /// The port of a single link; no_port if there are several links or none.
  PortNumber only_port() const noexcept {
    return strands_.size() == 1 ? strands_.front().port : no_port;
  }

  /// The port for one more destination, to which `routes` routes use these links; no_port if the
  /// links are missing.
  PortNumber take(double routes) {
    if (strands_.empty()) return no_port;
    Strand* best = strands_.data();
    for (Strand& each : strands_) {
      if ((each.routes + routes) * each.cost < (best->routes + routes) * best->cost) best = &each;
    }
    best->routes += routes;
    return best->port;
  }

 private:
  struct Strand {
    PortNumber port;
    double cost;    // relative to the capacity
    double routes;  // given so far
  };
  std::vector<Strand> strands_;  // ascending by port
};

/// The next hops of one switch along one dimension, by coordinate of the destination.
class Row {
 public:
  Row(MeshDimension dimension, std::uint32_t own)
      : dimension_(dimension), own_(own), next_is_up_(own % 2 == 0) {}

  Cable& cable(bool up) { return cables_[up ? 1 : 0]; }

  /// Call this function after all cables have been added.
  void prepare() {
    only_port_.assign(dimension_.size, no_port);
    for (std::uint32_t to = 0; to < dimension_.size; ++to) {
      if (to != own_ && !is_opposite(to)) only_port_[to] = cable(is_above(to)).only_port();
    }
  }

  /// The port towards a coordinate if there is only one, else no_port.
  PortNumber only_port(std::uint32_t to) const noexcept { return only_port_[to]; }

  /// The port for one more destination at that coordinate.
  PortNumber take(std::uint32_t to) {
    bool up = false;
    if (is_opposite(to)) {
      up = next_is_up_;
      next_is_up_ = !next_is_up_;
    } else {
      up = is_above(to);
    }
    return cable(up).take(routes_towards(distance(up, to)));
  }

 private:
  /// Hops to a coordinate when going up (or down) only.
  std::uint32_t distance(bool up, std::uint32_t to) const {
    const std::uint32_t from = up ? own_ : to;
    const std::uint32_t end = up ? to : own_;
    return end >= from ? end - from : end + dimension_.size - from;
  }

  bool is_opposite(std::uint32_t to) const {
    return dimension_.ring && 2 * distance(true, to) == dimension_.size;
  }
  /// Whether the direction up is shorter.
  bool is_above(std::uint32_t to) const {
    return dimension_.ring ? 2 * distance(true, to) < dimension_.size : to > own_;
  }

  /// Number of routes through this switch to a destination `ahead` hops ahead, relative to other
  /// distances: the number of switches of the row that send in this direction over this switch. In
  /// a row that is not a ring, these are all switches behind it, for any distance (returns 1). In a
  /// ring, they are within half its size of the destination; if the size is even, the farthest one
  /// is opposite, and uses this direction for half of the destinations.
  double routes_towards(std::uint32_t ahead) const {
    if (!dimension_.ring) return 1;
    const std::uint32_t switches = dimension_.size / 2 - ahead + 1;
    return dimension_.size % 2 == 0 ? switches - 0.5 : switches;
  }

  MeshDimension dimension_;
  std::uint32_t own_;
  bool next_is_up_;
  std::vector<PortNumber> only_port_;  // by coordinate
  std::array<Cable, 2> cables_;        // down, up
};

/// Fills the rows of the tables that belong to the switches of one mesh.
class MeshRouter {
 public:
  /// `index`: by SwitchId, the position in mesh.switches. `plane`: routes only these LIDs of end
  /// ports (0: base LIDs); the LIDs of switches belong to plane 0.
  MeshRouter(const Fabric& fabric, const MeshCoordinates& mesh,
             std::span<const std::uint32_t> index, std::optional<unsigned> plane = std::nullopt)
      : fabric_(fabric), mesh_(mesh), index_(index) {
    const DestinationOrder order = destinations_by_switch(fabric, mesh.switches);
    for (const auto* groups : {&order.endpoints, &order.others}) {
      for (const DestinationGroup& group : *groups) {
        for (const Lid lid : group.lids) {
          if (plane && plane_of(lid) != *plane) continue;
          destinations_.push_back({index[group.at.value()], lid, fabric.delivery(lid).port});
        }
      }
    }
  }

  void route(ForwardingTables& tables, const StopSignal& stop) const {
    for (std::size_t i = 0; i < mesh_.switches.size(); ++i) {
      stop.check("dimension-order routing", mesh_.switches[i], mesh_.switches);
      std::vector<Row> rows = rows_of(i);
      const auto own = mesh_.of(i);
      for (const auto& [at, lid, delivery_port] : destinations_) {
        const auto target = mesh_.of(at);
        const auto d = static_cast<std::size_t>(
            std::mismatch(own.begin(), own.end(), target.begin()).first - own.begin());
        PortNumber port = delivery_port;
        if (d < rows.size()) {
          port = rows[d].only_port(target[d]);
          if (port == no_port) port = rows[d].take(target[d]);
        }
        tables.set(mesh_.switches[i], lid, port);
      }
    }
  }

 private:
  struct Destination {
    std::uint32_t at;  // place in mesh.switches
    Lid lid;
    PortNumber delivery_port;
  };

  unsigned plane_of(Lid lid) const {
    const LidOwner owner = fabric_.owner(lid);
    if (owner.kind != LidOwner::Kind::end_port) return 0;
    return lid - fabric_.end_port(EndPortId(owner.index)).lid;
  }

  std::vector<Row> rows_of(std::size_t i) const {
    std::vector<Row> rows;
    for (std::size_t d = 0; d < mesh_.dimensions.size(); ++d) {
      rows.emplace_back(mesh_.dimensions[d], mesh_.of(i)[d]);
    }
    const std::uint32_t s = mesh_.switches[i].value();
    for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
      const std::uint32_t to = index_[fabric_.channel_head()[c]];
      const auto step = mesh_step(mesh_.dimensions, mesh_.of(i), mesh_.of(to));
      rows[step->dimension].cable(step->up).add(fabric_.channel_out_port()[c],
                                                fabric_.channel_cost()[c]);
    }
    for (Row& row : rows) row.prepare();
    return rows;
  }

  const Fabric& fabric_;
  const MeshCoordinates& mesh_;
  std::span<const std::uint32_t> index_;
  std::vector<Destination> destinations_;
};

constexpr std::string_view mesh_dor_name = "meshdor";
struct MeshDorOptions {
  std::string coordinates;
  std::string dimension_order;
};
constexpr std::array mesh_dor_lines{
    file_option<&MeshDorOptions::coordinates>(
        "coordinates", "FILE",
        "file with the coordinates of the switches, instead of deriving them from the cabling"),
    text_option<&MeshDorOptions::dimension_order>(
        "dimension_order", "e.g. 2-0-1",
        "order in which routes take the dimensions, by number as found or as in the file")};
constexpr OptionTable<MeshDorOptions> mesh_dor_table{mesh_dor_lines};

/// "2-0-1": a permutation of 0 .. n - 1.
std::vector<std::uint32_t> parse_dimension_order(std::string_view text) {
  std::vector<std::uint32_t> order;
  bool valid = true;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (valid && at != end) {
    std::uint32_t dimension = 0;
    const auto [rest, status] = std::from_chars(at, end, dimension);
    valid = status == std::errc{} && (rest == end || (*rest == '-' && rest + 1 != end));
    order.push_back(dimension);
    at = rest == end ? end : rest + 1;
  }
  std::vector<bool> seen(order.size(), false);
  for (const std::uint32_t d : order) {
    valid = valid && d < order.size() && !seen[d];
    if (valid) seen[d] = true;
  }
  if (!valid) {
    throw Error(ErrorKind::usage,
                fmt::format("option dimension_order={}: not an order of dimensions; expected each "
                            "number from 0 up once, joined by '-', e.g. 2-0-1",
                            excerpt(text)));
  }
  return order;
}

/// The order of dimensions of plane `plane`: each pair of planes has another rotation, far from the
/// previous ones, and the second plane of the pair has the reverse order.
std::vector<std::uint32_t> order_of_plane(unsigned plane, std::size_t dimensions) {
  const std::size_t far = plane / 2 * std::max<std::size_t>(1, dimensions / 2);
  std::vector<std::uint32_t> order(dimensions);
  for (std::size_t i = 0; i < dimensions; ++i) {
    order[i] = static_cast<std::uint32_t>((i + far + far / dimensions) % dimensions);
  }
  if (plane % 2 != 0) std::reverse(order.begin(), order.end());
  return order;
}

struct MeshRouting {
  ForwardingTables tables;
  std::vector<std::string> warnings;
};

/// Routes meshes by the options of the engine.
class MeshDor {
 public:
  explicit MeshDor(const EngineOptions& given) {
    const MeshDorOptions options = given.read(mesh_dor_name, mesh_dor_table);
    order_ = parse_dimension_order(options.dimension_order);
    if (!options.coordinates.empty()) file_ = read_coordinates(options.coordinates);
  }

  MeshRouting route(const Fabric& fabric, const StopSignal& stop) const {
    ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
    const Meshes meshes = meshes_of(fabric);
    const std::vector<std::uint32_t> index = index_of(fabric, meshes.all);
    for (const MeshCoordinates& mesh : meshes.all) {
      MeshRouter(fabric, mesh, index).route(tables, stop);
    }
    return repaired(fabric, meshes, std::move(tables), stop);
  }

  MeshRouting route_in_planes(const Fabric& fabric, const StopSignal& stop) const {
    ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
    const Meshes meshes = meshes_of(fabric);
    const std::vector<std::uint32_t> index = index_of(fabric, meshes.all);
    const unsigned planes = most_lids_of_an_end_port(fabric);
    for (const MeshCoordinates& mesh : meshes.all) {
      const std::size_t dimensions = mesh.dimensions.size();
      for (unsigned plane = 0; plane < planes; ++plane) {
        const MeshCoordinates turned =
            dimensions == 0 ? mesh : reorder_dimensions(mesh, order_of_plane(plane, dimensions));
        MeshRouter(fabric, turned, index, plane).route(tables, stop);
      }
    }
    return repaired(fabric, meshes, std::move(tables), stop);
  }

 private:
  struct Meshes {
    std::vector<MeshCoordinates> all;
    bool have_gaps = false;
  };

  Meshes meshes_of(const Fabric& fabric) const {
    Meshes meshes = file_ ? meshes_of_file(fabric) : recognise(fabric);
    for (MeshCoordinates& mesh : meshes.all) {
      if (!order_.empty() && !mesh.dimensions.empty()) mesh = reordered(fabric, mesh);
    }
    return meshes;
  }

  /// If the fabric is no damaged mesh either, the error of the complete mesh is most helpful.
  static Meshes recognise(const Fabric& fabric) {
    try {
      return {recognise_meshes(fabric)};
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::unsuitable_topology) throw;
      std::optional<std::vector<MeshCoordinates>> damaged = recognise_damaged_meshes(fabric);
      if (!damaged) throw;
      return {*std::move(damaged), true};
    }
  }

  Meshes meshes_of_file(const Fabric& fabric) const {
    Meshes meshes{meshes_from_file(fabric, *file_)};
    meshes.have_gaps = find_gaps(fabric, meshes.all.front()).any();
    return meshes;
  }

  static MeshGaps find_gaps(const Fabric& fabric, const MeshCoordinates& mesh) {
    return require_damaged_mesh(fabric, mesh, "coordinates in use");
  }

  /// Keeps entries that lead nearer to the destination; chooses the others as in engine heal.
  static MeshRouting repaired(const Fabric& fabric, const Meshes& meshes, ForwardingTables tables,
                              const StopSignal& stop) {
    if (!meshes.have_gaps) return {std::move(tables), {}};
    std::vector<std::string> warnings;
    for (const MeshCoordinates& mesh : meshes.all) {
      const MeshGaps gaps = find_gaps(fabric, mesh);
      if (gaps.any()) warnings.push_back(describe(fabric, mesh, gaps));
    }
    return {heal_tables(fabric, fabric, std::move(tables), {}, stop), std::move(warnings)};
  }

  static std::string describe(const Fabric& fabric, const MeshCoordinates& mesh,
                              const MeshGaps& gaps) {
    const auto count = [](std::size_t n, std::string_view word) {
      return fmt::format("{} {}{}", n, word, n == 1 ? "" : word == "switch" ? "es" : "s");
    };
    return fmt::format(
        "the mesh of switch {} ({}) lacks {}{}; the repaired routes around these gaps may need "
        "more virtual lanes than the complete mesh",
        fabric.label(mesh.switches.front()), sizes_of(mesh), count(gaps.links, "link"),
        gaps.switches == 0 ? "" : " and " + count(gaps.switches, "switch"));
  }

  static std::string sizes_of(const MeshCoordinates& mesh) {
    std::string sizes;
    for (const auto& [size, ring] : mesh.dimensions) {
      sizes += fmt::format("{}{}{}", sizes.empty() ? "" : " x ", size, ring ? "t" : "");
    }
    return sizes;
  }

  /// By SwitchId: the position in the switches of its mesh.
  static std::vector<std::uint32_t> index_of(const Fabric& fabric,
                                             const std::vector<MeshCoordinates>& meshes) {
    std::vector<std::uint32_t> index(fabric.switch_count());
    for (const MeshCoordinates& mesh : meshes) {
      for (std::uint32_t i = 0; i < mesh.switches.size(); ++i) index[mesh.switches[i].value()] = i;
    }
    return index;
  }

  MeshCoordinates reordered(const Fabric& fabric, const MeshCoordinates& mesh) const {
    if (order_.size() == mesh.dimensions.size()) return reorder_dimensions(mesh, order_);
    throw Error(ErrorKind::unsuitable_topology,
                fmt::format("option dimension_order of engine {} lists {} dimensions, but the mesh "
                            "of switch {} has {} ({}, t: torus)",
                            mesh_dor_name, order_.size(), fabric.label(mesh.switches.front()),
                            mesh.dimensions.size(), sizes_of(mesh)));
  }

  std::vector<std::uint32_t> order_;  // empty: as found
  std::optional<CoordinatesFile> file_;
};

class MeshDorEngine : public RoutingEngine {
 public:
  explicit MeshDorEngine(const EngineOptions& options) : meshdor_(options) {}

 private:
  Routing compute(const Fabric& fabric, const RouteRequest& request) const override {
    MeshRouting made = meshdor_.route(fabric, request.stop);
    return {std::move(made.tables), {.warnings = std::move(made.warnings)}};
  }

  MeshDor meshdor_;
};

}  // namespace

ForwardingTables route_mesh_in_planes(const Fabric& fabric, const EngineOptions& options,
                                      const RouteRequest& request) {
  return MeshDor(options).route_in_planes(fabric, request.stop).tables;
}

constinit const EngineDescription mesh_dor_engine{
    mesh_dor_name, "dimension-order routing on meshes and tori of any number of dimensions",
    [] { return mesh_dor_table.describe(); },
    [](const EngineOptions& options) -> std::unique_ptr<RoutingEngine> {
      return std::make_unique<MeshDorEngine>(options);
    }};

}  // namespace pssp
