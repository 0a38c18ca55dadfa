# What a prange does not say of threads and schedule the options do, as of an elementwise launch.
# RUN: cplc %s:plain --as function --types 'x=float64[]' --emit ir \
# RUN:   | FileCheck %s --check-prefix=NONE
# RUN: cplc %s:plain --as function --types 'x=float64[]' --emit ir --option num_threads=3 \
# RUN:   --option schedule=1 --option chunk=16 | FileCheck %s --check-prefix=ASKED
# RUN: cplc %s:says --as function --types 'x=float64[]' --emit ir --option num_threads=3 \
# RUN:   --option schedule=1 --option chunk=16 | FileCheck %s --check-prefix=SAYS
#
# NONE: parallel for i in (0:int64, x_len, 1:int64) schedule(static, 0) {
# ASKED: parallel for i in (0:int64, x_len, 1:int64) schedule(dynamic, 16) threads(3) {
# ASKED: schedule(dynamic, 16) threads(3)
# SAYS: schedule(guided, 0) threads(3) {
# SAYS: schedule(static, 4) threads(3) {
# SAYS: schedule(dynamic, 16) threads(2) {
def plain(x):
    for i in prange(len(x)):
        x[i] = 1
    x[1:] = 2.0


def says(x):
    for i in prange(len(x), schedule='guided'):
        x[i] = 1
    for i in prange(len(x), chunksize=4):
        x[i] = 2
    for i in prange(len(x), num_threads=2):
        x[i] = 3
