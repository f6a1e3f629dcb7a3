# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel writes --block 32 --arg out:u32[32] --arg 4
#= New value = 10
#= New value = 20
#= Old value = 20
#= New value = 10
#= Old value = 10
#= New value = 0
watch written
continue
continue
reverse-continue
reverse-continue
