#!/bin/sh
# A queue made by coterie for @WORKERS@.
#
#   queue.sh [-n WORKERS] COMMAND [ARGUMENT...]
#
# starts that many workers on this machine, @COUNT@ if not told otherwise, and waits for them. They run
# COMMAND [ARGUMENT...] CHUNK BEGIN END for one chunk after another, until all is done (worker.py tells more). Machines
# that share this folder may each run it. Killed or stopped, run it again: it goes on where it stopped.
folder=$(dirname "$0")
workers=@COUNT@
if [ "${1-}" = -n ]; then
  workers=$2
  shift 2
fi
pids=
trap 'kill $pids 2> /dev/null' TERM INT
i=0
while [ "$i" -lt "$workers" ]; do
  python3 "$folder/worker.py" --slot "$(uname -n)-$$-$i" "$@" &
  pids="$pids $!"
  i=$((i + 1))
done
code=0
for pid in $pids; do
  wait "$pid"
  ended=$?
  while kill -0 "$pid" 2> /dev/null; do  # a signal came
    wait "$pid"
    ended=$?
  done
  [ "$ended" = 0 ] || code=$ended
done
exit $code
