#!/bin/bash
# A campaign on several computers at once with MPI, as a batch job. Without Slurm, as a plain script:
#
#   sbatch scripts/mpi-batch.sh campaign.toml result.h5
#   RANKS=4 THREADS=8 scripts/mpi-batch.sh campaign.toml result.h5
#
# Each rank computes an equal share of the rows and saves them in result.h5.parts, in its own files; rank 0 makes the
# result. If one fails or gets a signal alone, the others still end their shares, or reach the time limit. Submit again
# after a time limit, a kill or a lost node: what was saved is not computed again. The result's datasets have the same
# bytes for any number of ranks and threads. Needs a coterie built with MPI
# (scripts/setup --mpi before the build; `coterie --version` shows it) and a file system that all nodes share.
#SBATCH --job-name=coterie
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=8
#SBATCH --mem-per-cpu=256M
#SBATCH --time=04:00:00
set -euo pipefail

if (($# != 2)); then echo "usage: [RANKS=R] [THREADS=T] scripts/mpi-batch.sh CAMPAIGN.toml RESULT.h5" >&2; exit 2; fi
coterie=${COTERIE:-build/release/coterie}
ranks=${RANKS:-${SLURM_NTASKS:-2}}
threads=${THREADS:-${SLURM_CPUS_PER_TASK:-1}}
# Stop before the scheduler kills the job: --time-limit is the job's time minus the time for saving.
limit=${TIME_LIMIT:-3h}

# Best: one rank per node or socket, and one thread per core, because ranks cost memory and threads do not. MPI_FLAGS:
# other options for mpirun, such as --oversubscribe --bind-to none.
exec mpirun -n "$ranks" ${MPI_FLAGS:---map-by "slot:PE=$threads" --bind-to core} \
  "$coterie" run "$1" --output "$2" --resume --threads "$threads" --time-limit "$limit"
