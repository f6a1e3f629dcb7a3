// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
// Malformed files: each error with its exact position, what was found, what was expected.
#include <gmock/gmock.h>

#include <filesystem>

#include "tests/inputs/input_files.h"

namespace heddle::inputs {
namespace {

using format_error = input_files;

struct malformed {
    const char* file;
    std::string text;
    const char* message;
};

TEST_F(format_error, matrix_market_header_and_size) {
    const std::string general = "%%MatrixMarket matrix coordinate real general\n";
    const malformed cases[] = {
        {"m.mtx", "", "m.mtx:1:1: found the end of the file, expected %%MatrixMarket ..."},
        {"m.mtx", "\n", "m.mtx:1:1: found an empty line, expected %%MatrixMarket"},
        {"m.mtx", "3 3 1\n1 1 1\n", "m.mtx:1:1: found '3', expected %%MatrixMarket"},
        {"m.mtx", "%%MatrixMarket vector coordinate real general\n",
         "m.mtx:1:16: found 'vector', expected matrix"},
        {"m.mtx", "%%MatrixMarket matrix dense real general\n",
         "m.mtx:1:23: found 'dense', expected one of coordinate, array"},
        {"m.mtx", "%%MatrixMarket matrix coordinate complex general\n",
         "m.mtx:1:34: found 'complex', expected one of real, double, integer, pattern"},
        {"m.mtx", "%%MatrixMarket matrix coordinate real hermitian\n",
         "m.mtx:1:39: found 'hermitian', expected one of general, symmetric, skew-symmetric"},
        {"m.mtx", "%%MatrixMarket matrix coordinate real\n",
         "m.mtx:1:38: found the end of the line, expected one of general, symmetric, "
         "skew-symmetric"},
        {"m.mtx", "%%MatrixMarket matrix coordinate real general indeed\n",
         "m.mtx:1:47: found 'indeed', expected the end of the line"},
        {"m.mtx", "%%MatrixMarket matrix array pattern general\n",
         "m.mtx:1:29: found 'pattern', expected one of real, double, integer for an array"},
        {"m.mtx", "%%MatrixMarket matrix coordinate pattern skew-symmetric\n",
         "m.mtx:1:42: found 'skew-symmetric', expected one of general, symmetric for a pattern"},
        {"m.mtx", general + "% only\n",
         "m.mtx:3:1: found the end of the file, expected rows, columns and entries"},
        {"m.mtx", general + "0 0 0\n",
         "m.mtx:2:1: found '0', expected the number of rows, an integer from 1 to 4294967294"},
        {"m.mtx", general + "3 4 1\n",
         "m.mtx:2:3: found '4', expected as many columns as rows, 3: the matrix of a graph is "
         "square"},
        {"m.mtx", general + "3 3\n",
         "m.mtx:2:4: found the end of the line, expected the number of entries, an integer from 0 "
         "to 4294967295"},
        {"m.mtx", general + "3 3 1 1\n", "m.mtx:2:7: found '1', expected the end of the line"},
    };
    for (const malformed& m : cases) EXPECT_EQ(error_of(m.file, m.text), m.message);
}

TEST_F(format_error, matrix_market_entries) {
    const std::string real = "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 .5\n";
    const std::string of_type = "%%MatrixMarket matrix coordinate ";
    const char* number = "a value, a number of magnitude 0 or 4.9e-324 to 1.8e308";
    const malformed cases[] = {
        {"m.mtx", real,
         "m.mtx:4:1: found the end of the file, expected the 2 entries that line 2 promises; it "
         "has 1"},
        {"m.mtx", real + "3 3 1\n  1 1 1\n",
         "m.mtx:5:3: found '1', expected the end of the file, after the 2 entries that line 2 "
         "promises"},
        {"m.mtx", real + "0 1 1\n", "m.mtx:4:1: found '0', expected a row, an integer from 1 to 3"},
        {"m.mtx", real + "1 4 1\n",
         "m.mtx:4:3: found '4', expected a column, an integer from 1 to 3"},
        {"m.mtx", real + "1 -1 1\n",
         "m.mtx:4:3: found '-1', expected a column, an integer from 1 to 3"},
        {"m.mtx", real + "1 99999999999999999999999 1\n",
         "m.mtx:4:3: found '99999999999999999999999', expected a column, an integer from 1 to 3"},
        {"m.mtx", real + "1 2.0 1\n",
         "m.mtx:4:3: found '2.0', expected a column, an integer from 1 to 3"},
        {"m.mtx", real + "1 2 1 1\n", "m.mtx:4:7: found '1', expected the end of the line"},
        {"m.mtx", of_type + "integer general\n1 1 1\n1 1 1.5\n",
         "m.mtx:3:5: found '1.5', expected a value, an integer from -9007199254740992 to "
         "9007199254740992"},
        {"m.mtx", of_type + "pattern general\n1 1 1\n1 1 1\n",
         "m.mtx:3:5: found '1', expected the end of the line"},
        {"m.mtx", of_type + "real symmetric\n2 2 1\n1 2 1\n",
         "m.mtx:3:3: found '2', expected a column up to the row: symmetric matrices list the lower "
         "triangle"},
        {"m.mtx", of_type + "real skew-symmetric\n2 2 1\n2 2 1\n",
         "m.mtx:3:3: found '2', expected a column below the row: skew-symmetric matrices list the "
         "strict lower triangle"},
        {"m.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n",
         "m.mtx:6:1: found the end of the file, expected the 4 entries that line 2 promises; it "
         "has 3"},
        {"m.mtx", "%%MatrixMarket matrix array real general\n1 1\n1 2\n",
         "m.mtx:3:3: found '2', expected the end of the line"},
    };
    for (const malformed& m : cases) EXPECT_EQ(error_of(m.file, m.text), m.message);
    for (const std::string bad :
         {"x", "nan", "inf", "1e999", "1e-999", "+-1", "1,5", "0x10", "1d3"}) {
        EXPECT_EQ(error_of("m.mtx", real + "3 3 " + bad + "\n"),
                  "m.mtx:4:5: found '" + bad + "', expected " + number);
    }
}

TEST_F(format_error, metis) {
    const malformed cases[] = {
        {"m.graph", "% only\n",
         "m.graph:2:1: found the end of the file, expected VERTICES EDGES [FMT [NCON]]"},
        {"m.graph", "0 0\n",
         "m.graph:1:1: found '0', expected the number of vertices, an integer from 1 to "
         "4294967294"},
        {"m.graph", "2 1 2\n2\n1\n",
         "m.graph:1:5: found '2', expected FMT, one of 0, 1, 10, 11, 100, 101, 110, 111"},
        {"m.graph", "2 1 0000\n2\n1\n",
         "m.graph:1:5: found '0000', expected FMT, one of 0, 1, 10, 11, 100, 101, 110, 111"},
        {"m.graph", "2 1 10 0\n2\n1\n",
         "m.graph:1:8: found '0', expected NCON, the weights of a vertex, an integer from 1 to "
         "1000"},
        {"m.graph", "2 1 10 1 1\n2\n1\n", "m.graph:1:10: found '1', expected the end of the line"},
        {"m.graph", "3 1\n2\n1\n",
         "m.graph:4:1: found the end of the file, expected a line for each of the 3 vertices that "
         "line 1 promises; it has 2"},
        {"m.graph", "2 1\n2\n1\n\n%\n 7",
         "m.graph:6:2: found '7', expected the end of the file, after the 2 vertices that line 1 "
         "promises"},
        {"m.graph", "2 1\n2\n3\n",
         "m.graph:3:1: found '3', expected a neighbour, an integer from 1 to 2"},
        {"m.graph", "2 1\n2\n2\n",
         "m.graph:3:1: found '2', expected another vertex: METIS graphs have no self-loops"},
        {"m.graph", "%\n3 1\n2\n1 3\n2\n",
         "m.graph:4:3: found '3', expected at most 2 neighbours in all, twice the 1 edges that "
         "line 2 promises"},
        {"m.graph", "3 2\n2\n1\n\n",
         "m.graph:5:1: found the end of the file, expected 4 neighbours in all, twice the 2 edges "
         "that line 1 promises; it has 2"},
        {"m.graph", "4 2\n2 3\n%\n1\n%\n4\n\n",
         "m.graph:2: found neighbour 3 of vertex 1, expected neighbour 1 of vertex 3 in line 6"},
        {"m.graph", "2 1 1\n2 5\n1 6\n",
         "m.graph:2: found neighbour 2 of vertex 1, expected neighbour 1 of vertex 2, with the "
         "same weight, in line 3"},
        {"m.graph", "2 1 1\n2 0\n1 0\n",
         "m.graph:2:3: found '0', expected the weight of the edge, an integer from 1 to "
         "9007199254740992"},
        {"m.graph", "2 1 1\n2\n1 6\n",
         "m.graph:2:2: found the end of the line, expected the weight of the edge, an integer from "
         "1 to 9007199254740992"},
        {"m.graph", "2 1 10\n\n1 1\n",
         "m.graph:2:1: found an empty line, expected a weight of the vertex, an integer from 0 to "
         "9007199254740992"},
        {"m.graph", "2 1 100\n-1 2\n1 1\n",
         "m.graph:2:1: found '-1', expected the size of the vertex, an integer from 0 to "
         "9007199254740992"},
    };
    for (const malformed& m : cases) EXPECT_EQ(error_of(m.file, m.text), m.message);
}

TEST_F(format_error, dimacs) {
    const malformed cases[] = {
        {"m.gr", "c only\n",
         "m.gr:2:1: found the end of the file, expected a line 'p sp VERTICES ARCS'"},
        {"m.gr", "a 1 2 3\n",
         "m.gr:1:1: found 'a', expected p: the problem line comes before the arcs"},
        {"m.gr", "p max 3 2\n", "m.gr:1:3: found 'max', expected sp: a shortest-path problem"},
        {"m.gr", "p sp 3\n",
         "m.gr:1:7: found the end of the line, expected the number of arcs, an integer from 0 to "
         "4294967295"},
        {"m.gr", "p sp 3 1\np sp 3 1\n",
         "m.gr:2:1: found 'p', expected a (an arc) or c (a comment)"},
        {"m.gr", "p sp 3 1\na 1 2 3\n a 2 3 4\n",
         "m.gr:3:2: found 'a', expected the end of the file, after the 1 arcs that line 1 "
         "promises"},
        {"m.gr", "c\np sp 3 2\na 1 2 3\n",
         "m.gr:4:1: found the end of the file, expected the 2 arcs that line 2 promises; it has 1"},
        {"m.gr", "p sp 3 1\na 1 4 3\n",
         "m.gr:2:5: found '4', expected a vertex, an integer from 1 to 3"},
        {"m.gr", "p sp 3 1\na 1 2\n",
         "m.gr:2:6: found the end of the line, expected a weight, an integer from "
         "-9007199254740992 to 9007199254740992"},
        {"m.gr", "p sp 3 1\na 1 2 3 4\n", "m.gr:2:9: found '4', expected the end of the line"},
    };
    for (const malformed& m : cases) EXPECT_EQ(error_of(m.file, m.text), m.message);
}

TEST_F(format_error, edge_list) {
    const malformed cases[] = {
        {"m.txt", "# only\n",
         "m.txt:2:1: found the end of the file, expected an edge: SOURCE TARGET [WEIGHT]"},
        {"m.txt", "0 1\n2\n",
         "m.txt:2:2: found the end of the line, expected a vertex, an integer from 0 to "
         "4294967293"},
        {"m.txt", "0 1\n2,3\n",
         "m.txt:2:1: found '2,3', expected a vertex, an integer from 0 to 4294967293"},
        {"m.txt", "0 1\n2 4294967294\n",
         "m.txt:2:3: found '4294967294', expected a vertex, an integer from 0 to 4294967293"},
        {"m.txt", "#\n0 1\n1 2 5\n",
         "m.txt:3:5: found '5', expected the end of the line: line 2 has no weight"},
        {"m.txt", "0 1 5\n1 2\n",
         "m.txt:2:4: found the end of the line, expected a weight, a number of magnitude 0 or "
         "4.9e-324 to 1.8e308"},
        {"m.txt", "0 1 5 6\n", "m.txt:1:7: found '6', expected the end of the line"},
        {"m.txt", std::string("0 1\n0 \x01\xff\0z\n", 11),
         "m.txt:2:3: found '\\x01\\xff\\x00z', expected a vertex, an integer from 0 to "
         "4294967293"},
        {"m.txt", "0 " + std::string(50, '7') + "\n",
         "m.txt:1:3: found '7777777777777777777777777777777777777777...', expected a vertex, an "
         "integer from 0 to 4294967293"},
    };
    for (const malformed& m : cases) EXPECT_EQ(error_of(m.file, m.text), m.message);
    EXPECT_EQ(error_of("m.txt", "1 2\n0 1\n", "base=1"),
              "m.txt:2:1: found '0', expected a vertex, an integer from 1 to 4294967294");
}

TEST_F(format_error, gzip) {
    const std::string packed = gzipped("0 1\n1 2\n2 0\n");
    EXPECT_EQ(error_of("m.el", packed.substr(0, packed.size() - 4)),
              "m.el:4:1: truncated gzip data: the checksum is missing");
    EXPECT_EQ(error_of("m.el", packed.substr(0, 14)), "m.el:1:1: truncated gzip data");
    EXPECT_EQ(error_of("m.el", packed.substr(0, 2)),
              "m.el:1:1: found bytes behind the gzip data, or a damaged gzip header");
    EXPECT_EQ(error_of("m.el", packed + "hello"),
              "m.el:4:1: found bytes behind the gzip data, or a damaged gzip header");
    std::string wrong_sum = packed;
    wrong_sum[packed.size() - 6] ^= 1;
    EXPECT_EQ(error_of("m.el", wrong_sum),
              "m.el:4:1: damaged gzip data: the checksum does not match");
    for (std::size_t size = 2; size < packed.size(); ++size) {
        EXPECT_NE(error_of("m.el", packed.substr(0, size)), "no error") << size << " bytes";
    }
}

TEST_F(format_error, headers_that_promise_too_much_cost_nothing) {
    const char* promised = "p sp 4294967294 4294967295\na 1 2 3\n";
    EXPECT_EQ(error_of("m.gr", promised),
              "m.gr:3:1: found the end of the file, expected the 4294967295 arcs that line 1 "
              "promises; it has 1");
    EXPECT_EQ(error_of("m.gr", gzipped(promised)),
              "m.gr:3:1: found the end of the file, expected the 4294967295 arcs that line 1 "
              "promises; it has 1");
    EXPECT_EQ(error_of("m.gr", "c\np sp 4294967294 1\na 1 2 3\n"),
              "m.gr:2: found 4294967294 vertices, expected at most 16777664 in a text of 28 bytes");
    EXPECT_EQ(
        error_of("m.txt", "0 1\n0 4294967293\n0 3\n"),
        "m.txt:2: found 4294967294 vertices, expected at most 16777552 in a text of 21 bytes");
    EXPECT_EQ(
        error_of("m.mtx",
                 "%%MatrixMarket matrix coordinate real general\n"
                 "4294967294 4294967294 0\n"),
        "m.mtx:2: found 4294967294 vertices, expected at most 16778336 in a text of 70 bytes");
    EXPECT_EQ(
        error_of("m.mtx",
                 "%%MatrixMarket matrix array real general\n"
                 "4294967294 4294967294\n1\n"),
        "m.mtx:4:1: found the end of the file, expected the 18446744056529682436 entries that "
        "line 2 promises; it has 1");
    EXPECT_EQ(error_of("m.graph", "4294967294 2147483647\n2\n1\n"),
              "m.graph:4:1: found the end of the file, expected a line for each of the 4294967294 "
              "vertices that line 1 promises; it has 2");
}

TEST_F(format_error, files_that_are_not_there_or_not_readable) {
    EXPECT_THAT(error_of_input(path("none.txt")), testing::HasSubstr("there is no such file"));
    EXPECT_EQ(error_of_input("edge_list:file=" + path("none.txt")),
              "input file " + path("none.txt") + ": No such file or directory");
    std::filesystem::create_directory(path("folder.txt"));
    EXPECT_EQ(error_of_input(path("folder.txt")),
              "input file " + path("folder.txt") + ": is a directory");
    EXPECT_THAT(
        error_of("m", "0 1\n"),
        testing::HasSubstr("a name without extension names no format; expected one of .gr"));
    EXPECT_EQ(error_of("m.dat", "0 1\n"),
              "input m.dat: the extension '.dat' names no format; "
              "expected one of .gr, .txt, .tsv, .el, .wel, .edges, "
              ".edgelist, .mtx, .graph, .metis, .data, or FORMAT:file=FILE, "
              "as dimacs:file=m.dat");
}

}  // namespace
}  // namespace heddle::inputs
