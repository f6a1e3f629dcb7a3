# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# heddle_rtl(SLOT MODULE name SOURCES file... [FREE_RUNNING] [PARAMETERS NAME=VALUE...]
#            [INCLUDES folder...] [DEFINES NAME[=VALUE]...] [LISTS file...] [WAIVERS file.vlt...]):
# the SystemVerilog module that slot.SLOT gets with `rtl` and `shadow`; its ports are those of
# `heddle_ports list`. FREE_RUNNING: it gets a clock in each cycle, also in those in which the part
# is not called. LISTS have names of files, relative ones from their
# own folder, WAIVERS say which of Verilator's warnings are none. The
# last call for a slot counts, so that a folder of HEDDLE_RTL replaces Heddle's own.
function(heddle_rtl slot)
  cmake_parse_arguments(arg "FREE_RUNNING" "MODULE"
                        "SOURCES;PARAMETERS;INCLUDES;DEFINES;LISTS;WAIVERS" ${ARGN})
  foreach(files SOURCES INCLUDES LISTS WAIVERS)
    list(TRANSFORM arg_${files} PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/"
         REGEX "^[^/]") # relative ones
  endforeach()
  set(options)
  foreach(folder ${arg_INCLUDES})
    list(APPEND options "-I${folder}")
  endforeach()
  foreach(define ${arg_DEFINES})
    list(APPEND options "-D${define}")
  endforeach()
  foreach(file ${arg_LISTS})
    list(APPEND options -F "${file}")
  endforeach()
  set_property(GLOBAL PROPERTY HEDDLE_RTL_OPTIONS_${slot} ${arg_WAIVERS} ${options})
  set_property(GLOBAL PROPERTY HEDDLE_RTL_LISTS_${slot} ${arg_LISTS} ${arg_WAIVERS})
  set_property(GLOBAL PROPERTY HEDDLE_RTL_PARAMETERS_${slot} ${arg_PARAMETERS})
  set_property(GLOBAL PROPERTY HEDDLE_RTL_MODULE_${slot} ${arg_MODULE})
  set_property(GLOBAL PROPERTY HEDDLE_RTL_SOURCES_${slot} ${arg_SOURCES})
  set_property(GLOBAL PROPERTY HEDDLE_RTL_FREE_RUNNING_${slot} ${arg_FREE_RUNNING})
endfunction()

# heddle_describe_rtl(TARGET PROGRAM BLOCK...): TARGET makes descriptions in IP-XACT of the blocks'
# modules, hw/cosim/components/BLOCK.xml by IEEE 1685-2014 and components_2022/BLOCK.xml by
# IEEE 1685-2022, with `PROGRAM component` and `PROGRAM component_2022`.
function(heddle_describe_rtl target program)
  set(folder "${CMAKE_BINARY_DIR}/hw/cosim/components")
  file(MAKE_DIRECTORY "${folder}" "${folder}_2022")
  foreach(block ${ARGN})
    get_property(module GLOBAL PROPERTY HEDDLE_RTL_MODULE_${block})
    get_property(sources GLOBAL PROPERTY HEDDLE_RTL_SOURCES_${block})
    set(files)
    foreach(source ${sources})
      # From the description's own folder: a description may move with its tree.
      cmake_path(NORMAL_PATH source)
      file(RELATIVE_PATH source "${folder}" "${source}")
      list(APPEND files "${source}")
    endforeach()
    # Both folders lie beside each other, so the files have the same names from both.
    foreach(standard "" _2022)
      set(description "${folder}${standard}/${block}.xml")
      add_custom_command(OUTPUT "${description}"
        COMMAND ${program} component${standard} ${block} ${module} ${files} > "${description}"
        DEPENDS ${program} VERBATIM)
      list(APPEND components "${description}")
    endforeach()
  endforeach()
  add_custom_target(${target} ALL DEPENDS ${components})
endfunction()

# What Verilator has read, names in lists and included files among it, is in its own dependency file.
# Ninja wants the first output of the command there and no others: sed sees to that.

# heddle_verilate(SLOT): what Verilator makes of the slot's module, as sources and archives in
# HEDDLE_RTL_CODE and HEDDLE_RTL_ARCHIVES of the caller.
function(heddle_verilate slot)
  get_property(module GLOBAL PROPERTY HEDDLE_RTL_MODULE_${slot})
  get_property(sources GLOBAL PROPERTY HEDDLE_RTL_SOURCES_${slot})
  get_property(options GLOBAL PROPERTY HEDDLE_RTL_OPTIONS_${slot})
  get_property(lists GLOBAL PROPERTY HEDDLE_RTL_LISTS_${slot})
  get_property(parameters GLOBAL PROPERTY HEDDLE_RTL_PARAMETERS_${slot})
  get_property(free GLOBAL PROPERTY HEDDLE_RTL_FREE_RUNNING_${slot})
  set(free_running false) # in C++
  if(free)
    set(free_running true)
  endif()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${slot}")
  set(top ${slot}_shell)
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(
    OUTPUT "${folder}/${top}.sv"
    COMMAND heddle_ports shell ${slot} ${module} ${parameters} > "${folder}/${top}.sv"
    DEPENDS heddle_ports VERBATIM)
  add_custom_command(
    OUTPUT "${folder}/V${top}.h" "${folder}/V${top}__ALL.a"
    COMMAND env "OBJCACHE=${HEDDLE_CCACHE}" "${HEDDLE_VERILATOR}" --cc --build --trace --assert -O3
            -Wall --x-assign fast --x-initial unique --Mdir "${folder}" --prefix V${top} --top-module ${top}
            -CFLAGS "-std=c++17 -fPIC $<$<BOOL:${HEDDLE_MARCH}>:-march=${HEDDLE_MARCH}>"
            -MAKEFLAGS "OPT_FAST=-O2 OPT_SLOW=-O1 OPT_GLOBAL=-O2 VM_PARALLEL_BUILDS=0"
            "${folder}/${top}.sv" ${options} ${sources} > "${folder}/verilator.log"
    COMMAND sed "s|^[^:]*:|${folder}/V${top}.h:|" "${folder}/V${top}__ver.d" > "${folder}/V${top}.d"
    DEPENDS "${folder}/${top}.sv" ${sources} ${lists} DEPFILE "${folder}/V${top}.d" VERBATIM)
  configure_file(verilated.cpp.in "${folder}/${slot}_rtl.cpp" @ONLY)
  set(HEDDLE_RTL_CODE ${HEDDLE_RTL_CODE} "${folder}/${slot}_rtl.cpp" "${folder}/V${top}.h"
      PARENT_SCOPE)
  set(HEDDLE_RTL_ARCHIVES ${HEDDLE_RTL_ARCHIVES} "${folder}/V${top}__ALL.a" PARENT_SCOPE)
endfunction()

# heddle_verilate_systemc(NAME MODULE name SOURCES file... [SETTINGS argument...] [LISTS file...]):
# a SystemVerilog module as the SystemC module VNAME with its pins, compiled with the SystemC of all
# the rest. LISTS are files that SETTINGS name. The result is in the folder NAME; its archive joins
# HEDDLE_BLOCK_ARCHIVES of the caller.
function(heddle_verilate_systemc name)
  cmake_parse_arguments(arg "" "MODULE" "SOURCES;SETTINGS;LISTS" ${ARGN})
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  set(systemc "$<TARGET_PROPERTY:HeddleSystemC::systemc,INTERFACE_INCLUDE_DIRECTORIES>")
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(
    OUTPUT "${folder}/V${name}.h" "${folder}/V${name}__ALL.a"
    COMMAND env "OBJCACHE=${HEDDLE_CCACHE}" "${HEDDLE_VERILATOR}" --sc --build --assert -O3 -Wall
            --x-assign fast --x-initial fast ${arg_SETTINGS} --Mdir "${folder}" --prefix V${name}
            --top-module ${arg_MODULE}
            -CFLAGS "-std=c++17 -fPIC $<$<BOOL:${HEDDLE_MARCH}>:-march=${HEDDLE_MARCH}> \
$<$<BOOL:${systemc}>:-I$<JOIN:${systemc}, -I>>"
            -MAKEFLAGS "OPT_FAST=-O2 OPT_SLOW=-O1 OPT_GLOBAL=-O2 VM_PARALLEL_BUILDS=0"
            ${arg_SOURCES} > "${folder}/verilator.log"
    COMMAND sed "s|^[^:]*:|${folder}/V${name}.h:|" "${folder}/V${name}__ver.d" > "${folder}/V${name}.d"
    DEPENDS ${arg_SOURCES} ${arg_LISTS} DEPFILE "${folder}/V${name}.d" VERBATIM)
  set(HEDDLE_BLOCK_ARCHIVES ${HEDDLE_BLOCK_ARCHIVES} "${folder}/V${name}__ALL.a" PARENT_SCOPE)
endfunction()

# heddle_verilate_block(BLOCK): the module of heddle_rtl(BLOCK ...) by heddle_verilate_systemc.
function(heddle_verilate_block block)
  get_property(module GLOBAL PROPERTY HEDDLE_RTL_MODULE_${block})
  get_property(sources GLOBAL PROPERTY HEDDLE_RTL_SOURCES_${block})
  get_property(options GLOBAL PROPERTY HEDDLE_RTL_OPTIONS_${block})
  get_property(lists GLOBAL PROPERTY HEDDLE_RTL_LISTS_${block})
  get_property(parameters GLOBAL PROPERTY HEDDLE_RTL_PARAMETERS_${block})
  list(TRANSFORM parameters PREPEND "-G")
  heddle_verilate_systemc(${block} MODULE ${module} SOURCES ${sources}
                          SETTINGS ${options} ${parameters} LISTS ${lists})
  set(HEDDLE_BLOCK_ARCHIVES ${HEDDLE_BLOCK_ARCHIVES} PARENT_SCOPE)
endfunction()

# heddle_link_verilated(TARGET ARCHIVE...): links archives of Verilator, here and where installed.
function(heddle_link_verilated target)
  foreach(archive ${ARGN})
    get_filename_component(file "${archive}" NAME)
    target_link_libraries(${target} PRIVATE
      "$<BUILD_INTERFACE:${archive}>"
      "$<INSTALL_INTERFACE:$<INSTALL_PREFIX>/${HEDDLE_INSTALL_LIBRARIES}/${file}>")
  endforeach()
  install(FILES ${ARGN} DESTINATION "${HEDDLE_INSTALL_LIBRARIES}")
endfunction()
