# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors

# One simulation a process, as clock_domain_bench.
add_executable(axi_bench axi_bench.cpp)
target_link_libraries(axi_bench PRIVATE heddle_axi heddle_dram)
add_test(NAME axi_bench.quick COMMAND axi_bench --quick)
set_tests_properties(axi_bench.quick PROPERTIES TIMEOUT 60)
