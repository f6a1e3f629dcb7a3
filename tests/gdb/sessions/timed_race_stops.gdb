# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel race --block 64 --arg out:u32[64] --check
#= race: at cycle ...without a barrier between them
#= debugged.cpp:{race} in race
#= received signal SIGTRAP
continue
