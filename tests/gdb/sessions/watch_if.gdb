# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel writes --block 32 --arg out:u32[32] --arg 4
#= Hardware watchpoint 1: written
#= New value = 30
watch written if written == 30
continue
