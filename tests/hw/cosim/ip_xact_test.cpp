// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
//
// tests/scripts/components_test.py has the descriptions of all slots.
#include "hw/cosim/ip_xact.h"

#include <gmock/gmock.h>

namespace heddle::cosim {
namespace {

using testing::HasSubstr;

const rtl_block block{"picker",
                      {{port_direction::input, "ready", 64, 1},
                       {port_direction::input, "row", 32, 128},
                       {port_direction::output, "found", 1, 1}}};

std::string port(const std::string& name, const std::string& rest) {
    return "      <ipxact:port>\n        <ipxact:name>" + name + "</ipxact:name>\n" + rest +
           "      </ipxact:port>\n";
}
std::string wire(const std::string& way, unsigned left) {
    std::string text =
        "        <ipxact:wire>\n          <ipxact:direction>" + way + "</ipxact:direction>\n";
    if (left != 0) {
        text +=
            "          <ipxact:vectors>\n            <ipxact:vector>\n"
            "              <ipxact:left>" +
            std::to_string(left) +
            "</ipxact:left>\n              <ipxact:right>0</ipxact:right>\n"
            "            </ipxact:vector>\n          </ipxact:vectors>\n";
    }
    return text + "        </ipxact:wire>\n";
}

TEST(ip_xact, ports_are_those_of_the_module) {
    const std::string text = ip_xact_of(component_of(block, "my_picker", {}));
    EXPECT_THAT(text, HasSubstr("    <ipxact:ports>\n" + port("clk", wire("in", 0)) +
                                port("rst_n", wire("in", 0)) + port("enable", wire("in", 0)) +
                                port("ready", wire("in", 63))));
    EXPECT_THAT(text, HasSubstr(port("row",
                                     "        <ipxact:description>128 elements of 32 bits, element "
                                     "0 in the lowest bits</ipxact:description>\n" +
                                         wire("in", 4095))));
    EXPECT_THAT(text, HasSubstr(port("found", wire("out", 0)) + "    </ipxact:ports>\n"));
    EXPECT_THAT(text, HasSubstr("<ipxact:moduleName>my_picker</ipxact:moduleName>"));
    EXPECT_THAT(text, testing::Not(HasSubstr("fileSet")));
}

TEST(ip_xact, files_keep_their_order) {
    const std::string text = ip_xact_of(component_of(block, "my_picker", {"b&<.sv", "a.sv"}));
    const std::size_t first = text.find("<ipxact:name>b&amp;&lt;.sv</ipxact:name>");
    const std::size_t second = text.find("<ipxact:name>a.sv</ipxact:name>");
    ASSERT_NE(first, std::string::npos);
    ASSERT_NE(second, std::string::npos);
    EXPECT_LT(first, second);
    // The standard has them behind the model.
    EXPECT_LT(text.find("</ipxact:model>"), text.find("<ipxact:fileSets>"));
    EXPECT_LT(text.find("</ipxact:fileSets>"), text.find("<ipxact:description>RTL for"));
}

TEST(ip_xact, widths_follow_parameters) {
    rtl_component memory{"memory", "", "my_memory", {}, {"a.sv"}};
    memory.ports.push_back({{port_direction::output, "data", 64, 1}, "WIDTH-1"});
    memory.parameters.push_back({"WIDTH", "Bits of data", 64, {32, 64}});
    const std::string text = ip_xact_of(memory);
    EXPECT_THAT(text, HasSubstr("<ipxact:left>WIDTH-1</ipxact:left>"));
    EXPECT_THAT(text, HasSubstr("        <ipxact:moduleParameters>\n"
                                "          <ipxact:moduleParameter parameterId=\"module_WIDTH\" "
                                "type=\"int\">\n"
                                "            <ipxact:name>WIDTH</ipxact:name>\n"
                                "            <ipxact:value>WIDTH</ipxact:value>\n"));
    EXPECT_THAT(text, HasSubstr("      <ipxact:name>WIDTH_values</ipxact:name>\n"
                                "      <ipxact:enumeration>32</ipxact:enumeration>\n"
                                "      <ipxact:enumeration>64</ipxact:enumeration>\n"));
    EXPECT_THAT(text, HasSubstr("    <ipxact:parameter parameterId=\"WIDTH\" "
                                "choiceRef=\"WIDTH_values\" type=\"int\" resolve=\"user\">\n"
                                "      <ipxact:name>WIDTH</ipxact:name>\n"
                                "      <ipxact:description>Bits of data</ipxact:description>\n"
                                "      <ipxact:value>64</ipxact:value>\n"));
}

TEST(ip_xact, a_bus_names_its_definition_and_its_ports) {
    rtl_component memory{"memory", "", "my_memory", {}, {}};
    EXPECT_THAT(ip_xact_of(memory), testing::Not(HasSubstr("busInterface")));
    memory.interfaces = {{"bus",
                          {"some.org", "BUSES", "FAST", "r1"},
                          {"some.org", "BUSES", "FAST_rtl", "r2"},
                          {{"VALID", "bus_valid"}}}};
    const std::string text = ip_xact_of(memory);
    EXPECT_THAT(text, HasSubstr("      <ipxact:name>bus</ipxact:name>\n"
                                "      <ipxact:busType vendor=\"some.org\" library=\"BUSES\" "
                                "name=\"FAST\" version=\"r1\"/>\n"));
    EXPECT_THAT(text, HasSubstr("<ipxact:abstractionRef vendor=\"some.org\" library=\"BUSES\" "
                                "name=\"FAST_rtl\" version=\"r2\"/>\n"));
    EXPECT_THAT(text, HasSubstr("<ipxact:logicalPort>\n"
                                "                <ipxact:name>VALID</ipxact:name>\n"));
    EXPECT_THAT(text, HasSubstr("<ipxact:physicalPort>\n"
                                "                <ipxact:name>bus_valid</ipxact:name>\n"));
    EXPECT_THAT(text, HasSubstr("      </ipxact:abstractionTypes>\n      <ipxact:slave/>\n"));
    // The standard has them before the model.
    EXPECT_LT(text.find("</ipxact:busInterfaces>"), text.find("<ipxact:model>"));
}

}  // namespace
}  // namespace heddle::cosim
