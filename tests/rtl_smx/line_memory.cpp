// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/rtl_smx/line_memory.h"

#include <cstring>

#include "hw/cosim/pins/core_atomics.h"
#include "models/isa/atomic.h"

namespace heddle::rtl_smx {

using isa::opcode;

std::optional<line_response> line_memory::perform() {
    if (waiting_.empty()) return std::nullopt;
    std::size_t chosen = random_.below(waiting_.size());
    for (std::size_t earlier = 0; earlier < chosen; ++earlier) {
        if (waiting_[earlier].address == waiting_[chosen].address) chosen = earlier;
    }
    const line_request request = waiting_[chosen];
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(chosen));
    return answer(request);
}

bool line_memory::may(const line_request& request, unsigned byte, unsigned bytes, bool write) {
    return legal_(request.address + byte, bytes, write);
}

void line_memory::wrote(std::uint32_t word) {
    for (auto r = reserved_.begin(); r != reserved_.end();) {
        r = r->second == word ? reserved_.erase(r) : std::next(r);
    }
}

line_response line_memory::answer(const line_request& request) {
    line_response response;
    response.id = request.id;
    for (auto& word : response.data) word = static_cast<std::uint32_t>(random_.next());
    if (request.what == line_request::kind::modify) {
        modify(request, response);
        return response;
    }
    const bool write = request.what == line_request::kind::write;
    auto* const answered = reinterpret_cast<std::byte*>(response.data.data());
    const auto* const given = reinterpret_cast<const std::byte*>(request.data.data());
    for (unsigned byte = 0; byte < 128; ++byte) {
        if ((request.mask[byte / 32] >> byte % 32 & 1) == 0) continue;
        if (!may(request, byte, 1, write)) {
            response.error = true;
            return response;
        }
        std::byte* const place = memory_.data() + request.address + byte;
        if (write) {
            *place = given[byte];
            wrote((request.address + byte) & ~3U);
        } else {
            answered[byte] = *place;
        }
    }
    return response;
}

void line_memory::modify(const line_request& request, line_response& response) {
    const opcode op = pins::core_atomic_of(request.operation);
    for (unsigned lane = 0; lane < lanes; ++lane) {
        if ((request.active >> lane & 1) == 0) continue;
        const std::uint32_t address = request.address + 4 * request.words[lane];
        if (op == opcode::illegal ||
            !may(request, 4 * request.words[lane], 4, op != opcode::lr_w)) {
            response.error = true;
            return;
        }
        std::uint32_t old = 0;
        std::memcpy(&old, memory_.data() + address, 4);
        const unsigned thread = request.warp * lanes + lane;
        const auto held = reserved_.find(thread);
        response.data[lane] = old;
        if (op == opcode::lr_w) {
            reserved_[thread] = address;
            continue;
        }
        if (op == opcode::sc_w) {
            const bool holds = held != reserved_.end() && held->second == address;
            response.data[lane] = holds ? 0 : 1;
            reserved_.erase(thread);
            if (!holds) continue;
        }
        const std::uint32_t next =
            isa::atomic_result(op, old, request.data[lane], request.compare[lane]);
        std::memcpy(memory_.data() + address, &next, 4);
        wrote(address);
    }
}

}  // namespace heddle::rtl_smx
