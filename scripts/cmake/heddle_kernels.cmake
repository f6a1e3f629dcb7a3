# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# heddle_kernel(NAME SOURCES ... [INCLUDES ...] [DEFINES ...] [NO_CONTRACT]): compiles device
# sources to ${CMAKE_BINARY_DIR}/kernels/NAME.elf during the build, again when a source, a header
# or the compile driver changes. Targets that load the file depend on heddle_kernel_NAME.
function(heddle_kernel name)
  cmake_parse_arguments(arg "NO_CONTRACT" "" "SOURCES;INCLUDES;DEFINES" ${ARGN})
  list(TRANSFORM arg_SOURCES REPLACE "^([^/].*)$" "${CMAKE_CURRENT_SOURCE_DIR}/\\1")
  list(TRANSFORM arg_INCLUDES PREPEND "-I")
  list(TRANSFORM arg_DEFINES PREPEND "-D")
  if(arg_NO_CONTRACT)
    set(contract "--no-contract")
  endif()
  set(output "${CMAKE_BINARY_DIR}/kernels/${name}.elf")
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/kernels")
  set(device "${CMAKE_SOURCE_DIR}/models/program/device")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND heddle_compile_tool "${output}" "${output}.d" ${arg_INCLUDES} ${arg_DEFINES}
            ${contract} ${arg_SOURCES}
    DEPENDS ${arg_SOURCES} heddle_compile_tool heddle_pass "${device}/heddle.ld" "${device}/runtime.c"
    DEPFILE "${output}.d"
    COMMENT "Compiling device program ${name}"
    VERBATIM)
  add_custom_target(heddle_kernel_${name} DEPENDS "${output}")
endfunction()
