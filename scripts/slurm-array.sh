#!/bin/bash
# A campaign as a job array under Slurm: one shard per task, no MPI. Submit, then merge when all are done:
#
#   sbatch --array=1-16 scripts/slurm-array.sh campaign.toml results
#   build/release/coterie merge results/*-of-16.h5 --output results/whole.h5
#
# If tasks run out of time or are killed, submit the same line again: each continues where it was (--resume), and
# complete ones do nothing. To run only some of the tasks, give the number of shards: SHARDS=16 sbatch --array=3,7 ...
# Adapt the next lines to your cluster. The memory of a task does not grow with the instances of the campaign, but with
# its configurations, workers and chunks.
#SBATCH --job-name=coterie
#SBATCH --cpus-per-task=8
#SBATCH --mem=2G
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@120
# (--signal: two minutes before the time limit coterie, which takes the place of the batch shell, is asked to stop; it
# saves, and ends with exit code 3.)
set -euo pipefail

usage="usage: sbatch --array=1-N scripts/slurm-array.sh CAMPAIGN.toml FOLDER"
if (($# != 2)) || [[ -z "${SLURM_ARRAY_TASK_ID:-}" ]]; then echo "$usage" >&2; exit 2; fi
campaign=$1
folder=$2
coterie=${COTERIE:-build/release/coterie}
shards=${SHARDS:-$SLURM_ARRAY_TASK_MAX}
if [[ -z "${SHARDS:-}" ]] && [[ "${SLURM_ARRAY_TASK_MIN:-1}" != 1 || "${SLURM_ARRAY_TASK_COUNT:-$shards}" != "$shards" ]]; then
  echo "scripts/slurm-array.sh: these are not all tasks from 1 to $shards: give the number of shards with SHARDS=N" >&2
  exit 2
fi

mkdir -p "$folder"
# exec: the signal reaches coterie itself. Result files must be on a file system that all nodes share.
exec "$coterie" run "$campaign" --shard "$SLURM_ARRAY_TASK_ID/$shards" --resume \
  --output "$folder/$(basename "$campaign" .toml)-$SLURM_ARRAY_TASK_ID-of-$shards.h5" \
  --threads "${SLURM_CPUS_PER_TASK:-1}"
