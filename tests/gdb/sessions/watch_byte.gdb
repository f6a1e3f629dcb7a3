# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel writes --block 32 --arg out:u32[32] --arg 4
#= Old value = 0 '\000'
#= New value = 3 '\003'
#= exited normally
watch bytes[2]
continue
continue
