// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "tests/rtl_smx/illegal_kernels.h"

#include "models/program/compile.h"
#include "models/program/image.h"
#include "tests/base/temporary_directory.h"

namespace heddle::rtl_smx {

const std::vector<illegal_kernel>& illegal_kernels() {
    static const std::vector<illegal_kernel> all{
        {"illegal", "if (i % 4 == 0) __asm__ volatile(\".word 0\");", 1, "11111111"},
        {"rounding_mode",
         "if (i == 3) __asm__ volatile(\"csrwi frm, 5\"); float f = 0;"
         " __asm__ volatile(\"fadd.s %0, %0, %0, dyn\" : \"+r\"(f)); part[i] = f;",
         1, "ffffffff"},
        {"misaligned", "if (i == 7) *(volatile unsigned*)((unsigned)data + 2) = 1;", 2, "00000080"},
        {"shared", "if (i < 2) ((volatile unsigned*)part)[64 - i] = 1;", 3, "00000003"},
        {"private", "if (i == 0) *(volatile unsigned*)0x20002000 = 1;", 3, "00000001"},
        {"null", "if (i == 31) data = nullptr; part[i] = *data;", 3, "80000000"},
        {"beside_data", "if (i == 1) data[4096] = 1;", 3, "00000002"},
        {"target", "if (i == 4) __asm__ volatile(\"li t0, 0x10002; jr t0\" ::: \"t0\");", 4,
         "00000010"},
        // Which side comes first is the compiler's choice.
        {"barrier",
         "if (i % 2 == 0) { data[i] = 1; __syncthreads(); data[i] = 2; }"
         " else { data[i] = 3; __syncthreads(); data[i] = 4; }",
         5, ""},
        {"ecall", "if (i == 9) __asm__ volatile(\"ecall\");", 7, "00000200"}};
    return all;
}

std::shared_ptr<const program::image> compile_illegal(const illegal_kernel& kernel) {
    const temporary_directory files;
    const std::string file = files / "fault.elf";
    const std::string text = std::string("#include <heddle.h>\n__shared__ unsigned part[64];\n") +
                             "__global__ void fault(volatile unsigned* data) {\n" +
                             "    const unsigned i = threadIdx.x;\n    part[i] = i;\n    " +
                             kernel.body + "\n    data[i] = part[i ^ 1];\n}\n";
    program::compile({files.write("fault.cpp", text)}, file);
    return std::make_shared<program::image>(program::image::load(file));
}

std::string fault_of(const std::shared_ptr<const program::image>& image,
                     const rtl_settings& settings) {
    rtl_device gpu(settings);
    gpu.load(image);
    const device_buffer<std::uint32_t> data(gpu, 64, "data");
    launch(gpu, "fault", launch_shape{{1}, {48}}, data.get());
    try {
        gpu.synchronize();
    } catch (const run_error& error) {
        if (error.kind() == error_kind::kernel_fault) return error.what();
        throw;
    }
    throw run_error(error_kind::wrong_result, "no fault");
}

}  // namespace heddle::rtl_smx
