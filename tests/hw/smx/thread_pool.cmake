# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
heddle_test(thread_pool_test
  SOURCES thread_pool_module_test.cpp thread_pool_testbench_test.cpp
  LINK heddle_thread_pool heddle_systemc_test heddle_process_for_tests heddle_paths)
add_dependencies(thread_pool_test thread_pool_tb)
