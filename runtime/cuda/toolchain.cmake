# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# CMake's CUDA language by Heddle: cmake --toolchain .../share/heddle/cuda/toolchain.cmake. Objects of
# other languages have 32 bits, too: device pointers do.
set(CMAKE_CUDA_COMPILER "${CMAKE_CURRENT_LIST_DIR}/bin/nvcc")
# For find_package(CUDAToolkit) and find_package(CUDA).
set(CUDAToolkit_ROOT "${CMAKE_CURRENT_LIST_DIR}")
set(CUDA_TOOLKIT_ROOT_DIR "${CMAKE_CURRENT_LIST_DIR}")
foreach(language C CXX)
  set(CMAKE_${language}_FLAGS_INIT "-m32 -march=x86-64 -mfpmath=sse -malign-double")
endforeach()
# No option of nvcc's decides about the device; a project's own choice is left alone.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 61)
endif()
