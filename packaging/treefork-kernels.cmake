# treefork_add_kernels(TARGET FILE.c... [OPTIONS OPTION...]): kernels and host code of each file, made by `treefork build` with
# the options, stand in for the file in TARGET, which is linked with treefork::treefork and finds FILE.tf.h. The include
# folders and definitions of TARGET count for the files, too. They are made again when a file, a header of it or the tool changes.
# TARGET_serial, a library of objects that nobody builds unless asked, has the files as they stand: compile_commands.json knows
# their flags by it, for editors.
function(treefork_add_kernels target)
    cmake_parse_arguments(PARSE_ARGV 1 kernels "" "" "OPTIONS")
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.treefork")
    set(folders "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
    set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
    set(include_flags "$<$<BOOL:${folders}>:-I$<JOIN:${folders},;-I>>")
    set(define_flags "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>")
    set(sources)
    foreach(file IN LISTS kernels_UNPARSED_ARGUMENTS)
        get_filename_component(source "${file}" ABSOLUTE)
        get_filename_component(name "${file}" NAME_WE)
        set(made "${folder}/${name}.tf.c")
        if(CMAKE_VERSION VERSION_LESS 3.20 AND NOT CMAKE_GENERATOR MATCHES "Ninja")
            set(depends IMPLICIT_DEPENDS C "${source}")
        else()
            set(depends DEPFILE "${folder}/${name}.d")
        endif()
        add_custom_command(OUTPUT "${made}"
            BYPRODUCTS "${folder}/${name}.tf.h" "${folder}/${name}.texts.h" "${folder}/${name}.tree.json"
            COMMAND "${CMAKE_COMMAND}" -E make_directory "${folder}"
            COMMAND "${CMAKE_C_COMPILER}" -MM -MT "${made}" -MF "${folder}/${name}.d"
                "${include_flags}" "${define_flags}" "${source}"
            COMMAND "${TREEFORK_EXECUTABLE}" build "${source}" -o "${folder}"
                "${include_flags}" "${define_flags}" ${kernels_OPTIONS}
            DEPENDS "${source}" "${TREEFORK_EXECUTABLE}"
            ${depends}
            COMMENT "Kernels of ${file}"
            COMMAND_EXPAND_LISTS VERBATIM)
        target_sources(${target} PRIVATE "${made}")
        list(APPEND sources "${source}")
        # The generated file includes what the source does, as if it stood beside it.
        get_filename_component(beside "${source}" DIRECTORY)
        target_include_directories(${target} PRIVATE "${beside}")
    endforeach()
    target_include_directories(${target} PRIVATE "${folder}")
    target_link_libraries(${target} PRIVATE treefork::treefork)
    if(NOT TARGET ${target}_serial)
        add_library(${target}_serial OBJECT EXCLUDE_FROM_ALL)
        target_include_directories(${target}_serial PRIVATE "${folders}" $<TARGET_PROPERTY:treefork::treefork,INTERFACE_INCLUDE_DIRECTORIES>)
        target_compile_definitions(${target}_serial PRIVATE "${definitions}")
    endif()
    target_sources(${target}_serial PRIVATE ${sources})
endfunction()
