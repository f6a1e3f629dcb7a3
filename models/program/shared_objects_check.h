// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include "models/program/elf_file.h"

namespace heddle::program {

/// Compares the shared memory of a linked program with what its sources declare. The debug
/// information says which objects were declared in shared memory, of which size: the compiler's
/// plug-in has marked them (pass/shared_objects.h). The linker leaves out those that nobody uses.
/// Each other one has to be a symbol of the shared window, of its size, and not to overlap another.
///
/// Throws configuration_error that names the object and its line.
void check_shared_objects(const elf_file& file);

}  // namespace heddle::program
