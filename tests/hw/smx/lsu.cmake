# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
heddle_test(lsu_test
  SOURCES block_fences_test.cpp load_latency_test.cpp lsu_banks_test.cpp lsu_cache_test.cpp lsu_checker_test.cpp lsu_coalescer_test.cpp lsu_constant_test.cpp lsu_data_test.cpp
          lsu_gathered_test.cpp lsu_log_test.cpp lsu_read_only_test.cpp
          lsu_testbench_test.cpp lsu_timing_test.cpp lsu_write_back_test.cpp lsu_write_back_wait_test.cpp
          memory_port_test.cpp
  LINK heddle_lsu_rig heddle_systemc_test
  APART lsu_read_only_test.cpp)
add_dependencies(lsu_test l1_tb)
