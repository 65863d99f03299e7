/* tensor.h - all of tensor/: sparse tensors that are counted, computed with, and stored in files.
 *
 * For programs that need more than one part; each part can be included alone. The formats in which
 * a decomposition reads a tensor stand above this folder, in tensor/formats/formats.h. */
#ifndef TRIBUTARY_TENSOR_H
#define TRIBUTARY_TENSOR_H

#include "tensor/algebra.h"
#include "tensor/files.h"
#include "tensor/hacoo.h"

#endif
