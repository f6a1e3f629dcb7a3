// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// One bank of shared memory under transactions, for the slot tm_bank; docs/rtl.md has the ports.
// Villegas et al., "Improvements in Hardware Transactional Memory for GPU Architectures": private
// signatures of reads and writes, a Bloom filter of 8 bits for each item of a block, and a shadow
// memory with the owner and the old value of each word that an item has written. The data are not
// in it.
module tm_bank (
    input  logic         clk,
    input  logic         rst_n,
    input  logic         enable,
    input  logic         two_hashes,
    input  logic [2:0]   op,
    input  logic [3:0]   slot,
    input  logic [9:0]   row,
    input  logic [7:0]   item,
    input  logic [255:0] items,
    input  logic [31:0]  word,
    output logic         busy,
    output logic         lost,
    output logic [255:0] conflicts,
    output logic         owned,
    output logic         restore,
    output logic [9:0]   restored_row,
    output logic [31:0]  restored_word
);
  localparam logic [2:0] LOAD = 3'd1;
  localparam logic [2:0] STORE = 3'd2;
  localparam logic [2:0] UNDO = 3'd3;
  localparam logic [2:0] FORGET = 3'd4;

  // Signatures by bits: a slice has one bit of the filters of all items of a block.
  logic [255:0] slices[0:127];
  logic [127:0] filled;  // slices that have been written; the others are 0
  // Shadow memory, by block slot and row.
  logic [63:0]  held  [0:255];  // a bit for each row that an item owns, in words
  logic [255:0] marked;  // words of `held` that have been written; the others are 0
  logic [7:0]   owner [0:16383];
  logic [31:0]  old   [0:16383];
  // Rows of each block slot that items own, those first that were owned first.
  logic [9:0]   list  [0:16383];
  logic [10:0]  length[0:15];
  // Where a walk over the list is, if it is busy, and how many rows it has kept.
  logic [10:0]  at;
  logic [10:0]  kept;

  // Hashes of the row.
  logic [8:0]   folded;
  logic [2:0]   hash_0;
  logic [2:0]   hash_1;
  logic [6:0]   index_0;
  logic [6:0]   index_1;
  logic [255:0] slice_0;
  logic [255:0] slice_1;
  logic [255:0] one;  // the item
  logic [255:0] others;  // items whose signature hits
  logic         access;
  logic [63:0]  held_word;

  assign folded = row[8:0] ^ {8'd0, row[9]};
  assign hash_0 = folded[2:0] ^ folded[5:3] ^ folded[8:6];
  assign hash_1 = two_hashes ? folded[3:1] ^ folded[7:5] ^ {1'b0, folded[8:7]} : hash_0;
  assign one = 256'd1 << item;
  assign index_0 = {slot, hash_0};
  assign index_1 = {slot, hash_1};
  assign slice_0 = filled[index_0] ? slices[index_0] : 256'd0;
  assign slice_1 = filled[index_1] ? slices[index_1] : 256'd0;
  assign others = slice_0 & slice_1 & ~one;
  assign access = op == LOAD || op == STORE;
  assign lost = access && others != 256'd0;
  assign conflicts = lost ? others : 256'd0;
  assign held_word = marked[{slot, row[9:6]}] ? held[{slot, row[9:6]}] : 64'd0;
  assign owned = held_word[row[5:0]];

  // One step of a walk.
  logic [10:0] step;
  logic [10:0] kept_before;
  logic [9:0]  walked;
  logic [7:0]  walked_owner;
  logic        any;
  logic        gone;
  logic [10:0] kept_after;
  logic        last;
  logic [63:0] walked_word;

  assign step = busy ? at : 11'd0;
  assign kept_before = busy ? kept : 11'd0;
  assign any = step < length[slot];
  assign walked = list[{slot, step[9:0]}];
  assign walked_owner = owner[{slot, walked}];
  assign gone = any && items[walked_owner];
  assign kept_after = kept_before + ((any && !gone) ? 11'd1 : 11'd0);
  assign last = step + 11'd1 >= length[slot];
  assign walked_word = held[{slot, walked[9:6]}];

  always_ff @(posedge clk) begin
    if (!rst_n) begin
      busy <= 1'b0;
      restore <= 1'b0;
      restored_row <= 10'd0;
      restored_word <= 32'd0;
      filled <= 128'd0;
      marked <= 256'd0;
      for (int i = 0; i < 16; i++) length[i] <= 11'd0;
    end else if (enable) begin
      restore <= 1'b0;
      if (access && !lost) begin
        slices[index_0] <= slice_0 | one;
        slices[index_1] <= slice_1 | one;
        filled[index_0] <= 1'b1;
        filled[index_1] <= 1'b1;
      end
      // The first write of its owner.
      if (op == STORE && !lost && !owned) begin
        held[{slot, row[9:6]}] <= held_word | (64'd1 << row[5:0]);
        marked[{slot, row[9:6]}] <= 1'b1;
        owner[{slot, row}] <= item;
        old[{slot, row}] <= word;
        list[{slot, length[slot][9:0]}] <= row;
        length[slot] <= length[slot] + 11'd1;
      end
      if (op == UNDO || op == FORGET) begin
        busy <= !last;
        at <= step + 11'd1;
        kept <= kept_after;
        if (gone) begin
          held[{slot, walked[9:6]}] <= walked_word & ~(64'd1 << walked[5:0]);
          restore <= op == UNDO;
          restored_row <= walked;
          restored_word <= old[{slot, walked}];
        end else if (any) begin
          list[{slot, kept_before[9:0]}] <= walked;
        end
        if (last) begin
          length[slot] <= kept_after;
          for (int b = 0; b < 8; b++) begin
            slices[{slot, 3'(b)}] <= slices[{slot, 3'(b)}] & ~items;
          end
        end
      end
    end
  end
endmodule
