# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors

# One simulation a process, so that this benchmark brings its own measuring loop.
add_executable(clock_domain_bench clock_domain_bench.cpp)
target_link_libraries(clock_domain_bench PRIVATE heddle_hw_base)
add_test(NAME clock_domain_bench.quick COMMAND clock_domain_bench --quick)
set_tests_properties(clock_domain_bench.quick PROPERTIES TIMEOUT 60)
