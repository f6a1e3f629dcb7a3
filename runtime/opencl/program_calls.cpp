// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/opencl/find.h"
#include "runtime/opencl/program_load.h"
#include "runtime/opencl/the_platform.h"

namespace heddle::opencl {
namespace {

std::string names_of(const loaded_program& loaded) {
    std::string names;
    for (const auto& kernel : loaded.kernels) names += (names.empty() ? "" : ";") + kernel.name;
    return names;
}

}  // namespace

std::shared_ptr<loaded_program> load(const _cl_program& program) {
    auto loaded = std::make_shared<loaded_program>();
    const auto device = program.context->device;
    auto answer = device->call(runtime::load_request{"program", program.binary});
    loaded->number = answer.program;
    loaded->kernels = std::move(answer.kernels);
    loaded->device = device;
    return loaded;
}

cl_program clCreateProgramWithSource(cl_context handle, cl_uint count, const char** texts,
                                     const size_t* lengths, cl_int* code) {
    return made_by(code, [&] {
        const auto context = find(handle);
        require(count != 0 && texts != nullptr, CL_INVALID_VALUE);
        const auto program = std::make_shared<_cl_program>();
        for (cl_uint i = 0; i < count; ++i) {
            require(texts[i] != nullptr, CL_INVALID_VALUE);
            const bool measured = lengths != nullptr && lengths[i] != 0;
            program->source += measured ? std::string(texts[i], lengths[i]) : texts[i];
        }
        program->context = context;
        program->has_source = true;
        return the_library().programs.add(program);
    });
}

cl_program clCreateProgramWithBinary(cl_context handle, cl_uint count, const cl_device_id* devices,
                                     const size_t* lengths, const unsigned char** binaries,
                                     cl_int* status, cl_int* code) {
    return made_by(code, [&] {
        const auto context = find(handle);
        require(count != 0 && devices != nullptr && lengths != nullptr && binaries != nullptr,
                CL_INVALID_VALUE);
        check_devices(count, devices);
        require(count == 1, CL_INVALID_DEVICE);  // the same one twice
        if (status != nullptr) status[0] = CL_INVALID_VALUE;
        require(lengths[0] != 0 && binaries[0] != nullptr, CL_INVALID_VALUE);
        const auto program = std::make_shared<_cl_program>();
        program->context = context;
        const auto* const bytes = reinterpret_cast<const std::byte*>(binaries[0]);
        program->binary.assign(bytes, bytes + lengths[0]);
        constexpr char elf[] = {0x7f, 'E', 'L', 'F'};
        const bool executable = lengths[0] > sizeof elf && std::memcmp(bytes, elf, sizeof elf) == 0;
        program->binary_type =
            executable ? CL_PROGRAM_BINARY_TYPE_EXECUTABLE : CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT;
        if (status != nullptr) status[0] = CL_INVALID_BINARY;
        try {
            if (executable) {
                program->prepared = load(*program);
            } else {
                // A library of one: the server reads it.
                (void)context->device->call(runtime::link_request{{program->binary}, true});
            }
        } catch (const runtime::request_refused&) {
            throw error(CL_INVALID_BINARY);
        }
        if (status != nullptr) status[0] = CL_SUCCESS;
        return the_library().programs.add(program);
    });
}

cl_program clCreateProgramWithBuiltInKernels(cl_context handle, cl_uint count,
                                             const cl_device_id* devices, const char* names,
                                             cl_int* code) {
    return made_by(code, [&]() -> cl_program {
        (void)find(handle);
        require(count != 0 && devices != nullptr && names != nullptr, CL_INVALID_VALUE);
        check_devices(count, devices);
        throw error(CL_INVALID_VALUE);  // the device has none
    });
}

cl_int clRetainProgram(cl_program program) {
    return code_of([&] { require(the_library().programs.retain(program), CL_INVALID_PROGRAM); });
}

cl_int clReleaseProgram(cl_program program) {
    return code_of([&] { require(the_library().programs.release(program), CL_INVALID_PROGRAM); });
}

cl_int clGetProgramInfo(cl_program handle, cl_program_info name, size_t size, void* value,
                        size_t* size_ret) {
    return code_of([&] {
        const auto program = find(handle);
        const info_place place(size, value, size_ret);
        switch (name) {
            case CL_PROGRAM_REFERENCE_COUNT:
                return place.put(cl_uint{program->references});
            case CL_PROGRAM_CONTEXT:
                return place.put(program->context.get());
            case CL_PROGRAM_NUM_DEVICES:
                return place.put(cl_uint{1});
            case CL_PROGRAM_DEVICES:
                return place.put(the_device());
            case CL_PROGRAM_SOURCE:
                return place.put_text(program->source);
            case CL_PROGRAM_BINARY_SIZES:
                return place.put(program->binary.size());
            case CL_PROGRAM_BINARIES: {
                require(value == nullptr || size >= sizeof(unsigned char*), CL_INVALID_VALUE);
                if (size_ret != nullptr) *size_ret = sizeof(unsigned char*);
                auto* const to = value == nullptr ? nullptr : *static_cast<unsigned char**>(value);
                if (to != nullptr && !program->binary.empty()) {
                    std::memcpy(to, program->binary.data(), program->binary.size());
                }
                return;
            }
            case CL_PROGRAM_NUM_KERNELS:
                require(program->loaded != nullptr, CL_INVALID_PROGRAM_EXECUTABLE);
                return place.put(program->loaded->kernels.size());
            case CL_PROGRAM_KERNEL_NAMES:
                require(program->loaded != nullptr, CL_INVALID_PROGRAM_EXECUTABLE);
                return place.put_text(names_of(*program->loaded));
            default:
                throw error(CL_INVALID_VALUE);
        }
    });
}

cl_int clGetProgramBuildInfo(cl_program handle, cl_device_id device, cl_program_build_info name,
                             size_t size, void* value, size_t* size_ret) {
    return code_of([&] {
        const auto program = find(handle);
        require(device == the_device(), CL_INVALID_DEVICE);
        const info_place place(size, value, size_ret);
        switch (name) {
            case CL_PROGRAM_BUILD_STATUS:
                return place.put(program->status);
            case CL_PROGRAM_BUILD_OPTIONS:
                return place.put_text(program->options);
            case CL_PROGRAM_BUILD_LOG:
                return place.put_text(program->log);
            case CL_PROGRAM_BINARY_TYPE:
                return place.put(program->binary_type);
            default:
                throw error(CL_INVALID_VALUE);
        }
    });
}

}  // namespace heddle::opencl
