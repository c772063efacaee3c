// Long work runs without the interpreter lock and can be interrupted (interruptible.h). Its results
// are converted to Python objects after the lock is acquired again.

#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "base/error.h"
#include "base/printable.h"
#include "python/arrays.h"
#include "python/classes.h"
#include "python/interruptible.h"
#include "python/text.h"

namespace pssp {
namespace {

namespace py = pybind11;
using SharedTables = std::shared_ptr<NotebookTables>;

constexpr const char* route_text =
    "Computes forwarding tables as `pssp route` does. The number of threads (0: all cores) does "
    "not affect the tables. Pass engine options as keyword arguments, for example `slack=5`. The "
    "function raises `UnsuitableError` if the engine cannot route the fabric.";
constexpr const char* read_tables_text =
    "Reads forwarding tables of the fabric from a file in any format that `pssp eval` reads. The "
    "function raises `MismatchError` if the tables belong to another fabric. If the topology "
    "contains no LIDs, the returned tables belong to a new `Fabric` object with the LIDs of the "
    "table file.";
constexpr const char* with_tables_text =
    "Creates tables from an integer array with one row per switch and one column per LID (0 to the "
    "largest LID). Element [s, lid] of the array is the output port of switch s for packets to "
    "`lid`, or 255 for no route. Column 0 of the array must contain only 255.";
constexpr const char* table_text =
    "`table` is the uint8 array of all table entries, in the format of `with_tables()`.";
constexpr const char* loads_text =
    "`loads` is a uint32 array of the number of routes over each channel, counting one route from "
    "each host to each LID of every other host.";
constexpr const char* verify_text =
    "Counts the defects of the tables: unreachable pairs, loops and entries that lead to dead "
    "ports. The key `credit_loop` of the returned dictionary tells whether the routes have a "
    "credit loop.";
constexpr const char* evaluate_text =
    "Returns the report of `pssp eval --json` as a dictionary. Without a pattern, the report "
    "describes the tables and random bisections (default: 5000 runs). With a pattern from "
    "`pssp.patterns`, the report describes a simulation of this pattern (default: 1000 runs). The "
    "arguments `ranks` (0: one rank per host) and `metrics` apply only with a pattern.";
constexpr const char* samples_text =
    "Returns a float64 array of the bandwidth in each random bisection, or in each run of a "
    "pattern.";
constexpr const char* structured_text =
    "Returns the results of `pssp eval --structured-suite --json` as a dictionary. The argument "
    "`host_order` ('name', 'guid' or 'leaf') determines the order in which ranks are assigned to "
    "hosts. The arguments `runs` and `seed` set the number and the seed of the random bisections "
    "from which `ebb` is computed.";
constexpr const char* suite_text =
    "`structured_suite` is a dictionary with the slowdown of each structured traffic pattern (1 is "
    "ideal). The structured traffic suite orders the hosts by name.";
constexpr const char* application_text =
    "Returns the report of `pssp simulate-app --json` as a dictionary. The report contains the "
    "time of an application for this `Tables` object and for each `Tables` object in `compare`. "
    "Specify either `application` as on the command line, for example 'alltoall:pairwise,64KiB', "
    "or `goal`, the path of a GOAL file. By default (`ranks=0`), the application has one rank per "
    "host. The argument `order` determines whether ranks are assigned to hosts switch by switch "
    "('switch') or at random ('random'). The argument `seeds` is the number of random host orders. "
    "With `until_precision=0.01`, `application()` adds random host orders (at most 64) until the "
    "precision of each mean time is 1 %. The argument `sharing` ('equal' or 'max-min') determines "
    "how messages share a link. Warnings of `pssp simulate-app` are issued as `UserWarning`. The "
    "function raises `VerificationError` if the application never ends.";
constexpr const char* path_text =
    "Returns the path from `source` to `destination` in the form of `pssp eval --path --json`. "
    "Specify `source` and `destination` by name, description, GUID or LID. The key `outcome` of "
    "the returned dictionary is 'arrives', or the reason why the path ends before the destination.";
constexpr const char* write_text =
    "Writes the tables to a file that `opensm -R file` can read, as `pssp route` does. If the "
    "tables are not usable, the function raises `VerificationError` and writes no file.";

std::string to_option_value(const py::handle& value) {
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? "on" : "off";
  return py::str(value).cast<std::string>();
}

SharedTables route(const std::shared_ptr<NotebookFabric>& fabric, const std::string& engine,
                   unsigned threads, const py::kwargs& given) {
  EngineOptions options;
  for (const auto& [name, value] : given)
    options.set(name.cast<std::string>(), to_option_value(value));
  return interruptibly([=](const StopSignal& stop) {
    return NotebookTables::route(fabric, engine, options, threads, stop);
  });
}

SharedTables with_tables(const std::shared_ptr<NotebookFabric>& fabric, const py::array& table,
                         const std::string& name) {
  return std::make_shared<NotebookTables>(fabric, tables_of_array(fabric->fabric(), table), name,
                                          std::vector<std::string>(), false);
}

std::string describe_array(const py::array& array) {
  return fmt::format("{} {}", py::str(array.dtype()).cast<std::string>(),
                     py::str(array.attr("shape")).cast<std::string>());
}

/// Converts an array of any layout and type to contiguous rows of `Value`.
template <class Value>
py::array_t<Value, py::array::c_style | py::array::forcecast> rows_of(const py::array& array) {
  auto rows = py::array_t<Value, py::array::c_style | py::array::forcecast>::ensure(array);
  if (!rows) throw py::error_already_set();
  return rows;
}

template <class Value>
void copy_entries(const py::array& array, ForwardingTables& tables) {
  const auto rows = rows_of<Value>(array);
  const Value* const from = rows.data();
  const std::span<PortNumber> to = tables.entries();
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (from[i] < 0 || from[i] > no_port) {
      throw Error(
          ErrorKind::usage,
          fmt::format("with_tables(): [{}, {}] is {}; expected a port, 0 .. {}, or {} for "
                      "no route",
                      i / tables.width(), i % tables.width(), from[i], max_port_number, no_port));
    }
    to[i] = static_cast<PortNumber>(from[i]);
  }
}

std::string describe_tables(const NotebookTables& self) {
  return fmt::format("<pssp.Tables {}: {} switches, LIDs up to {}>", printable(self.name()),
                     self.tables().switch_count(), self.tables().max_lid());
}

void add_arrays(TablesClass& tables) {
  tables.def_property_readonly(
      "table",
      [](const py::object& self) {
        const ForwardingTables& all = self.cast<const NotebookTables&>().tables();
        return read_only_view(
            all.entries().data(),
            {static_cast<py::ssize_t>(all.switch_count()), static_cast<py::ssize_t>(all.width())},
            self);
      },
      table_text);
  tables.def_property_readonly(
      "loads",
      [](const py::object& self) {
        const auto shared = self.cast<const NotebookTables&>().shared_from_this();
        return read_only_view(
            interruptibly([shared](const StopSignal&) { return shared->loads(); }), self);
      },
      loads_text);
}

void add_verification(TablesClass& tables) {
  tables.def(
      "verify",
      [](const NotebookTables& here) {
        const auto self = here.shared_from_this();
        const VerifyReport found =
            interruptibly([self](const StopSignal&) { return self->verify(); });
        py::dict report;
        report["usable"] = found.usable();
        report["unreachable_pairs"] = found.unreachable_pairs;
        report["separated_pairs"] = found.separated_pairs;
        report["unreachable_switch_pairs"] = found.unreachable_switch_pairs;
        report["forwarding_loops"] = found.forwarding_loops;
        report["dead_port_entries"] = found.dead_port_entries;
        report["credit_loop"] = found.has_credit_loop();
        py::list channels;
        for (const ChannelId channel : found.credit_loop) channels.append(channel.value());
        report["credit_loop_channels"] = channels;
        report["examples"] = to_python(found.examples);
        return report;
      },
      verify_text);
}

/// Issues Python warnings. Throws if the warning filter turns them into exceptions.
void warn_all(const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1) != 0) throw py::error_already_set();
  }
}

void add_application(TablesClass& tables) {
  tables.def(
      "application",
      [](const NotebookTables& here, const std::optional<std::string>& application,
         const std::optional<std::filesystem::path>& goal, std::uint32_t ranks,
         const std::string& order, std::uint64_t seed, std::uint32_t seeds, double precision,
         const std::string& sharing, const std::vector<SharedTables>& compare) {
        require_no_none("application()", compare);
        const auto self = here.shared_from_this();
        const ApplicationWanted wanted{application.value_or(""),
                                       goal ? goal->string() : "",
                                       ranks,
                                       order,
                                       seed,
                                       seeds,
                                       precision,
                                       sharing};
        const ApplicationTimes times = interruptibly(
            [=](const StopSignal& stop) { return self->application(wanted, compare, stop); });
        warn_all(times.warnings);
        return from_json(times.report);
      },
      application_text, py::arg("application") = py::none(), py::arg("goal") = py::none(),
      py::arg("ranks") = 0, py::arg("order") = "switch", py::arg("seed") = 1, py::arg("seeds") = 1,
      py::arg("until_precision") = 0, py::arg("sharing") = "equal",
      py::arg("compare") = py::tuple());
}

void add_scores(TablesClass& tables) {
  tables.def(
      "evaluate",
      [](const NotebookTables& here, const std::optional<std::string>& pattern,
         std::optional<std::uint64_t> runs, std::uint64_t seed, std::uint32_t ranks,
         std::vector<std::string> metrics) {
        const auto self = here.shared_from_this();
        const RunsWanted wanted{pattern.value_or(""), runs, seed, ranks, std::move(metrics)};
        return from_json(
            interruptibly([=](const StopSignal& stop) { return self->evaluation(wanted, stop); }));
      },
      evaluate_text, py::arg("pattern") = py::none(), py::arg("runs") = py::none(),
      py::arg("seed") = 1, py::arg("ranks") = 0, py::arg("metrics") = py::tuple());
  tables.def(
      "samples",
      [](const NotebookTables& here, const std::optional<std::string>& pattern,
         std::optional<std::uint64_t> runs, std::uint64_t seed) {
        const auto self = here.shared_from_this();
        const RunsWanted wanted{pattern.value_or(""), runs, seed, 0, {}};
        return to_array(
            interruptibly([=](const StopSignal& stop) { return self->samples(wanted, stop); }));
      },
      samples_text, py::arg("pattern") = py::none(), py::arg("runs") = py::none(),
      py::arg("seed") = 1);
  tables.def(
      "structured",
      [](const NotebookTables& here, const std::string& host_order, bool all_phases,
         std::optional<std::uint64_t> runs, std::uint64_t seed) {
        const auto self = here.shared_from_this();
        const RunsWanted wanted{"", runs, seed, 0, {}};
        return from_json(interruptibly([=](const StopSignal& stop) {
          return self->structured_traffic(host_order, all_phases, wanted, stop);
        }));
      },
      structured_text, py::arg("host_order") = "name", py::arg("all_phases") = false,
      py::arg("runs") = py::none(), py::arg("seed") = 1);
  tables.def_property_readonly(
      "structured_suite",
      [](const NotebookTables& here) {
        const auto self = here.shared_from_this();
        py::dict slowdowns;
        for (const auto& [name, slowdown] :
             interruptibly([self](const StopSignal& stop) { return self->slowdowns(stop); })) {
          slowdowns[to_python(name)] = slowdown;
        }
        return slowdowns;
      },
      suite_text);
}

}  // namespace

ForwardingTables tables_of_array(const Fabric& fabric, const py::array& array) {
  ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  const bool fits = array.ndim() == 2 &&
                    static_cast<std::size_t>(array.shape(0)) == tables.switch_count() &&
                    static_cast<std::size_t>(array.shape(1)) == tables.width();
  if (!fits) {
    throw Error(ErrorKind::mismatch,
                fmt::format("with_tables(): the array is {}; expected uint8 ({}, {}), the shape of "
                            "the fabric's tables",
                            describe_array(array), tables.switch_count(), tables.width()));
  }
  const char kind = array.dtype().kind();
  if (kind != 'u' && kind != 'i') {
    throw Error(ErrorKind::usage,
                fmt::format("with_tables(): the array is {}; expected whole numbers, as uint8",
                            describe_array(array)));
  }
  if (kind == 'u' && array.itemsize() == 8) {
    copy_entries<std::uint64_t>(array, tables);
  } else if (array.itemsize() == 1 && kind == 'u') {
    copy_entries<std::uint8_t>(array, tables);
  } else {
    copy_entries<std::int64_t>(array, tables);
  }
  for (std::uint32_t s = 0; s < tables.switch_count(); ++s) {
    if (tables.at(SwitchId(s), no_lid) == no_port) continue;
    throw Error(
        ErrorKind::usage,
        fmt::format("with_tables(): [{}, 0] is {}; no port has LID 0, so column 0 must be {}", s,
                    tables.at(SwitchId(s), no_lid), no_port));
  }
  return tables;
}

void add_makers_of_tables(FabricClass& fabric) {
  fabric.def("route", &route, route_text, py::arg("engine"), py::kw_only(), py::arg("threads") = 0);
  fabric.def(
      "tables",
      [](const std::shared_ptr<NotebookFabric>& self, const std::filesystem::path& path) {
        return interruptibly([=](const StopSignal&) { return NotebookTables::read(self, path); });
      },
      read_tables_text, py::arg("path"));
  fabric.def("with_tables", &with_tables, with_tables_text, py::arg("table"),
             py::arg("name") = "array");
}

void add_tables(TablesClass& tables) {
  add_arrays(tables);
  add_verification(tables);
  add_scores(tables);
  add_application(tables);
  tables.def(
      "path",
      [](const NotebookTables& here, const std::string& source, const std::string& destination) {
        const auto self = here.shared_from_this();
        return from_json(
            interruptibly([=](const StopSignal&) { return self->path(source, destination); }));
      },
      path_text, py::arg("source"), py::arg("destination"));
  tables.def(
      "write",
      [](const NotebookTables& here, const std::filesystem::path& path) {
        const auto self = here.shared_from_this();
        run_interruptibly([=](const StopSignal&) { self->write(path); });
      },
      write_text, py::arg("path"));
  tables.def_property_readonly(
      "fabric", [](const NotebookTables& self) { return self.fabric(); },
      "`fabric` is the `Fabric` object to which the tables belong.");
  tables.def_property_readonly(
      "name", [](const NotebookTables& self) { return to_python(self.name()); },
      "`name` is the name of the engine or file that the tables come from, or the name given to "
      "`with_tables()`.");
  tables.def_property_readonly(
      "warnings", [](const NotebookTables& self) { return to_python(self.warnings()); },
      "`warnings` contains the warnings of the engine and the warnings about the input files, as a "
      "tuple of strings.");
  tables.def("__repr__", &describe_tables);
}

}  // namespace pssp
