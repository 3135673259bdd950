#include "core/document/part_document.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/pass_on.h"
#include "core/document/descriptions.h"
#include "core/document/fields.h"
#include "core/document/json_parser.h"
#include "core/document/packed_numbers.h"

namespace epsilens::document {
namespace {

using calibration::BlockOutcome;
using calibration::BlockResults;
using statistics::CountedOutputs;
using statistics::DrawSums;
using statistics::ExactStatistics;
using statistics::WordStatistics;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostItems = 10'000'000;
constexpr Packed<double> kFinite{{}, -kLargestNumber, kLargestNumber};

template <typename Word, typename Visit>
void visitNumbers(Word& word, Visit&& visit) {
    if constexpr (std::is_same_v<std::remove_const_t<Word>, WordStatistics>) {
        visit(word.kept), visit(word.distinct), visit(word.near), visit(word.singletons);
        visit(word.minEntropy), visit(word.shannonEntropy);
        visit(word.distanceSum), visit(word.cosineSum), visit(word.cosines);
    } else {
        visit(word.kept), visit(word.nw), visit(word.sw), visit(word.near), visit(word.beyond);
        visit(word.minEntropy), visit(word.shannonEntropy), visit(word.meanDistance);
        visit(word.cosineSum), visit(word.cosineShare), visit(word.relativeError);
    }
}

/// Structs of numbers, one after the other; whole numbers are written as doubles, which hold them.
struct PackedStructs {
    template <typename Word>
    [[nodiscard]] nlohmann::ordered_json write(const std::vector<Word>& words,
                                               Purpose purpose) const {
        std::vector<double> numbers;
        for (const Word& word : words) {
            visitNumbers(word, [&](auto value) { numbers.push_back(static_cast<double>(value)); });
        }
        return kFinite.write(numbers, purpose);
    }
    template <typename Word>
    void read(const JsonNode& node, std::vector<Word>& words) const {
        std::vector<double> numbers;
        kFinite.read(node, numbers);
        auto next = numbers.begin();
        bool isWhole = true;
        const auto take = [&](auto& value) {
            using Value = std::remove_reference_t<decltype(value)>;
            if (next == numbers.end()) {
                isWhole = false;
                return;
            }
            const double number = *next++;
            if constexpr (std::is_integral_v<Value>) {
                isWhole = isWhole && number >= 0.0 && number <= std::numeric_limits<Value>::max();
                value = isWhole ? static_cast<Value>(number) : 0;
            } else {
                value = number;
            }
        };
        while (next != numbers.end() && isWhole) {
            visitNumbers(words.emplace_back(), take);
        }
        if (!isWhole) {
            node.complain("its numbers are not those of words");
        }
    }
};

/// Outputs of each word: how many there are, then the position and the count of each.
struct PackedOutputs {
    [[nodiscard]] nlohmann::ordered_json write(const std::vector<CountedOutputs>& words,
                                               Purpose purpose) const {
        std::vector<std::int32_t> numbers;
        for (const CountedOutputs& outputs : words) {
            numbers.push_back(static_cast<std::int32_t>(outputs.size()));
            for (const statistics::CountedOutput& output : outputs) {
                numbers.insert(numbers.end(), {output.position, output.count});
            }
        }
        return kNumbers.write(numbers, purpose);
    }
    void read(const JsonNode& node, std::vector<CountedOutputs>& words) const {
        std::vector<std::int32_t> numbers;
        kNumbers.read(node, numbers);
        for (std::size_t i = 0; i < numbers.size();) {
            const auto count = static_cast<std::size_t>(numbers[i++]);
            if (count > (numbers.size() - i) / 2) {
                node.complain("its numbers are not outputs of words");
                return;
            }
            CountedOutputs& outputs = words.emplace_back();
            for (std::size_t output = 0; output < count; ++output, i += 2) {
                outputs.push_back({numbers[i], numbers[i + 1]});
            }
        }
    }

private:
    static constexpr Packed<std::int32_t> kNumbers{{}, 0, std::numeric_limits<std::int32_t>::max()};
};

/// DrawSums has no default: the draws are known from the arrays.
struct Sums {
    [[nodiscard]] nlohmann::ordered_json write(const DrawSums& sums, Purpose purpose) const {
        nlohmann::ordered_json arrays = nlohmann::ordered_json::array();
        for (const auto* values : {&sums.kept, &sums.distinctWithout, &sums.hartleyWithout,
                                   &sums.minWithout, &sums.shannonWithout}) {
            arrays.push_back(kFinite.write(*values, purpose));
        }
        return arrays;
    }
    void read(const JsonNode& node, DrawSums& sums) const {
        std::vector<std::vector<double>> arrays;
        listOf(kFinite, 5).read(node, arrays);
        arrays.resize(5);
        sums.kept = std::move(arrays[0]);
        sums.distinctWithout = std::move(arrays[1]);
        sums.hartleyWithout = std::move(arrays[2]);
        sums.minWithout = std::move(arrays[3]);
        sums.shannonWithout = std::move(arrays[4]);
    }
};

struct SumsOfCells {
    [[nodiscard]] nlohmann::ordered_json write(const std::vector<DrawSums>& cells,
                                               Purpose purpose) const {
        return listOf(Sums{}, kMostItems).write(cells, purpose);
    }
    void read(const JsonNode& node, std::vector<DrawSums>& cells) const {
        node.eachItem(kMostItems, [&](const JsonNode& item) {
            Sums{}.read(item, cells.emplace_back(DrawSums(0)));
        });
    }
};

constexpr Packed<double> kCritical{{}, 0.0, kInfinity};

constexpr auto kVariant = objectOf([](auto& json, auto& results) {
    json.field("words", results.statistics, listOf(PackedStructs{}, kMostItems));
    json.field("draws", results.sums, SumsOfCells{});
    json.fieldIf(!results.outputs.empty(), "outputs", results.outputs,
                 listOf(PackedOutputs{}, kMostItems));
    json.fieldIf(!results.critical.empty(), "critical", results.critical, kCritical);
    json.field("rechecked", results.rechecked, kCount);
});

template <typename Fields, typename Outcome>
void describeOutcome(Fields& json, Outcome& outcome) {
    json.field("sampled", outcome.sampled, listOf(kVariant, kMostItems));
    json.fieldIf(!outcome.exact.empty(), "exact", outcome.exact, PackedStructs{});
    json.fieldIf(!outcome.critical.empty(), "critical", outcome.critical, kCritical);
}

/// Blocks with their numbers, rising.
struct Finished {
    std::int64_t blocks;

    [[nodiscard]] nlohmann::ordered_json write(const std::map<std::int64_t, BlockOutcome>& finished,
                                               Purpose purpose) const {
        nlohmann::ordered_json array = nlohmann::ordered_json::array();
        for (const auto& [block, outcome] : finished) {
            FieldWriter fields(purpose);
            fields.field("block", block, kCount);
            describeOutcome(fields, outcome);
            array.push_back(std::move(fields).json());
        }
        return array;
    }
    void read(const JsonNode& node, std::map<std::int64_t, BlockOutcome>& finished) const {
        node.eachItem(kMostItems, [&](const JsonNode& item) {
            FieldReader fields(item);
            std::int64_t block = 0;
            fields.field("block", block, Integer{0, std::max<std::int64_t>(blocks - 1, 0)});
            const auto [place, isNew] = finished.try_emplace(block);
            fields.demand(isNew, "block", "this block is there twice");
            describeOutcome(fields, place->second);
        });
    }
};

template <typename Fields, typename Document>
void describePart(Fields& json, Document& document) {
    json.schema(kPartSchema);
    json.field("version", document.version, kText);
    json.field("part", document.index, Integer{1, kMostParts});
    json.field("parts", document.parts, Integer{document.index, kMostParts});
    json.field("sha256", document.sha256, Text{64});
    json.field("repeat", document.request, objectOf([](auto& repeat, auto& request) {
                   describeLoad(repeat, request.load);
                   describeOptions(repeat, request.options);
               }));
    describeSelection(json, document.selection);
    json.field("seconds", document.part.seconds, kAtLeastZero);
    json.field("blocks", document.part.blocks, Integer{1, kLargestRow});
    json.field("finished", document.part.finished, Finished{document.part.blocks});
}

PartDocument readPart(const JsonNode& node) {
    FieldReader json(node);
    PartDocument document;
    describePart(json, document);
    return document;
}

/// All that parts of one run have in common.
std::string runOf(const PartDocument& document) {
    PartDocument common = document;
    common.index = 1;
    common.part = {common.part.blocks, {}, 0.0};
    common.request.load.path.clear();
    common.request.load.vocabularyPath.clear();
    return partJson(common);
}

tl::unexpected<Error> badPart(const NamedPart& part, std::string message) {
    return tl::unexpected(Error{ErrorCode::badFile, std::move(message), part.path, 0});
}

/// Checks a part against the first one, and that the run has all its blocks.
Result<void> checkPart(const NamedPart& part, const NamedPart& first) {
    const PartDocument& document = part.document;
    if (runOf(document) != runOf(first.document)) {
        return badPart(part, fmt::format("it is a part of another run than {}: version, embedding, "
                                         "options and number of parts must be the same",
                                         first.path));
    }
    for (std::int64_t block = document.index - 1; block < document.part.blocks;
         block += document.parts) {
        if (document.part.finished.count(block) == 0) {
            return badPart(part, fmt::format("part {} of {} was interrupted and lacks block {}; "
                                             "run it again",
                                             document.index, document.parts, block));
        }
    }
    return {};
}

}  // namespace

std::string partJson(const PartDocument& document) {
    FieldWriter json(Purpose::file);
    describePart(json, document);
    return jsonText(std::move(json).json());
}

Result<PartDocument> readPart(std::string_view json) {
    return parseJson(json).and_then([](const JsonDocument& document) {
        return readDocument(document, [](const JsonNode& node) { return readPart(node); });
    });
}

Result<PartDocument> openPart(const std::string& path, const std::stop_token& stop) {
    ASSIGN_OR_RETURN(const auto json, openJson(path, stop));
    auto document = readDocument(json, [](const JsonNode& node) { return readPart(node); });
    return document ? std::move(document)
                    : tl::unexpected(inFile(std::move(document.error()), path));
}

Result<PartDocument> mergeParts(std::vector<NamedPart> parts) {
    if (parts.empty()) {
        return fail(ErrorCode::invalidArgument, "there are no parts");
    }
    std::map<std::int64_t, std::string> files;
    for (const NamedPart& part : parts) {
        RETURN_IF_ERROR(checkPart(part, parts.front()));
        const auto [known, isNew] = files.try_emplace(part.document.index, part.path);
        if (!isNew) {
            return badPart(part, fmt::format("part {} of {} is already in {}", part.document.index,
                                             part.document.parts, known->second));
        }
    }
    std::vector<std::int64_t> missing;
    for (std::int64_t index = 1; index <= parts.front().document.parts; ++index) {
        if (files.count(index) == 0) {
            missing.push_back(index);
        }
    }
    if (!missing.empty()) {
        const std::size_t shown = std::min<std::size_t>(missing.size(), 20);
        return fail(
            ErrorCode::badFile,
            fmt::format("of {} parts these are missing: {}{}", parts.front().document.parts,
                        fmt::join(missing.begin(),
                                  missing.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                        shown < missing.size() ? " and more" : ""));
    }
    PartDocument whole = std::move(parts.front().document);
    for (std::size_t i = 1; i < parts.size(); ++i) {
        whole.part.finished.merge(parts[i].document.part.finished);
        whole.part.seconds += parts[i].document.part.seconds;
    }
    return whole;
}

}  // namespace epsilens::document
