// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#define BLOCK_SIZE 16
#define STR_SIZE 256
