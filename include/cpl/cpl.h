/* All of libcpl's public interface, in reading order. */
#ifndef CPL_CPL_H
#define CPL_CPL_H

#include "cpl/base.h"
#include "cpl/diag.h"
#include "cpl/type.h"
#include "cpl/threads.h"
#include "cpl/context.h"
#include "cpl/module.h"
#include "cpl/functions.h"
#include "cpl/kernel.h"
#include "cpl/device.h"
#include "cpl/launch.h"
#include "cpl/compile.h"
#include "cpl/array.h"
#include "cpl/algorithm.h"
#include "cpl/numeric.h"
#include "cpl/sort.h"
#include "cpl/gather.h"
#include "cpl/sorted.h"
#include "cpl/random.h"
#include "cpl/profile.h"
#include "cpl/cache.h"
#include "cpl/ir.h"

#endif
