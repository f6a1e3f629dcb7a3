// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "command/gdb/remote_server.h"

#include <fmt/format.h>

#include <algorithm>

#include "command/gdb/wire/packet.h"

namespace heddle::command::gdb {
namespace {

const std::string good = "OK";
const std::string bad_packet = "E01";    // it can't be read
const std::string bad_thread = "E02";    // there is none of this number
const std::string bad_memory = "E03";    // no such memory
const std::string bad_register = "E04";  // it can't be written
const std::string unsupported;

}  // namespace

void remote_server::attach(const debug_machine& machine) {
    machine_ = &machine;
    registers_.emplace(machine.lanes());
}

resumption remote_server::stopped(const stop& why) {
    why_ = why;
    why_->thread->choose_running_lane();
    general_ = run_ = why_->thread->number;
    resumed_.reset();
    if (asked_) {
        if (!why_->note.empty()) say(why_->note);
        line_.send(stop_reply());
    }
    asked_ = true;
    while (!resumed_) {
        const std::optional<received> next = line_.wait();
        if (!next) return {resumption::kind::detach};
        if (next->what != received::kind::packet) continue;
        packet_fields packet(next->payload);
        const std::string text = answer(packet);
        const bool goes_on = resumed_ && resumed_->what != resumption::kind::detach &&
                             resumed_->what != resumption::kind::kill;
        if (!goes_on) line_.send(text);
    }
    return *resumed_;
}

void remote_server::say(const std::string& text) {
    line_.send("O" + to_hex(text + "\n"));
}

void remote_server::exited(int code) {
    if (line_.is_open()) line_.send(fmt::format("W{:02x}", code));
}

std::string remote_server::stop_reply() const {
    return fmt::format("T{:02x}thread:{:x};core:{:x};{}", why_->signal, why_->thread->number,
                       why_->thread->warp.block().sm, why_->reason);
}

std::string remote_server::thread_list() const {
    std::string text = "m";
    for (const std::uint64_t id : threads_.ids()) {
        text += fmt::format("{}{:x}", text.size() == 1 ? "" : ",", id);
        if (text.size() > packet_limit / 2) break;
    }
    return text;
}

std::string remote_server::answer(packet_fields& packet) {
    if (packet.take("?")) return stop_reply();
    if (packet.take("vCont?")) return "vCont;c;C;s;S;r";
    if (packet.take("vCont")) return resume(packet);
    if (packet.take("vKill") || packet.take("k")) {
        resumed_ = resumption{resumption::kind::kill};
        return good;
    }
    if (packet.take("D")) {
        resumed_ = resumption{resumption::kind::detach};
        return good;
    }
    if (packet.take("bs")) {
        reverse(resumption::kind::reverse_step);
        return {};
    }
    if (packet.take("bc")) {
        reverse(resumption::kind::reverse_continue);
        return {};
    }
    if (packet.take("q") || packet.take("Q")) return general(packet);
    if (packet.take("H")) return select(packet);
    if (packet.take("T")) {
        const bool there = threads_.named(packet.thread()).thread != nullptr;
        return there && packet.complete() ? good : bad_thread;
    }
    if (packet.take("m")) return read_memory(packet);
    if (packet.take("M")) return write_memory(packet, false);
    if (packet.take("X")) return write_memory(packet, true);
    if (packet.take("P")) return write_register(packet);
    if (packet.take("Z")) return stop_point(packet, true);
    if (packet.take("z")) return stop_point(packet, false);
    const bool all = packet.take("g");
    if (!all && !packet.take("p")) return unsupported;
    const named_thread of = threads_.named(general_);
    if (of.thread == nullptr) return bad_thread;
    if (all) return registers_->all(of, machine_->cycle());
    const auto number = static_cast<unsigned>(packet.number());
    if (!packet.complete()) return bad_packet;
    return registers_->packet(number, of, machine_->cycle());
}

/// Packets q and Q.
std::string remote_server::general(packet_fields& packet) {
    if (packet.take("Supported")) {
        return fmt::format(
            "PacketSize={:x};QStartNoAckMode+;qXfer:features:read+;qXfer:threads:read+;"
            "vContSupported+;ConditionalBreakpoints+;swbreak+;hwbreak+;ReverseStep+;"
            "ReverseContinue+",
            packet_limit);
    }
    if (packet.take("StartNoAckMode")) {
        line_.stop_acknowledging();
        return good;
    }
    if (packet.take("Xfer:")) return transfer(packet);
    if (packet.take("Rcmd,")) return command(packet);
    if (packet.take("fThreadInfo")) return thread_list();
    if (packet.take("sThreadInfo")) return "l";
    if (packet.take("ThreadExtraInfo,")) {
        const named_thread of = threads_.named(packet.thread());
        if (of.thread == nullptr || !packet.complete()) return bad_thread;
        return to_hex(of.thread->name() + ": " + of.thread->warp.doing());
    }
    if (packet.take("Attached")) return "1";
    if (packet.take("Symbol")) return good;
    if (packet.rest() == "C") return fmt::format("QC{:x}", why_->thread->number);
    return unsupported;
}

std::string remote_server::transfer(packet_fields& packet) {
    if (packet.take("features:read:target.xml:")) return piece(registers_->description(), packet);
    if (packet.take("threads:read::")) return piece(threads_.list(), packet);
    return unsupported;
}

std::string remote_server::piece(const std::string& of, packet_fields& range) const {
    const unsigned long long offset = range.number();
    range.skip(',');
    // Escapes make a packet longer.
    const unsigned long long length =
        std::min<unsigned long long>(range.number(), packet_limit / 2);
    if (!range.complete() || offset > of.size()) return bad_packet;
    const std::string part = of.substr(offset, length);
    return (offset + part.size() == of.size() ? "l" : "m") + part;
}

std::string remote_server::command(packet_fields& packet) {
    const auto text = from_hex(packet.rest());
    if (!text) return bad_packet;
    const std::string told =
        monitor_command(*text, {*machine_, threads_, threads_.named(general_)});
    constexpr std::size_t most = packet_limit / 4;
    for (std::size_t at = 0; at < told.size(); at += most) {
        line_.send("O" + to_hex(std::string_view(told).substr(at, most)));
    }
    return good;
}

std::string remote_server::select(packet_fields& packet) {
    const bool runs = packet.take("c");
    if (!runs && !packet.take("g")) return unsupported;
    unsigned long long id = packet.thread();
    if (!packet.complete()) return bad_packet;
    if (id == ~0ULL) id = 0;
    if (id != 0 && threads_.named(id).thread == nullptr) return bad_thread;
    if (runs) {
        run_ = id;
    } else {
        general_ = id != 0 ? id : why_->thread->number;
    }
    return good;
}

std::string remote_server::read_memory(packet_fields& packet) {
    const auto address = static_cast<std::uint32_t>(packet.number());
    packet.skip(',');
    unsigned long long length = std::min<unsigned long long>(packet.number(), packet_limit / 2);
    const named_thread of = threads_.named(general_);
    if (!packet.complete()) return bad_packet;
    if (of.thread == nullptr) return bad_thread;
    std::string bytes(length, '\0');
    auto* const to = reinterpret_cast<std::byte*>(bytes.data());
    if (of.thread->warp.read(of.lane, address, to, length)) return to_hex(bytes);
    // As many as there are.
    std::size_t count = 0;
    while (
        count < length &&
        of.thread->warp.read(of.lane, address + static_cast<std::uint32_t>(count), to + count, 1)) {
        ++count;
    }
    return count == 0 ? bad_memory : to_hex(std::string_view(bytes).substr(0, count));
}

std::string remote_server::write_memory(packet_fields& packet, bool binary) {
    const auto address = static_cast<std::uint32_t>(packet.number());
    packet.skip(',');
    const unsigned long long length = packet.number();
    packet.skip(':');
    if (packet.failed()) return bad_packet;
    const auto bytes = binary ? std::string(packet.rest()) : from_hex(packet.rest());
    if (!bytes || bytes->size() != length) return bad_packet;
    const named_thread of = threads_.named(general_);
    if (of.thread == nullptr) return bad_thread;
    return change_.write(of, address, *bytes) ? good : bad_memory;
}

std::string remote_server::write_register(packet_fields& packet) {
    const auto number = static_cast<unsigned>(packet.number());
    packet.skip('=');
    const auto bytes = from_hex(packet.rest());
    if (packet.failed() || !bytes || bytes->size() > sizeof(std::uint64_t)) return bad_packet;
    const named_thread of = threads_.named(general_);
    if (of.thread == nullptr) return bad_thread;
    std::uint64_t value = 0;
    for (std::size_t i = bytes->size(); i-- != 0;) {
        value = value << 8U | static_cast<unsigned char>((*bytes)[i]);
    }
    if (number == register_set::lane) {
        if (value >= of.thread->warp.lanes() || general_ != of.thread->number) return bad_register;
        threads_.choose_lane(*of.thread, static_cast<unsigned>(value));
        return good;
    }
    if (number >= isa::register_count) return bad_register;
    return change_.set_register(of, number, static_cast<std::uint32_t>(value)) ? good
                                                                               : bad_register;
}

/// Packets Z and z: "kind,address,bytes;Xlength,condition...".
std::string remote_server::stop_point(packet_fields& packet, bool inserts) {
    const unsigned long long kind = packet.number();
    packet.skip(',');
    const auto address = static_cast<std::uint32_t>(packet.number());
    packet.skip(',');
    const auto bytes = static_cast<std::uint32_t>(packet.number());
    if (packet.failed()) return bad_packet;
    if (kind > static_cast<unsigned>(stop_kind::access)) return unsupported;
    const bool breaks = kind <= static_cast<unsigned>(stop_kind::hardware);
    const stop_points::place at{static_cast<stop_kind>(kind), address, breaks ? 0 : bytes};
    constexpr std::uint32_t most_watched = 4096;
    if (!breaks && (bytes == 0 || bytes > most_watched)) return bad_memory;
    std::vector<std::string> conditions;
    while (!packet.rest().empty()) {
        packet.skip(';');
        if (packet.take("cmds")) return unsupported;
        if (packet.rest().empty()) break;
        packet.skip('X');
        const unsigned long long length = packet.number();
        packet.skip(',');
        if (packet.failed() || length > packet_limit) return bad_packet;
        const auto code = from_hex(packet.characters(2 * length));
        if (packet.failed() || !code) return bad_packet;
        conditions.push_back(*code);
    }
    if (inserts) {
        points_.insert(at, std::move(conditions), threads_.named(general_));
    } else {
        points_.remove(at);
    }
    return good;
}

/// Of "vCont": ";action[:thread]" each; the first that names a thread is its.
std::string remote_server::resume(packet_fields& packet) {
    resumption next;
    bool others = false;  // all threads that nothing else names run
    bool first = true;
    while (!packet.rest().empty()) {
        packet.skip(';');
        const std::string_view what = packet.characters(1);
        const bool steps = what == "s" || what == "S" || what == "r";
        if (!steps && what != "c" && what != "C") return bad_packet;
        std::uint32_t low = 0;
        std::uint32_t high = 0;
        if (what == "S" || what == "C") packet.number();  // the signal: kernels have none
        if (what == "r") {
            low = static_cast<std::uint32_t>(packet.number());
            packet.skip(',');
            high = static_cast<std::uint32_t>(packet.number());
        }
        thread_number of = 0;
        bool all = true;
        if (packet.take(":")) {
            const unsigned long long id = packet.thread();
            all = id == ~0ULL;
            if (!all && !packet.failed()) {
                const named_thread one = threads_.named(id);
                if (one.thread == nullptr) return bad_thread;
                of = one.thread->number;
            }
        }
        if (packet.failed()) return bad_packet;
        if (all && steps && first) of = why_->thread->number;
        if (all) others = true;
        if (!all) next.may_run.insert(of);
        if (steps && next.step == 0) {
            next.step = of;
            next.low = low;
            next.high = high;
        }
        first = false;
    }
    if (first) return bad_packet;
    if (others) next.may_run.clear();
    resumed_ = std::move(next);
    return {};
}

void remote_server::reverse(resumption::kind what) {
    resumption next{what};
    next.step = chosen_to_run();
    resumed_ = std::move(next);
}

thread_number remote_server::chosen_to_run() const {
    for (const std::uint64_t id : {run_, general_}) {
        const named_thread one = threads_.named(id);
        if (id != 0 && one.thread != nullptr) return one.thread->number;
    }
    return why_->thread->number;
}

}  // namespace heddle::command::gdb
