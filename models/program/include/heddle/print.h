// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

/// As the C library's, of kernels. The text comes when the host has waited for the launches, in the
/// order in which the calls took their places in the program's buffer of 1 MB. Returns 0, or -1 if
/// there was no room. A call costs some hundred instructions and 12 bytes, and 4 or 8 an argument.
extern "C" int printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
