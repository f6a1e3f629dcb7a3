// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "runtime/opencl/pixel_rectangle.h"

#include "runtime/opencl/find.h"

namespace heddle::opencl {

pixel_rectangle pixel_rectangle_of(cl_mem handle, const std::size_t* origin,
                                   const std::size_t* region) {
    pixel_rectangle found;
    found.memory = find_image(handle);
    require(origin != nullptr && region != nullptr, CL_INVALID_VALUE);
    const image_shape& image = *found.memory->image;
    require(origin[2] == 0 && region[2] == 1, CL_INVALID_VALUE);
    require(region[0] != 0 && region[1] != 0, CL_INVALID_VALUE);
    require(origin[0] <= image.width && region[0] <= image.width - origin[0] &&
                origin[1] <= image.height && region[1] <= image.height - origin[1],
            CL_INVALID_VALUE);
    found.offset = origin[1] * image.row_bytes() + origin[0] * image.pixel;
    found.row = region[0] * image.pixel;
    found.rows = region[1];
    return found;
}

}  // namespace heddle::opencl
