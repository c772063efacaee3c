# Functions that declare libraries, programs and tests. Each kind of target is described once, so that a folder only lists what
# its targets link with.

option(PSSP_PRECOMPILE_HEADERS "Parse the standard headers once per build, not once per file" OFF)
if(PSSP_PRECOMPILE_HEADERS)
  # Compiles programs with the flags of libraries, so that both can use the same precompiled headers.
  set(CMAKE_CXX_COMPILE_OPTIONS_PIE ${CMAKE_CXX_COMPILE_OPTIONS_PIC})
endif()

option(PSSP_UNITY_BUILD "Compile several files of a folder as one: faster full builds, slower incremental builds" OFF)

set(PSSP_UNIT_DIR lib/systemd/system CACHE STRING "Folder of systemd units, relative to the prefix unless it begins with /")

# pssp_in_unity(TARGET): PSSP_UNITY_BUILD compiles the files of TARGET several at a time.
function(pssp_in_unity TARGET)
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ${PSSP_UNITY_BUILD})
endfunction()

# pssp_precompiled_headers(NAME HEADER...): NAME holds the headers, precompiled with the flags of the libraries linked to it.
function(pssp_precompiled_headers NAME)
  if(PSSP_PRECOMPILE_HEADERS)
    # CMake precompiles headers only for targets that have a source file.
    file(CONFIGURE OUTPUT ${NAME}.cpp CONTENT "")
    add_library(${NAME} OBJECT EXCLUDE_FROM_ALL ${CMAKE_CURRENT_BINARY_DIR}/${NAME}.cpp)
    target_precompile_headers(${NAME} PRIVATE ${ARGN})
  endif()
endfunction()

# pssp_use_headers(TARGET HEADERS): the files of TARGET use the precompiled headers of the target HEADERS.
function(pssp_use_headers TARGET HEADERS)
  if(PSSP_PRECOMPILE_HEADERS)
    target_precompile_headers(${TARGET} REUSE_FROM ${HEADERS})
  endif()
endfunction()

# pssp_library(NAME LIBRARY...): a static library of all sources in the caller's folder and below it, linked with each LIBRARY.
function(pssp_library NAME)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(${NAME} STATIC ${sources})
  target_include_directories(${NAME} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${NAME} PUBLIC ${ARGN} PRIVATE pssp_build_flags)
  pssp_use_headers(${NAME} pssp_headers)
endfunction()

# pssp_part(NAME LIBRARY REGEX): moves the sources of LIBRARY whose paths match REGEX into the library NAME, which links LIBRARY.
# Programs that link only LIBRARY then do not contain these sources. Selecting object files at link time does not suffice, because
# a unity build makes several sources one object.
function(pssp_part NAME LIBRARY REGEX)
  get_target_property(rest ${LIBRARY} SOURCES)
  set(part ${rest})
  list(FILTER part INCLUDE REGEX ${REGEX})
  list(FILTER rest EXCLUDE REGEX ${REGEX})
  set_target_properties(${LIBRARY} PROPERTIES SOURCES "${rest}")
  add_library(${NAME} STATIC ${part})
  target_link_libraries(${NAME} PUBLIC ${LIBRARY} PRIVATE pssp_build_flags)
  pssp_use_headers(${NAME} pssp_headers)
endfunction()

# pssp_unoptimised(TARGET): compiles TARGET without optimization, and therefore without _FORTIFY_SOURCE, which a distribution may
# set in its own flags.
function(pssp_unoptimised TARGET)
  target_compile_options(${TARGET} PRIVATE -O0 -U_FORTIFY_SOURCE)
  set_target_properties(${TARGET} PROPERTIES PSSP_UNOPTIMISED ON)
endfunction()

# pssp_text(TARGET): compiles a target that only reads command lines and writes text with -O1. -O3 doubles the time to compile it,
# and makes no measurable difference at run time.
function(pssp_text TARGET)
  target_compile_options(${TARGET} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# pssp_program(NAME LIBRARY...): the program NAME of all sources in the caller's folder, linked with each LIBRARY.
function(pssp_program NAME)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_executable(${NAME} ${sources})
  target_link_libraries(${NAME} PRIVATE pssp_kit ${ARGN} pssp_build_flags)
  pssp_use_headers(${NAME} pssp_headers)
  pssp_in_unity(${NAME})
  pssp_text(${NAME})
endfunction()

# Folder of the programs that `pssp` starts; tools/pssp/start.cpp and ibsim_harness/ search for them there.
set(PSSP_PROGRAM_DIR libexec/pssp)

# pssp_install_program(NAME): installs the program NAME where `pssp` finds it.
function(pssp_install_program NAME)
  install(TARGETS ${NAME} DESTINATION ${PSSP_PROGRAM_DIR})
  if(PSSP_ARCHIVE)
    set_target_properties(${NAME} PROPERTIES INSTALL_RPATH "\$ORIGIN/../../${CMAKE_INSTALL_LIBDIR}")
  endif()
endfunction()

# pssp_link_in_bin(FILE): links the installed FILE, a path below the prefix, into bin/, so that users can call it by its name.
function(pssp_link_in_bin FILE)
  cmake_path(GET FILE FILENAME name)
  file(RELATIVE_PATH target /${CMAKE_INSTALL_BINDIR} /${FILE})
  install(
    CODE "
    set(link \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/${name}\")
    get_filename_component(folder \"\${link}\" DIRECTORY)
    file(MAKE_DIRECTORY \"\${folder}\")
    file(CREATE_LINK \"${target}\" \"\${link}\" SYMBOLIC)
    message(STATUS \"Installing: \${link}\")
    # Paths in the list of installed files do not contain DESTDIR.
    list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/${name}\")")
endfunction()

# pssp_tool(NAME LIBRARY...): a program that `pssp` starts. It gets a man page and a completion if tools/pssp/commands.inc has a
# command for it.
function(pssp_tool NAME)
  pssp_program(${NAME} ${ARGN})
  pssp_install_program(${NAME})
  file(STRINGS ${PROJECT_SOURCE_DIR}/tools/pssp/commands.inc row REGEX "\", \"${NAME}\", \"")
  if(row)
    string(REGEX REPLACE "^{\"[^\"]*\", \"([^\"]*)\".*" "\\1" command "${row}")
    pssp_man_page("${command}" ${NAME})
    pssp_completion(${NAME} $<TARGET_FILE:${NAME}> ${NAME})
    set_property(GLOBAL APPEND PROPERTY PSSP_COMPLETIONS ${PROJECT_BINARY_DIR}/completions/${NAME})
  endif()
endfunction()

# pssp_call_by_name(NAME PAGE): users can also call the program NAME without `pssp`. Its man page refers to PAGE.
function(pssp_call_by_name NAME PAGE)
  pssp_link_in_bin(${PSSP_PROGRAM_DIR}/${NAME})
  pssp_install_completion(${NAME})
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/man/${NAME}.1 CONTENT ".so man1/${PAGE}.1\n")
  install(FILES ${PROJECT_BINARY_DIR}/man/${NAME}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endfunction()

# pssp_alternative_sources(OPTION TARGET WITH WITHOUT LIBRARY...): WITH and WITHOUT are regular expressions of names of sources
# that define the same functions. If OPTION is on, TARGET keeps the sources WITH and is linked with each LIBRARY. Otherwise it
# keeps WITHOUT.
function(pssp_alternative_sources OPTION TARGET WITH WITHOUT)
  get_target_property(sources ${TARGET} SOURCES)
  if(${OPTION})
    set(others ${WITHOUT})
    target_link_libraries(${TARGET} PRIVATE ${ARGN})
  else()
    set(others ${WITH})
  endif()
  list(FILTER sources EXCLUDE REGEX "/${others}\\.cpp$")
  set_target_properties(${TARGET} PROPERTIES SOURCES "${sources}")
endfunction()

# pssp_completion(NAME FILE DEPENDENCY...): generates the bash completion NAME of the program or script FILE.
function(pssp_completion NAME FILE)
  set(generator ${PROJECT_SOURCE_DIR}/cmake/completion.sh)
  set(folder ${PROJECT_BINARY_DIR}/completions)
  add_custom_command(
    OUTPUT ${folder}/${NAME}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${generator} ${FILE} ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} ${PROJECT_SOURCE_DIR} > ${folder}/${NAME}
    # Some completions contain names that these programs list, such as engines.
    DEPENDS ${ARGN} ${generator} route_lft eval_lft cc_params
    COMMENT "Writing the completion of ${NAME}"
    VERBATIM)
  add_custom_target(completion_${NAME} ALL DEPENDS ${folder}/${NAME})
endfunction()

function(pssp_install_completion NAME)
  install(FILES ${PROJECT_BINARY_DIR}/completions/${NAME} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endfunction()

# pssp_completion_of_commands(): generates the bash completion of `pssp` from those of the programs that it starts. Call it after
# the folders of all programs have been added.
function(pssp_completion_of_commands)
  get_property(parts GLOBAL PROPERTY PSSP_COMPLETIONS)
  set(generator ${PROJECT_SOURCE_DIR}/cmake/completion_of_commands.sh)
  set(table ${PROJECT_SOURCE_DIR}/tools/pssp/commands.inc)
  set(completion ${PROJECT_BINARY_DIR}/completions/pssp)
  add_custom_command(
    OUTPUT ${completion}
    COMMAND ${generator} ${table} ${parts} > ${completion}
    DEPENDS ${parts} ${generator} ${table}
    COMMENT "Writing the completion of pssp"
    VERBATIM)
  add_custom_target(completion_pssp ALL DEPENDS ${completion})
  pssp_install_completion(pssp)
endfunction()

# pssp_man_page(COMMAND PROGRAM): generates the man page of `pssp COMMAND`, or of pssp itself if COMMAND is empty, from the
# program's --help and its page in docs/reference/.
function(pssp_man_page COMMAND PROGRAM)
  set(docs ${PROJECT_SOURCE_DIR}/docs)
  set(generator ${PROJECT_SOURCE_DIR}/cmake/man_page.sh)
  string(STRIP "pssp ${COMMAND}" name)
  string(REPLACE " " "-" page "${name}")
  string(REGEX REPLACE "^pssp-" "" text ${page})
  set(folder ${PROJECT_BINARY_DIR}/man)
  add_custom_command(
    OUTPUT ${folder}/${page}.1
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${generator} "${name}" $<TARGET_FILE:pssp> ${docs} ${PROJECT_VERSION} > ${folder}/${page}.1
    DEPENDS pssp ${PROGRAM} ${generator} ${PROJECT_SOURCE_DIR}/cmake/man_options.awk ${PROJECT_SOURCE_DIR}/cmake/man_markdown.awk
            ${docs}/reference/${text}.md ${docs}/reference/exit-codes.md
    COMMENT "Writing the man page of ${name}"
    VERBATIM)
  add_custom_target(man_${page} ALL DEPENDS ${folder}/${page}.1)
  install(FILES ${folder}/${page}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endfunction()

# pssp_install_licence(PACKAGE NAME): installs the licence of the Debian package PACKAGE (a glob pattern) whose files this project
# installs.
function(pssp_install_licence PACKAGE NAME)
  file(GLOB licence /usr/share/doc/${PACKAGE}/copyright)
  list(LENGTH licence found)
  if(NOT found EQUAL 1)
    message(FATAL_ERROR "The licence of ${NAME} must be installed with it, but was not found: /usr/share/doc/${PACKAGE}/copyright")
  endif()
  install(FILES ${licence} DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright.${NAME})
endfunction()

# pssp_unit(NAME): installs the systemd unit NAME.service of the caller's folder. The unit contains the path of its program, which
# is known only at install time.
function(pssp_unit NAME)
  install(
    CODE "
    set(CMAKE_INSTALL_FULL_BINDIR \"\${CMAKE_INSTALL_PREFIX}\")
    cmake_path(APPEND CMAKE_INSTALL_FULL_BINDIR \"${CMAKE_INSTALL_BINDIR}\")
    configure_file(\"${CMAKE_CURRENT_SOURCE_DIR}/${NAME}.service.in\" \"${CMAKE_CURRENT_BINARY_DIR}/${NAME}.service\" @ONLY)")
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${NAME}.service DESTINATION ${PSSP_UNIT_DIR})
endfunction()

# Timeout of tests in seconds. A test that exceeds it hangs: even a machine with 20 times as much load as cores needs less.
set(PSSP_HANGS_AFTER_S 1500)

option(PSSP_BUILD_UNIT_TESTS "Build the Catch2 unit tests" ON)

# pssp_unit_tests(NAME LIBRARY...): the Catch2 program test_NAME of all sources in the caller's folder and below it. Each test
# case is one ctest with the label unit; with sanitizers, each source file is one.
function(pssp_unit_tests NAME)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  pssp_unit_tests_of(${NAME} "${sources}" ${ARGN})
endfunction()

# In a unity build a local name may shadow a constant of another file, so the warning is off; the preset dev reports names that
# are shadowed within one file. This is a library because the options of libraries come after those of the target itself.
add_library(pssp_neighbours_in_unity INTERFACE)
if(PSSP_UNITY_BUILD)
  target_compile_options(pssp_neighbours_in_unity INTERFACE -Wno-shadow)
endif()

# pssp_tests_in_unity(TARGET SOURCES): PSSP_UNITY_BUILD compiles the tests of one folder as one file, because most of the compile
# time goes into the same headers. PSSP_TESTS_APART lists folders whose files define helpers of the same name and are compiled
# separately.
function(pssp_tests_in_unity TARGET SOURCES)
  pssp_in_unity(${TARGET})
  set_target_properties(${TARGET} PROPERTIES UNITY_BUILD_MODE GROUP)
  target_link_libraries(${TARGET} PRIVATE pssp_neighbours_in_unity)
  foreach(source ${SOURCES})
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE group)
    if(NOT group IN_LIST PSSP_TESTS_APART)
      string(MAKE_C_IDENTIFIER ${group} group)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
endfunction()

# pssp_unit_tests_of(NAME SOURCES LIBRARY...): pssp_unit_tests with a list of sources, for folders that also contain other
# programs.
function(pssp_unit_tests_of NAME SOURCES)
  if(NOT PSSP_BUILD_UNIT_TESTS)
    return()
  endif()
  add_executable(test_${NAME} ${SOURCES})
  target_link_libraries(test_${NAME} PRIVATE pssp_test_main pssp_build_flags ${ARGN})
  # Optimizing the test code takes longer than running it unoptimized. The code under test is optimized.
  pssp_unoptimised(test_${NAME})
  pssp_tests_in_unity(test_${NAME} "${SOURCES}")
  pssp_use_headers(test_${NAME} pssp_test_headers)
  add_dependencies(unit_tests test_${NAME})
  if(PSSP_SANITIZE)
    pssp_files_as_tests(${NAME} "${SOURCES}")
  else()
    catch_discover_tests(test_${NAME} TEST_PREFIX "${NAME}: " PROPERTIES LABELS unit TIMEOUT ${PSSP_HANGS_AFTER_S})
  endif()
endfunction()

# pssp_files_as_tests(NAME SOURCES): makes all cases of one source file of test_NAME one ctest. A process with sanitizers takes a
# sixth of a second to start and to end, which is longer than most cases take. The small quarantine limits the memory of such long
# processes.
function(pssp_files_as_tests NAME SOURCES)
  set(files)
  foreach(source IN LISTS SOURCES)
    cmake_path(GET source STEM file)
    file(STRINGS ${source} cases REGEX "^(SCENARIO|TEST_CASE|TEMPLATE_TEST_CASE)" LIMIT_COUNT 1)
    if(cases)
      list(APPEND files ${file})
    endif()
  endforeach()
  # Files of the same name in different folders share one Catch2 tag, and therefore one ctest.
  list(REMOVE_DUPLICATES files)
  foreach(file IN LISTS files)
    add_test(NAME "${NAME}: ${file}" COMMAND test_${NAME} -\# "[#${file}]~[.]")
    set_tests_properties("${NAME}: ${file}" PROPERTIES LABELS unit TIMEOUT ${PSSP_HANGS_AFTER_S} ENVIRONMENT ASAN_OPTIONS=quarantine_size_mb=16)
  endforeach()
endfunction()

# pssp_script_tests(ROOM LABELS...): each test_*.sh in the caller's folder is one ctest, "ROOM: NAME". A script that cannot run on
# this machine prints the reason and ends with status 77. Scripts find sources and programs with PSSP_SOURCE_DIR and
# PSSP_BUILD_DIR.
function(pssp_script_tests ROOM)
  file(GLOB scripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test_*.sh)
  foreach(script IN LISTS scripts)
    get_filename_component(name ${script} NAME_WE)
    string(REGEX REPLACE "^test_" "" name ${name})
    add_test(NAME "${ROOM}: ${name}" COMMAND ${script})
    pssp_script_properties("${ROOM}: ${name}" ${ARGN})
  endforeach()
endfunction()

# pssp_script_properties(TEST LABELS...): sets the properties of a test that is a script.
function(pssp_script_properties TEST)
  set_tests_properties(
    "${TEST}"
    PROPERTIES LABELS "${ARGN}"
               TIMEOUT ${PSSP_HANGS_AFTER_S}
               SKIP_RETURN_CODE 77
               ENVIRONMENT "PSSP_SOURCE_DIR=${PROJECT_SOURCE_DIR};PSSP_BUILD_DIR=${PROJECT_BINARY_DIR}")
endfunction()
