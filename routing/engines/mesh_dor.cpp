// Dimension-order routing: a packet corrects its coordinates one dimension after the other, in one
// fixed order (first x, then y ...). In a mesh the routes are hop-minimal and free of credit loops:
// within a dimension a packet never turns round, and between dimensions it only moves on to a later
// one (W. J. Dally, C. L. Seitz, Deadlock-free message routing in multiprocessor interconnection
// networks, IEEE Trans. Computers 36, 1987). Rings of a torus are taken the shorter way round;
// their routes do form credit loops, which virtual lanes have to break.
//
// What a switch does with a packet depends on nothing but its own coordinates and those of the
// destination, so each row of the tables is computed by itself. Two choices are left, and each is
// made from the loads that it causes:
// - Ring of even size, destination opposite: destinations take turns between the two ways, so that
//   each switch splits such traffic evenly (to one route set). Who goes up first alternates along
//   the ring; if all switches rounded the same way, the channels of one direction would get it all.
// - Parallel links: each destination takes the link whose load is the least after adding the routes
//   that pass here for it. How many these are follows from the coordinates: all endpoints in the
//   part of the row that lies behind the switch, and whatever earlier dimensions bring to that row.

#include "routing/engines/mesh_dor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "routing/engines/destination_order.h"
#include "routing/engines/mesh_coordinates.h"
#include "routing/engines/mesh_recognition.h"
#include "routing/formats/coordinates_file.h"
#include "routing/support/error.h"

namespace pssp {
namespace {

/// For each dimension d and switch, the endpoints of all switches that differ from it in dimensions
/// before d only: the sources whose packets may set out along d here.
class Catchment {
 public:
  Catchment(const Fabric& fabric, const MeshCoordinates& mesh) : mesh_(mesh) {
    const std::size_t count = mesh.switches.size();
    std::vector<std::uint64_t> endpoints(count);  // by place
    place_.resize(count);
    stride_.assign(mesh.dimensions.size(), 1);
    for (std::size_t d = 1; d < stride_.size(); ++d) {
      stride_[d] = stride_[d - 1] * mesh.dimensions[d - 1].size;
    }
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t d = 0; d < stride_.size(); ++d) place_[i] += mesh.of(i)[d] * stride_[d];
      endpoints[place_[i]] = fabric.endpoints_per_switch()[mesh.switches[i].value()];
    }
    for (std::size_t d = 0; d < stride_.size(); ++d) {
      sources_.push_back(endpoints);
      sum_rows(endpoints, d);
    }
  }

  /// Sources at coordinate `at` in the row along dimension d through switch i.
  std::uint64_t in_row(std::size_t i, std::size_t d, std::uint32_t at) const {
    return sources_[d][place_[i] + (std::size_t{at} - mesh_.of(i)[d]) * stride_[d]];
  }

 private:
  /// Replaces each value by the sum over its row along dimension d.
  void sum_rows(std::vector<std::uint64_t>& values, std::size_t d) const {
    const std::size_t stride = stride_[d];
    const std::size_t length = stride * mesh_.dimensions[d].size;
    for (std::size_t base = 0; base < values.size(); base += length) {
      for (std::size_t start = base; start < base + stride; ++start) {
        std::uint64_t sum = 0;
        for (std::size_t p = start; p < base + length; p += stride) sum += values[p];
        for (std::size_t p = start; p < base + length; p += stride) values[p] = sum;
      }
    }
  }

  const MeshCoordinates& mesh_;
  std::vector<std::size_t> stride_;                  // per dimension
  std::vector<std::size_t> place_;                   // per switch: sum of coordinate * stride
  std::vector<std::vector<std::uint64_t>> sources_;  // per dimension, by place
};

/// The links to one neighbour.
class Cable {
 public:
  void add(PortNumber port, double cost) { strands_.push_back({port, cost, 0}); }
  bool is_parallel() const noexcept { return strands_.size() > 1; }
  /// Of a single link, else no_port.
  PortNumber only_port() const noexcept {
    return strands_.size() == 1 ? strands_.front().port : no_port;
  }

  /// The port for a destination that `routes` routes take through here.
  PortNumber take(double routes) {
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

/// A switch's view of one dimension: where a packet goes that must get to a coordinate.
class Row {
 public:
  Row(MeshDimension dimension, std::uint32_t own)
      : dimension_(dimension), own_(own), next_is_up_(own % 2 == 0) {}

  Cable& cable(bool up) { return cables_[up ? 1 : 0]; }

  /// To be called once all cables are there. `sources(c)`: the number of endpoints at coordinate c
  /// of the row, and behind it in dimensions that are routed before, that send along the row.
  template <class Sources>
  void prepare(Sources sources) {
    if (cables_[0].is_parallel() || cables_[1].is_parallel()) {
      for (const bool up : {false, true}) count_routes(up, sources);
    }
    only_port_.assign(dimension_.size, no_port);
    for (std::uint32_t to = 0; to < dimension_.size; ++to) {
      if (to != own_ && !is_opposite(to)) only_port_[to] = cable(is_above(to)).only_port();
    }
  }

  /// The port towards a coordinate where there is no choice, else no_port.
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
    const auto& routes = routes_[up ? 1 : 0];
    return cable(up).take(routes.empty() ? 1 : routes[distance(up, to)]);
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
  /// Whether the way up is the shorter one.
  bool is_above(std::uint32_t to) const {
    return dimension_.ring ? 2 * distance(true, to) < dimension_.size : to > own_;
  }

  /// A packet that passes here on its way up comes from this switch or from below it. In a ring it
  /// comes from at most half the size away from its destination; at exactly half only every second
  /// packet does.
  template <class Sources>
  void count_routes(bool up, Sources sources) {
    const std::uint32_t size = dimension_.size;
    const std::uint32_t end_of_mesh = up ? own_ : size - 1 - own_;
    const std::uint32_t reach = dimension_.ring ? size / 2 : end_of_mesh;
    std::vector<double> behind(reach + 1);  // sources at most so many hops behind this switch
    double sum = 0;
    for (std::uint32_t hops = 0; hops <= reach; ++hops) {
      const std::uint32_t at = up ? (own_ + size - hops) % size : (own_ + hops) % size;
      behind[hops] = sum += static_cast<double>(sources(at));
    }
    const bool halved = dimension_.ring && size % 2 == 0;
    auto& routes = routes_[up ? 1 : 0];
    routes.assign(size, 0);
    for (std::uint32_t ahead = 1; ahead < size; ++ahead) {
      if (!dimension_.ring) {
        routes[ahead] = sum;
      } else if (ahead <= reach) {
        const std::uint32_t last = reach - ahead;
        const double farthest = behind[last] - (last == 0 ? 0 : behind[last - 1]);
        routes[ahead] = behind[last] - (halved ? farthest / 2 : 0);
      }
      // Where nobody sends, management traffic is still to be spread.
      routes[ahead] = std::max(routes[ahead], 1.0);
    }
  }

  MeshDimension dimension_;
  std::uint32_t own_;
  bool next_is_up_;
  std::vector<PortNumber> only_port_;          // by coordinate
  std::array<Cable, 2> cables_;                // down, up
  std::array<std::vector<double>, 2> routes_;  // down, up; by hops to the destination; or empty
};

/// Fills the rows of the tables that belong to the switches of one mesh.
class MeshRouter {
 public:
  /// `index`: by SwitchId, its place in mesh.switches.
  MeshRouter(const Fabric& fabric, const MeshCoordinates& mesh,
             std::span<const std::uint32_t> index)
      : fabric_(fabric), mesh_(mesh), index_(index), catchment_(fabric, mesh) {
    const DestinationOrder order = destinations_by_switch(fabric, mesh.switches);
    for (const auto* groups : {&order.endpoints, &order.others}) {
      for (const DestinationGroup& group : *groups) {
        for (const Lid lid : group.lids) {
          destinations_.push_back({index[group.at.value()], lid, fabric.delivery(lid).port});
        }
      }
    }
  }

  void route(ForwardingTables& tables) const {
    for (std::size_t i = 0; i < mesh_.switches.size(); ++i) {
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
    for (std::size_t d = 0; d < rows.size(); ++d) {
      rows[d].prepare([&](std::uint32_t at) { return catchment_.in_row(i, d, at); });
    }
    return rows;
  }

  const Fabric& fabric_;
  const MeshCoordinates& mesh_;
  std::span<const std::uint32_t> index_;
  Catchment catchment_;
  std::vector<Destination> destinations_;
};

constexpr std::string_view engine_name = "meshdor";
constexpr std::array engine_options{
    OptionDescription{"coordinates", "FILE", "",
                      "coordinates of the switches, instead of finding them from the cabling"},
    OptionDescription{"dimension_order", "e.g. 2-0-1", "",
                      "order of routing, by number of the dimension as found or as in the file"}};

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
                fmt::format("option 'dimension_order={}' of engine {} is no order of dimensions; "
                            "expected each number from 0 up once, joined by '-', e.g. 2-0-1",
                            text, engine_name));
  }
  return order;
}

class MeshDorEngine : public RoutingEngine {
 public:
  explicit MeshDorEngine(const EngineOptions& options)
      : order_(parse_dimension_order(options.text(engine_name, "dimension_order", ""))) {
    const std::string path = options.text(engine_name, "coordinates", "");
    if (!path.empty()) file_ = read_coordinates(path);
  }

  Routing route(const Fabric& fabric) const override {
    if (!fabric.has_lids()) {
      throw Error(ErrorKind::usage, "the fabric has no LIDs to route; assign them first");
    }
    std::vector<MeshCoordinates> meshes =
        file_ ? meshes_from_file(fabric, *file_) : recognise_meshes(fabric);
    std::vector<std::uint32_t> index(fabric.switch_count());
    for (MeshCoordinates& mesh : meshes) {
      for (std::uint32_t i = 0; i < mesh.switches.size(); ++i) index[mesh.switches[i].value()] = i;
      if (!order_.empty() && !mesh.dimensions.empty()) mesh = reordered(fabric, mesh);
    }
    Routing routing{ForwardingTables(fabric.switch_count(), fabric.max_lid())};
    for (const MeshCoordinates& mesh : meshes) {
      MeshRouter(fabric, mesh, index).route(routing.tables);
    }
    return routing;
  }

 private:
  MeshCoordinates reordered(const Fabric& fabric, const MeshCoordinates& mesh) const {
    if (order_.size() == mesh.dimensions.size()) return reorder_dimensions(mesh, order_);
    std::string sizes;
    for (const auto& [size, ring] : mesh.dimensions) {
      sizes += fmt::format("{}{}{}", sizes.empty() ? "" : " x ", size, ring ? "t" : "");
    }
    throw Error(ErrorKind::unsuitable_topology,
                fmt::format("option dimension_order of engine {} names {} dimensions, but the mesh "
                            "of switch {} has {} ({}, t: torus)",
                            engine_name, order_.size(), fabric.label(mesh.switches.front()),
                            mesh.dimensions.size(), sizes));
  }

  std::vector<std::uint32_t> order_;  // empty: as found
  std::optional<CoordinatesFile> file_;
};

}  // namespace

constinit const EngineDescription mesh_dor_engine{
    engine_name, "dimension-order routing on meshes and tori of any number of dimensions",
    engine_options, [](const EngineOptions& options) -> std::unique_ptr<RoutingEngine> {
      return std::make_unique<MeshDorEngine>(options);
    }};

}  // namespace pssp
