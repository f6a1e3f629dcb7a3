// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <systemc>
int sc_main(int, char**) { return 0; }
