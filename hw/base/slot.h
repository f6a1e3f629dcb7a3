// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "hw/base/cycle_counter.h"
#include "hw/base/slot_trace.h"
#include "models/base/run_status.h"

/// A slot is a place in a block whose part can be exchanged: for another C++ class, or for the
/// team's RTL behind Verilator's eval().
///
/// A part implements a C++ interface. Traits describe each kind of slot:
/// @code
/// struct picker_traits {
///     static constexpr const char* name = "picker";      // the key is slot.picker
///     using interface = picker;                          // what an implementation derives from
///     using setting = picker_setting;                    // what it is made for
///     static slot_registry<picker_traits> implementations();  // those of this build
///     // Runs two parts in lock step: it answers what `tlm` answers, and `comparison` hears of
///     // both answers. Not needed if the interface is slot<picker_traits>.
///     static std::unique_ptr<picker> shadow(std::unique_ptr<picker> tlm,
///                                           std::unique_ptr<picker> rtl, lock_step comparison);
/// };
/// @endcode
/// A block makes its parts with a slot_maker (slot_registry.h).
namespace heddle {

/// What carries a slot out, the values of the keys `slot.NAME`; `shadow` runs `tlm` and `rtl`.
enum class slot_implementation : std::uint8_t { tlm, rtl, shadow };

/// What an implementation is made from. `clock` and `status` outlive the implementation.
class slot_context {
public:
    /// `path` is the hierarchical name of the slot; together with `run_seed` it seeds the slot's
    /// random registers.
    slot_context(std::string path, std::uint64_t run_seed, const cycle_counter& clock,
                 run_status& status, slot_listeners listeners = {})
        : path_(std::move(path)),
          run_seed_(run_seed),
          clock_(&clock),
          status_(&status),
          listeners_(listeners) {}

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    [[nodiscard]] std::uint64_t run_seed() const noexcept { return run_seed_; }
    [[nodiscard]] const cycle_counter& clock() const noexcept { return *clock_; }
    [[nodiscard]] run_status& status() const noexcept { return *status_; }
    [[nodiscard]] const slot_listeners& listeners() const noexcept { return listeners_; }

private:
    std::string path_;
    std::uint64_t run_seed_;
    const cycle_counter* clock_;
    run_status* status_;
    slot_listeners listeners_;
};

/// One field of what a part answers. The fields of an answer are a constexpr table.
template <class Answer>
struct slot_field {
    /// A value that means "nothing"; messages show it as "none".
    static constexpr std::uint64_t none = ~std::uint64_t{0};
    enum class notation : std::uint8_t { decimal, hexadecimal };

    const char* name;
    std::uint64_t (*value)(const Answer& answer, std::uint32_t element);
    /// Elements that an answer has; null: the field is one value.
    std::uint32_t (*elements)(const Answer& answer) = nullptr;
    notation shown = notation::decimal;
};

/// Compares two implementations of one slot. The first difference is reported as a wrong result,
/// which stops the run; later ones are its consequences and not reported.
class lock_step {
public:
    /// `slot` is the name of the kind.
    lock_step(const char* slot, slot_context context) : slot_(slot), context_(std::move(context)) {}

    /// Number of the present cycle.
    [[nodiscard]] std::uint64_t cycle() const { return context_.clock().cycle(); }
    /// In a waveform, if there is one, PATH.tlm.FIELD and PATH.rtl.FIELD have the answers from now
    /// on. Of fields with elements, the first 32 are shown, as FIELD_N. Call it once, while the
    /// netlist is built.
    template <class Answer, std::size_t Fields>
    void show(const slot_field<Answer> (&fields)[Fields]) {
        if (context_.listeners().view == nullptr) return;
        for (const slot_field<Answer>& field : fields) {
            declare(field.name, field.elements == nullptr ? 0 : shown_elements);
        }
    }
    /// Compares the answers to one call, field by field. `describe(std::ostream&)` writes what the
    /// call was; it is called for a difference only.
    template <class Answer, std::size_t Fields, class Describe>
    void compare(const slot_field<Answer> (&fields)[Fields], const Answer& tlm, const Answer& rtl,
                 const Describe& describe) {
        if (differs_) return;
        if (!shown_.empty()) put(fields, tlm, rtl);
        for (const slot_field<Answer>& field : fields) {
            const std::uint32_t elements =
                field.elements == nullptr ? 1 : std::max(field.elements(tlm), field.elements(rtl));
            for (std::uint32_t element = 0; element < elements; ++element) {
                const std::uint64_t wanted = field.value(tlm, element);
                const std::uint64_t got = field.value(rtl, element);
                if (wanted == got) continue;
                std::ostringstream call;
                describe(call);
                const bool hexadecimal = field.shown == slot_field<Answer>::notation::hexadecimal;
                const bool indexed = field.elements != nullptr;
                report(indexed ? field.name + ("[" + std::to_string(element) + "]") : field.name,
                       text(wanted, hexadecimal), text(got, hexadecimal), call.str());
                return;
            }
        }
    }

private:
    static constexpr std::uint32_t shown_elements = 32;
    struct answers {
        slot_view::handle tlm, rtl;
    };

    /// A field of so many elements; 0: one value.
    void declare(const std::string& field, std::uint32_t elements);
    template <class Answer, std::size_t Fields>
    void put(const slot_field<Answer> (&fields)[Fields], const Answer& tlm, const Answer& rtl) {
        slot_view& view = *context_.listeners().view;
        const answers* next = shown_.data();
        for (const slot_field<Answer>& field : fields) {
            const std::uint32_t elements = field.elements == nullptr ? 1 : shown_elements;
            for (std::uint32_t n = 0; n < elements; ++n, ++next) {
                view.set_number(next->tlm, value_of(field, tlm, n));
                view.set_number(next->rtl, value_of(field, rtl, n));
            }
        }
    }
    template <class Answer>
    [[nodiscard]] static std::uint64_t value_of(const slot_field<Answer>& field,
                                                const Answer& answer, std::uint32_t element) {
        const bool there = field.elements == nullptr || element < field.elements(answer);
        return there ? field.value(answer, element) : slot_field<Answer>::none;
    }
    [[nodiscard]] static std::string text(std::uint64_t value, bool hexadecimal);
    void report(const std::string& field, const std::string& tlm, const std::string& rtl,
                const std::string& call);

    const char* slot_;
    slot_context context_;
    bool differs_ = false;
    std::vector<answers> shown_;  ///< empty without a waveform
};

/// The last calls of a slot, for the message about a difference. A Call can be copied and written
/// to a stream. Allocates nothing once it is full, if copies of calls don't.
template <class Call>
class call_history {
public:
    static constexpr std::size_t size = 16;

    void add(std::uint64_t cycle, const Call& call) {
        if (calls_.size() < size) {
            calls_.emplace_back(cycle, call);
            return;
        }
        calls_[next_] = {cycle, call};
        next_ = (next_ + 1) % size;
    }
    /// Nothing if there is none.
    void write(std::ostream& to) const {
        if (calls_.empty()) return;
        to << "; before that, the last one first:";
        for (std::size_t back = 1; back <= calls_.size(); ++back) {
            const auto& [cycle, call] = calls_[(next_ + calls_.size() - back) % calls_.size()];
            to << " cycle " << cycle << ' ' << call;
        }
    }

private:
    std::vector<std::pair<std::uint64_t, Call>> calls_;
    std::size_t next_ = 0;  ///< the oldest one, once there are `size`
};

/// The interface of parts that look like hardware between two registers. Traits add the signals:
/// @code
///     using interface = slot<picker_traits>;
///     struct inputs { std::uint32_t requests; };   // plain values, default-constructible
///     struct outputs { std::uint32_t grant; };
///     static constexpr slot_field<outputs> fields[] = {
///         {"grant", [](const outputs& o, std::uint32_t) { return std::uint64_t{o.grant}; }}};
/// @endcode
/// and operator<< for the inputs.
///
/// decide() is combinational: it depends on the inputs and the registers, may be called any number
/// of times in a cycle, and takes no simulated time. clock_edge() loads the registers from the
/// inputs of the last decide(); it is called exactly once in a cycle in which the part works.
template <class Traits>
class slot {
public:
    using inputs = typename Traits::inputs;
    using outputs = typename Traits::outputs;

    slot() = default;
    slot(const slot&) = delete;
    slot& operator=(const slot&) = delete;
    virtual ~slot() = default;

    virtual outputs decide(const inputs& in) = 0;
    virtual void clock_edge() = 0;
    virtual void reset() = 0;
};

/// The shadow of a slot<Traits>: compares at every decide().
template <class Traits>
class shadow_slot final : public slot<Traits> {
public:
    using typename slot<Traits>::inputs;
    using typename slot<Traits>::outputs;

    shadow_slot(std::unique_ptr<slot<Traits>> tlm, std::unique_ptr<slot<Traits>> rtl,
                lock_step comparison)
        : tlm_(std::move(tlm)), rtl_(std::move(rtl)), comparison_(std::move(comparison)) {
        comparison_.show(Traits::fields);
    }

    outputs decide(const inputs& in) override {
        const outputs wanted = tlm_->decide(in);
        comparison_.compare(Traits::fields, wanted, rtl_->decide(in), [&](std::ostream& to) {
            to << in;
            history_.write(to);
        });
        history_.add(comparison_.cycle(), in);
        return wanted;
    }
    void clock_edge() override {
        tlm_->clock_edge();
        rtl_->clock_edge();
    }
    void reset() override {
        tlm_->reset();
        rtl_->reset();
    }

private:
    std::unique_ptr<slot<Traits>> tlm_;
    std::unique_ptr<slot<Traits>> rtl_;
    lock_step comparison_;
    call_history<inputs> history_;
};

}  // namespace heddle
