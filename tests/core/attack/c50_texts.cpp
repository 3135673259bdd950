#include "tests/core/attack/c50_texts.h"

#include <map>

#include "core/io/record_reader.h"
#include "tests/support/shared_data.h"

namespace epsilens::test {
namespace {

std::vector<std::string> column(const std::string& path, const std::string& name) {
    auto reader = io::RecordReader::open({path, name}).value();
    std::vector<std::string> values;
    std::string value;
    while (reader.next(value).value()) {
        values.push_back(value);
    }
    return values;
}

}  // namespace

std::optional<attack::AuthoredTexts> authoredTexts(std::string_view file) {
    const auto path = sharedFile(file);
    if (!path) {
        return std::nullopt;
    }
    attack::AuthoredTexts result;
    std::map<std::string, std::int32_t> numbers;
    for (const std::string& author : column(*path, "author")) {
        const auto number = static_cast<std::int32_t>(numbers.size());
        result.authors.push_back(numbers.emplace(author, number).first->second);
    }
    result.texts = column(*path, "text");
    return result;
}

}  // namespace epsilens::test
