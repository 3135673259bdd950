#include "core/release/text_list.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/io/record_reader.h"

namespace epsilens::release {
namespace {

/// Names that differ only in dots and repeated slashes are one.
std::string plain(const std::string& path) {
    return std::filesystem::path(path).lexically_normal().string();
}

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
Result<void> checkFiles(const std::vector<ListedText>& texts, const std::string& list) {
    std::set<std::string> taken{plain(list)};
    for (const ListedText& text : texts) {
        taken.insert(plain(text.input));
    }
    for (const ListedText& text : texts) {
        for (const std::string& path : {text.output, text.sidecar}) {
            if (!path.empty() && !taken.insert(plain(path)).second) {
                return fail(ErrorCode::badFile,
                            fmt::format("the list would write {}, which it reads or writes "
                                        "elsewhere; give every file a name of its own",
                                        path));
            }
        }
    }
    return {};
}

Result<std::vector<ListedText>> readTexts(const std::string& path, const std::stop_token& stop) {
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
    RETURN_IF_ERROR(checkFiles(texts, path));
    return texts;
}

}  // namespace

Result<std::vector<ListedText>> readTextList(const std::string& path, const std::stop_token& stop) {
    auto texts = readTexts(path, stop);
    return texts ? std::move(texts) : tl::unexpected(inFile(std::move(texts.error()), path));
}

}  // namespace epsilens::release
