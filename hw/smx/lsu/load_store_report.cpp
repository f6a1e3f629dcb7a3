// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/lsu/load_store_report.h"

#include "models/isa/instruction.h"

namespace heddle {

namespace {

constexpr const char* cause_names[reservation_fail_count] = {"mshr_full",       "mshr_merge_full",
                                                             "miss_queue_full", "line_reserved",
                                                             "constant_cache",  "read_only_cache"};

/// The causes of L1D are the first ones.
constexpr std::size_t l1d_causes = 4;

/// Values of the waveform's `lsu.state`: the causes of L1D, these two, the other causes.
constexpr std::uint64_t idle = l1d_causes;
constexpr std::uint64_t working = l1d_causes + 1;

std::uint64_t state_of(reservation_fail cause) noexcept {
    const auto number = static_cast<std::uint64_t>(cause);
    return number < l1d_causes ? number : number + 2;
}

}  // namespace

l1d_counts load_store_report::l1d(std::uint64_t edge) const {
    l1d_counts all;
    all.accesses = cache_counters().loads;
    all.misses = cache_counters().misses;
    all.stores_around = parts_.counters.write_requests;
    all.thread_accesses = parts_.counters.thread_accesses;
    for (std::size_t cause = 0; cause < l1d_causes; ++cause) {
        all.reservation_fails += reservation_fails(static_cast<reservation_fail>(cause), edge);
    }
    return all;
}

load_cache_counts load_store_report::constants(std::uint64_t edge) const {
    return counts_of(parts_.constants, reservation_fail::constant_cache, edge);
}

load_cache_counts load_store_report::read_only(std::uint64_t edge) const {
    return counts_of(parts_.read_only, reservation_fail::read_only_cache, edge);
}

load_cache_counts load_store_report::counts_of(const load_path& path, reservation_fail cause,
                                               std::uint64_t edge) const {
    const l1_data_cache_counters& c = path.cache().counters();
    return {c.loads,         c.hits,
            c.mshr_merges,   c.misses,
            c.evictions,     c.fills_not_installed,
            c.lines_dropped, reservation_fails(cause, edge)};
}

void load_store_report::collect(statistics& into, const std::string& scope,
                                std::uint64_t edge) const {
    const std::string lsu = scope + ".lsu";
    into.declare(lsu, lsu_statistics);
    into.set(lsu + ".loads", parts_.counters.loads);
    into.set(lsu + ".stores", parts_.counters.stores);
    into.set(lsu + ".atomics", parts_.counters.atomics);
    into.set(lsu + ".line_accesses", parts_.counters.line_accesses);
    into.set(lsu + ".shared_accesses", parts_.counters.shared_accesses);
    into.set(lsu + ".uncached_loads", parts_.counters.uncached_loads);
    into.set(lsu + ".write_requests", parts_.counters.write_requests);
    into.set(lsu + ".atomic_requests", parts_.counters.atomic_requests);

    const std::string l1d = scope + ".l1d";
    const l1_data_cache_counters& c = cache_counters();
    declare_counted(into, l1d, l1d_load_statistics);
    set_counted(into, l1d, l1d_load_statistics, this->l1d(edge));
    into.declare(l1d, l1d_statistics);
    into.set(l1d + ".hits", c.hits);
    into.set(l1d + ".mshr_merges", c.mshr_merges);
    into.set(l1d + ".private_stores", c.private_stores);
    into.set(l1d + ".global_stores", c.global_stores);
    into.set(l1d + ".evictions", c.evictions);
    into.set(l1d + ".write_backs", c.write_backs);
    into.set(l1d + ".lines_cleaned", c.lines_cleaned);
    into.set(l1d + ".fills_not_installed", c.fills_not_installed);
    into.set(l1d + ".lost_localities", parts_.lost.count());
    into.set(l1d + ".lines_dropped", c.lines_dropped);
    into.set(l1d + ".lines_discarded", c.lines_discarded);
    into.set(l1d + ".bank_conflicts", parts_.counters.bank_conflicts);
    for (std::size_t cause = 0; cause < l1d_causes; ++cause) {
        into.set(l1d + ".reservation_fails." + cause_names[cause],
                 reservation_fails(static_cast<reservation_fail>(cause), edge));
    }
    declare_counted(into, scope + ".constant_cache", constant_cache_statistics);
    set_counted(into, scope + ".constant_cache", constant_cache_statistics, constants(edge));
    declare_counted(into, scope + ".read_only_cache", read_only_cache_statistics);
    set_counted(into, scope + ".read_only_cache", read_only_cache_statistics, read_only(edge));
    latency().collect(into, scope + ".load_latency");
    into.declare(scope + ".constant_latency", constant_latency_statistics);
    into.set(scope + ".constant_latency.total", constant_latency());
}

void load_store_report::trace(waveform& waves, const std::string& scope) {
    queue_wave_ = waves.declare_integer(scope + ".lsu.queue");
    misses_wave_ = waves.declare_integer(scope + ".l1d.misses");
    state_wave_ = waves.declare_state(
        scope + ".lsu.state", {"mshr_full", "mshr_merge_full", "miss_queue_full", "line_reserved",
                               "idle", "working", "constant_cache", "read_only_cache"});
    constant_misses_wave_ = waves.declare_integer(scope + ".constant_cache.misses");
    read_only_misses_wave_ = waves.declare_integer(scope + ".read_only_cache.misses");
}

void load_store_report::publish() {
    if (!queue_wave_.on()) return;
    queue_wave_.set(parts_.queue.size());
    misses_wave_.set(parts_.l1d.misses_pending());
    constant_misses_wave_.set(parts_.constants.cache().misses_pending());
    read_only_misses_wave_.set(parts_.read_only.cache().misses_pending());
    state_wave_.set(parts_.wait.waiting()  ? state_of(parts_.wait.cause())
                    : parts_.queue.empty() ? idle
                                           : working);
}

std::string load_store_report::waiting_for() const {
    if (parts_.queue.empty()) return {};
    std::string text = "load-store unit: " + std::to_string(parts_.queue.size()) + " instructions";
    if (!parts_.wait.waiting()) return text;
    const memory_instruction& m = parts_.queue.head();
    return text + ", '" + isa::mnemonic(m.flight.instruction->op) + "' of warp " +
           std::to_string(home_warp(m, m.lanes, parts_.lanes).value()) +
           " waits: " + cause_names[static_cast<std::size_t>(parts_.wait.cause())];
}

}  // namespace heddle
