#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/attack/authorship.h"
#include "core/base/eigen.h"
#include "core/embedding/vocabulary.h"
#include "core/io/record_reader.h"
#include "tests/support/shared_data.h"
#include "tests/support/statistical.h"

namespace epsilens::test {

[[nodiscard]] inline double valueOf(const attack::Findings& findings, const std::string& path) {
    return attack::figureAt(findings, path)->value;
}

/// 1 / rank, in an order of its own.
[[nodiscard]] inline VectorD zipfPrior(embedding::Row words) {
    VectorD prior(words);
    for (embedding::Row word = 0; word < words; ++word) {
        prior[(word * 7 + 3) % words] = 1.0 / (1.0 + word);
    }
    return prior / prior.sum();
}

/// What a share of so many samples is off by at most, but for a false alarm.
[[nodiscard]] inline double tolerance(std::int64_t samples) {
    return normalCritical(kFalseAlarmRate) * 0.5 / std::sqrt(static_cast<double>(samples));
}

/// The texts of a file of the shared data with columns author and text, authors by their first
/// text; nothing when the data are absent.
[[nodiscard]] inline std::optional<attack::AuthoredTexts> authoredTexts(std::string_view file) {
    const auto path = sharedFile(file);
    if (!path) {
        return std::nullopt;
    }
    const auto column = [&](const char* name) {
        auto reader = io::RecordReader::open({*path, name}).value();
        std::vector<std::string> values;
        std::string value;
        while (reader.next(value).value()) {
            values.push_back(value);
        }
        return values;
    };
    attack::AuthoredTexts result{column("text"), {}};
    std::map<std::string, std::int32_t> numbers;
    for (const std::string& author : column("author")) {
        const auto number = static_cast<std::int32_t>(numbers.size());
        result.authors.push_back(numbers.emplace(author, number).first->second);
    }
    return result;
}

}  // namespace epsilens::test
