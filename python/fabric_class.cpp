// Arrays are views of the rows of the fabric (notebook_fabric.h). python/make_page.py generates
// the reference section of docs/reference/python.md from the docstrings.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "base/file_io.h"
#include "base/printable.h"
#include "fabric/formats/net_file_writer.h"
#include "python/arrays.h"
#include "python/classes.h"
#include "python/interruptible.h"
#include "python/text.h"

namespace pssp {
namespace {

namespace py = pybind11;

constexpr const char* read_text =
    "Reads a fabric from a file in any topology format that `pssp eval` reads, for example the "
    "output of ibnetdiscover. If the file contains no LIDs, `read()` assigns 2^lmc LIDs to each "
    "adapter port, as OpenSM does in a new subnet.";
constexpr const char* hosts_text =
    "`hosts` is an array with one row per host, sorted by GUID. The columns of `hosts` are `guid` "
    "(port GUID), `switch` (row of the host's switch in `switches`), `port` (switch port that "
    "leads to the host), `lid` and `lmc`.";
constexpr const char* switches_text =
    "`switches` is an array with one row per switch, sorted by GUID. The columns of `switches` are "
    "`guid`, `lid`, `lmc`, `ports` (number of ports) and `hosts` (number of attached hosts).";
constexpr const char* channels_text =
    "`channels` is an array with one row per channel between switches, sorted by `tail` and "
    "`out_port`. The columns of `channels` are `tail` and `head` (rows of the two switches in "
    "`switches`), `out_port`, `in_port`, `reverse` (row of the opposite channel), `mbits` and "
    "`cost`. The column `mbits` is the rate in Mbit/s (0: unknown), and `cost` is the load that "
    "one route adds (rate of host links divided by rate of the channel).";
constexpr const char* destinations_text =
    "`destinations` is an array with one row per LID in use. The columns of `destinations` are "
    "`lid`, `switch` (row of the last switch on paths to the LID) and `port` (output port at this "
    "switch; 0 if the LID belongs to the switch). Each switch needs a table entry for each LID in "
    "`destinations`.";
constexpr const char* coordinates_text =
    "Returns an array with the tree coordinates of each switch, in the order of `switches`. The "
    "column `level` is the number of hops to the nearest switch with hosts, and the column "
    "`column` is the position within the level. The function raises `UnsuitableError` if the "
    "fabric is not a tree.";
constexpr const char* networkx_text =
    "Converts the fabric to a `networkx.MultiDiGraph`. Each node of the graph is identified by its "
    "name and has the attributes `kind` ('switch' or 'host'), `guid` and `description`. Each "
    "channel is an edge with the attributes `out_port`, `in_port` and `mbits`. An edge between "
    "switches also has the attribute `channel`, the row of the edge in `channels`.";

py::dict end_attributes(const char* kind, Guid guid, const std::string& description) {
  py::dict attributes;
  attributes["kind"] = kind;
  attributes["guid"] = guid;
  attributes["description"] = to_python(description);
  return attributes;
}

py::dict edge_attributes(PortNumber out_port, PortNumber in_port, LinkRate rate) {
  py::dict attributes;
  attributes["out_port"] = out_port;
  attributes["in_port"] = in_port;
  attributes["mbits"] = rate.capacity();
  return attributes;
}

void add_host_links(const Fabric& fabric, const py::object& add_node, const py::object& add_edge) {
  for (const EndPortId host : fabric.endpoints()) {
    const EndPort& port = fabric.end_port(host);
    const py::str name = to_python(port.name);
    const py::str leaf = to_python(fabric.switch_at(port.attached).name);
    add_node(name, **end_attributes("host", port.port_guid, port.description));
    add_edge(name, leaf, **edge_attributes(port.port, port.switch_port, port.rate));
    add_edge(leaf, name, **edge_attributes(port.switch_port, port.port, port.rate));
  }
}

/// Adds a property that is a read-only view of rows.
template <class Rows>
void add_rows(FabricClass& fabric, const char* name, Rows (NotebookFabric::*rows)() const noexcept,
              const char* words) {
  fabric.def_property_readonly(
      name,
      [rows](const py::object& self) {
        return read_only_view((self.cast<const NotebookFabric&>().*rows)(), self);
      },
      words);
}

void name_fields() {
  PYBIND11_NUMPY_DTYPE_EX(HostRow, guid, "guid", switch_index, "switch", port, "port", lid, "lid",
                          lmc, "lmc");
  PYBIND11_NUMPY_DTYPE(SwitchRow, guid, lid, lmc, ports, hosts);
  PYBIND11_NUMPY_DTYPE_EX(ChannelRow, tail, "tail", head, "head", out_port, "out_port", in_port,
                          "in_port", reverse, "reverse", megabits, "mbits", cost, "cost");
  PYBIND11_NUMPY_DTYPE_EX(DestinationRow, lid, "lid", switch_index, "switch", port, "port");
  PYBIND11_NUMPY_DTYPE(PositionRow, level, column);
}

std::string describe(const NotebookFabric& self) {
  return "<pssp.Fabric " + printable(self.name()) + ": " + std::to_string(self.hosts().size()) +
         " hosts, " + std::to_string(self.switches().size()) + " switches, " +
         std::to_string(self.channels().size()) + " channels>";
}

}  // namespace

py::object to_networkx(const NotebookFabric& fabric_of_notebook) {
  py::object graph;
  try {
    graph = py::module_::import("networkx").attr("MultiDiGraph")();
  } catch (py::error_already_set& error) {
    if (!error.matches(PyExc_ImportError)) throw;
    throw py::import_error("to_networkx() needs networkx (Debian: apt install python3-networkx)");
  }
  const Fabric& fabric = fabric_of_notebook.fabric();
  const py::object add_node = graph.attr("add_node"), add_edge = graph.attr("add_edge");
  for (const Switch& node : fabric.switches())
    add_node(to_python(node.name), **end_attributes("switch", node.guid, node.description));
  for (std::size_t c = 0; c < fabric.channel_count(); ++c) {
    py::dict attributes = edge_attributes(fabric.channel_out_port()[c], fabric.channel_in_port()[c],
                                          fabric.channel_rate()[c]);
    attributes["channel"] = c;
    add_edge(to_python(fabric.switches()[fabric.channel_tail()[c]].name),
             to_python(fabric.switches()[fabric.channel_head()[c]].name), **attributes);
  }
  add_host_links(fabric, add_node, add_edge);
  return graph;
}

void add_fabric(FabricClass& fabric) {
  name_fields();
  fabric.def_static(
      "read",
      [](const std::filesystem::path& path, std::optional<unsigned> lmc) {
        return interruptibly([=](const StopSignal&) { return NotebookFabric::read(path, lmc); });
      },
      read_text, py::arg("path"), py::arg("lmc") = py::none());
  add_rows(fabric, "hosts", &NotebookFabric::hosts, hosts_text);
  add_rows(fabric, "switches", &NotebookFabric::switches, switches_text);
  add_rows(fabric, "channels", &NotebookFabric::channels, channels_text);
  add_rows(fabric, "destinations", &NotebookFabric::destinations, destinations_text);
  add_rows(fabric, "guids", &NotebookFabric::guids,
           "`guids` is a uint64 array of the port GUIDs, "
           "in the order of `hosts`.");
  add_rows(fabric, "lids", &NotebookFabric::lids,
           "`lids` is a uint16 array of the base LIDs, in the order of `hosts`. For tables `t`, "
           "the expression `t.table[:, t.fabric.lids]` selects the entries for hosts.");
  fabric.def_property_readonly(
      "names", [](const NotebookFabric& self) { return to_python(self.host_names()); },
      "`names` is a tuple of the host names, in the order of `hosts`.");
  fabric.def_property_readonly(
      "switch_names", [](const NotebookFabric& self) { return to_python(self.switch_names()); },
      "`switch_names` is a tuple of the switch names, in the order of `switches`.");
  fabric.def_property_readonly(
      "warnings", [](const NotebookFabric& self) { return to_python(self.warnings()); },
      "`warnings` contains the warnings about the input files, as a tuple of strings.");
  fabric.def(
      "coordinates",
      [](const NotebookFabric& here) {
        const auto self = here.shared_from_this();
        return to_array(interruptibly([self](const StopSignal&) { return self->coordinates(); }));
      },
      coordinates_text);
  fabric.def("to_networkx", &to_networkx, networkx_text);
  fabric.def(
      "write",
      [](const NotebookFabric& here, const std::filesystem::path& path) {
        const auto self = here.shared_from_this();
        run_interruptibly(
            [=](const StopSignal&) { write_file(path, to_net_file(self->fabric())); });
      },
      "Writes the fabric and its LIDs to an ibsim net file.", py::arg("path"));
  fabric.def("__repr__", &describe);
}

}  // namespace pssp
