// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "runtime/opencl/headers.h"

/// The functions of OpenCL 1.2 as Heddle has them. Programs reach them by way of the loader only.
namespace heddle::opencl {

#define HEDDLE_ENTRY(name) decltype(::name) name;
#include "runtime/opencl/entry_points.def"
#undef HEDDLE_ENTRY

/// The loader's table with all of them; functions of other versions return their error.
extern cl_icd_dispatch dispatch_table;

/// A function by its name; null if there is none of this name.
void* find_function(const char* name);

}  // namespace heddle::opencl
