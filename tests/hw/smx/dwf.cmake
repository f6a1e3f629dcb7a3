# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
heddle_test(dwf_test
  SOURCES dwf_example_test.cpp dwf_former_test.cpp dwf_heap_test.cpp dwf_parts_test.cpp
          dwf_policy_test.cpp dwf_random_test.cpp dwf_transaction_test.cpp dwf_waves_test.cpp
  LINK heddle_dwf heddle_systemc_test
  APART dwf_policy_test.cpp)
