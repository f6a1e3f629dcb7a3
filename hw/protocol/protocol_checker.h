// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

#include "hw/base/present.h"
#include "hw/protocol/link_observer.h"
#include "hw/protocol/link_rules.h"

/// Protocol checkers. Every violation is one SC_REPORT_ERROR whose message id is the rule; the text
/// names the link, the transaction, what happened and what is legal.
namespace heddle::protocol {

/// Message ids: stable, for report handlers and tests.
namespace rule {
inline constexpr const char* unknown_phase = "heddle/protocol/unknown_phase";
inline constexpr const char* phase_order = "heddle/protocol/phase_order";
/// a second transaction in a state that only one may be in
inline constexpr const char* exclusion = "heddle/protocol/exclusion";
/// begun again while it is under way
inline constexpr const char* duplicated = "heddle/protocol/duplicated";
/// a later phase of a transaction that was never begun here or has ended
inline constexpr const char* not_open = "heddle/protocol/not_open";
/// still under way at the end of the run
inline constexpr const char* lost = "heddle/protocol/lost";
inline constexpr const char* return_status = "heddle/protocol/return_status";
inline constexpr const char* time_backwards = "heddle/protocol/time_backwards";
/// more than one call at one time on a link that allows one a cycle
inline constexpr const char* once_per_instant = "heddle/protocol/once_per_instant";
/// blocking call on a non-blocking link or the other way round
inline constexpr const char* transport_style = "heddle/protocol/transport_style";
inline constexpr const char* not_acquired = "heddle/protocol/not_acquired";
/// the last reference was released before the end
inline constexpr const char* released_early = "heddle/protocol/released_early";
inline constexpr const char* attributes = "heddle/protocol/attributes";
inline constexpr const char* attribute_changed = "heddle/protocol/attribute_changed";
inline constexpr const char* response_missing = "heddle/protocol/response_missing";
}  // namespace rule

/// What the checker needs to know of a payload, without its type.
class payload_view {
public:
    virtual ~payload_view() = default;
    [[nodiscard]] virtual const void* identity() const = 0;
    [[nodiscard]] virtual unsigned references() const = 0;
    [[nodiscard]] virtual std::string request_error() const = 0;
    [[nodiscard]] virtual std::string response_error() const = 0;
    [[nodiscard]] virtual fixed_attributes fixed() const = 0;
    [[nodiscard]] virtual std::string describe() const = 0;
};

/// The transactions of one link, checked against its rule_table. No template and no sockets in it.
class link_checker {
public:
    /// What a call returned.
    struct answer {
        tlm::tlm_sync_enum status;
        unsigned phase;  ///< number of the returned phase
        sc_core::sc_time time;
    };
    /// What the return of a call is compared with.
    struct call {
        const void* payload;
        path via;
        unsigned phase;
        sc_core::sc_time time;
        std::uint8_t answers;  ///< legal answers; 0 = not judged
        bool opened, closed;   ///< the call began, ended the transaction
    };

    link_checker(std::string name, const rule_table& table);

    call before(const payload_view& payload, path via, unsigned phase,
                const sc_core::sc_time& time);
    void after(const call& made, const payload_view& payload, const answer& got);
    void before_blocking(const payload_view& payload, const sc_core::sc_time& time);
    void after_blocking(const payload_view& payload, const sc_core::sc_time& before,
                        const sc_core::sc_time& after);
    /// The call with this payload is left by an exception.
    void unwound(const payload_view& payload);

    /// One line per open transaction, oldest first: state, since when, and the payload.
    [[nodiscard]] std::vector<std::string> open_transactions() const;
    /// Reports the open transactions as lost.
    void report_lost() const;
    [[nodiscard]] std::uint64_t completed() const noexcept { return completed_; }

private:
    struct open_transaction {
        std::uint64_t number;
        std::uint8_t state;
        sc_core::sc_time since;  ///< of the state
        sc_core::sc_time last;   ///< latest annotated time
        bool answered;           ///< its response has been judged
        fixed_attributes fixed;
        /// Where one call is all of the transaction: its payload, as long as the call lasts.
        const payload_view* during_call;
        std::string text;  ///< describes the payload otherwise
    };
    using open_map = std::unordered_map<const void*, open_transaction>;

    void violate(const char* id, const std::string& what) const;
    void check_references(const payload_view& payload, const open_transaction* open) const;
    void check_fixed(const open_transaction& open, const payload_view& payload) const;
    void check_response(const payload_view& payload) const;
    void check_exclusion(const open_transaction& entering, std::uint8_t state) const;
    void move(open_transaction& open, std::uint8_t state, const sc_core::sc_time& at);
    /// Looks up and takes the transition; null, after a report, if there is none.
    const transition* step(const payload_view& payload, path via, unsigned phase,
                           const sc_core::sc_time& at);
    /// `one_call`: it ends in the call that begins it.
    void begin(const payload_view& payload, std::uint8_t state, const sc_core::sc_time& at,
               bool one_call);
    void leave(std::uint8_t state);
    void close(open_map::iterator at);
    /// The callee returned TLM_COMPLETED.
    void complete(const payload_view& payload);
    void report_illegal(const payload_view& payload, const open_transaction* open, path via,
                        unsigned phase) const;
    [[nodiscard]] std::string legal_phases(std::uint8_t state) const;
    [[nodiscard]] std::string text(const open_transaction& open) const;
    [[nodiscard]] static std::string payload_text(const open_transaction& open);

    std::string name_;
    const rule_table& table_;
    open_map open_;
    std::array<unsigned, 32> in_state_{};  ///< open transactions per state of the table
    std::uint64_t begun_ = 0, completed_ = 0;
    sc_core::sc_time last_call_;
    bool called_ = false;
};

/// Checks one link; link_observer says how to bind it. It takes no references, so the lifetimes of
/// payloads are the same with and without a checker.
template <typename Link, unsigned Width = 32>
class protocol_checker : public link_observer<Link, Width> {
    using base = link_observer<Link, Width>;
    using rules = link_rules<Link>;

public:
    using typename base::payload_type;
    using typename base::phase_type;

    explicit protocol_checker(const sc_core::sc_module_name& name)
        : base(name), checker_(this->name(), rules::table()) {}

    /// Call it at the good end of a run: reports transactions that are still under way as lost. For
    /// a run that was stopped early, call open_transactions() instead.
    void report_lost() const { checker_.report_lost(); }
    [[nodiscard]] std::vector<std::string> open_transactions() const {
        return checker_.open_transactions();
    }
    /// Transactions that have ended.
    [[nodiscard]] std::uint64_t completed() const noexcept { return checker_.completed(); }

protected:
    tlm::tlm_sync_enum pass(path via, payload_type& payload, phase_type& phase,
                            sc_core::sc_time& time) override {
        const view seen(payload);
        try {
            const link_checker::call made =
                checker_.before(seen, via, rules::phase_number(phase), present::time() + time);
            const tlm::tlm_sync_enum status = base::pass(via, payload, phase, time);
            checker_.after(made, seen,
                           {status, rules::phase_number(phase), present::time() + time});
            return status;
        } catch (...) {
            checker_.unwound(seen);
            throw;
        }
    }
    void b_transport(payload_type& payload, sc_core::sc_time& time) override {
        const view seen(payload);
        try {
            const sc_core::sc_time before = present::time() + time;
            checker_.before_blocking(seen, before);
            base::b_transport(payload, time);
            checker_.after_blocking(seen, before, present::time() + time);
        } catch (...) {
            checker_.unwound(seen);
            throw;
        }
    }

private:
    class view final : public payload_view {
    public:
        explicit view(const payload_type& payload) : payload_(payload) {}
        const void* identity() const override { return &payload_; }
        unsigned references() const override { return rules::references(payload_); }
        std::string request_error() const override { return rules::request_error(payload_); }
        std::string response_error() const override { return rules::response_error(payload_); }
        fixed_attributes fixed() const override { return rules::fixed(payload_); }
        std::string describe() const override {
            std::string out;
            attribute_list list(out, attribute_list::style::text);
            rules::describe(payload_, list);
            return out;
        }

    private:
        const payload_type& payload_;
    };

    link_checker checker_;
};

}  // namespace heddle::protocol
