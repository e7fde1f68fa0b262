/* SPDX-License-Identifier: MIT */
/* Private to the room `diagram`: what the tables of symbols share. */
#ifndef LN_DIAGRAM_SYMBOL_TABLE_H
#define LN_DIAGRAM_SYMBOL_TABLE_H

#include "diagram/symbol.h"

extern const ln_symbol ln_symbols_physical[], ln_symbols_block[];
extern const int ln_symbols_physical_count, ln_symbols_block_count;

enum {
    STANDS = LN_SYMBOL_STANDS,
    BLOCK = LN_SYMBOL_BLOCK,
    MARK = LN_SYMBOL_MARK,
    THROUGH = LN_SYMBOL_THROUGH,
    SUM = LN_SYMBOL_SUM,
    VALUE = LN_SYMBOL_VALUE,
    FIXED = LN_SYMBOL_FIXED,
    BOX = LN_SYMBOL_BOX,
    FLIPS = LN_SYMBOL_FLIPS
};

#endif
