# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
heddle_kernel(watchdog SOURCES kernels/watchdog_kernel.cpp)
heddle_test(watchdog_test
  SOURCES watchdog_test.cpp
  LINK heddle_machine_for_tests heddle_process_for_tests heddle_systemc_test)
add_dependencies(watchdog_test heddle heddle_kernel_watchdog heddle_kernel_iss_control)
