#include "core/release/text_list.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/numbers.h"
#include "core/io/byte_source.h"
#include "core/io/output.h"
#include "core/io/record_reader.h"

namespace epsilens::release {
namespace {

Result<ListedText> listedText(const std::string& line, std::size_t number) {
    std::vector<std::string> fields;
    std::istringstream stream(line + '\t');
    for (std::string field; std::getline(stream, field, '\t');) {
        fields.push_back(field);
    }
    const bool isComplete =
        (fields.size() == 2 || fields.size() == 3) &&
        std::ranges::none_of(fields, [](const auto& field) { return field.empty(); });
    if (!isComplete) {
        return fail(ErrorCode::badFile,
                    fmt::format("entry {} is not a text, a tab and the file for its released form, "
                                "or these, a tab and the file for the sidecar",
                                number));
    }
    return ListedText{fields[0], fields[1], fields.size() == 3 ? fields[2] : std::string()};
}

/// Every file is written once, and none that is read.
class Files {
public:
    void read(const std::string& path) {
        m_names.emplace(io::fileIdentity(path == "-" ? "/dev/stdin" : path), path);
    }
    [[nodiscard]] Result<void> write(const std::string& path) {
        const auto [other, isFree] = m_names.emplace(io::fileIdentity(path), path);
        if (isFree) {
            return {};
        }
        return fail(
            ErrorCode::badFile,
            fmt::format("the list would write {}, which the run reads or writes elsewhere{}; give "
                        "every file a name of its own",
                        path, other->second == path ? "" : " as " + other->second));
    }

private:
    std::map<io::FileIdentity, std::string> m_names{};
};

Result<void> checkFiles(const std::vector<ListedText>& texts, const std::string& record,
                        const std::vector<std::string>& alsoRead) {
    Files files;
    for (const std::string& path : alsoRead) {
        files.read(path);
    }
    for (const ListedText& text : texts) {
        files.read(text.input);
    }
    RETURN_IF_ERROR(files.write(record));
    for (const ListedText& text : texts) {
        RETURN_IF_ERROR(files.write(text.output));
        if (!text.sidecar.empty()) {
            RETURN_IF_ERROR(files.write(text.sidecar));
        }
    }
    return {};
}

Result<std::vector<ListedText>> readTexts(const std::string& path, const std::string& record,
                                          std::vector<std::string> alsoRead,
                                          const std::stop_token& stop) {
    io::RecordOptions options;
    options.path = path;
    options.format = io::RecordFormat::lines;
    ASSIGN_OR_RETURN(auto reader, io::RecordReader::openFields(options, stop));
    std::vector<ListedText> texts;
    while (true) {
        ASSIGN_OR_RETURN(const auto fields, reader.nextFields());
        if (!fields) {
            break;
        }
        ASSIGN_OR_RETURN(auto text, listedText(fields->front(), texts.size() + 1));
        texts.push_back(std::move(text));
    }
    if (texts.empty()) {
        return fail(ErrorCode::badFile, "the list names no text");
    }
    alsoRead.push_back(path);
    RETURN_IF_ERROR(checkFiles(texts, record, alsoRead));
    return texts;
}

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
    for (std::size_t i = kUnprotected.size(); i-- > 0;) {
        const std::size_t tab = line.rfind('\t');
        if (tab == std::string::npos) {
            return std::nullopt;
        }
        const auto number = parseInteger(std::string_view(line).substr(tab + 1), "", 0,
                                         std::numeric_limits<std::int64_t>::max());
        if (!number) {
            return std::nullopt;
        }
        counts.*kUnprotected[i] = *number;
        line.resize(tab);
    }
    return counts;
}

bool exists(const std::string& path) {
    std::error_code error;
    return std::filesystem::exists(path, error);
}

using Lines = std::map<std::string, ReleaseCounts>;

/// The lines of a record with their counts; none where there is no record.
Result<Lines> linesOf(const std::string& path) {
    Lines lines;
    if (!exists(path)) {
        return lines;
    }
    ASSIGN_OR_RETURN(const auto input, io::RawInput::open(path, {}).map_error(inFile(path)));
    std::string content;
    const auto readTo = [&](std::uint64_t size) -> Result<void> {
        std::size_t at = content.size();
        for (content.resize(size); at < size;) {
            ASSIGN_OR_RETURN(const auto got, input->read(content.data() + at, size - at));
            at = got == 0 ? size : at + got;  // it may have become shorter
        }
        return {};
    };
    const std::uint64_t size = input->size().value_or(0);  // that of a pipe is not waited for
    RETURN_IF_ERROR(readTo(std::min<std::uint64_t>(size, kFirstLine.size() + 1)));
    if (!content.starts_with(kFirstLine) || !content.ends_with('\n')) {
        return tl::unexpected(Error{ErrorCode::badFile,
                                    "this is no record of sanitize --list, which is kept under "
                                    "this name; move the file away",
                                    path, 0});
    }
    RETURN_IF_ERROR(readTo(size));
    std::istringstream file(content.substr(kFirstLine.size() + 1));
    std::string line;
    // A line without an end was being written when the machine stopped.
    while (std::getline(file, line) && !file.eof()) {
        if (const auto counts = takeCounts(line)) {
            lines.emplace(std::move(line), *counts);
        }
    }
    return lines;
}

}  // namespace

Result<std::vector<ListedText>> readTextList(const std::string& path, const std::string& record,
                                             std::vector<std::string> alsoRead,
                                             const std::stop_token& stop) {
    return readTexts(path, record, std::move(alsoRead), stop).map_error(inFile(path));
}

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
    return record;
}

ReleaseRecord::ReleaseRecord(std::string path, const std::string& settings)
    : m_path(std::move(path)), m_settings(io::sha256(settings)) {}

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
    return fmt::format("{}\t{}\t{}\t{}\t{}.{:09}", text.output, io::sha256(decisive), status.st_dev,
                       status.st_ino, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

Result<void> ReleaseRecord::add(const std::string& line, const ReleaseCounts& counts) const {
    if (line.empty()) {
        return {};
    }
    const int descriptor = ::open(m_path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (descriptor < 0) {
        return io::cannotWrite(m_path, errno);
    }
    auto written = io::writeAll(descriptor, withCounts(line, counts), m_path);
    if (written && fdatasync(descriptor) != 0) {
        written = io::cannotWrite(m_path, errno);
    }
    close(descriptor);
    return written;
}

}  // namespace epsilens::release
