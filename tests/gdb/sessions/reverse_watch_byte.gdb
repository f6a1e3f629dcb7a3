# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel writes --block 32 --arg out:u32[32] --arg 4
#= New value = 3 '\003'
#= Old value = 3 '\003'
#= New value = 0 '\000'
watch bytes[2]
continue
reverse-continue
