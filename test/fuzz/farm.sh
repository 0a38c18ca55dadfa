#!/usr/bin/env bash
# Random programs and fuzz targets on another machine: needs nothing but this script, the programs beside each other in one folder, and glibc.
#
#   farm.sh FOLDER OUT kernels COUNT SECONDS [ARGUMENTS OF fuzz...]      random programs, a process per core, each launch on two threads
#   farm.sh FOLDER OUT device NAME COUNT SECONDS [ARGUMENTS OF fuzz...]  the same on a device: opencl:0:c1.2, cuda:0
#   farm.sh FOLDER OUT sequences DEVICES COUNT SECONDS                  random sequences of launches: host, cuda:0, cuda:0,cuda:1
#   farm.sh FOLDER OUT text source|ir|cache SECONDS                     a libFuzzer target, a process per core
#   farm.sh FOLDER pack                                                  makes FOLDER of what the build folders of this source tree hold
#
# The last line sums up. What fails is kept in OUT: programs (reduced while a tenth of the time lasts), inputs, and the logs. FARM_JOBS sets the
# number of processes, FARM_SEED the first seed.
set -euo pipefail

usage() { sed -n '2,/^set/{s/^# \{0,1\}//p}' "$0"; exit 2; }
die() { echo "farm.sh: $*" >&2; exit 2; }
[ $# -ge 2 ] || usage
folder=$(mkdir -p "$1" && cd "$1" && pwd)
jobs=${FARM_JOBS:-$(nproc)}
seed=${FARM_SEED:-$(date +%s)000000}

# pack [BUILD [BUILD-FUZZ]]: programs without debugging information, seeds, dictionaries and LLVM's OpenMP runtime.
pack() {
    local root build fuzz file kind
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
    build=${1:-$root/build} fuzz=${2:-$root/build-fuzz}
    strip -o "$folder/fuzz" "$build/test/fuzz/fuzz"
    strip -o "$folder/sequences" "$build/test/fuzz/sequences"
    strip -o "$folder/libcpl.so.0" "$build/lib/libcpl.so.0"
    strip -o "$folder/text" "$fuzz/test/fuzz/text"
    cp "$root"/test/fuzz/{source,ir,cache}.dict "${BASH_SOURCE[0]}" "$folder"
    for file in /usr/lib/llvm-22/lib/libomp.so.5 /usr/lib/*/libomp.so.5; do
        [ -e "$file" ] && cp -L "$file" "$folder/libomp.so.5" && break
    done
    mkdir -p "$folder"/seeds/{source,ir,cache}
    (cd "$root" && find test examples \( -name '*.py' -o -name '*.cir' \) -size -12k -not -path '*/bench/*') | while read -r file; do
        kind=source
        [ "${file##*.}" = cir ] && kind=ir
        cp "$root/$file" "$folder/seeds/$kind/${file//\//_}"
    done
}

kernels() { # COUNT SECONDS ARGUMENTS...
    local count=$1 seconds=$2
    shift 2
    [ -e "$folder/libomp.so.5" ] && export CPL_OPENMP="$folder/libomp.so.5"
    LD_LIBRARY_PATH="$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" timeout -k 20 $((seconds + 30)) "$folder/fuzz" --seed "$seed" --count "$count" --seconds $((seconds * 9 / 10)) \
        --reduce $((seconds / 10)) --jobs "$jobs" --threads 2 --quick --stop-at 100 --out "$out" "$@" 2>&1 | tee "$out/kernels.log" | tail -n 3
}

sequences() { # DEVICES COUNT SECONDS ARGUMENTS...
    local devices=$1 count=$2 seconds=$3
    shift 3
    [ -e "$folder/libomp.so.5" ] && export CPL_OPENMP="$folder/libomp.so.5"
    LD_LIBRARY_PATH="$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" timeout -k 20 $((seconds + 30)) "$folder/sequences" --device "$devices" \
        --seed "$seed" --count "$count" --seconds "$seconds" --jobs "$jobs" "$@" 2>&1 | tee "$out/sequences.log" | tail -n 20
}

# One libFuzzer process after another until the time is over, for each ends at its first failure. All share what they found. Most
# keep inputs short, which is fast; of eight processes one tries longer ones and one long ones.
text_worker() { # KIND NUMBER END
    local kind=$1 number=$2 end=$3 left run=0 lengths=(1000 500 1000 4000 500 1000 500 20000)
    while left=$((end - $(date +%s))) && [ $left -gt 5 ]; do
        run=$((run + 1))
        CPL_FUZZ_TEXT=$kind "$folder/text" "$out/corpus" "$folder/seeds/$kind" -dict="$folder/$kind.dict" -artifact_prefix="$out/$kind-" \
            -max_total_time="$left" -max_len=${lengths[number % 8]} -timeout=20 -rss_limit_mb=3000 -print_final_stats=1 -reload=5 \
            -seed=$(((seed + 1000 * number + run) % 1000000007)) >"$out/text-$kind-$number-$run.log" 2>&1 || true
        [ $run -lt 50 ] || break
    done
}

text() { # KIND SECONDS
    local kind=$1 seconds=$2 end number executions crashes leaks=1
    case $kind in source | ir | cache) ;; *) usage ;; esac
    mkdir -p "$out/corpus"
    export UBSAN_OPTIONS=print_stacktrace=1 ASAN_OPTIONS=detect_stack_use_after_return=0
    # Where nothing may be traced, leaks cannot be looked for.
    CPL_FUZZ_TEXT=$kind ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=1 "$folder/text" -runs=20 >"$out/probe.log" 2>&1 || leaks=0
    ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=$leaks
    CPL_FUZZ_TEXT=$kind "$folder/text" -runs=20 >"$out/probe.log" 2>&1 || { cat "$out/probe.log"; die "the target does not run"; }
    end=$(($(date +%s) + seconds))
    for ((number = 0; number < jobs; number++)); do text_worker "$kind" $number $end & done
    wait
    executions=$(cat "$out"/text-"$kind"-*.log | awk '/^stat::number_of_executed_units/ {n += $2} END {print n + 0}')
    crashes=$(find "$out" -name "$kind-crash-*" -o -name "$kind-leak-*" -o -name "$kind-timeout-*" -o -name "$kind-oom-*" | wc -l)
    echo "$kind: $executions executions, $crashes failures ($jobs processes, leaks $([ $leaks = 1 ] && echo watched || echo 'not watched'))"
    grep -h '^SUMMARY: ' "$out"/text-"$kind"-*.log | sort | uniq -c || true
    rm -rf "$out/corpus"
    [ "$crashes" = 0 ]
}

if [ "$2" = pack ]; then
    shift 2
    pack "$@"
    exit
fi
[ $# -ge 4 ] || usage
out=$(mkdir -p "$2" && cd "$2" && pwd)
what=$3
shift 3
case $what in
kernels) kernels "$@" ;;
device)
    name=$1
    shift
    kernels "$@" --device "$name"
    ;;
sequences) sequences "$@" ;;
text) text "$@" ;;
*) usage ;;
esac
