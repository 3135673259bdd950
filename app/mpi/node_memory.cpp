#include "app/mpi/node_memory.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>

#include <fcntl.h>
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

namespace epsilens::mpi {
namespace {

/// What malloc takes from the system by itself, and gives back as a whole, is larger than this.
constexpr std::size_t kLeastBytes = std::size_t{32} << 20;

/// The processes that share memory with this one.
class Node {
public:
    Node() {
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &m_processes);
        MPI_Comm_rank(m_processes, &m_rank);
    }
    ~Node() { MPI_Comm_free(&m_processes); }
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    [[nodiscard]] bool isFirst() const { return m_rank == 0; }
    [[nodiscard]] bool isAlone() const {
        int size = 1;
        MPI_Comm_size(m_processes, &size);
        return size == 1;
    }
    /// Whether all give the same values.
    [[nodiscard]] bool isSame(std::size_t first, std::size_t second) const {
        // Of a value and its complement both largest ones belong to it only where all are equal.
        const std::array<std::uint64_t, 4> own{first, ~first, second, ~second};
        std::array<std::uint64_t, 4> largest{};
        MPI_Allreduce(own.data(), largest.data(), 4, MPI_UINT64_T, MPI_MAX, m_processes);
        return own == largest && largest[0] == ~largest[1] && largest[2] == ~largest[3];
    }
    /// The value of the first process.
    [[nodiscard]] std::int64_t ofFirst(std::int64_t value) const {
        MPI_Bcast(&value, 1, MPI_INT64_T, 0, m_processes);
        return value;
    }
    void meet() const { MPI_Barrier(m_processes); }

private:
    MPI_Comm m_processes = MPI_COMM_NULL;
    int m_rank = 0;
};

/// The whole pages in a piece of memory.
std::span<std::byte> pagesOf(std::span<const std::byte> memory) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(memory.data());
    const std::size_t before = (page - begin % page) % page;
    const std::size_t size = (memory.size() - before) / page * page;
    // The pages are replaced by equal ones.
    return {const_cast<std::byte*>(memory.data()) + before, size};
}

/// A file in memory with these bytes; -1 where the system has none.
int fileOf(std::span<const std::byte> bytes) {
    const int file = memfd_create("epsilens-vectors", MFD_CLOEXEC);
    for (std::size_t have = 0; file >= 0 && have < bytes.size();) {
        const ssize_t count = write(file, bytes.data() + have, bytes.size() - have);
        if (count <= 0 && errno != EINTR) {
            close(file);
            return -1;
        }
        have += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    return file;
}

bool isEqual(std::span<const std::byte> bytes, int file) {
    void* const other = mmap(nullptr, bytes.size(), PROT_READ, MAP_PRIVATE, file, 0);
    if (other == MAP_FAILED) {
        return false;
    }
    const bool equal = std::memcmp(bytes.data(), other, bytes.size()) == 0;
    munmap(other, bytes.size());
    return equal;
}

}  // namespace

void shareOnNode(std::span<const std::byte> memory) {
    const Node node;
    const bool isLarge = memory.size() > kLeastBytes;
    const std::span<std::byte> pages = isLarge ? pagesOf(memory) : std::span<std::byte>();
    const auto before = static_cast<std::size_t>(isLarge ? pages.data() - memory.data() : 0);
    if (node.isAlone() || !node.isSame(pages.size(), before) || pages.empty()) {
        return;
    }
    int file = node.isFirst() ? fileOf(pages) : -1;
    const std::int64_t owner = node.ofFirst(getpid());
    const std::int64_t descriptor = node.ofFirst(file);
    if (!node.isFirst() && descriptor >= 0) {
        const std::string name =
            "/proc/" + std::to_string(owner) + "/fd/" + std::to_string(descriptor);
        file = open(name.c_str(), O_RDONLY | O_CLOEXEC);
    }
    if (file >= 0 && isEqual(pages, file) &&
        mmap(pages.data(), pages.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file,
             0) == MAP_FAILED) {
        // What was there may be gone.
        throw std::bad_alloc();
    }
    // The first process keeps the file open until all have opened it.
    node.meet();
    if (file >= 0) {
        close(file);
    }
}

}  // namespace epsilens::mpi
