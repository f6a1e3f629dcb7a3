// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// A cycle allocates nothing: counts what goes through operator new once a run has settled.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/inbox.h"
#include "hw/base/pool.h"
#include "models/base/random.h"

namespace {

std::atomic<std::size_t> allocations{0};  // tests of this program have threads

}  // namespace

// The tests of this program share these; they do what the standard ones do, and count. Out of line:
// half inlined, GCC takes them for a mismatch of new and free.
[[gnu::noinline]] void* operator new(std::size_t size) {
    allocations.fetch_add(1, std::memory_order_relaxed);
    if (void* memory = std::malloc(size == 0 ? 1 : size)) {
        return memory;
    }
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
    std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace heddle {
namespace {

struct parcel : pooled<parcel> {
    std::uint64_t value = 0;
    void recycle() { value = 0; }
};

/// Sends pooled parcels to a neighbour with near and far latencies and sets timers.
class worker final : public clocked {
public:
    worker(clock_domain& domain, pool<parcel>& parcels, std::uint64_t number)
        : clocked(domain, "worker"),
          box(*this, 64),
          parcels_(&parcels),
          random_(number, "worker") {}
    void evaluate() override {
        while (box.ready() != nullptr) {
            sum_ += box.pop()->value;
        }
        if (random_.chance(0.2) && !next->box.full()) {
            pool_ptr<parcel> one = parcels_->make();
            one->value = random_.next();
            (void)next->box.push(std::move(one), 1 + random_.below(600));
        }
        wake_at(domain().edge() + 1 + random_.below(700));
    }
    activity update() override {
        if (domain().edge() >= 50000 && at_half == 0) {
            at_half = allocations;
        }
        return activity::idle;
    }
    worker* next = nullptr;
    inbox<pool_ptr<parcel>> box;
    std::size_t at_half = 0;

private:
    pool<parcel>* parcels_;
    random_stream random_;
    std::uint64_t sum_ = 0;
};

TEST(allocation, a_settled_run_allocates_nothing) {
    clock_domain core("core", frequency::megahertz(706));
    clock_domain memory("memory", frequency::megahertz(924));
    pool<parcel> parcels("parcels");
    std::vector<std::unique_ptr<worker>> workers;
    for (std::uint64_t i = 0; i < 100; ++i) {
        workers.push_back(std::make_unique<worker>(i % 2 == 0 ? core : memory, parcels, i));
    }
    for (std::size_t i = 0; i < workers.size(); ++i) {
        workers[i]->next = workers[(i + 1) % workers.size()].get();
    }
    sc_core::sc_start(sc_core::sc_time(140, sc_core::SC_US));
    const std::size_t at_end = allocations;
    ASSERT_GT(workers[0]->at_half, 0U);
    // A pool or a heap may still reach a new high-water mark now and then; a cycle does not
    // allocate: some 100,000 parcels and timers pass in the second half.
    EXPECT_LT(at_end - workers[0]->at_half, 20U);
    EXPECT_GT(core.evaluations() + memory.evaluations(), 20000U);
}

}  // namespace
}  // namespace heddle
