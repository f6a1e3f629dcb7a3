// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <tlm>
#include <utility>
#include <vector>

#include "hw/base/pool_shelf.h"

namespace heddle {

/// Memory manager of TLM-2.0 generic payloads (IEEE 1666 §14.5): reference counts are the
/// payload's own acquire() and release(), so that third-party models keep payloads alive as usual.
///
/// `Payload` is tlm_generic_payload or a class derived from it, e.g. one that brings its data
/// buffer. A returned payload is reset() (auto extensions freed, others kept); a derived class
/// hides reset() to do more. Steady state allocates nothing. A payload that outlives its pool stays
/// valid and is deleted with its last release(), at the latest when the process ends. (A run that
/// ends early leaves transactions under way.)
template <class Payload = tlm::tlm_generic_payload>
class payload_pool : public pool_shelf<Payload>, private tlm::tlm_mm_interface {
public:
    explicit payload_pool(std::string name) : pool_shelf<Payload>(std::move(name)) {}
    payload_pool(const payload_pool&) = delete;
    payload_pool& operator=(const payload_pool&) = delete;
    ~payload_pool() override {
        for (Payload* payload : this->all()) {
            if (payload->get_ref_count() == 0) {
                delete payload;
            } else {
                orphans().adopt(*payload);
            }
        }
    }

    /// A payload with one reference, which the caller gives up with release().
    [[nodiscard]] Payload* make() {
        if (this->empty()) {
            grow();
        }
        Payload* payload = this->take();
        payload->acquire();
        return payload;
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
        this->put(payload);
    }
    [[gnu::cold, gnu::noinline]] void grow() {
        auto payload = std::make_unique<Payload>();
        payload->set_mm(this);
        this->add(std::move(payload));
    }
};

}  // namespace heddle
