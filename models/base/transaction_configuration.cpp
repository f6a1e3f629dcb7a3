// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/transaction_configuration.h"

#include <utility>

namespace heddle {

namespace {

template <std::size_t... at>
choices<transaction_detection> names_of(std::index_sequence<at...>) {
    return {{transaction_detections[at].name, static_cast<transaction_detection>(at)}...};
}

}  // namespace

choices<transaction_detection> transaction_detection_names() {
    return names_of(std::make_index_sequence<transaction_detections.size()>());
}

std::string transaction_detection_text() {
    std::string text;
    for (const transaction_detection_facts& each : transaction_detections) {
        text += (text.empty() ? "" : "; ") + std::string(each.name) + " = " + each.description;
    }
    return text;
}

choices<transaction_serialization> transaction_serialization_names() {
    using serialize = transaction_serialization;
    return {{"ascending_single", serialize::ascending_single},
            {"descending_single", serialize::descending_single},
            {"ascending_multiple", serialize::ascending_multiple},
            {"descending_multiple", serialize::descending_multiple}};
}

void transaction_configuration::declare(parameter_list& p) {
    p.add("enabled", enabled,
          "Kernels may use transactions in shared memory; without it tx.begin is a kernel fault");
    p.add("detection", detection, transaction_detection_names(),
          "How a bank of shared memory finds conflicts of transactions: " +
              transaction_detection_text());
    p.add("serialization", serialization, transaction_serialization_names(),
          "Which threads of a warp run again alone when the same ones have lost twice: the one "
          "with the lowest (ascending) or highest (descending) number, or all that lost to no "
          "lower (higher) one of their warp (multiple)");
    p.add("hashes", hashes, range(1, 2), "hash",
          "Hash functions of the signatures of transactions: bits that an access sets");
    p.add("pass_cycles", pass_cycles, range(1, 100), "cycle",
          "Time of one pass of a transactional access, in which each bank checks one thread; a "
          "directory adds 2 * shared.latency");
    p.add("checkpoint_cycles", checkpoint_cycles, range(0, 10'000), "cycle",
          "Time to save the registers of a warp at the begin of a transaction");
    p.add("private_log", private_log, range(1, 4096), "store",
          "Stores to private memory of one thread whose old values a transaction can keep");
    p.add("scalar_registers", scalar_registers, range(0, 1 << 20), "register",
          "Scalar registers of one SMX, which hold the masks of transactions");
}

}  // namespace heddle
