// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/transaction_configuration.h"

#include <string>

namespace heddle {

namespace {

choices<transaction_detection> names_of(const std::vector<transaction_detection>& all) {
    std::vector<std::pair<const char*, transaction_detection>> named;
    for (const transaction_detection& each : all) named.emplace_back(each.name, each);
    return choices<transaction_detection>(std::move(named));
}

/// "NAME = DESCRIPTION; NAME = DESCRIPTION".
std::string text_of(const std::vector<transaction_detection>& all) {
    std::string text;
    for (const transaction_detection& each : all) {
        text += (text.empty() ? "" : "; ") + std::string(each.name) + " = " + each.description;
    }
    return text;
}

}  // namespace

choices<transaction_serialization> transaction_serialization_names() {
    using serialize = transaction_serialization;
    return {{"ascending_single", serialize::ascending_single},
            {"descending_single", serialize::descending_single},
            {"ascending_multiple", serialize::ascending_multiple},
            {"descending_multiple", serialize::descending_multiple}};
}

void transaction_configuration::declare(parameter_list& p) {
    p.add("enabled", enabled,
          "Kernels may use transactions in shared memory; if false, a kernel that does is refused");
    if (!detections.empty()) {
        p.add(
            "detection", detection, names_of(detections),
            "How a bank of shared memory finds conflicts of transactions: " + text_of(detections));
    }
    p.add("serialization", serialization, transaction_serialization_names(),
          "Which threads of a warp run again alone when the same ones have lost twice: the one "
          "with the lowest (ascending) or highest (descending) number, or all that lost to no "
          "lower (higher) one of their warp (multiple)");
    p.add("hashes", hashes, range(1, 2), "hash",
          "Hash functions of the signatures of transactions: bits that an access sets")
        .larger_is_better();
    p.add("pass_cycles", pass_cycles, range(1, 100), "cycle",
          "Time of one pass of a transactional access, in which each bank checks one thread; a "
          "directory adds 2 * shared.latency")
        .smaller_is_better();
    p.add("checkpoint_cycles", checkpoint_cycles, range(0, 10'000), "cycle",
          "Time to save the registers of a warp at the begin of a transaction")
        .smaller_is_better();
    p.add("private_log", private_log, range(1, 4096), "store",
          "Stores to private memory of one thread whose old values a transaction can keep");
    p.add("scalar_registers", scalar_registers, range(0, 1 << 20), "register",
          "Scalar registers of one SMX, which hold the masks of transactions")
        .larger_is_better(65536);
}

}  // namespace heddle
