// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstring>
#include <memory>
#include <unordered_map>

#include "models/base/flat_memory.h"
#include "models/device/allocation_table.h"
#include "models/iss/warp.h"
#include "models/program/address_map.h"
#include "models/simt/debugged_warp.h"
#include "models/simt/progress_text.h"

namespace heddle::iss {

/// A warp of the functional simulator for a debugger.
template <unsigned Lanes>
class watched_warp final : public simt::debugged_warp {
public:
    watched_warp(iss::block<Lanes>& in, warp<Lanes>& of, flat_memory& memory,
                 const allocation_table& ranges, std::uint32_t private_bytes)
        : in_(in), of_(of), memory_(memory), ranges_(ranges), private_bytes_(private_bytes) {}

    [[nodiscard]] warp<Lanes>& of() const noexcept { return of_; }

    [[nodiscard]] const std::string& kernel() const override { return in_.of->launch.kernel->name; }
    [[nodiscard]] const simt::block_identity& block() const override { return in_.identity; }
    [[nodiscard]] unsigned index() const override { return of_.index; }
    [[nodiscard]] unsigned lanes() const override { return Lanes; }
    [[nodiscard]] isa::lane_mask live() const override { return of_.live; }
    [[nodiscard]] std::string doing() const override {
        switch (of_.state) {
            case warp_state::ready:
                return "runs";
            case warp_state::at_barrier:
                return simt::at_barrier;
            case warp_state::in_call:
                return "waits in a call of its block";
            case warp_state::waits_for_children:
                return "waits for the launches of its block";
            default:
                return "has ended";
        }
    }
    [[nodiscard]] std::vector<simt::reconvergence_stack::entry> stack() const override {
        return of_.stack.entries();
    }
    [[nodiscard]] std::uint32_t value(unsigned index, unsigned lane) const override {
        return of_.registers.x[index][lane];
    }
    [[nodiscard]] bool is_awaited(unsigned, unsigned) const override { return false; }
    void set(unsigned index, unsigned lane, std::uint32_t value) override {
        if (index != 0) of_.registers.x[index][lane] = value;
    }
    bool read(unsigned lane, std::uint32_t address, std::byte* to, std::size_t bytes) override {
        for (std::size_t i = 0; i < bytes; ++i) {
            const std::byte* const place =
                find(lane, address + static_cast<std::uint32_t>(i), /*write=*/false);
            if (place == nullptr) return false;
            to[i] = *place;
        }
        return true;
    }
    bool write(unsigned lane, std::uint32_t address, const std::byte* from,
               std::size_t bytes) override {
        for (const bool changes : {false, true}) {  // all bytes or none
            for (std::size_t i = 0; i < bytes; ++i) {
                std::byte* const place =
                    find(lane, address + static_cast<std::uint32_t>(i), /*write=*/true);
                if (place == nullptr) return false;
                if (changes) *place = from[i];
            }
        }
        return true;
    }

private:
    /// Null: there is no such byte.
    std::byte* find(unsigned lane, std::uint32_t address, bool write) {
        if (program::shared_window.contains(address)) {
            const std::uint32_t offset = address - program::shared_window.base;
            return offset < in_.shared.size() ? &in_.shared[offset] : nullptr;
        }
        if (program::private_window.contains(address)) {
            const std::uint32_t offset = address - program::private_window.base;
            if (offset >= private_bytes_) return nullptr;
            if (write)
                of_.lowest_private_offset = std::min(of_.lowest_private_offset, offset & ~3U);
            auto* const word =
                reinterpret_cast<std::byte*>(&of_.private_words[offset / 4 * Lanes + lane]);
            return word + offset % 4;
        }
        if (ranges_.find(address, 1) == nullptr && !ranges_.in_pool(address & ~3U, false)) {
            return nullptr;
        }
        return memory_.data() + address;
    }

    iss::block<Lanes>& in_;
    warp<Lanes>& of_;
    flat_memory& memory_;
    const allocation_table& ranges_;
    const std::uint32_t private_bytes_;
};

/// The warps of an engine, for the debugger that watches them. Without a debugger it is not told
/// of blocks.
template <unsigned Lanes>
class watched_warps {
public:
    watched_warps(simt::debug_watch* watch, flat_memory& memory, const allocation_table& ranges,
                  std::uint32_t private_bytes) noexcept
        : watch_(watch), memory_(memory), ranges_(ranges), private_bytes_(private_bytes) {}

    [[nodiscard]] simt::debug_watch* watch() const noexcept { return watch_; }

    /// A block begins, or comes back.
    void started(block<Lanes>& b) {
        for (warp<Lanes>* w : b.warps) {
            auto& place = warps_[w];
            if (place) continue;
            place = std::make_unique<watched_warp<Lanes>>(b, *w, memory_, ranges_, private_bytes_);
            watch_->started(*place);
        }
    }
    void ended(const block<Lanes>& b) {
        for (warp<Lanes>* w : b.warps) {
            const auto found = warps_.find(w);
            watch_->ended(*found->second);
            warps_.erase(found);
        }
    }
    void clear() noexcept {
        warps_.clear();
        running_ = nullptr;
    }

    /// A turn of `budget` instructions: `run(n)` executes n of a ready warp, or more if they are a
    /// transaction, and returns their number.
    template <class Run>
    void turn(warp<Lanes>& w, std::uint64_t budget, Run run) {
        watched_warp<Lanes>& watched = *warps_.at(&w);
        for (std::uint64_t executed = 0; executed < budget && w.state == warp_state::ready;) {
            if (watch_->holds(watched)) return;
            running_ = &watched;
            watch_->before(watched);
            if (watch_->holds(watched)) {
                running_ = nullptr;
                return;
            }
            executed += run(1);
            watch_->settled();
            running_ = nullptr;
        }
    }
    /// No warp has run. Returns whether that is because the debugger holds some.
    [[nodiscard]] bool stuck() {
        const bool held = watch_ != nullptr && watch_->locks();
        if (held) watch_->stuck();
        return held;
    }
    /// The run breaks off.
    void failed(const run_error& error) {
        if (watch_ != nullptr) watch_->failed(running_, error);
    }

private:
    simt::debug_watch* const watch_;
    flat_memory& memory_;
    const allocation_table& ranges_;
    const std::uint32_t private_bytes_;
    std::unordered_map<warp<Lanes>*, std::unique_ptr<watched_warp<Lanes>>> warps_;
    watched_warp<Lanes>* running_ = nullptr;  ///< in its instruction
};

}  // namespace heddle::iss
