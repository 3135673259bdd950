#include <mpi.h>

#include "app/cli/program.h"
#include "app/mpi/mpi_team.h"

int main(int argc, char** argv) {
    // A thread of the first process hands out work.
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    epsilens::mpi::MpiTeam::watchExit();
    int code = epsilens::cli::kFailed;
    {
        epsilens::mpi::MpiTeam team(provided >= MPI_THREAD_MULTIPLE);
        code = epsilens::cli::runProgram(argc, argv, &team);
        // What is wrong with the command line is wrong in all processes. After anything else the
        // others may wait for this one.
        const bool isCommon = code == epsilens::cli::kDone || code == epsilens::cli::kUsage;
        if (!isCommon && !team.isDone()) {
            epsilens::mpi::MpiTeam::abort(code);
        }
    }
    epsilens::mpi::MpiTeam::finish(code);
    return code;
}
