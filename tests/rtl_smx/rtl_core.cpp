// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/rtl_smx/rtl_core.h"

#include <verilated.h>

#include <vector>

#include "Vsmx.h"
#include "tests/rtl_smx/fault_choice.h"

namespace heddle::rtl_smx {

namespace {

/// A channel on which the RTL sends: its payload while it waits.
struct sent_payload {
    const char* name;
    bool waits = false;
    std::vector<std::uint32_t> words = {};
};

std::vector<std::uint32_t> request_words(const Vsmx& top) {
    std::vector<std::uint32_t> words{top.request_id, top.request_kind, top.request_launch,
                                     top.request_address};
    for (unsigned i = 0; i < 4; ++i) words.push_back(top.request_mask[i]);
    for (unsigned i = 0; i < lanes; ++i) words.push_back(top.request_data[i]);
    if (top.request_kind != 2) return words;
    words.insert(words.end(), {top.request_op, top.request_warp, top.request_lanes});
    for (unsigned i = 0; i < 5; ++i) words.push_back(top.request_words[i]);
    for (unsigned i = 0; i < lanes; ++i) words.push_back(top.request_compare[i]);
    return words;
}

}  // namespace

struct rtl_core::model {
    VerilatedContext context;
    Vsmx top{&context, "smx"};
    sent_payload request{"request"}, fetch{"fetch"}, done{"done"};
};

namespace {

row row_of(const VlWide<lanes>& wide) {
    row values;
    for (unsigned lane = 0; lane < lanes; ++lane) values[lane] = wide[lane];
    return values;
}

}  // namespace

rtl_core::rtl_core(unsigned smx, unsigned fault) : model_(std::make_unique<model>()) {
    Vsmx& top = model_->top;
    choose_fault(top, fault);
    top.smx_id = static_cast<CData>(smx);
    top.rst_n = 0;
    for (unsigned n = 0; n < 2; ++n) {
        settle();
        edge();
    }
    top.rst_n = 1;
}

rtl_core::~rtl_core() = default;

void rtl_core::offer(const block_offer* block) {
    Vsmx& top = model_->top;
    top.dispatch_valid = block != nullptr;
    if (block == nullptr) return;
    top.dispatch_launch = block->launch;
    top.dispatch_grid_id = block->grid_id;
    top.dispatch_block = block->block;
    top.dispatch_entry_pc = block->entry;
    top.dispatch_parameters = block->parameters;
    top.dispatch_index_x = block->index[0];
    top.dispatch_index_y = block->index[1];
    top.dispatch_index_z = block->index[2];
    top.dispatch_block_x = block->size[0];
    top.dispatch_block_y = block->size[1];
    top.dispatch_block_z = block->size[2];
    top.dispatch_grid_x = block->grid[0];
    top.dispatch_grid_y = block->grid[1];
    top.dispatch_grid_z = block->grid[2];
    top.dispatch_offset_x = block->offset[0];
    top.dispatch_offset_y = block->offset[1];
    top.dispatch_offset_z = block->offset[2];
    top.dispatch_dimensions = static_cast<CData>(block->dimensions);
    top.dispatch_shared_bytes = block->shared_bytes;
    top.dispatch_dynamic_bytes = block->dynamic_bytes;
    top.dispatch_region = block->region;
}

void rtl_core::accept_done(bool ready) {
    model_->top.done_ready = ready;
}

void rtl_core::accept_fetch(bool ready) {
    model_->top.fetch_ready = ready;
}

void rtl_core::give_line(const code_line* line) {
    Vsmx& top = model_->top;
    top.line_valid = line != nullptr;
    if (line == nullptr) return;
    top.line_error = line->error;
    for (unsigned i = 0; i < line->words.size(); ++i) {
        top.line_words[i] = line->words[i];
        top.line_reconvergence[i] = line->joins[i];
    }
}

void rtl_core::accept_request(bool ready) {
    model_->top.request_ready = ready;
}

void rtl_core::give_response(const line_response* response) {
    Vsmx& top = model_->top;
    top.response_valid = response != nullptr;
    if (response == nullptr) return;
    top.response_id = static_cast<CData>(response->id);
    top.response_error = response->error;
    for (unsigned i = 0; i < lanes; ++i) top.response_data[i] = response->data[i];
}

void rtl_core::settle() {
    model_->top.clk = 0;
    model_->top.eval();
    check_rules();
}

/// valid stays, and so does the payload, until ready is high.
void rtl_core::check_rules() {
    const Vsmx& top = model_->top;
    const auto check = [this](sent_payload& sent, bool valid, bool ready, const auto& words) {
        if (sent.waits && !valid) broken_ = std::string(sent.name) + ": valid fell before ready";
        if (!valid) {
            sent.waits = false;
            return;
        }
        if (sent.waits || !ready) {
            auto now = words();
            if (sent.waits && now != sent.words) {
                broken_ = std::string(sent.name) + ": the payload changed before ready";
            }
            sent.words = std::move(now);
        }
        sent.waits = !ready;
    };
    using words = std::vector<std::uint32_t>;
    check(model_->request, top.request_valid != 0, top.request_ready != 0,
          [&] { return request_words(top); });
    check(model_->fetch, top.fetch_valid != 0, top.fetch_ready != 0, [&] {
        return words{top.fetch_launch, top.fetch_address};
    });
    check(model_->done, top.done_valid != 0, top.done_ready != 0, [&] {
        return words{top.done_launch, top.done_block};
    });
}

void rtl_core::edge() {
    model_->top.clk = 1;
    model_->top.eval();
}

bool rtl_core::took_block() const {
    return model_->top.dispatch_valid != 0 && model_->top.dispatch_ready != 0;
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> rtl_core::ended_block() const {
    const Vsmx& top = model_->top;
    if (top.done_valid == 0 || top.done_ready == 0) return std::nullopt;
    return std::pair{top.done_launch, top.done_block};
}

std::optional<std::uint32_t> rtl_core::fetched() const {
    const Vsmx& top = model_->top;
    if (top.fetch_valid == 0 || top.fetch_ready == 0) return std::nullopt;
    return top.fetch_address;
}

bool rtl_core::took_line() const {
    return model_->top.line_valid != 0 && model_->top.line_ready != 0;
}

std::optional<line_request> rtl_core::requested() const {
    const Vsmx& top = model_->top;
    if (top.request_valid == 0 || top.request_ready == 0) return std::nullopt;
    line_request r;
    r.id = top.request_id;
    r.what = static_cast<line_request::kind>(top.request_kind);
    r.address = top.request_address;
    for (unsigned i = 0; i < 4; ++i) r.mask[i] = top.request_mask[i];
    r.data = row_of(top.request_data);
    r.operation = top.request_op;
    r.warp = top.request_warp;
    r.active = top.request_lanes;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        const unsigned at = 5 * lane;
        const std::uint64_t two =
            top.request_words[at / 32] |
            (at / 32 < 4 ? std::uint64_t{top.request_words[at / 32 + 1]} << 32 : 0);
        r.words[lane] = static_cast<std::uint32_t>(two >> at % 32 & 31);
    }
    r.compare = row_of(top.request_compare);
    return r;
}

bool rtl_core::took_response() const {
    return model_->top.response_valid != 0 && model_->top.response_ready != 0;
}

bool rtl_core::retires() const {
    return model_->top.retire_valid != 0;
}

retire_record rtl_core::retired() const {
    const Vsmx& top = model_->top;
    retire_record r;
    r.what = static_cast<retire_record::kind>(top.retire_kind);
    r.time = top.retire_time;
    r.core = top.retire_core;
    r.slot = top.retire_slot;
    r.launch = top.retire_launch;
    r.block = top.retire_block;
    r.warp = top.retire_warp;
    r.n = top.retire_n;
    r.pc = top.retire_pc;
    r.word = top.retire_word;
    r.active = top.retire_lanes;
    r.live = top.retire_live;
    r.next_lanes = top.retire_next_lanes;
    r.next_pc = top.retire_next_pc;
    r.rd = top.retire_rd;
    r.known = top.retire_known;
    r.fault = top.retire_fault;
    r.value = row_of(top.retire_value);
    r.address = row_of(top.retire_address);
    r.data = row_of(top.retire_data);
    r.compare = row_of(top.retire_compare);
    return r;
}

}  // namespace heddle::rtl_smx
