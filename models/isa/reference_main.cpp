// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <fstream>
#include <iostream>

#include "models/isa/reference.h"

/// Writes the instruction set reference to the file that the only argument names.
int main(int argument_count, char** arguments) {
    if (argument_count != 2) {
        std::cerr << "usage: heddle_isa_reference FILE (the project's is docs/isa.md)\n";
        return 2;
    }
    std::ofstream file(arguments[1]);
    file << heddle::isa::reference_page();
    file.close();
    if (!file) {
        std::cerr << "heddle_isa_reference: cannot write " << arguments[1] << '\n';
        return 2;
    }
    return 0;
}
