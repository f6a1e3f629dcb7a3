// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <string>
#include <vector>

namespace heddle::opencl::test {

/// A function of one to three real arguments; exact to the precision of long double.
struct real_function {
    using one = long double (*)(long double);
    using two = long double (*)(long double, long double);
    using three = long double (*)(long double, long double, long double);

    real_function(std::string name, double limit, one f, double up_to = 0)
        : name(std::move(name)), limit(limit), arguments(1), up_to(up_to), of_one(f) {}
    real_function(std::string name, double limit, two f, double up_to = 0)
        : name(std::move(name)), limit(limit), arguments(2), up_to(up_to), of_two(f) {}
    real_function(std::string name, double limit, three f, double up_to = 0)
        : name(std::move(name)), limit(limit), arguments(3), up_to(up_to), of_three(f) {}

    std::string name;
    double limit;  ///< units in the last place
    unsigned arguments;
    double up_to;  ///< magnitude of an argument beyond which the result is anything; 0: none
    one of_one = nullptr;
    two of_two = nullptr;
    three of_three = nullptr;
};

/// Those with an error limit in OpenCL 1.2, section 7.4 (full profile), for float or double.
[[nodiscard]] std::vector<real_function> real_functions(bool of_float);
/// half_ functions: at most 8192 units, for arguments up to 2^16.
[[nodiscard]] std::vector<real_function> half_functions();

}  // namespace heddle::opencl::test
