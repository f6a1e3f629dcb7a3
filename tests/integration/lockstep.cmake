# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
heddle_kernel(wrong_sum SOURCES ${CMAKE_SOURCE_DIR}/docs/examples/wrong_sum.cpp)
heddle_test(lockstep_run_test
  SOURCES check_test.cpp cooperative_test.cpp formation_test.cpp launch_mode_test.cpp retire_test.cpp skip_test.cpp warp_size_test.cpp
  LINK heddle_process_for_tests heddle_workloads nlohmann_json::nlohmann_json)
add_dependencies(lockstep_run_test heddle heddle_kernel_iss_fault heddle_kernel_iss_memory
                 heddle_kernel_wrong_sum)
