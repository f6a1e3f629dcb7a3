// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/base/clock_domain.h"
#include "hw/base/credit_latch.h"
#include "hw/base/delay_edges.h"
#include "hw/base/inbox.h"
#include "hw/base/waveform.h"
#include "hw/crossbar/crossbar_configuration.h"
#include "hw/crossbar/crossbar_waves.h"
#include "hw/crossbar/flit_switch.h"
#include "models/base/statistics.h"

namespace heddle {

/// One of the two networks of a crossbar: requests or responses. It is a part of its own, and
/// touches nothing of the other one. Sleeps while no flit could move and no message reaches an
/// output.
class crossbar_way : public clocked {
public:
    using payload = tlm::tlm_generic_payload;

    crossbar_way(clock_domain& domain, const std::string& path, const switch_shape& shape,
                 const crossbar_configuration& configuration,
                 const slot_maker<allocator_traits>& allocators);

    void show(waveform& waves, const wave_ports& inputs, const wave_ports& outputs);

    // ---- from the neighbours, in their evaluate() ----

    /// A message of so many bytes enters at `port`, for `output`. Whether it is accepted.
    bool enter(std::uint32_t port, std::uint32_t output, payload& message, std::uint32_t bytes,
               std::uint32_t flits, const sc_core::sc_time& delay);
    /// The message that `output` has sent is accepted.
    void accepted(std::uint32_t output, payload& message, const sc_core::sc_time& delay) {
        post({&message, static_cast<std::uint16_t>(output)}, delay);
    }
    /// The receiver has answered a message: it is accepted, if it was not before.
    void answered(std::uint32_t output, payload& message, const sc_core::sc_time& delay) {
        if (outputs_[output].on_link != &message) return;
        post({&message, static_cast<std::uint16_t>(output), 0, 0, 1}, delay);
    }

    void evaluate() override;
    [[nodiscard]] activity update() override;
    [[nodiscard]] std::string waiting_for() const override;

    /// No message is queued or under way.
    [[nodiscard]] bool empty() const {
        return fabric_.empty() && events_.empty() && parked_ports_.empty();
    }
    /// `others`: last outputs that do not count for the utilization.
    void collect(statistics& out, const std::string& scope, std::uint32_t others) const;

private:
    /// Something that a neighbour has said.
    struct event {
        payload* what = nullptr;
        std::uint16_t port = 0;    ///< of that side
        std::uint16_t output = 0;  ///< of a message
        std::uint16_t flits = 0;   ///< of a message; 0: the link behind `port` is free
        /// 1: a message that was not accepted in the call. Of a link: if it is not free already. As
        /// wide as the others, so that the host copies an event as two words.
        std::uint16_t withheld = 0;
    };
    /// Where messages enter.
    struct input_port {
        std::uint64_t bytes = 0;         ///< of all messages; the sender counts them
        event parked;                    ///< seen, and no room; what is null without one
        std::uint64_t parked_since = 0;  ///< edge
    };
    /// Where they leave.
    struct output_port {
        payload* on_link = nullptr;  ///< left, and not accepted yet
        std::uint64_t since = 0;     ///< edge
    };
    /// An input buffer as its sender sees it. Sender and network each write a count of their own.
    struct buffer_credits {
        explicit buffer_credits(std::uint32_t flits) : latch(flits) {}
        credit_latch latch;
        std::uint64_t sent = 0;   ///< flits
        std::uint64_t taken = 0;  ///< of these, neither in the inbox nor parked any more
    };

    /// Tells the neighbour at an input that its message is accepted at last.
    virtual void accept(std::uint32_t port, payload& message) = 0;
    /// Puts a message on the link behind an output; false if the link is free again at once.
    virtual bool put_on_link(std::uint32_t output, payload& message) = 0;
    /// A message has been accepted after its call.
    virtual void left_link(payload& message) = 0;

    void post(const event& what, const sc_core::sc_time& delay);
    [[gnu::cold, gnu::noinline]] static void refuse();
    void take_events(std::uint64_t edge);
    void free_link(const event& what, std::uint64_t edge);
    void take_parked(std::uint64_t edge);
    void send(std::uint64_t edge);
    void latch_credits();

    flit_switch<payload*> fabric_;
    inbox<event> events_;
    std::vector<input_port> inputs_;
    std::vector<output_port> outputs_;
    std::vector<buffer_credits> buffers_;
    std::vector<std::uint32_t> parked_ports_;
    std::vector<std::uint32_t> accepted_buffers_;  ///< of parked messages, at this edge
    std::uint64_t input_full_ = 0;                 ///< ports x cycles with a parked message
    std::uint64_t link_busy_ = 0;  ///< ports x cycles that a message waits on the link
    bool progress_ = false;
    std::uint64_t wake_due_ = 0;  ///< latest wake_at()
    std::unique_ptr<crossbar_waves> waves_;
};

}  // namespace heddle
