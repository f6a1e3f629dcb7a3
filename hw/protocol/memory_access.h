// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <tlm>
#include <type_traits>
#include <typeinfo>

#include "hw/base/payload_pool.h"
#include "hw/protocol/link_rules.h"
#include "models/base/host_cache.h"

/// l1 -> crossbar -> l2 -> crossbar back: memory_link, and its transactions. L2 and the memory
/// controller exchange the same transactions over the plain TLM-2.0 base protocol (base_access.h).
namespace heddle::protocol {

enum class memory_kind : std::uint8_t { load, store, atomic, instruction_fetch, write_back };

/// One lane's part of an atomic access. The L2 bank executes the lanes in ascending order.
struct lane_atomic {
    std::uint8_t lane = 0;
    std::uint8_t offset = 0;  ///< byte offset from the payload's address; a multiple of 4
    /// Thread in the SMX: home warp slot x warp size + home lane. It holds the reservation.
    std::uint16_t thread = 0;
    std::uint32_t operand = 0;
    std::uint32_t compare = 0;  ///< amocas.w only
    std::uint32_t result = 0;   ///< set by the bank: the old value (sc.w: 0 done, 1 failed)
};

/// When memory served a fetch of L2: picoseconds from the start of the run, 0 if unknown. They
/// stand for clock edges; a double holds them to far less than the shortest period.
struct fetch_times {
    double sent = 0;        ///< L2 sent it
    double dispatched = 0;  ///< DRAM began with the last of it; before that it was queued
    double answered = 0;    ///< L2 saw its data
};

/// When an access was at the L2 bank; likewise.
struct access_times {
    double arrived = 0;   ///< the bank could see it
    fetch_times fetch;    ///< of the fetch that it waited for, if it waited for one
    double answered = 0;  ///< its response was ready to leave
};

/// Who accesses memory and how: the part of a memory access that a generic payload lacks.
/// Mandatory on memory_link. Ignorable on the base protocol, where only statistics look at it.
struct memory_access : tlm::tlm_extension<memory_access> {
    launch_id launch{};
    sm_id sm{};
    warp_slot warp{};
    block_slot slot{};
    std::uint32_t block = 0;  ///< linear block index in its grid
    memory_kind kind = memory_kind::load;
    bool bypass_l1 = false;                        ///< ldcg, ldcv, parameter reads
    isa::opcode operation = isa::opcode::illegal;  ///< which atomic
    std::uint8_t atomic_count = 0;                 ///< entries of `atomics` that are in use
    /// Bytes that a load wants or a store writes; bit i of word i / 64 is byte i of the access.
    std::array<std::uint64_t, maximum_line_bytes / 64> byte_mask{};
    access_times times;  ///< for statistics; of a fetch of L2, only times.fetch
    std::array<lane_atomic, maximum_lanes> atomics{};

    [[nodiscard]] bool byte_enabled(unsigned byte) const noexcept {
        return ((byte_mask[byte / 64] >> (byte % 64)) & 1U) != 0;
    }
    void clear() noexcept;

    [[nodiscard]] tlm::tlm_extension_base* clone() const override;
    void copy_from(const tlm::tlm_extension_base& other) override;
    void free() override;
};

class memory_transaction;

/// Somebody who asks memory for something.
class memory_requester {
public:
    /// The answer has come; who holds the request gives it back after this call.
    virtual void responded(memory_transaction& request) = 0;
    /// The answer comes at the next edge: has the host's cache fetch what responded() looks at.
    virtual void expect(const memory_transaction&) const noexcept {}

protected:
    ~memory_requester() = default;
};

/// The way back to who asked; means something to the sender of a transaction only.
class way_back {
public:
    memory_requester* requester = nullptr;
    std::uint32_t inside = 0;  ///< edges of the sender from the answer's arrival to responded()
    std::uint64_t sent = 0;    ///< edge of the sender at which the request began on the link

private:
    template <class Name>
    friend class request_names;
    std::uint32_t name_ = 0;
};

/// A generic payload with its data buffer, byte enables and `memory_access` extension in place:
/// take it from a `payload_pool<memory_transaction>` and nothing is allocated per access. All
/// senders use this very class: access_of() knows it by its type.
///
/// Many transactions are under way at once, more than the host's caches hold. What every access
/// looks at therefore takes five lines of them: attributes and ids at the front, data at the end.
class alignas(host_line_bytes) memory_transaction final : public tlm::tlm_generic_payload {
public:
    way_back back;

    memory_transaction();
    ~memory_transaction() override;

    /// Initial state: a read of 0 bytes at 0 into data(), no byte enables.
    void reset();
    /// Sets command, address, length, streaming width, and an all-ones byte mask for that length
    /// (at most maximum_line_bytes). Atomics use TLM_IGNORE_COMMAND: the extension says what to do.
    void prepare(memory_kind kind, std::uint64_t address, unsigned length);

    [[nodiscard]] std::uint8_t* data() noexcept { return data_.data(); }
    [[nodiscard]] memory_access& access() noexcept { return access_; }
    [[nodiscard]] const memory_access& access() const noexcept { return access_; }
    /// The extension of a payload that is of this class, without a look into its table of
    /// extensions, which lies elsewhere in memory.
    [[nodiscard]] static memory_access* access_within(
        const tlm::tlm_generic_payload& payload) noexcept {
        return const_cast<memory_access*>(&static_cast<const memory_transaction&>(payload).access_);
    }
    /// protocol::prefetch(), with the data and the way back: of an answer.
    void prefetch_answer() const noexcept;
    /// Turns the extension's byte mask into base-protocol byte enables (none if all bytes are set).
    void apply_byte_enables();

private:
    memory_access access_;
    std::array<std::uint8_t, maximum_line_bytes> byte_enables_{};
    std::array<std::uint8_t, maximum_line_bytes> data_{};
};

using memory_pool = payload_pool<memory_transaction>;

/// What a sender calls its requests while they are under way: a strong_index, or another 4 bytes
/// that can be copied. A sender has one type of names, which it gives and reads.
template <class Name>
class request_names {
    static_assert(sizeof(Name) == sizeof(std::uint32_t) && std::is_trivially_copyable_v<Name>);

public:
    static void give(memory_transaction& request, Name name) noexcept {
        std::memcpy(&request.back.name_, &name, sizeof(name));
    }
    [[nodiscard]] static Name of(const memory_transaction& request) noexcept {
        Name name{};
        std::memcpy(static_cast<void*>(&name), &request.back.name_, sizeof(name));
        return name;
    }
};

/// A requester with names for its requests.
template <class Name>
class naming_requester : public memory_requester {
protected:
    /// The answer to `request`, which is for `name`, comes to this object.
    void expect_answer(memory_transaction& request, Name name) noexcept {
        request.back.requester = this;
        request_names<Name>::give(request, name);
    }
    [[nodiscard]] static Name name_of(const memory_transaction& answer) noexcept {
        return request_names<Name>::of(answer);
    }
    ~naming_requester() = default;
};

/// A line that L2 writes back or completes. A line that L1 writes back belongs to no block.
[[nodiscard]] bool of_nobody(const memory_access& access);

/// The extension of a payload on memory_link; null if the sender forgot it.
inline memory_access* access_of(const tlm::tlm_generic_payload& payload) {
    return typeid(payload) == typeid(memory_transaction)
               ? memory_transaction::access_within(payload)
               : payload.get_extension<memory_access>();
}

/// Has the host's cache fetch the attributes and ids of a transaction: for whoever puts it into an
/// inbox, since the owner looks at it an edge later, when all other blocks have used the cache.
inline void prefetch(const tlm::tlm_generic_payload& payload) noexcept {
    prefetch_bytes(&payload, 4 * host_line_bytes);
}

inline void memory_transaction::prefetch_answer() const noexcept {
    prefetch(*this);
    prefetch_bytes(data_.data(), data_.size());
}

/// ```
///          fw begin_request          bw end_request          bw begin_response        fw
///          end_response
///  [idle] ----------------> [requested] -------> [accepted] ---------------> [responding] ------>
///  [closed]
///                                `------- bw begin_response -------------------^
///   begin_request:  TLM_ACCEPTED | TLM_UPDATED with end_request or begin_response | TLM_COMPLETED
///   end_request:    TLM_ACCEPTED
///   begin_response: TLM_ACCEPTED | TLM_UPDATED with end_response | TLM_COMPLETED
///   end_response:   TLM_ACCEPTED | TLM_COMPLETED
/// ```
/// The base protocol's four phases (IEEE 1666 15.2) under their own type. One transaction at a time
/// in [requested] and one in [responding], per link: end_request and end_response are the credits.
/// Stores and atomics are acknowledged by their response. Accesses of one initiator to one line of
/// 128 bytes take effect in the order of their begin_request.
enum class memory_phase : std::uint8_t { begin_request, end_request, begin_response, end_response };

struct memory_link {
    using tlm_payload_type = tlm::tlm_generic_payload;
    using tlm_phase_type = memory_phase;
};

/// What a generic payload must keep on both of its links, and what is shown of it. An access of the
/// base protocol may have no memory_access.
struct generic_payload_rules : usual_rules<tlm::tlm_generic_payload> {
    static constexpr bool carries_accesses = true;
    static unsigned references(const tlm::tlm_generic_payload& p);
    static std::string request_error(const tlm::tlm_generic_payload& p);
    static std::string response_error(const tlm::tlm_generic_payload& p);
    static void describe(const tlm::tlm_generic_payload& p, attribute_list& out);
    /// Bytes that are moved, with their values where they are known by now.
    static void detail(const tlm::tlm_generic_payload& p, bool answered, attribute_list& out);
    static std::string title(const tlm::tlm_generic_payload& p);
    static std::uint64_t flow_in(const tlm::tlm_generic_payload& p);
    static std::optional<sm_id> accessing_sm(const tlm::tlm_generic_payload& p);

protected:
    /// What is moved; null without a memory_access.
    static const memory_access* describe_bytes(const tlm::tlm_generic_payload& p,
                                               attribute_list& out);
};

template <>
struct link_rules<memory_link> : generic_payload_rules {
    static const rule_table& table();
    static std::string request_error(const tlm::tlm_generic_payload& p);
    static fixed_attributes fixed(const tlm::tlm_generic_payload& p);
};

}  // namespace heddle::protocol
