// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Random strings over the first letters of the alphabet.
#include <algorithm>

#include "models/base/attention.h"
#include "models/inputs/generator.h"
#include "models/inputs/string_kinds.h"

namespace heddle::inputs {
namespace {

struct strings_arguments : seed_argument {
    std::uint32_t count = 1024;
    std::uint32_t shortest = 16;
    std::uint32_t longest = 112;
    std::uint32_t letters = 8;

    void declare(parameter_list& p) {
        p.add("count", count, range(1, 1 << 28), "string", "Strings");
        p.add("shortest", shortest, range(0, 1 << 20), "byte", "Fewest bytes of a string");
        p.add("longest", longest, range(1, 1 << 20), "byte",
              "Most bytes of a string; the length is uniform");
        p.add("letters", letters, range(1, 26), "letter", "Different letters, from a on");
        seed_argument::declare(p);
        p.require({"shortest", "longest"}, "shortest is at most longest",
                  [this] { return shortest <= longest; });
    }
};

string_list make_strings(const strings_arguments& arguments, const std::string& origin,
                         std::uint64_t run_seed) {
    random_stream random = arguments.random("strings", run_seed);
    string_list strings;
    strings.origin = origin;
    std::string text;
    for (std::uint32_t i = 0; i < arguments.count; ++i) {
        attention::throw_if_interrupted("making strings");
        text.resize(arguments.shortest + random.below(arguments.longest - arguments.shortest + 1));
        for (char& letter : text) letter = static_cast<char>('a' + random.below(arguments.letters));
        strings.add(text);
    }
    return strings;
}

}  // namespace

string_kind random_strings() {
    return make_input_kind<strings_arguments>(
        "strings", "Random strings of letters, lengths and letters uniform", {}, make_strings);
}

}  // namespace heddle::inputs
