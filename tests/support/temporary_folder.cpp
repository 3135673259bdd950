#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

namespace epsilens::test {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "epsilens-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        throw std::runtime_error("no temporary folder");
    }
    m_path = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

std::string TemporaryFolder::file(std::string_view name, std::string_view content) const {
    fs::create_directories((m_path / name).parent_path());
    std::ofstream stream(m_path / name, std::ios::binary);
    stream.write(content.data(), static_cast<std::streamsize>(content.size()));
    return path(name);
}

std::vector<std::string> TemporaryFolder::names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(m_path)) {
        names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
}

std::string contentOf(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        throw std::runtime_error("cannot read " + path);
    }
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string repeated(std::string_view text, std::size_t times) {
    std::string all;
    all.reserve(times * text.size());
    for (std::size_t i = 0; i < times; ++i) {
        all += text;
    }
    return all;
}

bool isAsleep(pid_t process) {
    // The state follows the name in parentheses, which may hold anything.
    const std::string status = contentOf("/proc/" + std::to_string(process) + "/stat");
    return status.compare(status.rfind(')') + 2, 1, "S") == 0;
}

void waitUntilAsleep(pid_t process) {
    while (!isAsleep(process)) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

}  // namespace epsilens::test
