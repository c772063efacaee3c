# Removes the files that `cmake --install` installed, and then the empty folders. -DMANIFEST=FILE is the list that the
# installation wrote into the build folder. DESTDIR must be the same as during the installation.
cmake_minimum_required(VERSION 3.25)
if(NOT EXISTS "${MANIFEST}")
  message(FATAL_ERROR "${MANIFEST} does not exist: nothing was installed from this build folder, or it is uninstalled already")
endif()

# Debian creates these folders below /usr/local although they are empty. The other folders belong to no particular package.
set(kept / /home /opt /root /usr /usr/local /usr/local/share/man)
foreach(name bin etc games include lib man sbin share src)
  list(APPEND kept /usr/local/${name})
endforeach()

file(STRINGS "${MANIFEST}" installed)
foreach(file IN LISTS installed)
  set(placed "$ENV{DESTDIR}${file}")
  if(EXISTS "${placed}" OR IS_SYMLINK "${placed}")
    message(STATUS "Removing ${placed}")
    file(REMOVE "${placed}")
  endif()
  if(EXISTS "${placed}" OR IS_SYMLINK "${placed}")
    message(FATAL_ERROR "cannot remove ${placed}: run this as the user who installed it")
  endif()
endforeach()

foreach(file IN LISTS installed)
  cmake_path(GET file PARENT_PATH folder)
  # The packages of Python create these folders.
  while(NOT folder IN_LIST kept AND NOT folder MATCHES "^/usr/local/lib/python3[^/]*(/dist-packages)?$" AND IS_DIRECTORY "$ENV{DESTDIR}${folder}")
    file(GLOB left LIST_DIRECTORIES true "$ENV{DESTDIR}${folder}/*" "$ENV{DESTDIR}${folder}/.*")
    list(FILTER left EXCLUDE REGEX "/\\.\\.?$")
    if(left)
      break()
    endif()
    file(REMOVE_RECURSE "$ENV{DESTDIR}${folder}")
    cmake_path(GET folder PARENT_PATH folder)
  endwhile()
endforeach()
file(REMOVE "${MANIFEST}")
