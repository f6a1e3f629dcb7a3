# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel fault --block 64 --arg out:u32[64] --arg 1
#= received signal SIGSEGV
#= $1 = 1
#= $2 = 1
#= SIGSEGV
continue
set $from = $pc
reverse-stepi
print/d $pc == $from - 4
stepi
print/d $pc == $from
continue
