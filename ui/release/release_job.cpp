#include "ui/release/release_job.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/io/direct_output.h"
#include "core/release/sanitize_stream.h"
#include "core/release/word_replacer.h"
#include "ui/state/analysis_state.h"

namespace epsilens::ui {

namespace {

Result<release::ReleaseOutputs> openOutputs(const ReleaseRequest& request, const JobContext& job) {
    const std::string& embedding = request.space->embedding().embedding.path;
    for (const std::string& place : {request.outputPath, request.sidecarPath}) {
        if (place.empty()) {
            continue;  // no sidecar
        }
        RETURN_IF_ERROR(
            io::checkIsNoInput(place, {request.inputPath, request.stopWordsPath, embedding}));
    }
    ASSIGN_OR_RETURN(auto text, release::TextOutput::toFile(request.outputPath, job.stop));
    return release::ReleaseOutputs::open(std::move(text), request.sidecarPath, job.stop);
}

Result<release::ReleasePolicies> completePolicies(const ReleaseRequest& request,
                                                  const JobContext& job) {
    release::ReleasePolicies policies = request.policies;
    if (!request.stopWordsPath.empty()) {
        ASSIGN_OR_RETURN(auto stopWords, release::readStopWords(request.stopWordsPath, job.stop));
        policies.stopWords = std::move(stopWords);
    }
    return policies;
}

class ReleaseStopwatch {
public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
    }

private:
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

/// Releases pieces of a text, or of the columns of a table, into nothing.
class Rehearsal {
public:
    Rehearsal(const release::TableOptions& table, release::Sanitizer& sanitizer,
              const JobContext& job)
        : m_isTable(!table.columns.empty()), m_table(table), m_sanitizer(sanitizer), m_job(job) {}

    Result<void> take(std::string_view piece) {
        return (m_isTable ? m_table.add(piece, m_replace) : released(piece)).map(forget);
    }
    Result<void> end() {
        return m_isTable ? m_table.finish(m_replace).map(forget) : Result<void>();
    }

private:
    static void forget(const std::string& /*text*/) {}

    Result<std::string> released(std::string_view text) {
        return m_sanitizer.sanitize(text, release::StreamOptions{}.threads, m_job);
    }

    bool m_isTable;
    release::TableText m_table;
    release::Sanitizer& m_sanitizer;
    const JobContext& m_job;
    release::TableText::Replace m_replace =
        [this](const release::TableText::Fields& fields) -> Result<std::vector<std::string>> {
        std::string lines;
        for (const std::string& text : fields.texts) {
            lines += text;
            lines += '\n';
        }
        RETURN_IF_ERROR(released(lines));
        return fields.texts;
    };
};

/// In pieces that grow to those of a release, until they have taken long enough to judge by. Where
/// a piece ends within a word does not matter to the time.
Result<double> secondsToRelease(release::TextInput& input, Rehearsal& rehearsal) {
    constexpr std::size_t kFirstPiece = 2048;
    constexpr std::size_t kGrowth = 4;
    constexpr double kLongEnough = 0.3;
    constexpr int kWaitMs = 50;
    const std::size_t largest = release::StreamOptions{}.batchBytes;
    double done = 0.0;
    double spent = 0.0;
    double rate = 0.0;  // of the largest piece: small ones are slower
    std::size_t measured = 0;
    std::string piece;
    for (std::size_t wanted = kFirstPiece; spent < kLongEnough;
         wanted = std::min(kGrowth * wanted, largest)) {
        piece.resize(wanted);
        ASSIGN_OR_RETURN(const auto read, input.read(piece.data(), piece.size(), kWaitMs));
        if (read.state == release::TextInput::State::end) {
            const ReleaseStopwatch ending;
            RETURN_IF_ERROR(rehearsal.end());
            return spent + ending.seconds();
        }
        piece.resize(read.bytes);
        const ReleaseStopwatch releasing;
        RETURN_IF_ERROR(rehearsal.take(piece));
        const double seconds = releasing.seconds();
        if (piece.size() >= measured) {
            measured = piece.size();
            rate = seconds / static_cast<double>(measured);
        }
        spent += seconds;
        done += static_cast<double>(piece.size());
    }
    // Text of other encodings is not as long as its file.
    const double fraction = input.fractionRead().value_or(1.0);
    return spent + done * (1.0 / fraction - 1.0) * rate;
}

}  // namespace

Result<ReleaseEstimate> estimateRelease(const ReleaseRequest& request, const JobContext& job) {
    ASSIGN_OR_RETURN(auto policies, completePolicies(request, job));
    ASSIGN_OR_RETURN(auto input,
                     release::TextInput::open(request.inputPath, request.decoding, job.stop));
    const ReleaseStopwatch preparing;
    ASSIGN_OR_RETURN(const auto replacer, release::createReplacer(request.space, request.setting));
    ASSIGN_OR_RETURN(auto sanitizer,
                     release::Sanitizer::create(request.space, *replacer, std::move(policies)));
    const double prepared = preparing.seconds();
    Rehearsal rehearsal(request.table, sanitizer, job);
    return secondsToRelease(input, rehearsal).map([&](double seconds) {
        return ReleaseEstimate{prepared + seconds, request.setting.mechanism.isExact(),
                               sanitizer.counts().mostReplacedInLine};
    });
}

Result<release::TextSurvey> surveyRelease(const ReleaseRequest& request, std::size_t mostUnknown,
                                          const JobContext& job) {
    ASSIGN_OR_RETURN(auto policies, completePolicies(request, job));
    ASSIGN_OR_RETURN(auto input,
                     release::TextInput::open(request.inputPath, request.decoding, job.stop));
    return release::surveyText(input, request.space, std::move(policies), request.table,
                               mostUnknown, job);
}

Result<report::ReleaseReport> releaseFile(const ReleaseRequest& request, const JobContext& job) {
    ASSIGN_OR_RETURN(auto policies, completePolicies(request, job));
    ASSIGN_OR_RETURN(auto input,
                     release::TextInput::open(request.inputPath, request.decoding, job.stop));
    ASSIGN_OR_RETURN(auto outputs, openOutputs(request, job));
    ASSIGN_OR_RETURN(const auto replacer, release::createReplacer(request.space, request.setting));
    ASSIGN_OR_RETURN(auto sanitizer,
                     release::Sanitizer::create(request.space, *replacer, std::move(policies)));
    release::StreamOptions options;
    options.keepPartial = false;
    options.table = request.table;
    const auto end = release::sanitizeStream(input, outputs.text, sanitizer, options, job);
    if (!end || end->failure) {
        return tl::unexpected(end ? *end->failure : end.error());
    }
    report::ReleaseReport report =
        report::describeRelease(request.space->embedding(), request.setting, sanitizer, *end);
    report.agreed = request.agreed;
    RETURN_IF_ERROR(outputs.finish(report::releaseJson(report)));
    return report;
}

bool guaranteesNothing(const AnalysisState& state) {
    return !state.mechanism().hasGuarantee();
}

}  // namespace epsilens::ui
