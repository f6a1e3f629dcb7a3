# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
heddle_test(tm_test
  SOURCES conflict_detectors_test.cpp tm_engine_test.cpp tm_masks_test.cpp tm_random_test.cpp tm_signature_test.cpp tm_unit_test.cpp undo_log_test.cpp
  LINK heddle_transaction_reference heddle_systemc_test)
