#include "core/release/release_record.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/base/pass_on.h"
#include "core/io/pending_file.h"
#include "core/io/raw_input.h"

namespace epsilens::release {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirstLine = "epsilens.released/1";

/// What a line ends with.
constexpr std::array kUnprotected{&ReleaseCounts::kept, &ReleaseCounts::stopWords,
                                  &ReleaseCounts::hiddenCharacters, &ReleaseCounts::invalidReplaced,
                                  &ReleaseCounts::cuts};

std::string withCounts(std::string line, const ReleaseCounts& counts) {
    for (const auto count : kUnprotected) {
        line += fmt::format("\t{}", counts.*count);
    }
    return line + "\n";
}

/// Takes the counts off the end of a line; nothing where they are not there.
std::optional<ReleaseCounts> takeCounts(std::string& line) {
    ReleaseCounts counts;
    for (auto count = kUnprotected.rbegin(); count != kUnprotected.rend(); ++count) {
        const std::size_t tab = line.rfind('\t');
        if (tab == std::string::npos) {
            return std::nullopt;
        }
        const auto number = parseInteger(std::string_view(line).substr(tab + 1), "", 0,
                                         std::numeric_limits<std::int64_t>::max());
        if (!number) {
            return std::nullopt;
        }
        counts.*(*count) = *number;
        line.resize(tab);
    }
    return counts;
}

std::string sha256(const std::string& text) {
    return io::sha256(text.data(), text.size());
}

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

using Lines = std::map<std::string, ReleaseCounts>;

/// The lines of a record with their counts; none where there is no record. A line without an end
/// was being written when the machine stopped.
Result<Lines> linesOf(const std::string& path) {
    Lines lines;
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
        std::string line = text->substr(begin, end - begin);
        if (const auto counts = takeCounts(line)) {
            lines.emplace(std::move(line), *counts);
        }
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
                                          const std::string& settings, bool isResumed) {
    ASSIGN_OR_RETURN(const Lines before, linesOf(path));
    ReleaseRecord record(path, settings);
    std::string kept = fmt::format("{}\n", kFirstLine);
    for (const ListedText& text : texts) {
        const auto found = before.find(record.lineOf(text));
        record.m_before.emplace_back();
        if (isResumed && found != before.end() && exists(text.output) &&
            (text.sidecar.empty() || exists(text.sidecar))) {
            record.m_before.back() = found->second;
            kept += withCounts(found->first, found->second);
        }
    }
    RETURN_IF_ERROR(io::replaceFile(path, kept, io::FileAccess::ownerOnly));
    record.m_descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    return record.m_descriptor < 0 ? io::cannotWrite(path, errno)
                                   : Result<ReleaseRecord>(std::move(record));
}

ReleaseRecord::ReleaseRecord(std::string path, const std::string& settings)
    : m_path(std::move(path)), m_settings(sha256(settings)) {}

ReleaseRecord::~ReleaseRecord() {
    if (m_descriptor >= 0) {
        close(m_descriptor);
    }
}

ReleaseRecord::ReleaseRecord(ReleaseRecord&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_settings(std::move(other.m_settings)),
      m_before(std::move(other.m_before)),
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
    return fmt::format("{}\t{}\t{}\t{}\t{}.{:09}", text.output, sha256(decisive), status.st_dev,
                       status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

Result<void> ReleaseRecord::add(const std::string& line, const ReleaseCounts& counts) {
    if (line.empty()) {
        return {};
    }
    RETURN_IF_ERROR(io::writeAll(m_descriptor, withCounts(line, counts), m_path));
    return fdatasync(m_descriptor) == 0 ? Result<void>() : io::cannotWrite(m_path, errno);
}

}  // namespace epsilens::release
