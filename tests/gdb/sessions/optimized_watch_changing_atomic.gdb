# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# No register waits for the result of the atomic.
#! --kernel maximum --block 32 --arg out:u32[64] --arg 5
#= Old value = 0
#= New value = 5
#= Old value = 5
#= New value = 9
watch *(unsigned*)0x40000100
continue
continue
