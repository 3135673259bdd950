#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

// Loaded before a program: once the file LEAVING_WHEN is there a thread of it calls exit, as a
// library may.

namespace {

struct Leaving {
    Leaving() {
        std::thread([] {
            // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing sets variables
            while (!std::filesystem::exists(std::getenv("LEAVING_WHEN"))) {
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            }
            std::exit(EXIT_SUCCESS);  // NOLINT(concurrency-mt-unsafe): to end all is its purpose
        }).detach();
    }
};

const Leaving kLeaving;

}  // namespace
