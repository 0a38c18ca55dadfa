# What ./dev fuzz does; sourced by dev, whose functions it uses.

fuzz_usage() {
    cat <<'END'
./dev fuzz [--count N] [--seconds S] [--seed N]    random programs on all cores; the last line is "N kernels compared, M mismatches"
./dev fuzz --text source|ir|cache|array [--seconds S]  a coverage-guided target, with clang's libFuzzer, in build-fuzz
./dev fuzz --sequences [--device D] [--seconds S]  random sequences of launches on the host, standin, standin-opencl, standin-buffers,
                                                   or devices: cuda:0, opencl:0, cuda:0,cuda:1
./dev fuzz --algorithms [--device D] [--count N]   random operators of reductions and scans, on the host or a device
./dev fuzz --language [--seed N] [--count N]       random programs compared with plain Python on NumPy's numbers
./dev fuzz --random [STREAM...]                    random numbers through dieharder's tests: bits, uniform, uniform-low, seeds, draws; an hour
./dev fuzz --plant [NAME...]                       whether faults planted into the sources are found
Other arguments go to build/test/fuzz/fuzz; what differs is kept in build/test/fuzz/found.
END
}

# Seeds are the tests themselves; what libFuzzer adds stays in the build folder.
fuzz_corpus() {
    local kind=$1 corpus=$2 suffix=py file
    [ "$kind" = ir ] && suffix=cir
    mkdir -p "$corpus"
    [ "$kind" = cache ] && return
    if [ "$kind" = array ]; then
        $venv/bin/python test/fuzz/arrays.py "$corpus"
        return
    fi
    find test examples -name "*.$suffix" -size -40k -not -path '*/bench/*' | while read -r file; do
        cp -n "$file" "$corpus/$(echo "$file" | tr / _)"
    done
}

# fuzz_record NAME COMMAND...: runs it and adds its figures to what ./dev trust shows.
fuzz_record() {
    local log=build/trust/$1.log
    shift
    mkdir -p build/trust
    "$@" 2>&1 | tee >(grep --line-buffered -E 'kernels compared|sequences on|^stat::number_of_executed_units|^SUMMARY: ' >>"$log")
}

fuzz_text() {
    local kind=${1:-} seconds=60
    case $kind in source | ir | cache | array) ;; *) fuzz_usage >&2; exit 2 ;; esac
    shift
    local limits=()
    [ "$kind" = array ] && limits=(-malloc_limit_mb=1000000) # what the header of an array asks for, and nobody touches
    [ "${1:-}" = --seconds ] && { seconds=$2; shift 2; }
    if ! command -v clang-22 >/dev/null || ! echo 'int LLVMFuzzerTestOneInput(const char *d, long n) { return !d && n; }' |
        clang-22 -fsanitize=fuzzer -x c - -o /dev/null 2>/dev/null; then
        (install_packages clang-22 libclang-rt-22-dev) || die "the fuzz targets need clang-22 with libFuzzer (clang-22, libclang-rt-22-dev)"
    fi
    if [ ! -e build-fuzz/build.ninja ]; then
        local flags="-O2 -g1 -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp" # the dictionaries know what is compared with
        cmake -S . -B build-fuzz -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCPL_ASAN=ON -DCPL_FUZZ=ON -DCMAKE_C_COMPILER=clang-22 \
            -DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_C_FLAGS_DEBUG="$flags" -DCMAKE_CXX_FLAGS_DEBUG="$flags" >/dev/null || exit 1
    fi
    ninja -C build-fuzz -j "$jobs" --quiet text >&2 || die "the fuzz target could not be built"
    fuzz_corpus "$kind" "build-fuzz/corpus/$kind"
    mkdir -p build-fuzz/artifacts
    fuzz_record "fuzz-$kind" env ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
        CPL_FUZZ_TEXT="$kind" build-fuzz/test/fuzz/text "build-fuzz/corpus/$kind" -artifact_prefix=build-fuzz/artifacts/"$kind"- \
        -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 "${limits[@]}" -max_len=20000 -print_final_stats=1 -dict=test/fuzz/"$kind".dict "$@"
}

# Dieharder's tests by number, with the size of their tuples where one is to be said, but for those that it calls suspect or not to be used.
random_tests="0 1 2 3 4 8 9 10 11 12 13 15 16 17 100 101 102 200:8 201:4 202:4 203:8 204 205 206 207 208 209"

# p-values beyond 0.000001 from either end fail, beyond 0.005 are weak: one of a hundred is, of numbers that are random.
fuzz_random() {
    local stream test log=build/trust/random.log
    [ $# -gt 0 ] || set -- bits uniform uniform-low seeds draws
    command -v dieharder >/dev/null || install_packages dieharder || die "./dev fuzz --random needs dieharder"
    build default build || exit 1
    mkdir -p build/trust
    for stream in "$@"; do
        for test in $random_tests; do
            build/test/fuzz/stream "$stream" 1 | dieharder -g 200 -d "${test%:*}" -n "$(case $test in *:*) echo "${test#*:}" ;; *) echo 0 ;; esac)" |
                sed -n "s/^ *\([a-z0-9_]*|.*|\)/$stream \1/p" | grep -v 'test_name\|rng_name\|stdin_input'
        done
    done | tee "$log"
    awk '/PASSED/ { p++ } /WEAK/ { w++ } /FAILED/ { f++ } END { printf "%d p-values: %d pass, %d weak, %d failed\n", p + w + f, p, w, f; exit f > 0 || !p }' "$log"
}

fuzz_main() {
    case ${1:-} in
    --help | -h) fuzz_usage ;;
    --text)
        shift
        fuzz_text "$@"
        ;;
    --sequences)
        shift
        build default build || exit 1
        fuzz_record sequences build/test/fuzz/sequences --seed "$(date +%s)000" "$@"
        ;;
    --algorithms)
        shift
        build default build || exit 1
        build/test/fuzz/algorithms --seed "$(date +%s)" "$@"
        ;;
    --language)
        shift
        build default build || exit 1
        PATH="$PWD/build/bin:$PATH" CPL_CACHE=0 $venv/bin/python test/fuzz/language.py build/test/fuzz/found "$@"
        ;;
    --random)
        shift
        fuzz_random "$@"
        ;;
    --plant)
        shift
        exec python3 test/fuzz/plant.py "$@"
        ;;
    *)
        build default build || exit 1
        mkdir -p build/test/fuzz/found
        fuzz_record fuzz build/test/fuzz/fuzz --seed "$(date +%s)" --out build/test/fuzz/found "$@"
        ;;
    esac
}
