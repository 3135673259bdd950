#include <chrono>
#include <cstdlib>
#include <thread>

// Loaded before a program: two seconds after its start a thread of it calls exit, as a library may.

namespace {

struct Leaving {
    Leaving() {
        std::thread([] {
            std::this_thread::sleep_for(std::chrono::seconds(2));
            std::exit(EXIT_SUCCESS);  // NOLINT(concurrency-mt-unsafe): to end all is its purpose
        }).detach();
    }
};

const Leaving kLeaving;

}  // namespace
