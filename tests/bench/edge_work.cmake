# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors

# For scripts/threads_schedule.
add_executable(edge_work_bench edge_work_bench.cpp)
target_link_libraries(edge_work_bench PRIVATE heddle_machine_for_tests heddle_workloads)
add_test(NAME edge_work_bench.quick COMMAND edge_work_bench tiny saxpy n=512)
set_tests_properties(edge_work_bench.quick PROPERTIES TIMEOUT 60
                     PASS_REGULAR_EXPRESSION "part [0-9]+ [0-9]+ [^\n]*crossbar")
