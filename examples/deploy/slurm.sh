#!/bin/sh
# Workers as an array of Slurm: as many as there is work for, each ends when the queue is empty.
#
#   export FABULA_STORE=postgres://fabula@db.example/fabula      # with the password in ~/.pgpass
#   sh slurm.sh start 20        # submits at most 20, none when nothing is queued; from cron, that is scaling from zero
#   sbatch --array=1-4 slurm.sh # exactly four
#
#SBATCH --job-name=fabula-worker
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --time=24:00:00
#SBATCH --signal=B:TERM@120
#SBATCH --requeue
# Two minutes before its time is up, Slurm sends SIGTERM: the worker finishes the calls it has sent and gives the rest back.

pieces() {
  psql "$FABULA_STORE" --no-align --tuples-only \
    --command "SELECT coalesce(sum(queued + working), 0) FROM fabula.queue WHERE NOT is_stuck"
}

# How many workers there should be for so many pieces: one for every eight, and never more than the limit.
wanted() {
  count=$(( ($1 + 7) / 8 ))
  if [ "$count" -gt "$2" ]; then count=$2; fi
  echo "$count"
}

if [ "${1:-}" = "start" ]; then
  most=${2:-20}
  running=$(squeue --me --name=fabula-worker --noheader --array | wc -l)
  missing=$(( $(wanted "$(pieces)" "$most") - running ))
  if [ "$missing" -gt 0 ]; then exec sbatch --array="1-$missing" "$0"; fi
  exit 0
fi

# The shell passes the signal on, which it does not do for a program in the foreground.
fabula worker --drain &
worker=$!
trap 'kill -TERM "$worker"' TERM
wait "$worker"
status=$?
# The signal ends the first wait, and not the worker.
while kill -0 "$worker" 2>/dev/null; do
  wait "$worker"
  status=$?
done
exit "$status"
