// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include <algorithm>

#include "runtime/opencl/find.h"
#include "runtime/opencl/the_platform.h"

namespace heddle::opencl {
namespace {

using runtime::argument_kind;
using runtime::kernel_description;
using runtime::parameter_description;

cl_kernel make_kernel(const std::shared_ptr<_cl_program>& program, std::size_t number) {
    const auto kernel = std::make_shared<_cl_kernel>();
    kernel->loaded = program->loaded;
    kernel->number = static_cast<std::uint32_t>(number);
    kernel->arguments.resize(kernel->description().parameters.size());
    kernel->program = program;
    ++program->kernels;
    return the_library().kernels.add(kernel);
}

std::vector<std::byte> bytes_of(const void* value, std::size_t size) {
    const auto* const begin = static_cast<const std::byte*>(value);
    return {begin, begin + size};
}

bool is_image(const parameter_description& parameter) {
    return parameter.base_type.rfind("image", 0) == 0 && parameter.base_type.back() != '*';
}
bool is_sampler(const parameter_description& parameter) {
    return parameter.base_type == "sampler_t";
}

cl_kernel_arg_access_qualifier access(const parameter_description& parameter) {
    if (parameter.access == "read_only") return CL_KERNEL_ARG_ACCESS_READ_ONLY;
    if (parameter.access == "write_only") return CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
    return CL_KERNEL_ARG_ACCESS_NONE;
}

void set_image(_cl_kernel& kernel, const parameter_description& parameter,
               _cl_kernel::argument& argument, std::size_t size, const void* value) {
    require(value != nullptr, CL_INVALID_ARG_VALUE);
    require(size == sizeof(cl_mem), CL_INVALID_ARG_SIZE);
    const auto memory = the_library().memories.find(*static_cast<const cl_mem*>(value));
    require(
        memory != nullptr && memory->image != nullptr && memory->context == kernel.program->context,
        CL_INVALID_MEM_OBJECT);
    const bool writes = access(parameter) == CL_KERNEL_ARG_ACCESS_WRITE_ONLY;
    require((memory->flags & (writes ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY)) == 0,
            CL_INVALID_ARG_VALUE);
    argument.bytes = bytes_of(&memory->image->descriptor, sizeof memory->image->descriptor);
    argument.is_memory = true;
    argument.memory = memory;
}

void set_sampler(_cl_kernel::argument& argument, std::size_t size, const void* value) {
    require(value != nullptr, CL_INVALID_ARG_VALUE);
    require(size == sizeof(cl_sampler), CL_INVALID_ARG_SIZE);
    const auto sampler = find(*static_cast<const cl_sampler*>(value));
    argument.bytes = bytes_of(&sampler->bits, sizeof sampler->bits);
}

/// A buffer, or null for none.
void set_memory(_cl_kernel& kernel, _cl_kernel::argument& argument, std::size_t size,
                const void* value) {
    require(size == sizeof(cl_mem), CL_INVALID_ARG_SIZE);
    const cl_mem handle = value == nullptr ? nullptr : *static_cast<const cl_mem*>(value);
    const auto memory = handle == nullptr ? nullptr : the_library().memories.find(handle);
    require(handle == nullptr || memory != nullptr, CL_INVALID_MEM_OBJECT);
    require(memory == nullptr ||
                (memory->image == nullptr && memory->context == kernel.program->context),
            CL_INVALID_MEM_OBJECT);
    const std::uint32_t address = memory == nullptr ? 0 : memory->address;
    argument.bytes = bytes_of(&address, sizeof address);
    argument.is_memory = memory != nullptr;
    argument.memory = memory;
}

cl_kernel_arg_type_qualifier qualifiers(const parameter_description& parameter) {
    const std::string words = " " + parameter.qualifiers + " ";
    cl_kernel_arg_type_qualifier found = CL_KERNEL_ARG_TYPE_NONE;
    const auto look_for = [&](const char* word, cl_kernel_arg_type_qualifier bit) {
        if (words.find(word) != std::string::npos) found |= bit;
    };
    look_for(" const ", CL_KERNEL_ARG_TYPE_CONST);
    look_for(" restrict ", CL_KERNEL_ARG_TYPE_RESTRICT);
    look_for(" volatile ", CL_KERNEL_ARG_TYPE_VOLATILE);
    return found;
}

cl_kernel_arg_address_qualifier address_space(const parameter_description& parameter) {
    switch (parameter.space) {
        case runtime::address_space::global:
            return CL_KERNEL_ARG_ADDRESS_GLOBAL;
        case runtime::address_space::constant:
            return CL_KERNEL_ARG_ADDRESS_CONSTANT;
        case runtime::address_space::local:
            return CL_KERNEL_ARG_ADDRESS_LOCAL;
        case runtime::address_space::private_memory:
            break;
    }
    return CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

}  // namespace

cl_kernel clCreateKernel(cl_program handle, const char* name, cl_int* code) {
    return made_by(code, [&] {
        const auto program = find(handle);
        require(program->loaded != nullptr, CL_INVALID_PROGRAM_EXECUTABLE);
        require(name != nullptr, CL_INVALID_VALUE);
        const auto& kernels = program->loaded->kernels;
        const auto found =
            std::find_if(kernels.begin(), kernels.end(),
                         [&](const kernel_description& each) { return each.name == name; });
        require(found != kernels.end(), CL_INVALID_KERNEL_NAME);
        return make_kernel(program, static_cast<std::size_t>(found - kernels.begin()));
    });
}

cl_int clCreateKernelsInProgram(cl_program handle, cl_uint count, cl_kernel* kernels,
                                cl_uint* found) {
    return code_of([&] {
        const auto program = find(handle);
        require(program->loaded != nullptr, CL_INVALID_PROGRAM_EXECUTABLE);
        const std::size_t all = program->loaded->kernels.size();
        require(kernels == nullptr || count >= all, CL_INVALID_VALUE);
        if (found != nullptr) *found = static_cast<cl_uint>(all);
        if (kernels == nullptr) return;
        for (std::size_t i = 0; i < all; ++i) kernels[i] = make_kernel(program, i);
    });
}

cl_int clRetainKernel(cl_kernel kernel) {
    return code_of([&] { require(the_library().kernels.retain(kernel), CL_INVALID_KERNEL); });
}

cl_int clReleaseKernel(cl_kernel kernel) {
    return code_of([&] { require(the_library().kernels.release(kernel), CL_INVALID_KERNEL); });
}

cl_int clSetKernelArg(cl_kernel handle, cl_uint index, size_t size, const void* value) {
    return code_of([&] {
        const auto kernel = find(handle);
        require(index < kernel->arguments.size(), CL_INVALID_ARG_INDEX);
        const parameter_description& parameter = kernel->description().parameters[index];
        _cl_kernel::argument argument;
        argument.set = true;
        switch (parameter.what) {
            case argument_kind::local_pointer: {
                require(value == nullptr, CL_INVALID_ARG_VALUE);
                require(size != 0 && size <= 0xffffffffu, CL_INVALID_ARG_SIZE);
                const auto bytes = static_cast<std::uint32_t>(size);
                argument.bytes = bytes_of(&bytes, sizeof bytes);
                break;
            }
            case argument_kind::pointer:
                if (is_image(parameter)) {
                    set_image(*kernel, parameter, argument, size, value);
                    break;
                }
                if (is_sampler(parameter)) {
                    set_sampler(argument, size, value);
                    break;
                }
                set_memory(*kernel, argument, size, value);
                break;
            default:
                require(value != nullptr, CL_INVALID_ARG_VALUE);
                require(size == parameter.size, CL_INVALID_ARG_SIZE);
                argument.bytes = bytes_of(value, size);
        }
        kernel->arguments[index] = std::move(argument);
    });
}

cl_int clGetKernelInfo(cl_kernel handle, cl_kernel_info name, size_t size, void* value,
                       size_t* size_ret) {
    return code_of([&] {
        const auto kernel = find(handle);
        const info_place place(size, value, size_ret);
        switch (name) {
            case CL_KERNEL_FUNCTION_NAME:
                return place.put_text(kernel->description().name);
            case CL_KERNEL_NUM_ARGS:
                return place.put(static_cast<cl_uint>(kernel->arguments.size()));
            case CL_KERNEL_REFERENCE_COUNT:
                return place.put(cl_uint{kernel->references});
            case CL_KERNEL_CONTEXT:
                return place.put(kernel->program->context.get());
            case CL_KERNEL_PROGRAM:
                return place.put(kernel->program.get());
            case CL_KERNEL_ATTRIBUTES: {
                const auto& block = kernel->description().required_block;
                std::string text;
                if (block[0] != 0) {
                    text = "reqd_work_group_size(" + std::to_string(block[0]) + "," +
                           std::to_string(block[1]) + "," + std::to_string(block[2]) + ")";
                }
                return place.put_text(text);
            }
            default:
                throw error(CL_INVALID_VALUE);
        }
    });
}

cl_int clGetKernelArgInfo(cl_kernel handle, cl_uint index, cl_kernel_arg_info name, size_t size,
                          void* value, size_t* size_ret) {
    return code_of([&] {
        const auto kernel = find(handle);
        require(index < kernel->arguments.size(), CL_INVALID_ARG_INDEX);
        const parameter_description& parameter = kernel->description().parameters[index];
        const info_place place(size, value, size_ret);
        switch (name) {
            case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
                return place.put(address_space(parameter));
            case CL_KERNEL_ARG_ACCESS_QUALIFIER:
                return place.put(access(parameter));
            case CL_KERNEL_ARG_TYPE_NAME:
                return place.put_text(parameter.type);
            case CL_KERNEL_ARG_TYPE_QUALIFIER:
                return place.put(qualifiers(parameter));
            case CL_KERNEL_ARG_NAME:
                return place.put_text(parameter.name);
            default:
                throw error(CL_INVALID_VALUE);
        }
    });
}

cl_int clGetKernelWorkGroupInfo(cl_kernel handle, cl_device_id device,
                                cl_kernel_work_group_info name, size_t size, void* value,
                                size_t* size_ret) {
    return code_of([&] {
        const auto kernel = find(handle);
        require(device == nullptr || device == the_device(), CL_INVALID_DEVICE);
        const kernel_description& text = kernel->description();
        const info_place place(size, value, size_ret);
        switch (name) {
            case CL_KERNEL_WORK_GROUP_SIZE:
                return place.put(std::size_t{text.max_threads});
            case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
                return place.put_list(std::vector<std::size_t>(text.required_block.begin(),
                                                               text.required_block.end()));
            case CL_KERNEL_LOCAL_MEM_SIZE:
                return place.put(cl_ulong{kernel->local_bytes()});
            case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
                return place.put(std::size_t{kernel->loaded->device->description().warp_size});
            case CL_KERNEL_PRIVATE_MEM_SIZE:
                return place.put(cl_ulong{text.private_bytes});
            default:  // CL_KERNEL_GLOBAL_WORK_SIZE: of built-in kernels and custom devices only
                throw error(CL_INVALID_VALUE);
        }
    });
}

}  // namespace heddle::opencl

std::uint64_t _cl_kernel::local_bytes() const {
    constexpr std::uint64_t alignment = 16;
    std::uint64_t bytes = description().static_shared_bytes;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (description().parameters[i].what != heddle::runtime::argument_kind::local_pointer)
            continue;
        std::uint32_t more = 0;
        if (arguments[i].set) {
            std::memcpy(&more, arguments[i].bytes.data(), sizeof more);
        }
        bytes = (bytes + alignment - 1) / alignment * alignment + more;
    }
    return bytes;
}
