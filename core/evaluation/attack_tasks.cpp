#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/attack/attacker_view.h"
#include "core/attack/authorship.h"
#include "core/attack/detection.h"
#include "core/attack/model_audit.h"
#include "core/attack/noisy_vectors.h"
#include "core/attack/reconstruction.h"
#include "core/base/job_context.h"
#include "core/base/numbers.h"
#include "core/base/parallel.h"
#include "core/base/pass_on.h"
#include "core/evaluation/attack_task.h"

namespace epsilens::evaluation {
namespace {

using attack::Findings;
using attack::Task;
using embedding::Row;

/// Numbers of the pools of draws that attacks use, above those of the repeats of a classification
/// and below 2^16. See DrawPool.
constexpr std::uint32_t kAttackedTextPool = 40'000;
constexpr std::uint32_t kKnownTextsPool = 41'003;
constexpr std::uint32_t kUnknownTextsPool = 41'004;
constexpr std::uint32_t kAuditPool = 41'005;
constexpr std::uint32_t kTargetPool = 42'000;  ///< and one for each further repeat
constexpr std::uint32_t kShadowPool = 44'000;  ///< likewise

template <typename Values>
std::string countText(const Values& values) {
    return formatCount(static_cast<std::int64_t>(values.size()));
}

attack::Treatment treatmentOf(const corpus::TokenisedDocuments& words, std::size_t word,
                              release::UnknownPolicy unknown) {
    if (words.isReplaced(word)) {
        return attack::Treatment::replaced;
    }
    if (words.rows()[word] != corpus::kMasked || unknown == release::UnknownPolicy::keep) {
        return attack::Treatment::kept;
    }
    return unknown == release::UnknownPolicy::drop ? attack::Treatment::dropped
                                                   : attack::Treatment::masked;
}

/// Attacks the test documents of the first split, each a line of its own: how often are their words
/// guessed? By guessWords in the views of AttackerView.
class Reconstruction : public AttackTask {
public:
    using AttackTask::AttackTask;

protected:
    Result<void> prepare() override {
        const std::vector<std::size_t>& test = m_evaluation.splits.front().test;
        const corpus::TokenisedDocuments& words = *m_evaluation.words;
        std::vector<std::int64_t> replaced;
        for (const std::size_t document : test) {
            std::int64_t& count = replaced.emplace_back();
            for (std::size_t word = words.begin(document); word < words.end(document); ++word) {
                count += words.isReplaced(word) ? 1 : 0;
            }
        }
        m_pool.number = kAttackedTextPool;
        for (const std::size_t document :
             attack::sampleDocuments(replaced, kAttackedWords, m_options.seed)) {
            m_pool.documents.push_back(test[document]);
        }
        m_text = attackedText(m_pool.documents);
        const std::size_t tokens = replacedTokens(m_text).size();
        if (tokens == 0) {
            return fail(ErrorCode::unsupported,
                        "no word of the test documents is replaced, so there is none to guess");
        }
        learnPrior();
        describe(tokens);
        return {};
    }

    [[nodiscard]] Pools pools() const override { return {m_pool}; }

    /// An attacker learns several epsilons of a mechanism from the same draws.
    [[nodiscard]] std::size_t epsilonsAtOnce() const override {
        return m_options.crew != nullptr ? 1 : m_options.grid.epsilons.size();
    }

    // The attackers know of the original text and of random words that they are these, as they know
    // a mechanism.
    Result<Findings> onOriginal() override {
        ASSIGN_OR_RETURN(auto findings,
                         guessed({attack::wordsSeen(m_text.words, m_words), m_text.words},
                                 partOf(m_job, 0.0, 0.0)));
        if (!isExact()) {
            findings.add("upper", corpus::Measured{1.0, {}});
        }
        return findings;
    }

    Result<void> attackBaselines() override {
        return m_options.attack.bestAlone ? Result<void>() : AttackTask::attackBaselines();
    }

    [[nodiscard]] double learningShare() const override { return 0.4; }

    Result<void> learn(const mechanism::Mechanism& mechanism, std::span<const double> epsilons,
                       const JobContext& job) override {
        m_text.draws = m_perturber.drawsOf(m_pool);
        m_epsilons.assign(epsilons.begin(), epsilons.end());
        ASSIGN_OR_RETURN(
            auto view, attack::AttackerView::learn(m_evaluation.space, mechanism, epsilons, m_prior,
                                                   m_options.seed, m_options.threads, job));
        m_view.emplace(std::move(view));
        return {};
    }

    Result<Findings> findingsAt(const ReleasedPools& released, std::size_t setting,
                                const JobContext& job) override {
        const std::vector<Row>& outputs = released.front().outputs[setting];
        if (!m_view) {
            ASSIGN_OR_RETURN(auto findings, guessed({attack::nothingSeen(m_words), outputs},
                                                    partOf(m_job, 0.0, 0.0)));
            if (!isExact()) {
                findings.add("upper", corpus::Measured{m_prior.maxCoeff(), {}});
            }
            return findings;
        }
        constexpr double kBounding = 0.2;
        const std::size_t place = setting % m_epsilons.size();
        const attack::AttackerKernel& known = m_view->settings()[place];
        const attack::Channel channel =
            attack::releasedWords(m_view->space(), known.kernel, outputs);
        attack::AttackedRelease release{channel, outputs, known.rule};
        if (isExact() || m_options.attack.bestAlone) {
            return guessed(release, job);
        }
        const auto& embedding = m_evaluation.space.handle();
        ASSIGN_OR_RETURN(const auto vectors,
                         attack::noisyVectors(embedding, m_view->form(), m_epsilons[place],
                                              m_text.words, m_options.seed, m_options.threads));
        ASSIGN_OR_RETURN(const corpus::Measured upper,
                         attack::noisyVectorSuccess(embedding, m_view->form(), m_epsilons[place],
                                                    m_prior, m_options.seed + 1, m_options.threads,
                                                    partOf(job, 0.0, kBounding)));
        release.vectors = &vectors;
        ASSIGN_OR_RETURN(auto findings, guessed(release, partOf(job, kBounding, 1.0)));
        findings.add("upper", upper);
        return findings;
    }

private:
    [[nodiscard]] bool isExact() const { return m_options.grid.mechanism.isExact(); }

    /// Documents as an attacker faces them, a line each.
    [[nodiscard]] attack::AttackedText attackedText(std::span<const std::size_t> documents) const {
        attack::AttackedText text;
        const corpus::TokenisedDocuments& words = *m_evaluation.words;
        for (const std::size_t document : documents) {
            for (std::size_t word = words.begin(document); word < words.end(document); ++word) {
                text.words.push_back(words.rows()[word]);
                text.treatments.push_back(treatmentOf(words, word, m_options.policies.unknown));
            }
            text.lineEnds.push_back(text.tokens());
        }
        return text;
    }

    void learnPrior() {
        if (m_options.attack.prior == PriorKind::uniform) {
            m_prior = attack::uniformPrior(m_words);
        } else if (m_options.attack.prior == PriorKind::file) {
            const attack::ReferenceText& reference = *m_options.attack.reference;
            m_prior = attack::smoothedPrior(reference.counts);
            if (!reference.bigrams.followers().empty()) {
                m_chain.emplace(m_prior, reference.bigrams);
            }
        } else {
            const auto training = attackedText(m_evaluation.splits.front().training);
            m_prior = attack::smoothedPrior(attack::wordCounts(training.words, m_words));
            m_chain.emplace(m_prior, attack::Bigrams(training.words, training.lineEnds, m_words));
        }
    }

    void describe(std::size_t tokens) {
        const PriorKind prior = m_options.attack.prior;
        m_results.sentences = {
            fmt::format(
                "Attacked: {} replaced words in {} test documents, each document as one line.",
                formatCount(static_cast<std::int64_t>(tokens)), countText(m_pool.documents)),
            fmt::format(
                "Every attacker knows the mechanism, its setting and the vocabulary; only the text "
                "is secret. echo guesses the output itself, prior {} whatever the output.",
                prior == PriorKind::uniform ? "the vocabulary's first word" : "the commonest word"),
            isExact()
                ? "map guesses the most probable word given the output, by exact probabilities."
                : fmt::format(
                      "map guesses the most probable word given the output by a model of the "
                      "mechanism: probabilities fall with distance, as fast as fits the outputs of "
                      "{} words best that follow the prior; where on as many others this is right "
                      "less often than the output itself or the commonest word, that is guessed. "
                      "noisy vector is no attacker but a bound: who sees the noisy vector before "
                      "it becomes a word, which no release shows; upper end is that attacker on "
                      "words that follow the prior.",
                      formatCount(attack::kPairsOfSetting))};
        if (m_chain) {
            m_results.sentences.emplace_back(
                "With context an attacker also knows the whole line and which words follow each "
                "other.");
        }
        m_results.sentences.push_back(
            prior == PriorKind::uniform
                ? "To the attackers every word of the vocabulary is equally likely."
            : prior == PriorKind::file
                ? fmt::format("They know how often words occur from {} ({} known words).",
                              m_options.attack.reference->file,
                              formatCount(m_options.attack.reference->knownWords))
                : "They know from the training documents how often words occur.");
        m_results.sentences.emplace_back(
            "best is chosen on half of the documents and scored on the other half, and the "
            "reverse. The gain is best less prior: what the release adds.");
    }

    Result<Findings> guessed(const attack::AttackedRelease& release, const JobContext& job) const {
        ASSIGN_OR_RETURN(auto findings,
                         attack::guessWords(m_text, release, m_prior, m_chain ? &*m_chain : nullptr,
                                            m_options.seed, m_options.threads, job));
        for (attack::FoundWord& word : findings.words) {
            word.word = m_evaluation.space.embedding().vocabulary().word(word.row);
        }
        return findings;
    }

    Row m_words = static_cast<Row>(m_evaluation.space.embedding().wordCount());
    attack::AttackedText m_text{};
    corpus::DrawPool m_pool{};  ///< the lines of the text
    VectorD m_prior{};
    std::optional<attack::WordChain> m_chain{};
    std::vector<double> m_epsilons{};              ///< that were learned
    std::optional<attack::AttackerView> m_view{};  ///< nothing for random words
};

/// Mean over the repeats with the interval of their spread; where they do not vary, or there is
/// one, the widest interval that a repeat has by its documents.
attack::Figure meanOf(std::string path, std::span<const attack::Figure> repeats) {
    // A document is scored twice as often as it is learned from, so that repeats share both.
    constexpr double kTestRatio = 1.0;
    const auto width = [](const auto& interval) {
        return interval ? (*interval)[1] - (*interval)[0] : -1.0;
    };
    std::vector<double> values;
    std::optional<std::array<double, 2>> widest;
    for (const attack::Figure& repeat : repeats) {
        values.push_back(repeat.value);
        widest = width(repeat.ci95) > width(widest) ? repeat.ci95 : widest;
    }
    const double lowest = path.ends_with("advantage") ? -1.0 : 0.0;
    const Estimate estimate = estimateOf(values, {kTestRatio, 0.0}, std::array{lowest, 1.0});
    attack::Figure figure{std::move(path), estimate.mean, estimate.ci95};
    if (!figure.ci95 && !std::isnan(estimate.mean)) {
        figure.ci95 = widest;
    }
    if (values.size() > 1) {
        figure.repeats = std::move(values);
    }
    return figure;
}

/// Infers which texts a classifier was trained on. The target learns from released texts of one
/// half of the training documents, the shadow from those of one half of the test documents; every
/// repeat halves both by seed.
class Membership : public AttackTask {
public:
    using AttackTask::AttackTask;

protected:
    Result<void> prepare() override {
        for (std::size_t repeat = 0; repeat < m_repeats; ++repeat) {
            m_splits.push_back(corpus::fourParts(m_evaluation.data, m_evaluation.splits[repeat],
                                                 m_options.seed, static_cast<int>(repeat)));
        }
        describe();
        return {};
    }

    /// What target and shadow learn from in each repeat.
    [[nodiscard]] Pools pools() const override {
        Pools all;
        for (std::uint32_t repeat = 0; repeat < m_repeats; ++repeat) {
            all.push_back({kTargetPool + repeat, m_splits[repeat].targetIn});
            all.push_back({kShadowPool + repeat, m_splits[repeat].shadowIn});
        }
        return all;
    }

    /// A few, unless the texts are large.
    [[nodiscard]] std::size_t epsilonsAtOnce() const override {
        constexpr std::size_t kMost = 4;
        const std::size_t copies = m_evaluation.mechanisms() * m_repeats;
        return m_options.crew != nullptr
                   ? 1
                   : std::clamp<std::size_t>(m_evaluation.copiesAtOnce(copies), 1, kMost);
    }

    Result<Findings> onOriginal() override {
        const Pools all = pools();
        return attacked([&](std::size_t pool) { return plain(all[pool].documents); });
    }

    Result<Findings> findingsAt(const ReleasedPools& released, std::size_t setting,
                                const JobContext& /*job*/) override {
        const Pools all = pools();
        return attacked([&](std::size_t pool) {
            return m_evaluation.released(all[pool].documents, released[pool], setting);
        });
    }

private:
    void describe() {
        const corpus::FourParts& parts = m_splits.front();
        m_results.sentences = {
            fmt::format(
                "The target was trained on {} released texts; the attacker has to tell their "
                "originals from {} other texts. {} repeats, each with a random split of its own.",
                countText(parts.targetIn), countText(parts.targetOut), m_repeats),
            fmt::format(
                "The attacker knows the kind of classifier, how it is trained, mechanism and "
                "setting, and has texts of their own: they train a shadow model on {} of them, "
                "perturbed in the same way, and learn from its answers to these and to {} others "
                "what members look like (Carvalho et al. 2021, appendix C).",
                countText(parts.shadowIn), countText(parts.shadowOut)),
            "The attacker asks for the class probabilities of original texts. threshold: by the "
            "loss, for which the true class is known; perceptron: by the probabilities.",
            "An AUC of 0.5 and an advantage of 0 are chance; TPR at 1% FPR is told from chance "
            "only where its whole interval is above 0.010."};
        if (parts.leftOut > 0) {
            m_results.sentences.push_back(
                fmt::format("Left out, so that no text is in two parts: {} of the test documents, "
                            "whose text a training document has.",
                            formatCount(static_cast<std::int64_t>(parts.leftOut))));
        }
    }

    /// Attacks every classifier in every repeat.
    ///
    /// textsOf  what is learned from a pool, by its place
    template <typename TextsOf>
    Result<Findings> attacked(const TextsOf& textsOf) const {
        const std::vector<ClassifierKind>& classifiers = m_options.classifiers;
        std::vector<Findings> found(classifiers.size() * m_repeats);
        RETURN_IF_ERROR(
            eachInParallel(found.size(), m_options.threads, [&](std::size_t task) -> Result<void> {
                const std::size_t repeat = task / classifiers.size();
                const std::size_t i = task % classifiers.size();
                ASSIGN_OR_RETURN(found[i * m_repeats + repeat],
                                 attack(static_cast<int>(repeat), classifiers[i],
                                        textsOf(2 * repeat), textsOf(2 * repeat + 1)));
                return {};
            }));
        Findings findings;
        for (std::size_t i = 0; i < classifiers.size(); ++i) {
            const auto repeats = std::span(found).subspan(i * m_repeats, m_repeats);
            for (std::size_t figure = 0; figure < repeats.front().figures.size(); ++figure) {
                std::vector<attack::Figure> all;
                for (const Findings& repeat : repeats) {
                    all.push_back(repeat.figures[figure]);
                }
                findings.figures.push_back(meanOf(
                    fmt::format("{}.{}", classifierName(classifiers[i]), all.front().path), all));
            }
        }
        return findings;
    }

    /// One classifier in one repeat.
    Result<Findings> attack(int repeat, ClassifierKind kind, const LabelledTokens& target,
                            const LabelledTokens& shadow) const {
        // With several repeats their spread takes the place of resamples.
        const int resamples = m_repeats > 1 ? 40 : 1000;
        const corpus::FourParts& parts = m_splits[static_cast<std::size_t>(repeat)];
        ASSIGN_OR_RETURN(const auto shadowOutputs,
                         outputsOf(repeat, kind, shadow, parts.shadowIn, parts.shadowOut));
        ASSIGN_OR_RETURN(const auto targetOutputs,
                         outputsOf(repeat, kind, target, parts.targetIn, parts.targetOut));
        return attack::inferMembership(
            shadowOutputs, targetOutputs,
            {resamples, m_options.seed + static_cast<std::uint64_t>(repeat), 1}, quietly());
    }

    /// What a classifier that learned from some texts says about their originals and about others.
    Result<attack::ClassifierOutputs> outputsOf(int repeat, ClassifierKind kind,
                                                const LabelledTokens& training,
                                                const std::vector<std::size_t>& in,
                                                const std::vector<std::size_t>& out) const {
        ASSIGN_OR_RETURN(
            const auto model,
            trainClassifier(training, m_evaluation.classifier(kind, repeat), quietly()));
        std::vector<std::size_t> both = in;
        both.insert(both.end(), out.begin(), out.end());
        const LabelledTokens asked = plain(both);
        attack::ClassifierOutputs outputs{model(asked), asked.labels,
                                          std::vector<std::uint8_t>(asked.size())};
        std::fill_n(outputs.members.begin(), in.size(), std::uint8_t{1});
        return outputs;
    }

    /// Without noise, unknown words as the policy has them.
    [[nodiscard]] LabelledTokens plain(const std::vector<std::size_t>& documents) const {
        return m_evaluation.released(documents, m_perturber.unperturbed({kTargetPool, documents}));
    }

    std::size_t m_repeats = static_cast<std::size_t>(m_options.repeats);
    std::vector<corpus::FourParts> m_splits{};
};

/// Asks for the author of each test document from its released text, by the training documents of
/// the first split: these as they were, and in the adaptive case released in the same way.
class Authorship : public AttackTask {
public:
    using AttackTask::AttackTask;

protected:
    Result<void> prepare() override {
        RETURN_IF_ERROR(chooseDocuments());
        describe();
        ASSIGN_OR_RETURN(m_profiles, profilesOf(typed(m_known)));
        return {};
    }

    [[nodiscard]] Pools pools() const override { return {m_unknown.pool, m_known.pool}; }

    Result<Findings> onOriginal() override {
        ASSIGN_OR_RETURN(auto findings, attributed(*m_profiles, typed(m_unknown)));
        // Who perturbs his texts without noise is no other attacker.
        addAdaptive(findings, findings);
        return findings;
    }

    Result<Findings> findingsAt(const ReleasedPools& released, std::size_t setting,
                                const JobContext& /*job*/) override {
        const std::vector<std::string> unknown = written(m_unknown, released[0], setting);
        ASSIGN_OR_RETURN(auto findings, attributed(*m_profiles, unknown));
        ASSIGN_OR_RETURN(const auto adapted, profilesOf(written(m_known, released[1], setting)));
        ASSIGN_OR_RETURN(const auto adaptive, attributed(*adapted, unknown));
        addAdaptive(findings, adaptive);
        return findings;
    }

private:
    using Profiles = std::optional<attack::AuthorProfiles>;

    /// Documents of a pool and the numbers of their authors.
    struct AuthoredPool {
        corpus::DrawPool pool{};
        std::vector<std::int32_t> authors{};

        void add(std::size_t document, std::int32_t author) {
            pool.documents.push_back(document);
            authors.push_back(author);
        }
    };

    static void addAdaptive(Findings& findings, const Findings& adaptive) {
        const attack::Figure correct = *figureAt(adaptive, "correct");
        findings.add("adaptive.correct", corpus::Measured{correct.value, correct.ci95});
    }

    [[nodiscard]] Result<Profiles> profilesOf(std::vector<std::string> known) const {
        return attack::AuthorProfiles::create({std::move(known), m_known.authors},
                                              {m_options.seed, m_options.threads}, quietly());
    }

    /// Documents by the authors who have training documents, who are numbered anew.
    Result<void> chooseDocuments() {
        const corpus::DocumentSplit& split = m_evaluation.splits.front();
        std::vector<std::int32_t> numbers(m_evaluation.data.authors.size(), corpus::kNone);
        const auto eachAuthored = [&](const std::vector<std::size_t>& documents, auto&& use) {
            for (const std::size_t document : documents) {
                if (const std::int32_t author = m_evaluation.document(document).author;
                    author != corpus::kNone) {
                    use(document, numbers[static_cast<std::size_t>(author)]);
                }
            }
        };
        eachAuthored(split.training, [&](std::size_t document, std::int32_t& number) {
            number = number == corpus::kNone ? m_authors++ : number;
            m_known.add(document, number);
        });
        eachAuthored(split.test, [&](std::size_t document, std::int32_t number) {
            if (number != corpus::kNone) {
                m_unknown.add(document, number);
            }
        });
        if (m_authors < 2 || m_unknown.authors.empty()) {
            return fail(ErrorCode::unsupported,
                        "the search for the author needs training documents of two authors, and a "
                        "test document by one of them");
        }
        m_known.pool.number = kKnownTextsPool;
        m_unknown.pool.number = kUnknownTextsPool;
        return {};
    }

    void describe() {
        m_results.sentences = {
            fmt::format("{} test documents, released, by {} authors of whom the attacker holds {} "
                        "training documents; chance is {:.3f}.",
                        countText(m_unknown.authors), m_authors, countText(m_known.authors),
                        1.0 / m_authors),
            "The attacker knows that the author is one of these. The attacker counts pieces of "
            "words, and in each of 100 rounds a random half of the pieces names the most similar "
            "author (Koppel, Schler, Argamon 2011).",
            "These known texts are original; adaptive: the attacker perturbs them as the release "
            "does.",
            "Word order, length and punctuation pass the mechanism unchanged; an attacker who uses "
            "them may find more. Intervals are for other texts by these authors."};
        if (m_options.policies.stopWords || m_options.policies.onlyWords) {
            m_results.sentences.emplace_back(
                "Words that are not replaced reveal their author openly.");
        }
    }

    [[nodiscard]] Result<Findings> attributed(const attack::AuthorProfiles& profiles,
                                              std::span<const std::string> texts) const {
        ASSIGN_OR_RETURN(const auto attributions, profiles.attribute(texts, quietly()));
        Findings findings = attack::attributionFindings(attributions, m_unknown.authors);
        findings.add("chance", 1.0 / m_authors);
        return findings;
    }

    [[nodiscard]] std::vector<std::string> typed(const AuthoredPool& documents) const {
        std::vector<std::string> texts;
        texts.reserve(documents.authors.size());
        for (const std::size_t document : documents.pool.documents) {
            texts.push_back(m_evaluation.document(document).text);
        }
        return texts;
    }

    [[nodiscard]] std::vector<std::string> written(const AuthoredPool& documents,
                                                   const corpus::PerturbedPool& words,
                                                   std::size_t setting) const {
        return corpus::writeDocuments(
            m_evaluation.data, m_evaluation.space.embedding().vocabulary(), m_options.policies,
            documents.pool.documents, words, setting, m_options.threads);
    }

    Profiles m_profiles{};  ///< of the known texts
    std::int32_t m_authors = 0;
    AuthoredPool m_known{};
    AuthoredPool m_unknown{};
};

/// Audits a language model of released texts: is it found out whose texts it was trained on? All
/// documents with an author take part, whatever their split.
class Audit : public AttackTask {
public:
    using AttackTask::AttackTask;

protected:
    Result<void> prepare() override {
        gatherTexts();
        auto auditor = attack::Auditor::create(
            m_texts, {.seed = m_options.seed, .threads = m_options.threads}, quietly());
        if (!auditor) {
            return tl::unexpected(
                auditor.error().code == ErrorCode::invalidArgument
                    ? Error{ErrorCode::unsupported,
                            fmt::format(
                                "the audit cuts the documents of each author into users of {}: {}",
                                kUserDocuments, auditor.error().message)}
                    : std::move(auditor.error()));
        }
        m_auditor.emplace(std::move(*auditor));
        return {};
    }

    [[nodiscard]] Pools pools() const override { return {m_pool}; }

    Result<Findings> onOriginal() override { return audited(m_texts.words); }

    Result<Findings> findingsAt(const ReleasedPools& released, std::size_t setting,
                                const JobContext& /*job*/) override {
        return audited(released.front().outputs[setting]);
    }

private:
    // Documents of one author that make a user.
    static constexpr std::int32_t kUserDocuments = 10;

    /// All documents, a line each.
    void gatherTexts() {
        const corpus::TokenisedDocuments& words = *m_evaluation.words;
        m_texts.words.assign(words.rows().begin(), words.rows().end());
        m_texts.vocabularySize = static_cast<Row>(m_evaluation.space.embedding().wordCount());
        std::vector<std::int32_t> authors;
        for (std::size_t document = 0; document < words.documents(); ++document) {
            m_texts.lineEnds.push_back(words.end(document));
            authors.push_back(m_evaluation.document(document).author);
        }
        attack::cutIntoUsers(m_texts, authors, kUserDocuments);
        m_pool.number = kAuditPool;
        m_pool.documents.resize(m_texts.users.size());
        std::iota(m_pool.documents.begin(), m_pool.documents.end(), std::size_t{0});
    }

    /// released  what stands for each word
    Result<Findings> audited(std::vector<Row> released) {
        for (Row& row : released) {
            row = row < 0 ? attack::kUnknownWord : row;
        }
        ASSIGN_OR_RETURN(auto findings, m_auditor->audit(released, quietly()));
        m_results.sentences = {
            fmt::format("A bigram model was trained on the released texts of {} of {} users; a "
                        "user is {} documents of one author.",
                        figureAt(findings, "members")->value, figureAt(findings, "users")->value,
                        kUserDocuments),
            "The auditor holds the users' original texts and asks the model for the rank of every "
            "word. The auditor learned what members look like from other models, trained on texts "
            "of other authors (Song and Shmatikov 2019): naive on original texts, adaptive on "
            "texts perturbed as those of the model.",
            "An AUC of 0.5 is chance. Larger models remember more than this one. Intervals "
            "resample authors."};
        // Of few users it says little.
        std::erase_if(findings.figures,
                      [](const attack::Figure& figure) { return figure.path.ends_with("tprAt1"); });
        return findings;
    }

    std::optional<attack::Auditor> m_auditor{};
    attack::UserTexts m_texts{};
    corpus::DrawPool m_pool{};
};

}  // namespace

Result<attack::AttackResults> attackTexts(Task task, const TaskInput& input,
                                          const attack::ShowAttack& show) {
    switch (task) {
        case Task::membership:
            return Membership(input).run(task, show);
        case Task::authorship:
            return Authorship(input).run(task, show);
        case Task::audit:
            return Audit(input).run(task, show);
        default:
            return Reconstruction(input).run(task, show);
    }
}

}  // namespace epsilens::evaluation
