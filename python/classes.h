#pragma once

// The classes and functions of the module; their texts are the page (docs/reference/python.md).

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <vector>

#include "python/notebook_fabric.h"
#include "python/notebook_tables.h"

namespace pssp {

using FabricClass = pybind11::class_<NotebookFabric, std::shared_ptr<NotebookFabric>>;
using TablesClass = pybind11::class_<NotebookTables, std::shared_ptr<NotebookTables>>;

/// Methods of pssp.Fabric but for those that make tables.
void add_fabric(FabricClass& fabric);
/// The methods of pssp.Fabric that make tables, and those of pssp.Tables.
void add_makers_of_tables(FabricClass& fabric);
void add_tables(TablesClass& tables);
/// pssp.make(), pssp.compare() and what there is to choose from.
void add_functions(pybind11::module_& module);

/// Throws TypeError, naming the function, where Python gave None among its tables.
void require_no_none(const char* function,
                     const std::vector<std::shared_ptr<NotebookTables>>& tables);

/// The fabric as a networkx.MultiDiGraph. Throws ImportError where Python has no networkx.
pybind11::object to_networkx(const NotebookFabric& fabric);
/// The tables that an array of any order and any type of whole numbers holds. Throws
/// Error(mismatch) for another shape than [switches, largest LID + 1], Error(usage) for what are no
/// ports.
ForwardingTables tables_of_array(const Fabric& fabric, const pybind11::array& array);

}  // namespace pssp
