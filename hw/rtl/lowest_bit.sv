// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// The number of the lowest bit that is set, by halves; the highest number if none is set.
package lowest_bit;
  function automatic logic [4:0] of_32(input logic [31:0] set);
    logic [31:0] rest;
    logic [4:0]  at;
    rest = set;
    at = 5'd0;
    if (rest[15:0] == 16'd0) begin
      at[4] = 1'b1;
      rest = rest >> 16;
    end
    if (rest[7:0] == 8'd0) begin
      at[3] = 1'b1;
      rest = rest >> 8;
    end
    if (rest[3:0] == 4'd0) begin
      at[2] = 1'b1;
      rest = rest >> 4;
    end
    if (rest[1:0] == 2'd0) begin
      at[1] = 1'b1;
      rest = rest >> 2;
    end
    if (!rest[0]) at[0] = 1'b1;
    of_32 = at;
  endfunction

  function automatic logic [5:0] of_64(input logic [63:0] set);
    of_64 = (set[31:0] == 32'd0) ? {1'b1, of_32(set[63:32])} : {1'b0, of_32(set[31:0])};
  endfunction
endpackage
