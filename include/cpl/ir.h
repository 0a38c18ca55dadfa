/* Building typed IR through the C API. */
#ifndef CPL_IR_H
#define CPL_IR_H

#include "cpl/base.h"

#endif
