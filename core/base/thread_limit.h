#pragma once

namespace epsilens {

/// Threads that defaultThreadCount() gives from now on, for the whole process: what an analyst
/// allows. Results do not depend on it.
///
/// threads  >= 1; 0, as at the start, for the processors this process may run on
void setThreadLimit(int threads);

}  // namespace epsilens
