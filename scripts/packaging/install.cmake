# Install rules in two components: program (what users run) and development (for compiling their own programs), and the
# Debian packages of both, `cpack -G DEB`.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(rooms core heuristics traces sim)
set(headers ${CMAKE_INSTALL_INCLUDEDIR}/coterie)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/coterie)
set(data ${CMAKE_INSTALL_DATADIR}/coterie)

install(TARGETS coterie RUNTIME COMPONENT program)
install(DIRECTORY ${PROJECT_BINARY_DIR}/manual/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
install(FILES ${PROJECT_BINARY_DIR}/completion.bash RENAME coterie
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
install(FILES ${PROJECT_BINARY_DIR}/completion.fish RENAME coterie.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
# Debian's zsh looks for completions of packages in its own folder; site-functions is for all other installations.
install(CODE "
  set(functions site-functions)
  if(CMAKE_INSTALL_PREFIX MATCHES \"/usr$\" AND EXISTS /etc/debian_version)
    set(functions vendor-completions)
  endif()
  file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/\${functions}\" TYPE FILE
       RENAME _coterie FILES \"${PROJECT_BINARY_DIR}/completion.zsh\")" COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scripts/coterie DESTINATION lib/python3/dist-packages COMPONENT program
        FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "styles.json" PATTERN "__pycache__" EXCLUDE)
# Campaigns name their traces by relative paths, so the folders keep their relative places.
foreach(folder campaigns claims figures examples)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/scripts/${folder} DESTINATION ${data}/scripts COMPONENT program
          PATTERN "__pycache__" EXCLUDE)
endforeach()
install(PROGRAMS ${PROJECT_SOURCE_DIR}/scripts/reproduce DESTINATION ${data}/scripts COMPONENT program)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/traces/bundled ${PROJECT_SOURCE_DIR}/traces/real DESTINATION ${data}/traces COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
if(Hdf5_LINKED_IN)  # a program that holds HDF5 comes with its licence
  set(licence /usr/share/doc/libhdf5-dev/copyright)
  if(EXISTS ${licence})
    install(FILES ${licence} RENAME copyright.hdf5 DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
  else()
    message(WARNING "${licence} is not there: give whom you give the program to the licence of HDF5, too")
  endif()
endif()

# find_package(coterie): coterie::core, coterie::heuristics, coterie::traces, coterie::sim.
set(libraries coterie_options)
foreach(room IN LISTS rooms)
  set_target_properties(coterie_${room} PROPERTIES EXPORT_NAME ${room})
  list(APPEND libraries coterie_${room})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/${room} DESTINATION ${headers} COMPONENT development
          FILES_MATCHING PATTERN "*.hpp")
endforeach()
set_target_properties(coterie_options PROPERTIES EXPORT_NAME options)
install(TARGETS ${libraries} EXPORT coterieTargets ARCHIVE COMPONENT development)
install(EXPORT coterieTargets NAMESPACE coterie:: DESTINATION ${package} COMPONENT development)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/coterieConfig.cmake.in ${PROJECT_BINARY_DIR}/coterieConfig.cmake
                              INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/coterieConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/coterieConfig.cmake ${PROJECT_BINARY_DIR}/coterieConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/hdf5.cmake
        DESTINATION ${package} COMPONENT development)

# Two packages: coterie and libcoterie-dev. dpkg-shlibdeps (dpkg-dev) finds the libraries of the program.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The authors of coterie <coterie@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME coterie)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS
  "bash-completion, python3, python3-h5py, python3-h5netcdf, python3-matplotlib, python3-numpy, python3-pandas, python3-scipy, python3-xarray")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libcoterie-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "cmake, g++, pkg-config, coinor-libclp-dev, libboost-dev, libboost-iostreams-dev, libboost-program-options-dev, libeigen3-dev, libexpat1-dev, libfmt-dev, libhdf5-dev, libhowardhinnant-date-dev, liblzma-dev, libtomlplusplus-dev, libzstd-dev, nlohmann-json3-dev, librandom123-dev, zlib1g-dev")
if(MPI_CXX_FOUND)
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", libopenmpi-dev")
endif()
include(CPack)
cpack_add_component(program DESCRIPTION
  "Builds schedules for work that can be split anywhere, computes their expected work exactly, and simulates them with
sampled interruptions and background jobs. Includes manual pages, a Python package, campaigns, figures and traces.")
cpack_add_component(development DESCRIPTION
  "Headers and static libraries of coterie, for programs with strategies and risks of their own.")
