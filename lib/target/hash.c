/* Hashes for keys and checksums: BLAKE3, as LLVM brings it. */
#include "lib/target/target.h"

#include <llvm-c/blake3.h>

void tgt_hash(const void *const *parts, const size_t *sizes, size_t count,
              uint8_t out[TGT_HASH_SIZE])
{
    llvm_blake3_hasher h;
    llvm_blake3_hasher_init(&h);
    for (size_t i = 0; i < count; i++) {
        uint64_t size = sizes[i]; /* so that no two lists of parts look alike */
        llvm_blake3_hasher_update(&h, &size, sizeof size);
        llvm_blake3_hasher_update(&h, parts[i], sizes[i]);
    }
    llvm_blake3_hasher_finalize(&h, out, TGT_HASH_SIZE);
}
