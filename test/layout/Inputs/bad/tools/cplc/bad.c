#include "lib/ir/ir.h"
