# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
heddle_test(warp_scheduler_test
  SOURCES memory_first_policy_test.cpp two_level_policy_test.cpp warp_scheduler_policy_test.cpp
          warp_scheduler_module_test.cpp
          warp_scheduler_testbench_test.cpp
  LINK heddle_warp_scheduler heddle_systemc_test KIND testbenches)
add_dependencies(warp_scheduler_test warp_scheduler_tb)
