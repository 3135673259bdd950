# Installation rules. The man pages are made from the --help output of the programs.
include(GNUInstallDirs)

# epsilens_install_manual(program component): installs the man pages of a program and its commands.
function(epsilens_install_manual program component)
    install(CODE "
        execute_process(COMMAND \"\${CMAKE_COMMAND}\"
            -DPROGRAM=$<TARGET_FILE:${program}> -DVERSION=${PROJECT_VERSION}
            -DFOLDER=${CMAKE_BINARY_DIR}/man -DNOTES=${CMAKE_SOURCE_DIR}/packaging/man
            -P \"${CMAKE_SOURCE_DIR}/packaging/man/make_pages.cmake\" COMMAND_ERROR_IS_FATAL ANY)
        file(GLOB pages \"${CMAKE_BINARY_DIR}/man/${program}/*.1\")
        file(INSTALL \${pages} DESTINATION
            \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\")"
        COMPONENT ${component})
endfunction()

install(TARGETS epsilens-cli RUNTIME COMPONENT cli)
epsilens_install_manual(epsilens-cli cli)
install(FILES LICENSE CHANGELOG.md README.md SECURITY.md resources/sample/NOTICE resources/licences/components.md
    DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/epsilens" COMPONENT common)
install(PROGRAMS packaging/examples/sanitize_by_lines.sh packaging/examples/read_results.py
    DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/epsilens/examples" COMPONENT common)
install(FILES packaging/completion/epsilens-cli
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT cli)

if(BUILD_MPI)
    install(TARGETS epsilens-mpi RUNTIME COMPONENT mpi)
    epsilens_install_manual(epsilens-mpi mpi)
    install(FILES packaging/completion/epsilens-cli RENAME epsilens-mpi
        DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT mpi)
    # The file of a program has its name. Neither Open MPI and MPICH of Debian nor bash-completion have these.
    foreach(launcher mpirun mpiexec)
        install(FILES packaging/completion/mpirun RENAME ${launcher}
            DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT mpi)
    endforeach()
    install(FILES packaging/cluster/README.md RENAME cluster.md
        DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/epsilens-mpi" COMPONENT mpi)
    install(PROGRAMS packaging/cluster/calibrate.slurm
        DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/epsilens-mpi/examples" COMPONENT mpi)
endif()

if(BUILD_GUI)
    install(TARGETS epsilens RUNTIME COMPONENT gui)
    epsilens_install_manual(epsilens gui)
    install(FILES packaging/desktop/epsilens.desktop
        DESTINATION "${CMAKE_INSTALL_DATADIR}/applications" COMPONENT gui)
    install(FILES packaging/desktop/epsilens.xml
        DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages" COMPONENT gui)
    # Software centres fetch pictures from the web alone. Whoever publishes packages says where resources/screenshots is.
    set(EPSILENS_WEBSITE "https://epsilens.example" CACHE STRING "Address below which screenshots/ is published")
    set(metainfo "${CMAKE_BINARY_DIR}/org.epsilens.epsilens.metainfo.xml")
    configure_file(packaging/desktop/org.epsilens.epsilens.metainfo.xml.in "${metainfo}" @ONLY)
    install(FILES "${metainfo}"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo" COMPONENT gui)
    set(icons "${CMAKE_INSTALL_DATADIR}/icons/hicolor")
    install(FILES resources/icons/epsilens.svg DESTINATION "${icons}/scalable/apps" COMPONENT gui)
    foreach(size 48 128)
        install(FILES resources/icons/epsilens-${size}.png RENAME epsilens.png
            DESTINATION "${icons}/${size}x${size}/apps" COMPONENT gui)
    endforeach()
endif()

include(Library)
include(Packages)
