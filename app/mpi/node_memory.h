#pragma once

#include <cstddef>
#include <span>

namespace epsilens::mpi {

/// Keeps one copy of memory that is equal in several processes of a node: replaces its whole pages
/// by those of a file without a name in memory, which the processes share. What a process writes
/// into them stays its own, as before. To be called by all processes of MPI_COMM_WORLD, while no
/// thread uses the memory.
///
/// memory  from malloc or new. Where it has less than 32 MiB, which malloc may put beside other
///         memory, differs between processes, or the system has no such file, it stays as it is
void shareOnNode(std::span<const std::byte> memory);

}  // namespace epsilens::mpi
