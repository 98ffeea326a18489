#!/bin/sh
# Publish a graph without a tenth of its edges: a scheme in awk. The ids stay as they are.
#
#   thinveil audit calls.csv --scheme 'command:examples/blackbox/drop_edges.sh {input} {output} {seed}' --aux nodes=1,edges=1
set -eu
awk -v seed="$3" 'BEGIN { srand(seed) } NR == 1 || rand() >= 0.1' "$1" > "$2"
