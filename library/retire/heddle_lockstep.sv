// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Lock-step of a core with Heddle's functional simulator, for simulators with DPI (docs/lockstep.md).
// Link libheddle.so. A function that answers a machine, an address, a launch or a word
// gives null or 0 when it fails, one that answers a status gives that, not 0; heddle_dpi_text() says why.
`include "heddle_retire.sv"

package heddle_lockstep_dpi;
  import "DPI-C" function chandle heddle_dpi_create(input string configuration, input int threads_apart,
                                                    input int ordered, input int tells_drained,
                                                    input int stale_loads);
  import "DPI-C" function void heddle_dpi_close(input chandle machine);
  import "DPI-C" function string heddle_dpi_text(input chandle machine);
  import "DPI-C" function int heddle_dpi_load(input chandle machine, input string file);
  import "DPI-C" function int heddle_dpi_allocate(input chandle machine, input string name, input int bytes);
  import "DPI-C" function int heddle_dpi_write(input chandle machine, input int address, input int word);
  import "DPI-C" function int heddle_dpi_launch(input chandle machine, input string kernel, input int blocks,
                                                input int threads, input string arguments);
  import "DPI-C" function int heddle_dpi_entry(input chandle machine, input int launch);
  import "DPI-C" function int heddle_dpi_parameters(input chandle machine, input int launch);
  import "DPI-C" function int heddle_dpi_fetch(input chandle machine, input int launch, input int address);
  import "DPI-C" function int heddle_dpi_retire(input chandle machine, input int lanes,
                                                input bit [`HEDDLE_RETIRED_BITS(64)-1:0] record);
  import "DPI-C" function int heddle_dpi_memory(input chandle machine, input int address, input int word);
  import "DPI-C" function int heddle_dpi_finish(input chandle machine);
  import "DPI-C" function int heddle_dpi_read(input chandle machine, input int address);

  chandle machine;  // that all modules heddle_lockstep compare with

  // Status of a call: 0, or it stops the simulation with the reason.
  function automatic void expect_good(input int status);
    if (status != 0) $fatal(1, "%s", heddle_dpi_text(machine));
  endfunction
endpackage

// Takes the records of a core, one an edge. The first one that differs stops the simulation.
module heddle_lockstep #(
    parameter int LANES = 32
) (
    input logic clk,
    input logic valid,
    input logic [`HEDDLE_RETIRED_BITS(LANES)-1:0] record
);
  import heddle_lockstep_dpi::*;
  always @(posedge clk) begin
    if ($isunknown(valid) || (valid && $isunknown(record))) $fatal(1, "%m: the record has X bits");
    if (valid) expect_good(heddle_dpi_retire(machine, LANES, `HEDDLE_RETIRED_BITS(64)'(record)));
  end
endmodule
