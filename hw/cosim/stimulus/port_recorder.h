// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "hw/base/slot_trace.h"
#include "hw/base/slot_trace_file.h"
#include "hw/cosim/port_table.h"
#include "hw/cosim/stimulus/port_coverage.h"

namespace heddle::cosim {

/// Writes the steps of a slot's stimulus into a trace, with what of each answer counts, and into
/// its coverage.
///
/// `counts` is told a call with its answer, and clears in a second one the members of the outputs
/// whose values mean nothing: all have all their bits set at first. `seen` is told each call.
template <class Call>
class port_recorder final : public slot_trace {
public:
    using means = void (*)(const Call& call, Call& counts);
    using listener = std::function<void(step what, const Call& call)>;

    template <std::size_t Count>
    port_recorder(const port_field<Call> (&fields)[Count], means counts, slot_trace_file& file,
                  port_coverage& coverage, listener seen = {})
        : ports_(fields),
          counts_(counts),
          file_(file),
          coverage_(coverage),
          seen_(std::move(seen)) {
        for (const port_field<Call>& f : fields) {
            if (f.way != port_direction::output) continue;
            for (unsigned e = 0; e < f.elements; ++e) f.set(all_, e, ~std::uint64_t{0});
        }
    }

    void begin(const std::string& slot, const std::string& instance, std::size_t input_bits,
               std::size_t output_bits) override {
        mask_.resize(words_for(output_bits));
        file_.write_counts();
        file_.begin(slot, instance, input_bits, output_bits);
    }
    void record(step what, const std::uint32_t* inputs, const std::uint32_t* outputs) override {
        ports_.unpack_inputs(inputs, call_);
        ports_.unpack(outputs, call_);
        Call counts = all_;
        counts_(call_, counts);
        ports_.pack_outputs(counts, mask_.data());
        file_.write(what, inputs, outputs, mask_.data());
        if (what == step::reset) return;
        coverage_.add(inputs, outputs);
        if (seen_) seen_(what, call_);
    }

private:
    const port_table<Call> ports_;
    const means counts_;
    slot_trace_file& file_;
    port_coverage& coverage_;
    const listener seen_;
    Call call_, all_;
    bit_words mask_;
};

}  // namespace heddle::cosim
