# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel writes --block 32 --arg out:u32[32] --arg 4
#= Hardware watchpoint 1: written
#= Old value = 0
#= New value = 10
#= writes (...) at ...debugged.cpp:
#= Old value = 10
#= New value = 20
watch written
continue
continue
