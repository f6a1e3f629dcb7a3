// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <tlm>
#include <utility>
#include <vector>

namespace heddle {

/// Memory manager of TLM-2.0 generic payloads (IEEE 1666 §14.5): reference counts are the
/// payload's own acquire() and release(), so that third-party models keep payloads alive as usual.
///
/// `Payload` is tlm_generic_payload or a class derived from it, e.g. one that brings its data
/// buffer. A returned payload is reset() (auto extensions freed, others kept); a derived class
/// hides reset() to do more. Steady state allocates nothing.
/// A payload that outlives its pool stays valid and is deleted with its last release(), at the
/// latest when the process ends: a run that breaks off leaves transactions under way.
template <class Payload = tlm::tlm_generic_payload>
class payload_pool : private tlm::tlm_mm_interface {
public:
    explicit payload_pool(std::string name) : name_(std::move(name)) {}
    payload_pool(const payload_pool&) = delete;
    payload_pool& operator=(const payload_pool&) = delete;
    ~payload_pool() override {
        for (Payload* payload : all_) {
            if (payload->get_ref_count() == 0) {
                delete payload;
            } else {
                orphans().adopt(*payload);
            }
        }
    }

    /// A payload with one reference, which the caller gives up with release().
    [[nodiscard]] Payload* make() {
        if (free_.empty()) {
            grow();
        }
        Payload* payload = free_.back();
        free_.pop_back();
        payload->acquire();
        return payload;
    }

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// Payloads ever allocated: the largest number that was in use at once.
    [[nodiscard]] std::size_t capacity() const noexcept { return all_.size(); }
    /// Payloads in use.
    [[nodiscard]] std::size_t live() const noexcept { return all_.size() - free_.size(); }
    /// Empty if all payloads have come back, else a sentence that says how many have not.
    [[nodiscard]] std::string leak_report() const {
        if (live() == 0) {
            return {};
        }
        return "pool '" + name_ + "': " + std::to_string(live()) + " of " +
               std::to_string(capacity()) + " payloads were never released";
    }

private:
    class orphanage final : public tlm::tlm_mm_interface {
    public:
        ~orphanage() override {
            for (Payload* payload : payloads_) delete payload;
        }
        void adopt(Payload& payload) {
            payload.set_mm(this);
            payloads_.push_back(&payload);
        }
        void free(tlm::tlm_generic_payload* payload) override {
            payloads_.erase(std::find(payloads_.begin(), payloads_.end(), payload));
            delete static_cast<Payload*>(payload);
        }

    private:
        std::vector<Payload*> payloads_;
    };
    static orphanage& orphans() {
        static orphanage instance;
        return instance;
    }

    void free(tlm::tlm_generic_payload* base) override {
        auto* payload = static_cast<Payload*>(base);
        payload->reset();
        free_.push_back(payload);
    }
    void grow() {
        auto payload = std::make_unique<Payload>();
        payload->set_mm(this);
        all_.push_back(payload.get());
        Payload* owned = payload.release();
        free_.reserve(all_.capacity());  // so that giving back never allocates
        free_.push_back(owned);
    }

    std::string name_;
    std::vector<Payload*> all_;
    std::vector<Payload*> free_;
};

}  // namespace heddle
