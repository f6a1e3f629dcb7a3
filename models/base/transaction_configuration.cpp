// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "models/base/transaction_configuration.h"

namespace heddle {

void transaction_configuration::declare(parameter_list& p) {
    using detect = transaction_detection;
    using serialize = transaction_serialization;
    p.add("enabled", enabled,
          "Kernels may use transactions in shared memory; without it tx.begin is a kernel fault");
    p.add("detection", detection,
          choices<detect>{{"prw_sig", detect::prw_sig},
                          {"swo_sig", detect::swo_sig},
                          {"dcd", detect::dcd},
                          {"smdcd", detect::smdcd}},
          "How a bank of shared memory finds conflicts of transactions: prw_sig = a signature of "
          "reads and writes for each thread; swo_sig = that and a signature of writes for each "
          "warp; dcd = an owner for each word; smdcd = that and bits for shared and modified");
    p.add("serialization", serialization,
          choices<serialize>{{"ascending_single", serialize::ascending_single},
                             {"descending_single", serialize::descending_single},
                             {"ascending_multiple", serialize::ascending_multiple},
                             {"descending_multiple", serialize::descending_multiple}},
          "Which threads of a warp run again alone when the same ones have lost twice: the one "
          "with the lowest (ascending) or highest (descending) number, or all that lost to no "
          "lower (higher) one of their warp (multiple)");
    p.add("hashes", hashes, range(1, 2), "hash",
          "Hash functions of the signatures of transactions: bits that an access sets");
    p.add("pass_cycles", pass_cycles, range(1, 100), "cycle",
          "Time of one pass of a transactional access, in which each bank checks one thread; a "
          "directory adds 2 * local.latency");
    p.add("checkpoint_cycles", checkpoint_cycles, range(0, 10'000), "cycle",
          "Time to save the registers of a warp at the begin of a transaction");
    p.add("private_log", private_log, range(1, 4096), "store",
          "Stores to private memory of one thread whose old values a transaction can keep");
    p.add("scalar_registers", scalar_registers, range(0, 1 << 20), "register",
          "Scalar registers of one SMX, which hold the masks of transactions");
}

}  // namespace heddle
