// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <iostream>
#include <string>

#include "library/retire/retire_forms.h"

/// Writes one form of the record to standard output.
int main(int argument_count, char** arguments) {
    const std::string form = argument_count == 2 ? arguments[1] : "";
    if (form == "macros") {
        std::cout << heddle::library::retire_macros();
    } else if (form == "package") {
        std::cout << heddle::library::retire_package();
    } else if (form == "tables") {
        std::cout << heddle::library::retire_tables();
    } else {
        std::cerr << "usage: heddle_retire_forms macros | package | tables\n";
        return 2;
    }
    return std::cout.flush() ? 0 : 2;
}
