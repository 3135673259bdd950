#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/attack/attacker_view.h"
#include "core/attack/authorship.h"
#include "core/attack/detection.h"
#include "core/attack/model_audit.h"
#include "core/attack/reconstruction.h"
#include "core/base/crew.h"
#include "core/base/error.h"
#include "core/base/job_context.h"
#include "core/base/numbers.h"
#include "core/base/ordered.h"
#include "core/base/parallel.h"
#include "core/base/stopwatch.h"
#include "core/evaluation/evaluation_run.h"

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

using Pools = std::vector<corpus::DrawPool>;
using ReleasedPools = std::vector<corpus::PerturbedPool>;

/// A task that attacks the documents of an evaluation at every setting of its grid. What it finds
/// at a setting follows from one released copy of each of its pools.
class AttackTask : protected TaskInput {
public:
    AttackTask(const TaskInput& input, EvaluationSummary& summary)
        : TaskInput(input), m_results(summary.attacks.emplace_back()) {
        m_results.cells.resize(evaluation.cells());
    }
    virtual ~AttackTask() = default;
    AttackTask(const AttackTask&) = delete;
    AttackTask& operator=(const AttackTask&) = delete;

    /// As attackTexts: first what has no setting, then every mechanism at some epsilons after the
    /// other.
    Result<void> run(Task task, const ShowSoFar& show) {
        const Stopwatch watch;
        m_results.task = task;
        m_results.risk = attack::ofClassifier(attack::headlineOf(task).path,
                                              classifierName(options.classifiers.front()));
        auto done = prepare().and_then([&] { return attackAll(show); });
        m_results.seconds = watch.seconds();
        return done;
    }

protected:
    /// Chooses the pools, and fills what the results say beside findings.
    virtual Result<void> prepare() = 0;
    virtual Result<Findings> onOriginal() = 0;
    /// Epsilons that are attacked together, and that a cancelled run may lose together.
    virtual std::size_t epsilonsAtOnce() const { return 1; }
    /// Share of the work on a mechanism that learn() does.
    virtual double learningShare() const { return 0.0; }
    virtual Result<void> learn(const mechanism::Mechanism& /*mechanism*/,
                               std::span<const double> /*epsilons*/, const JobContext& /*job*/) {
        return {};
    }
    /// At one of the settings that the pools were released at: epsilons of the first mechanism,
    /// then those of the next.
    virtual Result<Findings> findingsAt(const ReleasedPools& released, std::size_t setting,
                                        const JobContext& job) = 0;
    JobContext quietly() const { return {wholeJob.stop}; }

    attack::AttackResults& m_results;
    Pools m_pools{};  ///< what is released at every setting

private:
    Result<void> attackAll(const ShowSoFar& show) {
        const std::size_t epsilons = options.grid.epsilons.size();
        const std::size_t atOnce = options.crew != nullptr ? 1 : epsilonsAtOnce();
        const auto unitOf = [=](std::size_t cell) {
            return static_cast<std::int64_t>(1 + cell % epsilons / atOnce);
        };
        return inUnits(
            options.crew, unitOf(epsilons - 1) + 1,
            [&](std::int64_t unit) {
                const std::size_t first = static_cast<std::size_t>(unit - 1) * atOnce;
                return unit == 0 ? attackBaselines()
                                 : attackSome(first, std::min(atOnce, epsilons - first), show);
            },
            [&](auto& archive, std::int64_t unit) {
                archive(m_results.sentences);
                if (unit == 0) {
                    archive(m_results.original, m_results.floor);
                }
                for (std::size_t cell = 0; cell < m_results.cells.size(); ++cell) {
                    if (unitOf(cell) == unit) {
                        archive(m_results.cells[cell]);
                    }
                }
            });
    }

    /// On the original text, and on words that tell nothing.
    Result<void> attackBaselines() {
        if (options.attack.bestAlone) {
            return {};
        }
        ASSIGN_OR_RETURN(m_results.original, onOriginal());
        ReleasedPools random;
        for (const corpus::DrawPool& pool : m_pools) {
            random.push_back(perturber.uniform(pool));
        }
        ASSIGN_OR_RETURN(m_results.floor, findingsAt(random, 0, {}));
        return {};
    }

    /// first, count  of the epsilons that are attacked together
    Result<void> attackSome(std::size_t first, std::size_t count, const ShowSoFar& show) {
        constexpr double kPerturbing = 0.2;  // of the work on some epsilons
        const double learning = learningShare();
        const std::vector<double>& all = options.grid.epsilons;
        const auto epsilons = std::span(all).subspan(first, count);
        const JobContext job = partOf(wholeJob, first, first + count, all.size());
        ASSIGN_OR_RETURN(const auto released,
                         perturber.perturb(m_pools, epsilons, partOf(job, 0.0, kPerturbing)));
        const std::vector<mechanism::Mechanism> mechanisms = options.grid.mechanisms();
        const JobContext attacking = partOf(job, kPerturbing, 1.0);
        for (std::size_t i = 0; i < mechanisms.size(); ++i) {
            const JobContext part = partOf(attacking, i, i + 1, mechanisms.size());
            RETURN_IF_ERROR(learn(mechanisms[i], epsilons, partOf(part, 0.0, learning)));
            const JobContext guessing = partOf(part, learning, 1.0);
            for (std::size_t epsilon = 0; epsilon < count; ++epsilon) {
                ASSIGN_OR_RETURN(m_results.cells[i * all.size() + first + epsilon],
                                 findingsAt(released, i * count + epsilon,
                                            partOf(guessing, epsilon, epsilon + 1, count)));
                guessing.progress(epsilon + 1, count, "Attacking");
                if (show) {
                    show();
                }
            }
        }
        return {};
    }
};

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
        const std::vector<std::size_t>& test = evaluation.splits.front().test;
        std::vector<std::int64_t> replaced(test.size());
        for (const std::int32_t document : replacedTokens(attackedText(test)).documents) {
            ++replaced[static_cast<std::size_t>(document)];
        }
        corpus::DrawPool& pool = m_pools.emplace_back(corpus::DrawPool{kAttackedTextPool});
        for (const std::size_t document :
             attack::sampleDocuments(replaced, kAttackedWords, options.seed)) {
            pool.documents.push_back(test[document]);
        }
        m_text = attackedText(pool.documents);
        const std::size_t tokens = replacedTokens(m_text).size();
        if (tokens == 0) {
            return fail(ErrorCode::unsupported,
                        "no word of the test documents is replaced, so there is none to guess");
        }
        learnPrior();
        describe(tokens);
        return {};
    }

    /// An attacker learns several epsilons of a mechanism from the same draws.
    std::size_t epsilonsAtOnce() const override { return options.grid.epsilons.size(); }

    // The attackers know of the original text and of random words that they are these, as they know
    // a mechanism.
    Result<Findings> onOriginal() override {
        return guessed({nullptr, m_text.words}, corpus::Measured{1.0, {}}, quietly());
    }

    double learningShare() const override { return 0.4; }

    Result<void> learn(const mechanism::Mechanism& mechanism, std::span<const double> epsilons,
                       const JobContext& job) override {
        m_text.draws = perturber.drawsOf(m_pools.front());
        m_epsilons.assign(epsilons.begin(), epsilons.end());
        ASSIGN_OR_RETURN(m_view,
                         attack::AttackerView::learn(evaluation.space, mechanism, epsilons, m_prior,
                                                     options.seed, options.threads, job));
        return {};
    }

    Result<Findings> findingsAt(const ReleasedPools& released, std::size_t setting,
                                const JobContext& job) override {
        const std::vector<Row>& outputs = released.front().outputs[setting];
        if (!m_view) {
            const attack::Channel nothing = attack::nothingSeen(m_words);
            return guessed({&nothing, outputs}, corpus::Measured{m_prior.maxCoeff(), {}},
                           partOf(wholeJob, 0.0, 0.0));
        }
        constexpr double kBounding = 0.2;
        const std::size_t place = setting % m_epsilons.size();
        const attack::AttackerKernel& known = m_view->settings[place];
        const attack::Channel channel = attack::releasedWords(m_view->space, known.kernel, outputs);
        attack::AttackedRelease release{&channel, outputs, known.rule};
        if (isExact() || options.attack.bestAlone) {
            return guessed(release, {}, job);
        }
        const auto& embedding = evaluation.space.handle();
        ASSIGN_OR_RETURN(const auto vectors,
                         attack::noisyVectors(embedding, m_view->form, m_epsilons[place],
                                              m_text.words, options.seed, options.threads));
        ASSIGN_OR_RETURN(const corpus::Measured upper,
                         attack::noisyVectorSuccess(embedding, m_view->form, m_epsilons[place],
                                                    m_prior, options.seed + 1, options.threads,
                                                    partOf(job, 0.0, kBounding)));
        release.vectors = &vectors;
        return guessed(release, upper, partOf(job, kBounding, 1.0));
    }

private:
    bool isExact() const { return options.grid.mechanism.isExact(); }

    /// Documents as an attacker faces them, a line each.
    attack::AttackedText attackedText(std::span<const std::size_t> documents) const {
        attack::AttackedText text;
        const corpus::TokenisedDocuments& words = *evaluation.words;
        for (const std::size_t document : documents) {
            for (std::size_t word = words.begin(document); word < words.end(document); ++word) {
                text.words.push_back(words.rows()[word]);
                text.treatments.push_back(treatmentOf(words, word, options.policies.unknown));
            }
            text.lineEnds.push_back(text.tokens());
        }
        return text;
    }

    void learnPrior() {
        if (options.attack.prior == PriorKind::uniform) {
            m_prior = attack::uniformPrior(m_words);
        } else if (options.attack.prior == PriorKind::file) {
            const attack::ReferenceText& reference = *options.attack.reference;
            m_prior = attack::smoothedPrior(reference.counts);
            if (!reference.bigrams.followers().empty()) {
                m_chain.emplace(m_prior, reference.bigrams);
            }
        } else {
            const auto training = attackedText(evaluation.splits.front().training);
            m_prior = attack::smoothedPrior(attack::wordCounts(training.words, m_words));
            m_chain.emplace(m_prior, attack::Bigrams(training.words, training.lineEnds, m_words));
        }
    }

    void describe(std::size_t tokens) {
        const PriorKind prior = options.attack.prior;
        m_results.sentences = {
            fmt::format(
                "Attacked: {} replaced words in {} test documents, each document as one line.",
                formatCount(tokens), formatCount(m_text.lines())),
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
                              options.attack.reference->file,
                              formatCount(options.attack.reference->knownWords))
                : "They know from the training documents how often words occur.");
        m_results.sentences.emplace_back(
            "best is chosen on half of the documents and scored on the other half, and the "
            "reverse. The gain is best less prior: what the release adds.");
    }

    /// upper  success of whoever sees the noisy vector; nothing where it is not measured
    Result<Findings> guessed(const attack::AttackedRelease& release,
                             const std::optional<corpus::Measured>& upper,
                             const JobContext& job) const {
        ASSIGN_OR_RETURN(auto findings,
                         attack::guessWords(m_text, release, m_prior, m_chain ? &*m_chain : nullptr,
                                            options.seed, options.threads, job));
        for (attack::FoundWord& word : findings.words) {
            word.word = evaluation.space.embedding().vocabulary().word(word.row);
        }
        if (upper && !isExact()) {
            findings.add("upper", *upper);
        }
        return findings;
    }

    Row m_words = static_cast<Row>(evaluation.space.embedding().wordCount());
    attack::AttackedText m_text{};
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
    corpus::Interval widest;
    for (const attack::Figure& repeat : repeats) {
        values.push_back(repeat.value);
        widest = width(repeat.ci95) > width(widest) ? repeat.ci95 : widest;
    }
    const double lowest = path.ends_with("advantage") ? -1.0 : 0.0;
    const Estimate estimate = within(estimateOf(values, {kTestRatio}), lowest, 1.0);
    attack::Figure figure{{estimate.mean, estimate.ci95}, std::move(path)};
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
        for (std::uint32_t repeat = 0; repeat < evaluation.repeats(); ++repeat) {
            m_splits.push_back(corpus::fourParts(evaluation.data, evaluation.splits[repeat],
                                                 options.seed, repeat));
            m_pools.push_back({kTargetPool + repeat, m_splits.back().targetIn});
            m_pools.push_back({kShadowPool + repeat, m_splits.back().shadowIn});
        }
        const corpus::FourParts& parts = m_splits.front();
        m_results.sentences = {
            fmt::format(
                "The target was trained on {} released texts; the attacker has to tell their "
                "originals from {} other texts. {} repeats, each with a random split of its own.",
                formatCount(parts.targetIn.size()), formatCount(parts.targetOut.size()), m_repeats),
            fmt::format(
                "The attacker knows the kind of classifier, how it is trained, mechanism and "
                "setting, and has texts of their own: they train a shadow model on {} of them, "
                "perturbed in the same way, and learn from its answers to these and to {} others "
                "what members look like (Carvalho et al. 2021, appendix C).",
                formatCount(parts.shadowIn.size()), formatCount(parts.shadowOut.size())),
            "The attacker asks for the class probabilities of original texts. threshold: by the "
            "loss, for which the true class is known; perceptron: by the probabilities.",
            "An AUC of 0.5 and an advantage of 0 are chance; TPR at 1% FPR is told from chance "
            "only where its whole interval is above 0.010."};
        if (parts.leftOut > 0) {
            m_results.sentences.push_back(
                fmt::format("Left out, so that no text is in two parts: {} of the test documents, "
                            "whose text a training document has.",
                            formatCount(parts.leftOut)));
        }
        return {};
    }

    /// A few, unless the texts are large.
    std::size_t epsilonsAtOnce() const override {
        constexpr std::size_t kMost = 4;
        const std::size_t copies = evaluation.mechanisms() * m_repeats;
        return std::clamp<std::size_t>(evaluation.copiesAtOnce(copies), 1, kMost);
    }

    Result<Findings> onOriginal() override {
        return attacked([&](std::size_t pool) { return plain(m_pools[pool].documents); });
    }

    Result<Findings> findingsAt(const ReleasedPools& released, std::size_t setting,
                                const JobContext& /*job*/) override {
        return attacked([&](std::size_t pool) {
            return evaluation.released(m_pools[pool], released[pool], setting);
        });
    }

private:
    /// Attacks every classifier in every repeat.
    ///
    /// textsOf  what is learned from a pool, by its place
    template <typename TextsOf>
    Result<Findings> attacked(const TextsOf& textsOf) const {
        const std::vector<ClassifierKind>& classifiers = options.classifiers;
        std::vector<Findings> found(classifiers.size() * m_repeats);
        RETURN_IF_ERROR(
            eachInParallel(found.size(), options.threads, [&](std::size_t task) -> Result<void> {
                const auto repeat = static_cast<std::uint32_t>(task / classifiers.size());
                const std::size_t i = task % classifiers.size();
                ASSIGN_OR_RETURN(
                    found[i * m_repeats + repeat],
                    attack(repeat, classifiers[i], textsOf(2 * repeat), textsOf(2 * repeat + 1)));
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
    Result<Findings> attack(std::uint32_t repeat, ClassifierKind kind, const LabelledTokens& target,
                            const LabelledTokens& shadow) const {
        // With several repeats their spread takes the place of resamples.
        const int resamples = m_repeats > 1 ? 40 : 1000;
        const corpus::FourParts& parts = m_splits[repeat];
        ASSIGN_OR_RETURN(const auto shadowOutputs,
                         outputsOf(repeat, kind, shadow, parts.shadowIn, parts.shadowOut));
        ASSIGN_OR_RETURN(const auto targetOutputs,
                         outputsOf(repeat, kind, target, parts.targetIn, parts.targetOut));
        return attack::inferMembership(shadowOutputs, targetOutputs,
                                       {resamples, options.seed + repeat, 1}, quietly());
    }

    /// What a classifier that learned from some texts says about their originals and about others.
    Result<attack::ClassifierOutputs> outputsOf(std::uint32_t repeat, ClassifierKind kind,
                                                const LabelledTokens& training,
                                                const std::vector<std::size_t>& in,
                                                const std::vector<std::size_t>& out) const {
        ASSIGN_OR_RETURN(const auto model,
                         trainClassifier(training, evaluation.classifier(kind, repeat), quietly()));
        std::vector<std::size_t> both = in;
        both.insert(both.end(), out.begin(), out.end());
        const LabelledTokens asked = plain(both);
        attack::ClassifierOutputs outputs{model(asked), asked.labels,
                                          std::vector<std::uint8_t>(asked.size())};
        std::fill_n(outputs.members.begin(), in.size(), std::uint8_t{1});
        return outputs;
    }

    /// Without noise, unknown words as the policy has them.
    LabelledTokens plain(const std::vector<std::size_t>& documents) const {
        const corpus::DrawPool pool{kTargetPool, documents};
        return evaluation.released(pool, perturber.unperturbed(pool));
    }

    std::size_t m_repeats = evaluation.repeats();
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
        m_results.sentences = {
            fmt::format("{} test documents, released, by {} authors of whom the attacker holds {} "
                        "training documents; chance is {:.3f}.",
                        formatCount(m_authorsOf[kUnknown].size()), m_authors,
                        formatCount(m_authorsOf[kKnown].size()), 1.0 / m_authors),
            "The attacker knows that the author is one of these. The attacker counts pieces of "
            "words, and in each of 100 rounds a random half of the pieces names the most similar "
            "author (Koppel, Schler, Argamon 2011).",
            "These known texts are original; adaptive: the attacker perturbs them as the release "
            "does.",
            "Word order, length and punctuation pass the mechanism unchanged; an attacker who uses "
            "them may find more. Intervals are for other texts by these authors."};
        if (options.policies.stopWords || options.policies.onlyWords) {
            m_results.sentences.emplace_back(
                "Words that are not replaced reveal their author openly.");
        }
        ASSIGN_OR_RETURN(m_profiles, profilesOf(typed(kKnown)));
        return {};
    }

    Result<Findings> onOriginal() override {
        ASSIGN_OR_RETURN(auto findings, attributed(*m_profiles, typed(kUnknown)));
        // Who perturbs his texts without noise is no other attacker.
        addAdaptive(findings, findings);
        return findings;
    }

    Result<Findings> findingsAt(const ReleasedPools& released, std::size_t setting,
                                const JobContext& /*job*/) override {
        const std::vector<std::string> unknown = written(kUnknown, released, setting);
        ASSIGN_OR_RETURN(auto findings, attributed(*m_profiles, unknown));
        ASSIGN_OR_RETURN(const auto adapted, profilesOf(written(kKnown, released, setting)));
        ASSIGN_OR_RETURN(const auto adaptive, attributed(*adapted, unknown));
        addAdaptive(findings, adaptive);
        return findings;
    }

private:
    using Profiles = std::optional<attack::AuthorProfiles>;
    /// Texts whose author is asked for, and those that the attacker holds: places of their pools.
    enum Part : std::size_t { kUnknown, kKnown };

    static void addAdaptive(Findings& findings, const Findings& adaptive) {
        findings.add("adaptive.correct", *figureAt(adaptive, "correct"));
    }

    Result<Profiles> profilesOf(std::vector<std::string> known) const {
        return attack::AuthorProfiles::create({std::move(known), m_authorsOf[kKnown]}, options.seed,
                                              options.threads, quietly());
    }

    /// Documents by the authors who have training documents, who are numbered anew.
    Result<void> chooseDocuments() {
        const corpus::DocumentSplit& split = evaluation.splits.front();
        m_pools = {{kUnknownTextsPool, {}}, {kKnownTextsPool, {}}};
        std::map<std::int32_t, std::int32_t> numbers;
        for (const Part part : {kKnown, kUnknown}) {
            for (const std::size_t document : part == kKnown ? split.training : split.test) {
                const std::int32_t author = evaluation.document(document).author;
                if (part == kKnown && author != corpus::kNone &&
                    numbers.try_emplace(author, m_authors).second) {
                    ++m_authors;
                }
                if (const auto number = numbers.find(author); number != numbers.end()) {
                    m_pools[part].documents.push_back(document);
                    m_authorsOf[part].push_back(number->second);
                }
            }
        }
        if (m_authors < 2 || m_authorsOf[kUnknown].empty()) {
            return fail(ErrorCode::unsupported,
                        "the search for the author needs training documents of two authors, and a "
                        "test document by one of them");
        }
        return {};
    }

    Result<Findings> attributed(const attack::AuthorProfiles& profiles,
                                std::span<const std::string> texts) const {
        ASSIGN_OR_RETURN(const auto attributions, profiles.attribute(texts, quietly()));
        Findings findings = attack::attributionFindings(attributions, m_authorsOf[kUnknown]);
        findings.add("chance", 1.0 / m_authors);
        return findings;
    }

    std::vector<std::string> typed(Part part) const {
        std::vector<std::string> texts;
        for (const std::size_t document : m_pools[part].documents) {
            texts.push_back(evaluation.document(document).text);
        }
        return texts;
    }

    std::vector<std::string> written(Part part, const ReleasedPools& released,
                                     std::size_t setting) const {
        return corpus::writeDocuments(evaluation.data, evaluation.space.embedding().vocabulary(),
                                      options.policies, m_pools[part].documents, released[part],
                                      setting, options.threads);
    }

    Profiles m_profiles{};  ///< of the known texts
    std::int32_t m_authors = 0;
    std::array<std::vector<std::int32_t>, 2> m_authorsOf{};  ///< of the documents of each part
};

/// Audits a language model of released texts: is it found out whose texts it was trained on? All
/// documents with an author take part, whatever their split.
class Audit : public AttackTask {
public:
    using AttackTask::AttackTask;

protected:
    Result<void> prepare() override {
        gatherTexts();
        ASSIGN_OR_RETURN(
            m_auditor, attack::Auditor::create(
                           m_texts, {.seed = options.seed, .threads = options.threads}, quietly()));
        return {};
    }

    Result<Findings> onOriginal() override { return audited(m_texts.words); }

    Result<Findings> findingsAt(const ReleasedPools& released, std::size_t setting,
                                const JobContext& /*job*/) override {
        return audited(released.front().outputs[setting]);
    }

private:
    /// All documents, a line each.
    void gatherTexts() {
        const corpus::TokenisedDocuments& words = *evaluation.words;
        m_texts.words.assign(words.rows().begin(), words.rows().end());
        m_texts.vocabularySize = static_cast<Row>(evaluation.space.embedding().wordCount());
        std::vector<std::int32_t> authors;
        for (std::size_t document = 0; document < words.documents(); ++document) {
            m_texts.lineEnds.push_back(words.end(document));
            authors.push_back(evaluation.document(document).author);
        }
        attack::cutIntoUsers(m_texts, authors, attack::kUserDocuments);
        m_pools = {{kAuditPool, indicesBelow(words.documents())}};
    }

    /// released  what stands for each word
    Result<Findings> audited(std::span<const Row> released) {
        ASSIGN_OR_RETURN(auto findings, m_auditor->audit(released, quietly()));
        m_results.sentences = {
            fmt::format("A bigram model was trained on the released texts of {} of {} users; a "
                        "user is {} documents of one author.",
                        figureAt(findings, "members")->value, figureAt(findings, "users")->value,
                        attack::kUserDocuments),
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
};

}  // namespace

Result<void> attackTexts(Task task, const TaskInput& input, EvaluationSummary& summary,
                         const ShowSoFar& show) {
    switch (task) {
        case Task::membership:
            return Membership(input, summary).run(task, show);
        case Task::authorship:
            return Authorship(input, summary).run(task, show);
        case Task::audit:
            return Audit(input, summary).run(task, show);
        default:
            return Reconstruction(input, summary).run(task, show);
    }
}

}  // namespace epsilens::evaluation
