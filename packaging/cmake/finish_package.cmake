# Runs between installing the files of the packages and packing them: adds what Debian asks of a package, and packs man
# pages. All times are that of SOURCE_DATE_EPOCH, so that two builds give equal packages.
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER "${component}" upper)
    set(root "${CPACK_TEMPORARY_DIRECTORY}/${component}/usr")
    if(NOT IS_DIRECTORY "${root}")
        continue()
    endif()
    set(documents "${root}/share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}")
    file(COPY_FILE "${CMAKE_CURRENT_LIST_DIR}/../debian/copyright" "${CPACK_TEMPORARY_DIRECTORY}/copyright")
    file(MAKE_DIRECTORY "${documents}")
    file(RENAME "${CPACK_TEMPORARY_DIRECTORY}/copyright" "${documents}/copyright")
    string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
    file(WRITE "${documents}/changelog.Debian"
        "epsilens (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n"
        "  * CHANGELOG.md of epsilens-common lists the changes.\n\n"
        " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
    file(GLOB pages "${root}/share/man/man*/*.[0-9]")
    execute_process(COMMAND gzip -9n "${documents}/changelog.Debian" ${pages} COMMAND_ERROR_IS_FATAL ANY)
endforeach()

# Symbols of the libraries are stripped by CPack only from programs.
file(GLOB_RECURSE archives "${CPACK_TEMPORARY_DIRECTORY}/*.a")
if(archives)
    execute_process(COMMAND strip --strip-debug --enable-deterministic-archives ${archives} COMMAND_ERROR_IS_FATAL ANY)
endif()

if(DEFINED ENV{SOURCE_DATE_EPOCH})
    execute_process(COMMAND find "${CPACK_TEMPORARY_DIRECTORY}" -exec touch -h -d "@$ENV{SOURCE_DATE_EPOCH}" {} +
        COMMAND_ERROR_IS_FATAL ANY)
endif()
