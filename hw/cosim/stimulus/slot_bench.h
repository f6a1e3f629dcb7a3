// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "hw/cosim/port_table.h"
#include "hw/cosim/reference.h"
#include "hw/cosim/rtl_model.h"
#include "hw/cosim/stimulus/port_recorder.h"
#include "hw/cosim/stimulus/stimulus.h"

namespace heddle::cosim {

/// Asks the reference of a slot, step by step, and records what it was asked and what it has
/// answered.
template <class Call>
class slot_bench {
public:
    template <std::size_t Count>
    slot_bench(const char* slot, const port_field<Call> (&fields)[Count],
               typename port_recorder<Call>::means counts, const stimulus_target& to)
        : reference_(make_reference(slot)),
          ports_(fields),
          recorder_(fields, counts, to.file, to.coverage) {
        const std::vector<port_shape> shapes = ports_.shapes();
        recorder_.begin(slot, to.name, bits_of(shapes, port_direction::input),
                        bits_of(shapes, port_direction::output));
    }

    /// A clock edge in reset.
    void reset(const Call& call) {
        put(call);
        recorder_.record(slot_trace::step::reset, reference_->inputs(), reference_->outputs());
        reference_->reset();
    }
    /// What the reference answers; is no step.
    [[nodiscard]] Call answer(Call call) {
        put(call);
        ports_.unpack(reference_->outputs(), call);
        return call;
    }
    /// A step without a clock edge.
    Call ask(Call call) { return step(std::move(call), slot_trace::step::evaluation); }
    /// The same, and a clock edge without `enable`: it changes nothing.
    Call idle(Call call) { return step(std::move(call), slot_trace::step::idle); }
    /// The same, and a clock edge.
    Call clock(Call call) {
        call = step(std::move(call), slot_trace::step::clock);
        reference_->clock();
        return call;
    }

private:
    void put(const Call& call) {
        ports_.pack(call, reference_->inputs());
        reference_->evaluate();
    }
    Call step(Call call, slot_trace::step what) {
        put(call);
        recorder_.record(what, reference_->inputs(), reference_->outputs());
        ports_.unpack(reference_->outputs(), call);
        return call;
    }

    const std::unique_ptr<rtl_model> reference_;
    const port_table<Call> ports_;
    port_recorder<Call> recorder_;
};

}  // namespace heddle::cosim
