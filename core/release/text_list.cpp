#include "core/release/text_list.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/io/direct_output.h"
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
        std::none_of(fields.begin(), fields.end(), [](const auto& field) { return field.empty(); });
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

}  // namespace

Result<std::vector<ListedText>> readTextList(const std::string& path, const std::string& record,
                                             std::vector<std::string> alsoRead,
                                             const std::stop_token& stop) {
    auto texts = readTexts(path, record, std::move(alsoRead), stop);
    return texts ? std::move(texts) : tl::unexpected(inFile(std::move(texts.error()), path));
}

}  // namespace epsilens::release
