#include "core/evaluation/classifier.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <sys/mman.h>

#include <fasttext/fasttext.h>
#include <fmt/format.h>

#include "core/base/pass_on.h"

namespace epsilens::evaluation {
namespace {

constexpr std::string_view kLabel = "__label__";

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
/// An anonymous file in memory; it goes away with this object.
using MemoryFile = std::unique_ptr<std::FILE, CloseFile>;

Result<MemoryFile> memoryFile(std::string_view content) {
    MemoryFile file(fdopen(memfd_create("training", MFD_CLOEXEC), "w"));
    if (!file) {
        return fail(ErrorCode::unsupported,
                    "the system gives no anonymous file in memory, which fastText needs");
    }
    if (std::fwrite(content.data(), 1, content.size(), file.get()) != content.size() ||
        std::fflush(file.get()) != 0) {
        return fail(ErrorCode::resourceLimit,
                    "there is not enough memory for the training text of fastText");
    }
    return file;
}

std::string nameOf(embedding::Row word) {
    return "w" + std::to_string(word);
}

/// A line a document: its label and its words.
std::string trainingText(const LabelledTokens& documents) {
    std::string text;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        text += fmt::format("{}{}", kLabel, documents.labels[i]);
        for (const embedding::Row token : documents.document(i)) {
            text += ' ';
            text += nameOf(token);
        }
        text += '\n';
    }
    return text;
}

fasttext::Args trainingOptions(const std::string& path, std::uint64_t seed) {
    fasttext::Args args;
    args.input = path;
    args.model = fasttext::model_name::sup;
    args.loss = fasttext::loss_name::softmax;
    args.lr = 0.5;
    args.epoch = 10;
    args.dim = 100;
    args.minCount = 1;
    args.wordNgrams = 1;
    args.bucket = 0;
    args.minn = 0;
    args.maxn = 0;
    args.thread = 1;
    args.verbose = 0;
    args.label = kLabel;
    // The library takes 0 for 1.
    args.seed = static_cast<int>(1 + seed % std::numeric_limits<int>::max());
    return args;
}

/// The number that the dictionary has for each word of documents; -1: none.
std::vector<std::int32_t> wordNumbers(const fasttext::Dictionary& dictionary,
                                      const LabelledTokens& documents) {
    constexpr std::int32_t kNotAsked = -2;
    std::vector<std::int32_t> numbers;
    for (const embedding::Row token : documents.tokens) {
        const auto index = static_cast<std::size_t>(token);
        numbers.resize(std::max(numbers.size(), index + 1), kNotAsked);
        if (numbers[index] == kNotAsked) {
            numbers[index] = dictionary.getId(nameOf(token));
        }
    }
    return numbers;
}

}  // namespace

Result<TextModel> trainFastText(const LabelledTokens& documents, const ClassifierOptions& options,
                                const JobContext& job) {
    ASSIGN_OR_RETURN(const MemoryFile file, memoryFile(trainingText(documents)));
    const auto model = std::make_shared<fasttext::FastText>();
    try {
        model->train(
            trainingOptions(fmt::format("/proc/self/fd/{}", fileno(file.get())), options.seed),
            [&](float /*progress*/, float /*loss*/, double /*wordsPerSecond*/, double /*rate*/,
                std::int64_t /*remaining*/) {
                if (job.stopRequested()) {
                    model->abort();
                }
            });
    } catch (const std::exception& problem) {
        RETURN_IF_ERROR(job.checkStop());
        return fail(ErrorCode::unsupported, fmt::format("fastText failed: {}", problem.what()));
    }
    RETURN_IF_ERROR(job.checkStop());
    return [model, classes = options.classes](const LabelledTokens& asked) {
        const auto dictionary = model->getDictionary();
        const std::vector<std::int32_t> numbers = wordNumbers(*dictionary, asked);
        RowMatrixD result = RowMatrixD::Zero(static_cast<Eigen::Index>(asked.size()), classes);
        for (std::size_t i = 0; i < asked.size(); ++i) {
            std::vector<std::int32_t> words;
            for (const embedding::Row token : asked.document(i)) {
                if (const std::int32_t number = numbers[static_cast<std::size_t>(token)];
                    number >= 0) {
                    words.push_back(number);
                }
            }
            words.push_back(dictionary->getId(fasttext::Dictionary::EOS));
            fasttext::Predictions predictions;
            model->predict(classes, words, predictions, 0.0F);
            for (const auto& [logarithm, label] : predictions) {
                const auto number = std::stol(dictionary->getLabel(label).substr(kLabel.size()));
                result(static_cast<Eigen::Index>(i), number) =
                    std::exp(static_cast<double>(logarithm));
            }
        }
        return result;
    };
}

}  // namespace epsilens::evaluation
