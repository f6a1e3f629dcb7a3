# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= the lanes of this warp are threads, too
#= warp 0 lane 31" (runs with its warp)
#= a thread is a warp
break weigh
continue
monitor lanes warp
info threads
monitor lanes off
