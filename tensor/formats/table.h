/* table.h - the rows of the table of formats, each in its own file; private to tensor/formats/. */
#ifndef TRIBUTARY_FORMATS_TABLE_H
#define TRIBUTARY_FORMATS_TABLE_H

#include "tensor/formats/formats.h"

extern const trib_format trib_format_coo, trib_format_coo_unsorted, trib_format_hacoo,
    trib_format_hicoo, trib_format_rows, trib_format_alto, trib_format_linear, trib_format_gcsr,
    trib_format_gcsc, trib_format_csf, trib_format_csf_two, trib_format_csf_all, trib_format_fcoo;

#endif
