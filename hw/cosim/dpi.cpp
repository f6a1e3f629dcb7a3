// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/dpi.h"

#include <sstream>

namespace heddle::cosim {

namespace {

constexpr const char* dpi_notice =
    "// SPDX-License-Identifier: Apache-2.0\n// Copyright The Heddle authors\n"
    "// Generated from the port tables of the slots.\n";

bool is_input(const port_shape& port) {
    return port.way == port_direction::input;
}

/// "void heddle_SLOT_decide(void* part, const uint32_t* ready, uint32_t* queue)"
std::string decide_prototype(const rtl_block& block) {
    std::ostringstream text;
    text << "void heddle_" << block.name << "_decide(void* part";
    for (const port_shape& port : block.ports) {
        text << (is_input(port) ? ", const uint32_t* " : ", uint32_t* ") << port.name;
    }
    text << ")";
    return text.str();
}

/// What follows decide in header and source, with what stands behind each prototype.
void add_others(std::ostringstream& text, const rtl_block& block, bool bodies) {
    for (const char* name : {"edge", "reset", "destroy"}) {
        text << "void heddle_" << block.name << "_" << name << "(void* part)";
        if (bodies) text << " { heddle_reference_" << name << "(part); }";
        text << (bodies ? "\n" : ";\n");
    }
}

}  // namespace

std::string dpi_header(const rtl_block_list& blocks) {
    std::ostringstream text;
    text << dpi_notice << "#ifndef HEDDLE_REFERENCE_H\n#define HEDDLE_REFERENCE_H\n\n"
         << "#include <stdint.h>\n\n"
         << "// decide: the outputs that follow from the inputs and the registers. edge: a clock\n"
         << "// edge with `enable`, with the inputs of the last decide. reset: one in reset.\n"
         << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    for (const rtl_block& block : blocks) {
        text << "\nvoid* heddle_" << block.name << "_create(void);\n"
             << decide_prototype(block) << ";\n";
        add_others(text, block, false);
    }
    text << "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
    return text.str();
}

std::string dpi_package(const rtl_block_list& blocks) {
    std::ostringstream text;
    text << dpi_notice << "package heddle_reference;\n";
    for (const rtl_block& block : blocks) {
        const std::string name = "heddle_" + block.name;
        const char* const import = "  import \"DPI-C\" function ";
        text << import << "chandle " << name << "_create();\n"
             << import << "void " << name << "_decide(\n      input chandle part";
        for (const port_shape& port : block.ports) {
            text << ",\n      " << (is_input(port) ? "input" : "output") << " bit ["
                 << port.bits() - 1 << ":0] " << port.name;
        }
        text << "\n  );\n";
        for (const char* other : {"edge", "reset", "destroy"}) {
            text << import << "void " << name << "_" << other << "(input chandle part);\n";
        }
    }
    text << "endpackage\n";
    return text.str();
}

std::string dpi_source(const rtl_block_list& blocks) {
    std::ostringstream text;
    text << dpi_notice << "// The library shows these functions and nothing else.\n"
         << "#pragma GCC visibility push(default)\n#include \"heddle_reference.h\"\n"
         << "#pragma GCC visibility pop\n\n"
         << "#include \"hw/cosim/reference_functions.h\"\n";
    for (const rtl_block& block : blocks) {
        text << "\nvoid* heddle_" << block.name
             << "_create(void) { return heddle_reference_create(\"" << block.name << "\"); }\n"
             << decide_prototype(block) << " {\n";
        unsigned next[2] = {};
        for (const bool input : {true, false}) {
            for (const port_shape& port : block.ports) {
                if (is_input(port) != input) continue;
                unsigned& at = next[input ? 0 : 1];
                text << "    heddle_reference_" << (input ? "put" : "get") << "(part, " << at
                     << ", " << port.bits() << ", " << port.name << ");\n";
                at += port.bits();
            }
            if (input) text << "    heddle_reference_decide(part);\n";
        }
        text << "}\n";
        add_others(text, block, true);
    }
    return text.str();
}

}  // namespace heddle::cosim
