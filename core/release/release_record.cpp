#include "core/release/release_record.h"

#include <cerrno>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/io/raw_input.h"
#include "core/io/replace_file.h"
#include "core/io/sha256.h"

namespace epsilens::release {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirstLine = "epsilens.released/1";

bool exists(const std::string& path) {
    std::error_code error;
    return fs::exists(path, error);
}

Result<std::string> readAll(const std::string& path) {
    ASSIGN_OR_RETURN(const auto input, io::RawInput::open(path, {}));
    std::string text(input->size().value_or(0), '\0');
    for (std::size_t have = 0; have < text.size();) {
        ASSIGN_OR_RETURN(const auto got, input->read(text.data() + have, text.size() - have));
        have += got;
    }
    return text;
}

/// The lines of a record behind its first one; none where there is no record. A line without an end
/// was being written when the machine stopped.
Result<std::set<std::string>> linesOf(const std::string& path) {
    std::set<std::string> lines;
    if (!exists(path)) {
        return lines;
    }
    auto text = readAll(path);
    if (!text) {
        return tl::unexpected(inFile(std::move(text.error()), path));
    }
    std::size_t begin = 0;
    for (std::size_t end = text->find('\n'); end != std::string::npos;
         end = text->find('\n', begin)) {
        lines.insert(text->substr(begin, end - begin));
        begin = end + 1;
    }
    if (!text->starts_with(kFirstLine)) {
        return tl::unexpected(Error{ErrorCode::badFile,
                                    "this is no record of sanitize --list, which is kept under "
                                    "this name; move the file away",
                                    path, 0});
    }
    return lines;
}

}  // namespace

Result<ReleaseRecord> ReleaseRecord::open(const std::string& path,
                                          const std::vector<ListedText>& texts,
                                          std::string settings, bool isResumed) {
    ASSIGN_OR_RETURN(const auto before, linesOf(path));
    ReleaseRecord record(path, std::move(settings));
    std::string kept = fmt::format("{}\n", kFirstLine);
    for (const ListedText& text : texts) {
        const std::string line = record.lineOf(text);
        const bool has = isResumed && before.count(line) > 0 && exists(text.output) &&
                         (text.sidecar.empty() || exists(text.sidecar));
        record.m_has.push_back(has);
        kept += has ? line + "\n" : "";
    }
    RETURN_IF_ERROR(io::replaceFile(path, kept, io::FileAccess::ownerOnly));
    record.m_descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    return record.m_descriptor < 0 ? io::cannotWrite(path, errno)
                                   : Result<ReleaseRecord>(std::move(record));
}

ReleaseRecord::~ReleaseRecord() {
    if (m_descriptor >= 0) {
        close(m_descriptor);
    }
}

ReleaseRecord::ReleaseRecord(ReleaseRecord&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_settings(std::move(other.m_settings)),
      m_has(std::move(other.m_has)),
      m_descriptor(std::exchange(other.m_descriptor, -1)) {}

std::string ReleaseRecord::lineOf(const ListedText& text) const {
    struct stat status {};
    if (text.input == "-" || ::stat(text.input.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
        return {};
    }
    std::string decisive = m_settings;
    for (const std::string& name : {text.input, text.sidecar}) {
        decisive += '\0';
        decisive += name;
    }
    return fmt::format("{}\t{}\t{}\t{}\t{}.{:09}", text.output,
                       io::sha256(decisive.data(), decisive.size()), status.st_dev, status.st_ino,
                       status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

Result<void> ReleaseRecord::add(const std::string& line) {
    if (line.empty()) {
        return {};
    }
    RETURN_IF_ERROR(io::writeAll(m_descriptor, line + "\n", m_path));
    return fdatasync(m_descriptor) == 0 ? Result<void>() : io::cannotWrite(m_path, errno);
}

}  // namespace epsilens::release
