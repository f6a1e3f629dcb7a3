// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Reads a file of `heddle run --link-trace` and drives the accesses of one memory link into a
// memory, in any simulator: scripts/replay. Define: MODULE, a module with the ports of line_memory.
// Plus arguments: +trace=FILE +link=NAME. What a load gives must be what the recorded response has;
// the first difference ends the simulation with $fatal. A byte that nobody has written yet takes
// the recorded value: the host writes memory by another way. Each message takes a clock.
`timescale 1ns / 1ns
module link_replay;
  localparam int PENDING = 1024;  // accesses under way, at most

  logic          clk = 1'b0;
  logic          write = 1'b0;
  logic [31:0]   address = '0;
  logic [127:0]  mask = '0;
  logic [1023:0] data = '0;
  logic [1023:0] line;
  logic [127:0]  known;
  logic          occupied;

  `MODULE memory (
      .clk(clk),
      .write(write),
      .address(address),
      .mask(mask),
      .data(data),
      .line(line),
      .known(known),
      .occupied(occupied)
  );

  // What the memory said when an access began, by the number of its transaction.
  logic [1023:0] said[PENDING];
  logic [127:0]  said_known[PENDING];

  // A message: its fields by name.
  logic [8*64-1:0]  wanted_link, link, phase, command, key, text;
  logic [8*200-1:0] name;
  integer           cycle, picoseconds, transaction, file, loads, stores, atomics;
  integer           items, found;
  logic [7:0]       letter;
  logic [31:0]      start;
  logic [127:0]     enabled;
  logic [1023:0]    value;
  logic             has_fields, has_value;
  logic             done = 1'b0;

  // Letters up to `last`, a space or the end of the line, which stands in `letter` then.
  task read_word(input logic [7:0] last);
    begin
      text = '0;
      letter = $fgetc(file);
      while (letter != last && letter != " " && letter != 8'h0a && $feof(file) == 0) begin
        text = {text[8*63-1:0], letter};
        letter = $fgetc(file);
      end
    end
  endtask

  task read_fields;
    begin
      has_fields = 1'b0;
      has_value = 1'b0;
      enabled = '0;
      value = '0;
      items = 1;
      while (letter == " " && items == 1) begin
        read_word("=");
        key = text;
        if (key == "address") items = $fscanf(file, "0x%h", start);
        else if (key == "mask") items = $fscanf(file, "0x%h", enabled);
        else if (key == "data") items = $fscanf(file, "0x%h", value);
        read_word(" ");
        if (key == "command") command = text;
        if (key == "address") has_fields = 1'b1;
        if (key == "data") has_value = 1'b1;
      end
      if (items != 1) $fatal(1, "cycle %0d: a field has no number", cycle);
      enabled = enabled << start[6:0];
      value = value << {start[6:0], 3'd0};
    end
  endtask

  task tick;
    begin
      #1 clk = 1'b1;
      #1 clk = 1'b0;
      write = 1'b0;
    end
  endtask

  task look_at_line;
    begin
      address = {start[31:7], 7'd0};
      #1;
      if (occupied) $fatal(1, "cycle %0d: the memory has no room for line %h", cycle, address);
    end
  endtask

  task begin_access;
    begin
      look_at_line;
      said[transaction%PENDING] = line;
      said_known[transaction%PENDING] = known;
      mask = enabled;
      data = value;
      write = command == "write";
      if (write) stores = stores + 1;
      if (command == "ignore") atomics = atomics + 1;
      tick;
    end
  endtask

  task check_answer;
    logic [127:0] compared;
    begin
      look_at_line;
      compared = enabled & said_known[transaction%PENDING];
      for (int b = 0; b < 128; b++) begin
        if (compared[b] && said[transaction%PENDING][b*8+:8] !== value[b*8+:8])
          $fatal(1, "cycle %0d (%0d ps), transaction %0d: byte %h is %h; the trace has %h", cycle,
                 picoseconds, transaction, address + b, said[transaction%PENDING][b*8+:8], value[b*8+:8]);
      end
      // What was there before the trace: only where nothing has been written since.
      mask = enabled & ~known;
      data = value;
      write = 1'b1;
      loads = loads + 1;
      tick;
    end
  endtask

  initial begin
    loads = 0;
    stores = 0;
    atomics = 0;
    if ($value$plusargs("trace=%s", name) == 0) $fatal(1, "+trace=FILE is missing");
    if ($value$plusargs("link=%s", wanted_link) == 0) $fatal(1, "+link=NAME is missing");
    file = $fopen(name, "r");
    if (file == 0) $fatal(1, "the trace can't be read");
    // The header's lines begin with a word.
    found = $fscanf(file, "%d", cycle);
    while (found != 1 && $feof(file) == 0) begin
      letter = $fgetc(file);
      while (letter != 8'h0a && $feof(file) == 0) letter = $fgetc(file);
      found = $fscanf(file, "%d", cycle);
    end
    while (found == 1) begin
      if ($fscanf(file, "%d %s %d %s", picoseconds, link, transaction, phase) != 4)
        $fatal(1, "cycle %0d: this is no message", cycle);
      letter = $fgetc(file);
      read_fields;
      if (link == wanted_link && has_fields) begin
        if (phase == "begin_request" || phase == "BEGIN_REQ") begin_access;
        else if (command == "read" && has_value) check_answer;
      end
      found = $fscanf(file, "%d", cycle);
    end
    #1 done = 1'b1;
  end

  // In the process that counts, Verilator 5.006 takes the counters for constants.
  always @(posedge done) begin
    $display("%0d loads, %0d stores, %0d atomics, no difference", loads, stores, atomics);
    $finish;
  end
endmodule
