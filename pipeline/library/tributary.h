/* tributary.h - the library in one header.
 *
 *     #include <tributary/tributary.h>
 *
 * Two ways lead through it. For the main job, run an experiment (experiment.h) and read what it
 * found (results.h). For work on tensors, count n-grams (tokenizer.h, tensor.h), decompose them
 * (decomp.h) and measure influence (influence.h, evidence.h). Other languages find tensors and
 * decompositions behind pointers in arrays.h. A passage is looked up in many texts by find.h.
 *
 * This room is the boundary between the program and other programs. Change it when a program should
 * be able to ask for something new. */
#ifndef TRIBUTARY_LIBRARY_TRIBUTARY_H
#define TRIBUTARY_LIBRARY_TRIBUTARY_H

#include "base/base.h"
#include "decomp/decomp.h"
#include "influence/evidence.h"
#include "influence/graph.h"
#include "influence/influence.h"
#include "influence/passages/passages.h"
#include "pipeline/library/arrays.h"
#include "pipeline/library/experiment.h"
#include "pipeline/library/find.h"
#include "pipeline/library/results.h"
#include "tensor/formats/formats.h"
#include "tensor/tensor.h"
#include "tokenizer/tokenizer.h"

#endif
