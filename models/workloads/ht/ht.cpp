// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>
#include <set>

#include "models/workloads/critical_section.h"
#include "models/workloads/helpers.h"
#include "models/workloads/workloads.h"

namespace heddle::workloads {
namespace {

constexpr std::uint32_t absent = 0, present = 1, inserted = 2;

struct ht_options : critical_section_options {
    std::uint32_t buckets = 0;
    std::uint32_t look_ups = 50;

    void declare(parameter_list& p) {
        critical_section_options::declare(p);
        p.add("buckets", buckets, range(0, 4096), "bucket",
              "Chains of a table, with a different key each on average; 0 = 32 with high "
              "contention, 1024 with low");
        p.add("look_ups", look_ups, range(0, 100), "percent",
              "Share of the items that look their key up instead of inserting it");
    }
    [[nodiscard]] std::uint32_t chains() const noexcept {
        if (buckets != 0) return buckets;
        return high() ? 32 : 1024;
    }
    [[nodiscard]] std::uint32_t words() const noexcept { return chains() + 2 * items(); }
};

/// What the items of all blocks do.
struct ht_work {
    std::vector<std::uint32_t> keys;
    std::vector<std::uint32_t> inserts;  ///< 0: looks up
};

ht_work make_work(const ht_options& options, const run_context& context) {
    random_stream keys = context.random("keys");
    random_stream kinds = context.random("kinds");
    ht_work work;
    for (std::uint32_t i = 0; i < options.all_items(); ++i) {
        const bool look_up = kinds.below(100) < options.look_ups;
        // Twice as many keys are looked up as are inserted: half of them are never there.
        const std::uint64_t all = options.chains() * (look_up ? 2 : 1);
        work.keys.push_back(static_cast<std::uint32_t>(keys.below(all)) + 1);
        work.inserts.push_back(look_up ? 0 : 1);
    }
    return work;
}

/// Corrects the answers in `expected`, a copy of those found, that no order of the sections
/// explains. Any order: of the insertions of a key, exactly one has found it absent. A thread that
/// has met a key finds it again. Nobody finds a key that is never inserted.
void correct_answers(const ht_options& options, const ht_work& work, std::uint32_t block,
                     std::vector<std::uint32_t>& expected) {
    const std::uint32_t first = block * options.items();
    std::set<std::uint32_t> ever, claimed;
    for (std::uint32_t i = first; i < first + options.items(); ++i) {
        if (work.inserts[i] != 0) ever.insert(work.keys[i]);
    }
    std::vector<std::set<std::uint32_t>> met(options.block);  // by thread
    for (std::uint32_t i = first; i < first + options.items(); ++i) {
        const std::uint32_t key = work.keys[i];
        const std::uint32_t thread =
            options.version == section_version::serial ? 0 : (i - first) % options.block;
        const bool known = met[thread].count(key) != 0;
        std::uint32_t& answer = expected[i];
        if (work.inserts[i] != 0) {
            const bool may_insert = !known && claimed.count(key) == 0;
            if (answer != present && !(answer == inserted && may_insert)) answer = present;
            if (answer == inserted) claimed.insert(key);
        } else if (ever.count(key) == 0) {
            answer = absent;
        } else if (known || answer > present) {
            answer = present;
        }
        if (answer != absent) met[thread].insert(key);
    }
    // Somebody has inserted each key.
    for (std::uint32_t i = first + options.items(); i-- > first;) {
        if (work.inserts[i] != 0 && claimed.insert(work.keys[i]).second) expected[i] = inserted;
    }
}

/// The keys of all chains of a table, in ascending order. Stops at a link that leads nowhere, and
/// after as many nodes as the table has: a chain that ends has no more.
std::vector<std::uint32_t> keys_of(const ht_options& options, const std::uint32_t* table) {
    const std::uint32_t* const keys = table + options.chains();
    const std::uint32_t* const next = keys + options.items();
    std::vector<std::uint32_t> found;
    for (std::uint32_t bucket = 0; bucket < options.chains(); ++bucket) {
        for (std::uint32_t node = table[bucket]; node != 0; node = next[node - 1]) {
            if (node > options.items() || found.size() > options.items()) return found;
            if (keys[node - 1] % options.chains() != bucket) return found;
            found.push_back(keys[node - 1]);
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

void run(device& gpu, const ht_options& options, const run_context& context,
         workload_report& report) {
    const ht_work work = make_work(options, context);
    const device_buffer<std::uint32_t> device_keys(gpu, work.keys, "keys");
    const device_buffer<std::uint32_t> device_inserts(gpu, work.inserts, "inserts");
    const device_buffer<std::uint32_t> device_answers(gpu, options.all_items(), "answers");
    const device_buffer<std::uint32_t> device_tables(gpu, options.blocks * options.words(),
                                                     "tables");
    launch(gpu, options.entry("ht"), options.shape(options.words()), options.items(),
           options.chains(), device_keys.get(), device_inserts.get(), device_answers.get(),
           device_tables.get());
    const auto answers = device_answers.read();
    const auto tables = device_tables.read();

    std::vector<std::uint32_t> possible = answers;
    std::vector<std::uint32_t> found, expected;
    for (std::uint32_t block = 0; block < options.blocks; ++block) {
        correct_answers(options, work, block, possible);
        const auto keys = keys_of(options, &tables[block * options.words()]);
        found.insert(found.end(), keys.begin(), keys.end());
        std::set<std::uint32_t> inserts;
        for (std::uint32_t i = block * options.items(); i < (block + 1) * options.items(); ++i) {
            if (work.inserts[i] != 0) inserts.insert(work.keys[i]);
        }
        expected.insert(expected.end(), inserts.begin(), inserts.end());
    }
    report.compare("keys of the tables", found, expected);
    report.compare("answers", answers, possible);
    report.declare_deterministic("keys", found);
    options.describe(report, options.words());
    report.add_row("keys", std::uint64_t{expected.size()});
}

}  // namespace

workload ht() {
    return make_workload<ht_options>(
        "ht", "Hash tables in shared memory: short insertions and read-only look-ups", "", run);
}

}  // namespace heddle::workloads
