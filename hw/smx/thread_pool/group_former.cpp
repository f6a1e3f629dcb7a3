// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/smx/thread_pool/group_former.h"

#include "hw/smx/thread_pool/dwf/dwf_former.h"
#include "hw/smx/thread_pool/mimd_former.h"
#include "hw/smx/thread_pool/nrec_former.h"
#include "models/base/error.h"

namespace heddle {

std::unique_ptr<group_former> make_group_former(const group_former_setting& setting) {
    switch (setting.smx.formation) {
        case formation_policy::nrec:
            return std::make_unique<nrec_former>(setting);
        case formation_policy::dwf:
            return std::make_unique<dwf_former>(dwf_setting{
                setting.warp_size, setting.threads, setting.smx.issue_interval, setting.dwf});
        case formation_policy::mimd:
            return std::make_unique<mimd_former>(setting);
        default:
            throw configuration_error("smx.formation forms no groups in a thread pool");
    }
}

}  // namespace heddle
