#!/bin/bash
# A campaign as a job array under Slurm: one shard a task, no MPI. Submit, then merge when all are done:
#
#   sbatch --array=1-16 scripts/slurm-array.sh campaign.toml results
#   build/release/coterie merge results/*-of-16.h5 --output results/whole.h5
#
# Submit the same line again if tasks ran out of time or were killed: each goes on where it was (--resume), and one that
# is complete does nothing. For some of the tasks alone tell how many shards there are: SHARDS=16 sbatch --array=3,7 ...
# Adapt the next lines to the machine; the memory a task needs does not grow with the campaign.
#SBATCH --job-name=coterie
#SBATCH --cpus-per-task=8
#SBATCH --mem=2G
#SBATCH --time=04:00:00
#SBATCH --signal=TERM@120
# (--signal: two minutes before the time is over coterie is asked to stop, saves, and ends with exit code 3.)
set -euo pipefail

usage="usage: sbatch --array=1-N scripts/slurm-array.sh CAMPAIGN.toml FOLDER"
if (($# != 2)) || [[ -z "${SLURM_ARRAY_TASK_ID:-}" ]]; then echo "$usage" >&2; exit 2; fi
campaign=$1
folder=$2
coterie=${COTERIE:-build/release/coterie}
shards=${SHARDS:-$SLURM_ARRAY_TASK_MAX}
if [[ -z "${SHARDS:-}" ]] && [[ "${SLURM_ARRAY_TASK_MIN:-1}" != 1 || "${SLURM_ARRAY_TASK_COUNT:-$shards}" != "$shards" ]]; then
  echo "scripts/slurm-array.sh: these are not all tasks from 1 to $shards: tell the number of shards with SHARDS=N" >&2
  exit 2
fi

mkdir -p "$folder"
# exec: the signal reaches coterie itself. Files of results lie on a file system that all nodes share.
exec "$coterie" run "$campaign" --shard "$SLURM_ARRAY_TASK_ID/$shards" --resume \
  --output "$folder/$(basename "$campaign" .toml)-$SLURM_ARRAY_TASK_ID-of-$shards.h5" \
  --threads "${SLURM_CPUS_PER_TASK:-1}"
