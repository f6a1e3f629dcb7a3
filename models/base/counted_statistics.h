// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "models/base/statistics.h"

namespace heddle {

/// A statistic that follows from the counts of a block: a count, or a ratio of two. Counts of
/// several blocks add. So one declaration gives the statistic of a block and that of the machine,
/// which is a sum or a ratio of sums:
///
///     inline constexpr counted_statistic<l2_counts> l2_statistics[] = {
///         {{"accesses", "access", "..."}, "l2_accesses", count_of<&l2_counts::accesses>},
///         {{"hits", "access", "..."}, nullptr, count_of<&l2_counts::hits>},
///         {{"miss_rate", "", "..."}, "l2_miss_rate", count_of<&l2_counts::misses>,
///          count_of<&l2_counts::accesses>},
///     };
template <class Counts>
struct counted_statistic {
    using function = std::uint64_t (*)(const Counts&);

    statistic_declaration of_block;
    const char* of_machine;  ///< name under "gpu"; nullptr: the machine does not show it
    function count;
    function over = nullptr;  ///< the ratio is count / over, and unset where over is 0

    [[nodiscard]] statistic_declaration machine_declaration() const {
        return {of_machine, of_block.unit, of_block.description};
    }
    void set(statistics& into, const std::string& name, const Counts& counts) const {
        const std::uint64_t value = count(counts);
        if (over == nullptr) return into.set(name, value);
        const std::uint64_t whole = over(counts);
        if (whole != 0) into.set(name, static_cast<double>(value) / static_cast<double>(whole));
    }
};

/// The value of a data member, or of a member function without arguments.
template <auto Member, class Counts>
std::uint64_t count_of(const Counts& counts) {
    return std::invoke(Member, counts);
}

/// Declares a table under the scope of a block.
template <class Counts, std::size_t Count>
void declare_counted(statistics& into, const std::string& scope,
                     const counted_statistic<Counts> (&table)[Count]) {
    for (const auto& each : table) into.declare(scope, &each.of_block, 1);
}
/// Sets it.
template <class Counts, std::size_t Count>
void set_counted(statistics& into, const std::string& scope,
                 const counted_statistic<Counts> (&table)[Count], const Counts& counts) {
    for (const auto& each : table) each.set(into, scope + "." + each.of_block.name, counts);
}
/// Declares what the machine shows of a table, under "gpu".
template <class Counts, std::size_t Count>
void declare_machine(statistics& into, const counted_statistic<Counts> (&table)[Count]) {
    for (const auto& each : table) {
        if (each.of_machine == nullptr) continue;
        const statistic_declaration declaration = each.machine_declaration();
        into.declare("gpu", &declaration, 1);
    }
}
/// Sets it from the counts of all blocks, added.
template <class Counts, std::size_t Count>
void set_machine(statistics& into, const counted_statistic<Counts> (&table)[Count],
                 const Counts& all) {
    for (const auto& each : table) {
        if (each.of_machine != nullptr) each.set(into, std::string("gpu.") + each.of_machine, all);
    }
}

/// Adds, or takes away, the counts in `Counts::fields`, a table of pointers to members.
template <class Counts>
void add_counts(Counts& to, const Counts& other) {
    for (const auto field : Counts::fields) to.*field += other.*field;
}
template <class Counts>
void subtract_counts(Counts& from, const Counts& earlier) {
    for (const auto field : Counts::fields) from.*field -= earlier.*field;
}

}  // namespace heddle
