// The module pssp: fabrics, forwarding tables and loads as numpy arrays, for notebooks. It computes
// the same results as the tools, with the same messages. The JSON output of the tools becomes
// dictionaries; larger data become arrays that are not copied.
//
// Three layers: notebook_fabric and notebook_tables do not depend on Python; fabric_class and
// tables_class make them available to Python; interruptible.h is between the two.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/version.h"
#include "evaluator/patterns/registry.h"
#include "python/classes.h"
#include "python/errors.h"
#include "python/interruptible.h"
#include "python/text.h"
#include "routing/engines/engine.h"

namespace pssp {
namespace {

namespace py = pybind11;

constexpr const char* module_text =
    "Fabrics, forwarding tables and channel loads of InfiniBand as numpy arrays: the computations "
    "of pssp eval, route, make-topo and simulate-app for notebooks.";
constexpr const char* make_text =
    "Creates a fabric from arguments of `pssp make-topo`, for example `make('chic --kill-links "
    "20')`.";
constexpr const char* compare_text =
    "Compares every `Tables` object in a list with the first `Tables` object, under the same "
    "traffic. The result is the report of `pssp eval --compare --json` as a dictionary.";

/// The summaries of the entries of a registry, by name.
template <class Registry>
py::dict summaries(const Registry& registry) {
  py::dict found;
  for (const auto& each : registry) found[to_python(each.name)] = to_python(each.summary);
  return found;
}

}  // namespace

void require_no_none(const char* function,
                     const std::vector<std::shared_ptr<NotebookTables>>& tables) {
  if (std::ranges::count(tables, nullptr) != 0)
    throw py::type_error(std::string(function) + ": expected pssp.Tables, found None");
}

void add_functions(py::module_& module) {
  module.def(
      "make",
      [](const std::string& specification) {
        return interruptibly(
            [=](const StopSignal&) { return NotebookFabric::make(specification); });
      },
      make_text, py::arg("specification"));
  module.def(
      "compare",
      [](const std::vector<std::shared_ptr<NotebookTables>>& tables,
         std::optional<std::uint64_t> runs, std::uint64_t seed) {
        require_no_none("compare()", tables);
        const RunsWanted wanted{"", runs, seed, 0, {}};
        return from_json(
            interruptibly([=](const StopSignal& stop) { return compare(tables, wanted, stop); }));
      },
      compare_text, py::arg("tables"), py::arg("runs") = py::none(), py::arg("seed") = 1);
  module.attr("engines") = summaries(engine_registry());
  module.attr("patterns") = summaries(pattern_registry());
  module.attr("__version__") = version();
}

}  // namespace pssp

PYBIND11_MODULE(pssp, module) {
  namespace py = pybind11;
  module.doc() = pssp::module_text;
  pssp::add_errors(module);
  pssp::FabricClass fabric(module, "Fabric",
                           "A `Fabric` object contains the switches, hosts and links of a fabric, "
                           "and is immutable.");
  pssp::TablesClass tables(module, "Tables",
                           "A `Tables` object contains the forwarding tables of all switches of a "
                           "fabric, and is immutable.");
  pssp::add_fabric(fabric);
  pssp::add_makers_of_tables(fabric);
  pssp::add_tables(tables);
  pssp::add_functions(module);
  py::module_::import("atexit").attr("register")(py::cpp_function(&pssp::await_abandoned_work));
}
