# An archive that works in any folder of a system with glibc 2.34 and GCC 11's libstdc++ or newer (RHEL 9, SUSE 15 SP6, Debian 12,
# Ubuntu 22.04). It has programs in bin/ and the shared libraries of oneTBB and fmt, which Debian does not have as static
# libraries, in lib/.
# cmake --preset archive && cmake --build --preset archive && cpack --preset archive
include(GNUInstallDirs)
set(CMAKE_INSTALL_RPATH "\$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
set(CMAKE_SKIP_BUILD_RPATH ON)
# Use RUNPATH instead of RPATH, so that LD_LIBRARY_PATH has precedence.
add_link_options(-Wl,--enable-new-dtags)
set(CPACK_GENERATOR TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_FILE_NAME "pssp-tools-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_PACKAGE_CHECKSUM SHA256)
include(CPack)

# pssp_archive_libraries(): installs the libraries of other projects, and the documents that their licences require.
function(pssp_archive_libraries)
  foreach(library TBB::tbb fmt::fmt)
    string(REGEX REPLACE "::.*" "" name ${library})
    string(TOLOWER ${name} name)
    # Name each library by its SONAME, by which the programs load it, not by its file name.
    install(
      CODE "
      set(file \"$<TARGET_FILE:${library}>\")
      execute_process(COMMAND ${CMAKE_OBJDUMP} -p \"\${file}\" OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
      string(REGEX MATCH \"SONAME +([^\\n]+)\" said \"\${said}\")
      configure_file(\"\${file}\" \"${PROJECT_BINARY_DIR}/archive/\${CMAKE_MATCH_1}\" COPYONLY)
      file(INSTALL \"${PROJECT_BINARY_DIR}/archive/\${CMAKE_MATCH_1}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}\")")
    pssp_install_licence(lib${name}[0-9]* ${name})
  endforeach()
  install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
endfunction()
