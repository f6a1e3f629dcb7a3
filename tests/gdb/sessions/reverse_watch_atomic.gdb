# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel adds --grid 2 --block 64 --arg out:u32[200] --arg 1
#= New value = 32
#= New value = 64
#= New value = 96
#= Old value = 96
#= New value = 64
#= Old value = 64
#= New value = 32
watch *(unsigned*)0x40000100
continue
continue
continue
reverse-continue
reverse-continue
