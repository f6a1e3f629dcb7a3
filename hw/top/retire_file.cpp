// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/top/retire_file.h"

#include <algorithm>
#include <array>

#include "hw/smx/lsu/queue/memory_instruction.h"
#include "models/base/bits.h"

namespace heddle {
namespace {

constexpr std::string_view columns =
    "cycle\tsmx\tslot\tlaunch\tblock\twarp\tn\tpc\tmask\tinstruction\taddress\tresult\n";

}  // namespace

std::string lane_values_text(const std::uint32_t* values, isa::lane_mask lanes) {
    const std::uint32_t base = values[bits::first(lanes)];
    const isa::lane_mask rest = lanes & (lanes - 1);
    const std::uint32_t stride = rest != 0 ? values[bits::first(rest)] - base : 0;
    bool regular = true;
    std::uint32_t expected = base;
    for (isa::lane_mask left = lanes; left != 0; left &= left - 1) {
        regular &= values[bits::first(left)] == expected;
        expected += stride;
    }
    if (regular && stride == 0) return fmt::format("{:x}", base);
    // Two values are shorter than a rule for them.
    if (regular && (rest & (rest - 1)) != 0) return fmt::format("{:x}+{:x}", base, stride);
    std::string text;
    for (isa::lane_mask left = lanes; left != 0; left &= left - 1) {
        fmt::format_to(std::back_inserter(text), "{}{:x}", text.empty() ? "" : ",",
                       values[bits::first(left)]);
    }
    return text;
}

/// Writes what one SMX does.
class retire_file::smx_observer final : public execution_observer {
public:
    smx_observer(retire_file& into, std::size_t smx, unsigned lanes)
        : into_(into), smx_(smx), mask_digits_(lanes / 4) {}

    void block_started(std::uint64_t, const protocol::block_dispatch& dispatch,
                       std::uint64_t warp_slots) override {
        std::uint32_t index = 0;
        bits::for_each(warp_slots, [&](unsigned slot) {
            const bool follows =
                in_scope(into_.scopes_, smx_, dispatch.launch, dispatch.block, index);
            warps_[slot] = {follows, to_text(dispatch.launch), dispatch.block, index, {}};
            ++index;
        });
    }
    void block_ended(std::uint64_t, const protocol::block_dispatch&) override {}
    void block_resumed(std::uint64_t edge, const protocol::block_dispatch& dispatch,
                       std::uint64_t warp_slots, const std::vector<isa::lane_mask>&) override {
        block_started(edge, dispatch, warp_slots);
    }

    void executed(const issued_instruction& i, const register_file& registers) override {
        if (!warps_[i.warp].follows) return;
        write(i.edge, i, "-", result(i, registers.row(i.warp, i.instruction->rd)));
    }
    void accessed(const issued_instruction& i, const memory_instruction& access) override {
        warp& w = warps_[i.warp];
        if (!w.follows) return;
        const std::string address = lane_values_text(access.address, i.lanes);
        if (i.instruction->cls == isa::instruction_class::store) {
            write(i.edge, i, address, lane_values_text(access.data, i.lanes));
        } else {
            w.under_way.push_back({i, address, {}});
        }
    }
    void loaded(std::uint64_t, unsigned slot, issue_number number, isa::lane_mask lanes,
                const std::uint32_t* values) override {
        const auto found = find(warps_[slot], number);
        if (found == warps_[slot].under_way.end()) return;  // not followed
        bits::for_each(lanes, [&](unsigned lane) { found->values[lane] = values[lane]; });
    }
    /// The registers may hold later values of threads that did not wait for the others.
    void completed(std::uint64_t edge, unsigned slot, issue_number number,
                   const register_file&) override {
        warp& w = warps_[slot];
        const auto done = find(w, number);
        if (done == w.under_way.end()) return;  // a store, or not followed
        write(edge, done->issued, done->address, result(done->issued, done->values.data()));
        w.under_way.erase(done);
    }
    void writes_drained(std::uint64_t, unsigned) override {}
    void fenced(std::uint64_t, unsigned) override {}

private:
    struct load {
        issued_instruction issued;
        std::string address;
        std::array<std::uint32_t, protocol::maximum_lanes> values{};
    };
    struct warp {
        bool follows = false;
        std::string launch;
        std::uint32_t block = 0;
        std::uint32_t index = 0;
        std::vector<load> under_way;
    };

    static std::vector<load>::iterator find(warp& w, issue_number number) {
        return std::find_if(w.under_way.begin(), w.under_way.end(),
                            [&](const load& l) { return l.issued.number == number; });
    }
    static std::string result(const issued_instruction& i, const std::uint32_t* values) {
        if (!i.instruction->writes_register()) return "-";
        return fmt::format("{}={}", isa::register_name(i.instruction->rd),
                           lane_values_text(values, i.lanes));
    }
    void write(std::uint64_t cycle, const issued_instruction& i, const std::string& address,
               const std::string& result) {
        const warp& w = warps_[i.warp];
        line_.clear();
        fmt::format_to(std::back_inserter(line_),
                       "{}\t{}\t{}\t{}\t{}\t{}\t{}\t0x{:08x}\t{:0{}x}\t{}\t{}\t{}\n", cycle, smx_,
                       i.warp, w.launch, w.block, w.index, i.number.value(), i.pc, i.lanes,
                       mask_digits_, isa::disassemble(*i.instruction, i.pc), address, result);
        into_.write(line_);
    }

    retire_file& into_;
    std::size_t smx_;
    unsigned mask_digits_;
    std::array<warp, protocol::maximum_warps> warps_;
    fmt::memory_buffer line_;
};

retire_file::retire_file(const std::string& file, std::vector<retire_scope> scopes)
    : scopes_(std::move(scopes)), output_(make_trace_output(file)) {
    output_->stream().write(columns.data(), static_cast<std::streamsize>(columns.size()));
}

retire_file::~retire_file() = default;

execution_observer& retire_file::observer(std::size_t smx, unsigned lanes) {
    observers_.push_back(std::make_unique<smx_observer>(*this, smx, lanes));
    return *observers_.back();
}

void retire_file::write(const fmt::memory_buffer& line) {
    output_->stream().write(line.data(), static_cast<std::streamsize>(line.size()));
}

void retire_file::finish() {
    output_->commit();
}

}  // namespace heddle
