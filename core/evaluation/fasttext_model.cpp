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

class FastTextModel : public TextModel {
public:
    FastTextModel(std::unique_ptr<fasttext::FastText> model, std::int32_t classes)
        : m_model(std::move(model)), m_dictionary(m_model->getDictionary()), m_classes(classes) {}

    [[nodiscard]] RowMatrixD probabilities(const LabelledTokens& documents) const override {
        RowMatrixD result =
            RowMatrixD::Zero(static_cast<Eigen::Index>(documents.size()), m_classes);
        const std::vector<std::int32_t> numbers = wordNumbers(documents);
        std::vector<std::int32_t> words;
        fasttext::Predictions predictions;
        for (std::size_t i = 0; i < documents.size(); ++i) {
            words.clear();
            for (const embedding::Row token : documents.document(i)) {
                if (const std::int32_t number = numbers[static_cast<std::size_t>(token)];
                    number >= 0) {
                    words.push_back(number);
                }
            }
            words.push_back(m_dictionary->getId(fasttext::Dictionary::EOS));
            predictions.clear();
            m_model->predict(m_classes, words, predictions, 0.0F);
            for (const auto& [logarithm, label] : predictions) {
                result(static_cast<Eigen::Index>(i), classOf(label)) =
                    std::exp(static_cast<double>(logarithm));
            }
        }
        return result;
    }

private:
    [[nodiscard]] std::vector<std::int32_t> wordNumbers(const LabelledTokens& documents) const {
        constexpr std::int32_t kNotAsked = -2;
        std::vector<std::int32_t> numbers;
        for (const embedding::Row token : documents.tokens) {
            const auto index = static_cast<std::size_t>(token);
            numbers.resize(std::max(numbers.size(), index + 1), kNotAsked);
            if (numbers[index] == kNotAsked) {
                numbers[index] = m_dictionary->getId(nameOf(token));
            }
        }
        return numbers;
    }
    [[nodiscard]] Eigen::Index classOf(std::int32_t label) const {
        return std::stol(m_dictionary->getLabel(label).substr(kLabel.size()));
    }

    std::unique_ptr<fasttext::FastText> m_model;
    std::shared_ptr<const fasttext::Dictionary> m_dictionary;
    std::int32_t m_classes;
};

}  // namespace

Result<std::unique_ptr<TextModel>> trainFastText(const LabelledTokens& documents,
                                                 const ClassifierOptions& options,
                                                 const JobContext& job) {
    ASSIGN_OR_RETURN(const MemoryFile file, memoryFile(trainingText(documents)));
    auto model = std::make_unique<fasttext::FastText>();
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
        if (job.stopRequested()) {
            return fail(ErrorCode::cancelled, "cancelled");
        }
        return fail(ErrorCode::unsupported, fmt::format("fastText failed: {}", problem.what()));
    }
    if (job.stopRequested()) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    return std::make_unique<FastTextModel>(std::move(model), options.classes);
}

}  // namespace epsilens::evaluation
