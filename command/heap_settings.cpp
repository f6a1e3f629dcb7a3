// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The model touches tens of MB in no order that a processor could foresee: registers of all SMXs,
// tags, payloads. With pages of 4 KiB a fifth of a run's time went into address translation; with
// huge ones, where the system grants them, it does not. jemalloc reads this at its start.
#include <jemalloc/jemalloc.h>

const char* malloc_conf = "thp:always,metadata_thp:always,narenas:1";
