// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "hw/l2/l2_cache.h"
#include "hw/l2/line_operations.h"
#include "hw/l2/line_print.h"

namespace heddle {

using protocol::memory_kind;
using protocol::memory_transaction;
using outcome = l2_cache::outcome;
using request_kind = l2_cache::memory_request::kind;

inline l2_configuration small() {
    l2_configuration c;
    c.banks = 1;
    c.ways = 2;
    c.size = 2 * 128;  // one set of two lines
    c.mshrs = 2;
    c.mshr_targets = 2;
    c.write_buffer = 1;
    return c;
}

/// The first line behind line 0 with the print of line 0.
inline std::uint64_t line_alike() {
    std::uint64_t line = 1;
    while (line_print(line) != line_print(0)) ++line;
    return line;
}

class l2_cache_test : public ::testing::Test {
protected:
    memory_transaction& load(std::uint64_t address, unsigned length = 4) {
        return make(memory_kind::load, address, length);
    }
    memory_transaction& store(std::uint64_t address, std::uint32_t value) {
        memory_transaction& t = make(memory_kind::store, address, 4);
        std::memcpy(t.data(), &value, 4);
        return t;
    }
    memory_transaction& atomic(std::uint64_t address, isa::opcode operation,
                               std::uint32_t operand = 0, unsigned sm = 0) {
        memory_transaction& t = make(memory_kind::atomic, address, 4);
        t.access().operation = operation;
        t.access().sm = sm_id(sm);
        t.access().atomic_count = 1;
        t.access().atomics[0] = {0, 0, 0, operand, 0, 0};
        return t;
    }
    /// The result of an atomic with operand 1.
    std::uint32_t perform(isa::opcode operation, std::uint64_t address, unsigned sm) {
        memory_transaction& t = atomic(address, operation, 1, sm);
        EXPECT_EQ(cache.access(t), outcome::performed);
        return t.access().atomics[0].result;
    }
    memory_transaction& make(memory_kind kind, std::uint64_t address, unsigned length) {
        all_.push_back(std::make_unique<memory_transaction>());
        all_.back()->prepare(kind, address, length);
        return *all_.back();
    }
    /// Lets memory, whose every byte is `fill`, answer one request.
    request_kind answer(tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE,
                        std::uint8_t fill = 0x11) {
        const l2_cache::memory_request wanted = cache.next_memory_request();
        if (wanted.what == request_kind::none) {
            return wanted.what;
        }
        cache.sent(wanted);
        if (wanted.what != request_kind::write && status == tlm::TLM_OK_RESPONSE) {
            std::memset(wanted.data, fill, wanted.length);
        }
        last = wanted;
        cache.answered(wanted, status);
        return wanted.what;
    }
    static std::uint32_t word(memory_transaction& t) {
        std::uint32_t value = 0;
        std::memcpy(&value, t.data(), 4);
        return value;
    }

    struct cache_of_requests : l2_cache {
        using l2_cache::l2_cache;
        outcome access(memory_transaction& request) {
            return l2_cache::access(request, request.access());
        }
    };

    l2_configuration configuration = small();
    cache_of_requests cache{configuration};
    l2_cache::memory_request last;

private:
    std::vector<std::unique_ptr<memory_transaction>> all_;
};

}  // namespace heddle
