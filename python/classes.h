#pragma once

// The classes and functions of the module. Their docstrings are the text of
// docs/reference/python.md.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <vector>

#include "python/notebook_fabric.h"
#include "python/notebook_tables.h"

namespace pssp {

using FabricClass = pybind11::class_<NotebookFabric, std::shared_ptr<NotebookFabric>>;
using TablesClass = pybind11::class_<NotebookTables, std::shared_ptr<NotebookTables>>;

/// Adds the methods of pssp.Fabric, except those that return tables.
void add_fabric(FabricClass& fabric);
/// Adds the methods of pssp.Fabric that return tables.
void add_makers_of_tables(FabricClass& fabric);
/// Adds the methods of pssp.Tables.
void add_tables(TablesClass& tables);
/// Adds pssp.make(), pssp.compare() and the dictionaries of names to choose from.
void add_functions(pybind11::module_& module);

/// Throws TypeError, with the name of the function, if None is among the tables.
void require_no_none(const char* function,
                     const std::vector<std::shared_ptr<NotebookTables>>& tables);

/// The fabric as a networkx.MultiDiGraph. Throws ImportError if networkx is not installed.
pybind11::object to_networkx(const NotebookFabric& fabric);
/// The tables in an array of any memory layout and integer type. Throws Error(mismatch) unless the
/// shape is [switches, largest LID + 1], and Error(usage) for invalid ports.
ForwardingTables tables_of_array(const Fabric& fabric, const pybind11::array& array);

}  // namespace pssp
