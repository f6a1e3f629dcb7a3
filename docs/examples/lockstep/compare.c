// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// Compares the records of a core, as text from standard input, with the reference: exchange.cpp.
#include <heddle/lockstep.h>
#include <stdio.h>
#include <stdlib.h>

static heddle_machine* m = NULL;

static void expect(heddle_status status) {
    if (status == HEDDLE_OK) return;
    heddle_difference found = {.size = sizeof found};
    printf("%s\n", heddle_error_text(m));
    if (heddle_lockstep_difference(m, &found) == HEDDLE_OK && found.has_place)
        printf("%s", found.steps);
    exit(1);
}

int main(void) {
    heddle_options options = {.size = sizeof options, .configuration = "tiny"};
    heddle_lockstep_options core = {.size = sizeof core, .tells_drained = 1, .stale_loads = 1};
    expect(heddle_lockstep_create(&options, &core, &m));
    expect(heddle_load(m, "exchange.cpp"));
    uint32_t words = 0;
    expect(heddle_allocate(m, 256, "words", &words));
    heddle_shape shape = {.size = sizeof shape, .grid = {1}, .block = {64}};
    heddle_argument argument = heddle_pointer(words);
    expect(heddle_launch(m, "exchange", &shape, &argument, 1));
    char line[8192];
    while (fgets(line, sizeof line, stdin)) {
        heddle_retired record = {.size = sizeof record};
        expect(heddle_parse_retired(line, &record));
        expect(heddle_lockstep_step(m, &record, 1, NULL));
    }
    expect(heddle_lockstep_finish(m));
    uint32_t first = 0;
    expect(heddle_read(m, &first, words, sizeof first));
    printf("equal: words[0] = %u\n", first);
    expect(heddle_close(m));
}
