# How libraries, programs and tests of this project are declared: each kind once, so that a folder says only what it is
# linked with.

# pssp_library(NAME LIBRARY...): a static library of every source in the folder of the caller and below it.
function(pssp_library NAME)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(${NAME} STATIC ${sources})
  target_include_directories(${NAME} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${NAME} PUBLIC ${ARGN} PRIVATE pssp_build_flags)
endfunction()

# pssp_tool(NAME LIBRARY...): the program NAME of every source in the folder of the caller; it is installed.
function(pssp_tool NAME)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_executable(${NAME} ${sources})
  target_link_libraries(${NAME} PRIVATE pssp_kit ${ARGN} pssp_build_flags)
  install(TARGETS ${NAME})
endfunction()

# pssp_unit_tests(NAME LIBRARY...): the Catch2 program test_NAME of every test_*.cpp and helper in the folder of the caller and
# below it; each of its cases is a ctest of the label unit.
function(pssp_unit_tests NAME)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  pssp_unit_tests_of(${NAME} "${sources}" ${ARGN})
endfunction()

# pssp_unit_tests_of(NAME SOURCES LIBRARY...): the same of a list of sources, for a folder that has programs of its own, too.
function(pssp_unit_tests_of NAME SOURCES)
  add_executable(test_${NAME} ${SOURCES})
  target_link_libraries(test_${NAME} PRIVATE pssp_test_main pssp_build_flags ${ARGN})
  # The checks themselves take longer to optimise than to run; what they check is optimised.
  target_compile_options(test_${NAME} PRIVATE -O0)
  catch_discover_tests(test_${NAME} TEST_PREFIX "${NAME}: " PROPERTIES LABELS unit TIMEOUT 300)
endfunction()

# pssp_script_tests(ROOM LABELS...): each test_*.sh in the folder of the caller is one ctest, "ROOM: NAME". A script that
# cannot run here says why and ends with status 77. It finds sources and programs by PSSP_SOURCE_DIR and PSSP_BUILD_DIR.
function(pssp_script_tests ROOM)
  file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test_*.sh)
  foreach(script IN LISTS scripts)
    get_filename_component(name ${script} NAME_WE)
    string(REGEX REPLACE "^test_" "" name ${name})
    add_test(NAME "${ROOM}: ${name}" COMMAND ${script} ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
    set_tests_properties(
      "${ROOM}: ${name}"
      PROPERTIES LABELS "${ARGN}"
                 TIMEOUT 300
                 SKIP_RETURN_CODE 77
                 SKIP_REGULAR_EXPRESSION "^skipped: "
                 ENVIRONMENT "PSSP_SOURCE_DIR=${PROJECT_SOURCE_DIR};PSSP_BUILD_DIR=${PROJECT_BINARY_DIR}")
  endforeach()
endfunction()
