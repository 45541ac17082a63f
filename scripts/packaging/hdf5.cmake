# Hdf5::Hdf5 with its high-level library: as archives if these need nothing else. The shared libraries load thirty
# others (such as curl, for files in a cloud), which takes longer than most commands of coterie. Debian's names contain
# "serial", others do not.
include(CMakePushCheckState)
include(CheckCXXSourceCompiles)
pkg_search_module(Hdf5 REQUIRED IMPORTED_TARGET hdf5-serial hdf5)
find_library(Hdf5_ARCHIVE libhdf5.a PATHS ${Hdf5_LIBRARY_DIRS} NO_DEFAULT_PATH)
find_library(Hdf5_HIGH_ARCHIVE libhdf5_hl.a PATHS ${Hdf5_LIBRARY_DIRS} NO_DEFAULT_PATH)
find_library(Hdf5_SZIP sz)
set(Hdf5_LINKED_IN FALSE)
if(Hdf5_ARCHIVE AND Hdf5_HIGH_ARCHIVE AND Hdf5_SZIP)
  set(Hdf5_ARCHIVES ${Hdf5_HIGH_ARCHIVE} ${Hdf5_ARCHIVE} ${Hdf5_SZIP} ZLIB::ZLIB ${CMAKE_DL_LIBS})
  cmake_push_check_state(RESET)
  set(CMAKE_REQUIRED_INCLUDES ${Hdf5_INCLUDE_DIRS})
  set(CMAKE_REQUIRED_LIBRARIES ${Hdf5_ARCHIVES})
  string(MD5 Hdf5_CHECK "${Hdf5_ARCHIVES}")  # other archives are another question
  check_cxx_source_compiles("#include <hdf5.h>
    #include <hdf5_hl.h>
    int main() { return H5Fopen(\"\", 0, 0) + H5DSis_scale(0); }" Hdf5_ARCHIVES_SUFFICE_${Hdf5_CHECK})
  cmake_pop_check_state()
  set(Hdf5_LINKED_IN ${Hdf5_ARCHIVES_SUFFICE_${Hdf5_CHECK}})
endif()
if(NOT TARGET Hdf5::Hdf5)
  add_library(Hdf5::Hdf5 INTERFACE IMPORTED)
  if(Hdf5_LINKED_IN)
    target_include_directories(Hdf5::Hdf5 INTERFACE ${Hdf5_INCLUDE_DIRS})
    target_link_libraries(Hdf5::Hdf5 INTERFACE ${Hdf5_ARCHIVES})
  else()
    find_library(Hdf5_HIGH NAMES hdf5_serial_hl hdf5_hl REQUIRED)
    target_link_libraries(Hdf5::Hdf5 INTERFACE ${Hdf5_HIGH} PkgConfig::Hdf5)
  endif()
endif()
