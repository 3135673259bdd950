#include "core/calibration/provenance.h"

#include <sys/resource.h>

#include <fmt/format.h>

namespace epsilens::calibration {

std::string_view programVersion() {
    return EPSILENS_VERSION;
}

std::string buildDescription() {
#ifdef __clang__
    constexpr std::string_view kCompiler = "clang " __clang_version__;
#else
    constexpr std::string_view kCompiler = "GCC " __VERSION__;
#endif
#ifdef NDEBUG
    constexpr std::string_view kKind = "release";
#else
    constexpr std::string_view kKind = "with assertions";
#endif
    return fmt::format("{}, {}", kCompiler, kKind);
}

std::int64_t peakMemoryMiB() {
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) != 0) {
        return 0;
    }
    return (usage.ru_maxrss + 1023) / 1024;
}

EmbeddingDescription describe(const embedding::PreparedEmbedding& prepared) {
    const embedding::Embedding& embedding = prepared.embedding;
    const embedding::DuplicateClasses& duplicates = prepared.duplicates;
    const embedding::LoadReport& report = embedding.report;
    return {embedding.name,
            report.sha256,
            std::string(embedding::formatName(report.format)),
            embedding.wordCount(),
            embedding.dimensions(),
            report.badLines(),
            report.duplicates.count,
            report.limitedTo,
            report.vocabulary,
            EmbeddingDescription::SharedVectors{duplicates.classes + duplicates.extraRows,
                                                duplicates.classes}};
}

Provenance provenanceOf(const embedding::PreparedEmbedding& prepared) {
    return {std::string(programVersion()), describe(prepared), prepared.loadSeconds,
            prepared.prepareSeconds,       peakMemoryMiB(),    std::nullopt};
}

}  // namespace epsilens::calibration
