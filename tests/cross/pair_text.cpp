// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <sstream>

#include "models/base/error.h"
#include "tests/cross/pair.h"
#include "tests/hw/top/machine_fixture.h"

namespace heddle::cross {

pair pair_of(const crossing& one, unsigned optimization) {
    pair made;
    made.machine = one.machine;
    made.optimization = optimization;
    made.source = "#include <heddle.h>\n";
    for (const auto& kernel : one.kernels) made.source += source_text(kernel);
    const auto warp_size =
        configuration_of(one.machine.configuration, one.machine.changes).machine.warp_size;
    for (const auto& launch : one.launches) {
        const auto& kernel = one.kernels[launch.kernel];
        expected_launch expected{kernel.name,
                                 launch.blocks,
                                 launch.threads,
                                 launch.priority,
                                 launch.arguments,
                                 kernel.operations.cooperation,
                                 {},
                                 {}};
        for (unsigned block = 0; block < launch.blocks; ++block) {
            const auto result =
                result_of(kernel, launch.arguments, launch.threads, warp_size, block);
            expected.out.insert(expected.out.end(), result.out.begin(), result.out.end());
            if (!has_sums(kernel.operations)) continue;
            expected.sums.insert(expected.sums.end(), result.sums.begin(), result.sums.end());
        }
        made.launches.push_back(std::move(expected));
    }
    return made;
}

namespace {

void put_words(std::ostream& out, const char* name, const std::vector<std::uint32_t>& words) {
    out << name;
    for (const auto word : words) out << ' ' << word;
    out << '\n';
}

std::vector<std::uint32_t> words_of(std::istream& in) {
    std::vector<std::uint32_t> words;
    for (std::uint32_t word = 0; in >> word;) words.push_back(word);
    in.clear();
    return words;
}

/// "NAME VALUE" of a launch's line.
template <class Value>
void take(std::istream& in, const std::string& name, Value& value) {
    std::string found;
    if (!(in >> found >> value) || found != name) in.setstate(std::ios::failbit);
}

expected_launch launch_of(std::istream& in) {
    expected_launch made;
    in >> made.kernel;
    take(in, "blocks", made.blocks);
    take(in, "threads", made.threads);
    take(in, "priority", made.priority);
    take(in, "cooperative", made.cooperative);
    take(in, "n", made.arguments.n);
    take(in, "m", made.arguments.m);
    auto& flags = made.arguments.flags;
    take(in, "flags", flags[0]);
    in >> flags[1] >> flags[2] >> flags[3];
    return made;
}

}  // namespace

std::string text_of(const pair& one, const std::string& finding) {
    std::ostringstream out;
    std::istringstream lines(finding);
    for (std::string line; std::getline(lines, line);) out << "# " << line << '\n';
    out << "config " << one.machine.configuration << '\n';
    for (const auto& change : one.machine.changes) out << "set " << change << '\n';
    out << "optimization " << one.optimization << '\n';
    for (const auto& launch : one.launches) {
        const auto& given = launch.arguments;
        out << "launch " << launch.kernel << " blocks " << launch.blocks << " threads "
            << launch.threads << " priority " << launch.priority << " cooperative "
            << launch.cooperative << " n " << given.n << " m " << given.m << " flags";
        for (const auto flag : given.flags) out << ' ' << flag;
        out << '\n';
        put_words(out, "out", launch.out);
        if (!launch.sums.empty()) put_words(out, "sums", launch.sums);
    }
    out << "source\n" << one.source;
    return out.str();
}

pair pair_from(const std::string& text) {
    pair made;
    std::istringstream lines(text);
    std::size_t number = 1;
    for (std::string line; std::getline(lines, line); ++number) {
        std::istringstream in(line);
        std::string word;
        if (!(in >> word) || word == "#") continue;
        if (word == "source") {
            made.source.assign(std::istreambuf_iterator<char>(lines), {});
            return made;
        }
        if (word == "config") {
            in >> made.machine.configuration;
        } else if (word == "set") {
            in >> made.machine.changes.emplace_back();
        } else if (word == "optimization") {
            in >> made.optimization;
        } else if (word == "launch") {
            made.launches.push_back(launch_of(in));
        } else if (word == "out" && !made.launches.empty()) {
            made.launches.back().out = words_of(in);
        } else if (word == "sums" && !made.launches.empty()) {
            made.launches.back().sums = words_of(in);
        } else {
            in.setstate(std::ios::failbit);
        }
        if (!in) {
            throw configuration_error("line " + std::to_string(number) + ": '" + line +
                                      "' is no line of a pair (config, set, optimization, launch, "
                                      "out, sums, source)");
        }
    }
    throw configuration_error("a pair ends with 'source' and its kernels");
}

}  // namespace heddle::cross
