# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# The atomic changes nothing, and no register waits for its result.
#! --kernel maximum --block 32 --arg out:u32[64] --arg 0
#= Old value = 0
#= New value = 9
watch *(unsigned*)0x40000100
continue
