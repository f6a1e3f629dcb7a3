# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# Behind a race one may go back without being stopped by it again.
#! --kernel race --block 64 --arg out:u32[64] --check
#= race: at cycle ...without a barrier between them
#= received signal SIGTRAP
#= $1 = 1
#= exited normally
continue
stepi
stepi
stepi
stepi
set $count = $n
reverse-stepi
print/d $n + 1 == $count
continue
