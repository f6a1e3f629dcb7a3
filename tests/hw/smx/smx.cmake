# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
heddle_test(smx_parts_test
  SOURCES block_table_test.cpp code_profile_test.cpp fetch_order_test.cpp front_end_test.cpp issue_stage_test.cpp
          pdom_formation_test.cpp pipeline_test.cpp register_groups_test.cpp scheduler_turns_test.cpp turn_sleep_test.cpp home_meetings_test.cpp thread_flights_test.cpp
          warp_profile_test.cpp warp_readiness_test.cpp
  LINK heddle_issue heddle_lsu_rig heddle_systemc_test)
add_dependencies(smx_parts_test heddle_kernel_iss_control)

heddle_test(smx_test
  SOURCES smx_coherence_test.cpp smx_constant_test.cpp smx_counts_test.cpp smx_fault_test.cpp
          smx_capabilities_test.cpp smx_testbench_test.cpp smx_timing_test.cpp
  LINK heddle_smx_bench heddle_systemc_test)
add_dependencies(smx_test smx_tb heddle_kernel_smx_tb heddle_kernel_iss_fault
                 heddle_kernel_iss_control)
