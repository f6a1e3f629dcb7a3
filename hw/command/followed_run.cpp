// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/command/followed_run.h"

#include "hw/smx/smx_core.h"

namespace heddle::command {

followed_run::followed_run(const follow_options& options) {
    std::vector<retire_scope> scopes;
    scopes.reserve(options.retire_scopes.size());
    for (const std::string& text : options.retire_scopes) {
        scopes.push_back(parse_retire_scope(text));
    }
    if (!options.retire_file.empty()) {
        retired_ = std::make_unique<retire_file>(options.retire_file, std::move(scopes));
    }
}

void followed_run::attach(simulation& simulated, const gpu_configuration& configuration) {
    if (!retired_) return;
    const auto& smxs = simulated.machine().smxs();
    for (std::size_t i = 0; i < smxs.size(); ++i) {
        smxs[i]->core().observe(&retired_->observer(i, configuration.machine.warp_size));
    }
}

void followed_run::finish() {
    if (retired_) retired_->finish();
}

}  // namespace heddle::command
