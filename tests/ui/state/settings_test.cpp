#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/calibration/recommend.h"
#include "core/report/memo_words.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curve_grid.h"
#include "ui/plot/xy_plot.h"
#include "ui/shell/main_window.h"
#include "ui/state/analysis_settings.h"
#include "ui/state/analysis_state.h"
#include "ui/state/mechanism_view.h"
#include "ui/state/output_mark.h"
#include "ui/state/settings_history.h"
#include "ui/state/word.h"
#include "ui/widgets/value_slider.h"

using namespace epsilens;
using namespace epsilens::ui;
using ui::Word;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

AnalysisSettings withMechanism(const mechanism::Mechanism& mechanism, double epsilon) {
    AnalysisSettings settings;
    settings.chooseMechanism(mechanism);
    settings.chooseEpsilon(epsilon);
    return settings;
}

}  // namespace

class AnalysisSettingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void valuesOutOfRangeStayAsTheyWere() {
        const AnalysisSettings before = withMechanism(mechanism::Tem(), 3.0);
        for (const mechanism::Parameters& refused :
             std::vector<mechanism::Parameters>{{.lambda = -0.1},
                                                {.lambda = 1.5},
                                                {.lambda = kNaN},
                                                {.gamma = -1.0},
                                                {.gamma = kNaN},
                                                {.gamma = kInfinity},
                                                {.beta = 0.0},
                                                {.beta = 1.0},
                                                {.beta = kNaN}}) {
            AnalysisSettings wanted = before;
            wanted.setParameters(refused);
            QVERIFY(accepted(before, wanted, nullptr) == before);
        }
        for (const double refused : {0.0, -1.0, kNaN, kInfinity}) {
            AnalysisSettings wanted = before;
            wanted.chooseEpsilon(refused);
            QVERIFY(accepted(before, wanted, nullptr) == before);
            wanted = before;
            wanted.suggest({refused, 1.0, 2.0});
            QVERIFY(accepted(before, wanted, nullptr) == before);
        }
        AnalysisSettings wanted = before;
        wanted.draws = 0;
        QVERIFY(accepted(before, wanted, nullptr) == before);
    }

    void valuesAtTheEndsOfRangesAreTaken() {
        const AnalysisSettings before;
        AnalysisSettings wanted = before;
        wanted.setParameters({.lambda = 1.0, .gamma = 0.0, .beta = 1e-300});
        wanted.chooseEpsilon(1e-300);
        wanted.draws = 1;
        QVERIFY(accepted(before, wanted, nullptr) == wanted);
    }

    /// A range that is none leaves the suggestion without one.
    void aScaleMayComeWithoutItsRange() {
        for (const auto& [low, high] : {std::pair{0.0, 5.0}, {5.0, 4.0}, {1.0, kInfinity}}) {
            AnalysisSettings wanted;
            wanted.suggest({7.0, low, high});
            const EpsilonScale scale = accepted({}, wanted, nullptr).epsilonScale;
            QVERIFY((scale == EpsilonScale{7.0, std::nullopt, std::nullopt}));
        }
    }

    /// m - 1 of vectors with 5 dimensions is 4.
    void riemannianNoiseHasABound() {
        const auto ball = test::toyBall(40, 5);
        AnalysisSettings wanted = withMechanism(mechanism::Hyperbolic(), 3.0);
        const AnalysisSettings moved = movedTo(ball, wanted, false);
        QCOMPARE(moved.epsilon, 14.0);
        QVERIFY(!moved.epsilonChosen);
        wanted = moved;
        wanted.chooseEpsilon(4.0);
        QVERIFY(accepted(moved, wanted, ball) == moved);
        wanted.chooseEpsilon(4.5);
        QCOMPARE(accepted(moved, wanted, ball).epsilon, 4.5);
        wanted.setParameters({.law = mechanism::RadialLaw::eq7});  // has none
        wanted.chooseEpsilon(0.5);
        QCOMPARE(accepted(moved, wanted, ball).epsilon, 0.5);
    }

    /// Epsilon has another unit in another metric, and follows what is found out about that.
    void anotherUnitForgetsWhatIsKnownOfEpsilon() {
        AnalysisSettings before = withMechanism(mechanism::Tem(), 3.0);
        before.epsilonScale = {7.0, 3.0, 20.0};
        before.largestDistance = 5.0;
        AnalysisSettings wanted = before;
        wanted.setParameters({.metric = metric::Metric::angular});
        const AnalysisSettings now = accepted(before, wanted, nullptr);
        QVERIFY(!now.epsilonChosen && !now.largestDistance);
        QVERIFY((now.epsilonScale == EpsilonScale{7.0, std::nullopt, std::nullopt}));
        QCOMPARE(now.epsilon, 3.0);  // until something is known
        // A change that says what epsilon is, as undo does, is taken as it is.
        const AnalysisSettings back = accepted(now, before, nullptr);
        QCOMPARE(back.epsilon, 3.0);
        QVERIFY(back.epsilonChosen && back.epsilonScale == before.epsilonScale);
    }

    /// At which they are compared, and which must not move along with its default.
    void exploringAParameterKeepsEpsilon() {
        AnalysisSettings wanted;
        wanted.setParameters({.lambda = 0.25});
        QVERIFY(accepted({}, wanted, nullptr).epsilonChosen);
        AnalysisSettings tem;
        tem.chooseMechanism(mechanism::Tem());
        wanted = tem;
        wanted.setParameters({.beta = 0.1});
        QVERIFY(accepted(tem, wanted, nullptr).epsilonChosen);
        // Laplace noise has the unit of Mahalanobis noise, but is another mechanism.
        wanted = {};
        wanted.chooseMechanism(mechanism::Laplace());
        QVERIFY(!accepted({}, wanted, nullptr).epsilonChosen);
    }

    void aMechanismThatCannotRunGivesWay() {
        const auto toy = test::toyEmbedding();  // outside the ball
        const AnalysisSettings moved =
            movedTo(toy, withMechanism(mechanism::Hyperbolic(), 30.0), false);
        QVERIFY(moved.currentMechanism().as<mechanism::Mahalanobis>());
        AnalysisSettings tem = withMechanism(mechanism::Tem(), 3.0);
        tem.setParameters({.metric = metric::Metric::poincare});
        QVERIFY(movedTo(toy, tem, false).currentMechanism() == mechanism::Tem());
    }

    void pinsTheMechanismAsItIsUsed() {
        AnalysisSettings settings = withMechanism(mechanism::Laplace(), 12.0);
        settings.pinPresent();
        // Laplace has no lambda, whatever is set for others.
        QCOMPARE(settings.pin->mechanism.lambda(), 0.0);
        QCOMPARE(pinTitle(*settings.pin), "Laplace, ε 12.0");
        settings.chooseMechanism(mechanism::Mahalanobis());
        QVERIFY(settings.pin->mechanism.as<mechanism::Laplace>());
        // Epsilon has the unit of the vectors, so a pin means nothing for others.
        QVERIFY(movedTo(test::toyEmbedding(), settings, false).pin.has_value());
        QVERIFY(!movedTo(test::toyEmbedding(), settings, true).pin.has_value());
    }

    /// The grid, not the slider, is what a calibration runs over.
    void aRunAsksForTheGridOnly() {
        const AnalysisSettings settings;
        AnalysisSettings moved = settings;
        moved.setParameters({.lambda = 0.25});
        moved.chooseEpsilon(12.0);
        QVERIFY(moved.asksForRunOf(settings));
        for (const auto change :
             {+[](AnalysisSettings& other) { other.draws = 50; },
              +[](AnalysisSettings& other) { other.seed = 9; },
              +[](AnalysisSettings& other) { other.words.count = 7; },
              +[](AnalysisSettings& other) { other.grid.epsilons = {1.0}; },
              +[](AnalysisSettings& other) { other.chooseMechanism(mechanism::Tem()); }}) {
            AnalysisSettings other = settings;
            change(other);
            QVERIFY(!other.asksForRunOf(settings));
        }
    }
};

class AnalysisStateTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyChangesAreTold() {
        AnalysisState state;
        const QSignalSpy changed(&state, &AnalysisState::changed);
        const QSignalSpy settled(&state, &AnalysisState::settled);
        int epsilons = 0;
        state.onChange(&AnalysisSettings::epsilon, this, [&epsilons] { ++epsilons; });
        state.edit(&AnalysisSettings::chooseEpsilon, 12.0);
        state.edit(&AnalysisSettings::chooseEpsilon, 12.0);
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.25});
        state.edit(&AnalysisSettings::draws, 0);
        QCOMPARE(changed.count(), 2);
        QCOMPARE(settled.count(), 2);
        QCOMPARE(epsilons, 1);
    }

    /// All receivers are told of the same changes in the same order.
    void whatReceiversChangeInTurnIsToldAfterwards() {
        AnalysisState state;
        QStringList heard;
        const auto hear = [&heard](const QString& who) {
            return [&heard, who](const AnalysisSettings& before, const AnalysisSettings& now) {
                heard << QString("%1 %2→%3").arg(who).arg(before.draws).arg(now.draws);
            };
        };
        connect(&state, &AnalysisState::changed, this, hear("first"));
        state.onChange(&AnalysisSettings::seed, this,
                       [&state] { state.edit(&AnalysisSettings::draws, 7); });
        connect(&state, &AnalysisState::changed, this, hear("second"));
        connect(&state, &AnalysisState::settled, this, hear("all"));
        state.edit(&AnalysisSettings::seed, 9);
        QCOMPARE(heard.join(", "),
                 "first 100→100, second 100→100, first 100→7, second 100→7, "
                 "all 100→7");
    }

    /// Until the range of the new file is known, and after Esc for good.
    void anotherFileForgetsTheScaleOfTheOneBefore() {
        AnalysisState state;
        state.setEmbedding(test::toyEmbedding(), nullptr);
        state.edit(&AnalysisSettings::suggest, {120.0, 50.0, 400.0});
        QCOMPARE(state.epsilon(), 120.0);
        // Chosen, it does not follow, also where the same file is loaded again.
        state.edit(&AnalysisSettings::chooseEpsilon, 5.0);
        int scales = 0;
        state.onChange(&AnalysisSettings::epsilonScale, this, [&scales] { ++scales; });
        state.setEmbedding(test::toyEmbedding(), nullptr);  // the same file, loaded again
        QCOMPARE(scales, 0);
        QCOMPARE(state.epsilonScale().suggested, 120.0);
        QCOMPARE(state.epsilon(), 5.0);
        state.setEmbedding(test::toyBall(40, 3), nullptr);
        QCOMPARE(scales, 1);
        QVERIFY(state.epsilonScale() == ui::EpsilonScale{});
        QCOMPARE(state.epsilon(), 10.0);
        state.edit(&AnalysisSettings::chooseMechanism, mechanism::Hyperbolic());
        state.edit(&AnalysisSettings::suggest, {40.0, 20.0, 90.0});
        auto other = std::make_shared<embedding::PreparedEmbedding>(*test::toyBall(40, 5));
        other->embedding.path = "/somewhere/else.txt";
        state.setEmbedding(other, nullptr);
        QCOMPARE(state.epsilonScale().suggested, 14.0);  // m - 1 + 10
        QVERIFY(!state.epsilonScale().low.has_value());
        QCOMPARE(state.epsilon(), 14.0);
    }

    /// What a handler of each signal finds is the new state, never half of it.
    void allSignalsOfNewDataComeWhenTheStateIsWhole() {
        AnalysisState state;
        const auto before = test::toyEmbedding();
        test::open(state, before);
        state.selectWord(ui::Word(before, 3));
        state.edit(&AnalysisSettings::words, {calibration::WordSelection::Kind::list, 500, {1, 2}});
        state.edit(&AnalysisSettings::suggest, {40.0, 20.0, 90.0});
        state.edit(&AnalysisSettings::pinPresent);
        auto after = std::make_shared<embedding::PreparedEmbedding>(*test::toyEmbedding(9, 4));
        after->embedding.path = "/somewhere/else.txt";
        const auto space = std::make_shared<const engine::SearchSpace>(after);
        QStringList heard;
        const auto check = [&](const char* signal) {
            heard << signal;
            QVERIFY2(state.embedding() == after && state.searchSpace() == space &&
                         !state.selectedWord() && !state.pin() &&
                         state.words().kind == calibration::WordSelection::Kind::random &&
                         !state.epsilonScale().low && state.epsilon() == 10.0,
                     signal);
        };
        connect(&state, &AnalysisState::embeddingReset, this, [&] { check("dropped"); });
        connect(&state, &AnalysisState::embeddingChanged, this, [&] { check("changed"); });
        connect(&state, &AnalysisState::changed, this, [&] { check("settings"); });
        connect(&state, &AnalysisState::settled, this, [&] { check("settled"); });
        connect(&state, &AnalysisState::selectedWordChanged, this, [&] { check("selected"); });
        state.setEmbedding(after, space);
        QCOMPARE(heard, QString("dropped changed settings settled selected").split(' '));
    }

    void aWordOfAnotherEmbeddingIsNotSelected() {
        AnalysisState state;
        const auto before = test::toyEmbedding();
        state.setEmbedding(test::toyEmbedding(), nullptr);
        state.selectWord(ui::Word(before, 3));
        QVERIFY(!state.selectedWord().has_value());
    }

    /// Its rows are those of the embedding it was made for.
    void aListOfWordsGoesWithItsEmbedding() {
        AnalysisState state;
        const auto embedding = test::toyEmbedding();
        state.setEmbedding(embedding, nullptr);
        state.edit(&AnalysisSettings::words, {calibration::WordSelection::Kind::list, 0, {1, 2}});
        test::open(state, embedding);
        QCOMPARE(state.words().rows.size(), 2);
        state.setEmbedding(test::toyEmbedding(), nullptr);
        QVERIFY(state.words() == calibration::WordSelection{});
    }

    void basisLivesAsLongAsItIsHeld() {
        std::shared_ptr<const embedding::PcaBasis> basis;
        {
            AnalysisState state;
            QVERIFY(state.basis() == nullptr);
            state.setEmbedding(test::toyEmbedding(), nullptr);
            basis = state.basis();
        }
        QCOMPARE(basis->dimensions(), Eigen::Index{3});
    }
};

class MechanismViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void choicesDifferOnlyByWhatTheirKindHas() {
        AnalysisSettings settings;
        const auto differsWith = [&settings](const mechanism::Parameters& parameters) {
            const mechanism::Mechanism before = settings.currentMechanism();
            settings.setParameters(parameters);
            return settings.currentMechanism() != before;
        };
        // Mahalanobis has none of these.
        QVERIFY(!differsWith({.beta = 0.01}));
        QVERIFY(!differsWith({.law = mechanism::RadialLaw::eq7}));
        QVERIFY(!differsWith({.metric = metric::Metric::angular}));
        QVERIFY(differsWith({.lambda = 0.25}));
        settings.chooseMechanism(mechanism::Tem());
        QCOMPARE(*settings.currentMechanism().parameters().beta, 0.01);
        QCOMPARE(settings.currentMechanism().lambda(), 0.0);
        QVERIFY(!differsWith({.lambda = 0.75}));  // angular distances have no lambda
        QVERIFY(!differsWith({.gamma = 3.0}));    // gamma follows from beta
        QVERIFY(differsWith({.beta = 0.1}));
        settings.mechanism.gammaGiven = true;
        QCOMPARE(*settings.currentMechanism().parameters().gamma, 3.0);
    }

    /// What the others have is there when they are chosen again; λ is shared.
    void parametersAreRememberedFromOneMechanismToTheOther() {
        AnalysisState state;
        state.edit([&](AnalysisSettings& settings) {
            settings.mechanism.setMechanism(mechanism::Tem{metric::Metric::mahalanobis, 0.25, 3.0});
        });
        QCOMPARE(state.lambda(), 0.25);
        QVERIFY(state.settings().mechanism.gammaGiven);
        state.edit(&AnalysisSettings::chooseMechanism, mechanism::Hyperbolic());
        state.edit(&AnalysisSettings::setParameters, {.law = mechanism::RadialLaw::eq7});
        state.edit(&AnalysisSettings::chooseMechanism, mechanism::Mahalanobis());
        QCOMPARE(state.mechanism().lambda(), 0.25);
        state.edit(&AnalysisSettings::chooseMechanism, mechanism::Tem());
        QVERIFY(state.mechanism() == mechanism::Tem({metric::Metric::mahalanobis, 0.25, 3.0}));
        state.edit(&AnalysisSettings::chooseMechanism, mechanism::Hyperbolic());
        QVERIFY(state.mechanism() == mechanism::Hyperbolic{mechanism::RadialLaw::eq7});
        state.edit([&](AnalysisSettings& settings) {
            settings.mechanism.setMechanism(mechanism::Mahalanobis{0.75});
        });
        QCOMPARE(state.lambda(), 0.75);
    }

    void titlesNameTheParametersThatCount() {
        QCOMPARE(shortTitle(mechanism::Laplace()), "Laplace");
        QCOMPARE(shortTitle(mechanism::Mahalanobis{0.5}), "Mahalanobis λ 0.50");
        mechanism::Tem tem;
        QCOMPARE(shortTitle(tem), "TEM Euclidean β 0.001");
        tem.distance = metric::Metric::mahalanobis;
        tem.gamma = 1.5;
        QCOMPARE(shortTitle(tem), "TEM Mahalanobis λ 0.50 γ 1.50");
        QCOMPARE(shortTitle(mechanism::Hyperbolic{mechanism::RadialLaw::eq7}), "hyperbolic eq7");
        QCOMPARE(shortTitle(mechanism::Hyperbolic()), "hyperbolic riemannian");
    }

    void refusalsCountTheRows() {
        auto embedding = test::toyEmbedding(40, 3)->embedding;
        embedding.vectors.row(3).setZero();
        embedding.vectors.row(4).setZero();
        embedding.vectors.topRows(3) *= 1e-3F;
        embedding.vectors.bottomRows(35) *= 1e3F;
        embedding.vectors.row(39) << 1.0F, 0.0F, 0.0F;  // on the edge of the ball
        const auto prepared = embedding::prepareEmbedding(std::move(embedding)).value();
        QVERIFY(metricRefusal(prepared, metric::Metric::angular).contains(" 2 rows are zero"));
        QCOMPARE(metricRefusal(prepared, metric::Metric::poincare),
                 "Poincaré metric impossible: 35 rows have norm ≥ 1");
        QVERIFY(metricRefusal(prepared, metric::Metric::euclidean).isEmpty());
    }
};

class WordTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itIsARowOfItsOwnEmbedding() {
        const auto embedding = test::toyEmbedding();
        QCOMPARE(Word(embedding, 1).text(), "london");
        QCOMPARE(Word(embedding, 39).text(), "word39");
        QVERIFY_THROWS_EXCEPTION(std::logic_error, Word(embedding, 40));
        QVERIFY_THROWS_EXCEPTION(std::logic_error, Word(embedding, -1));
        QVERIFY_THROWS_EXCEPTION(std::logic_error, Word(nullptr, 0));
        QVERIFY(Word(embedding, 2) == Word(embedding, 2));
        QVERIFY(Word(embedding, 2) != Word(embedding, 3));
        QVERIFY(Word(embedding, 2) != Word(test::toyEmbedding(), 2));
    }

    void wordsAreFoundAsSpeltOrInLowerCase() {
        const auto embedding = test::toyEmbedding();
        QVERIFY(ui::findWord(embedding, "paris") == Word(embedding, 0));
        QVERIFY(ui::findWord(embedding, "Paris") == Word(embedding, 0));
        QVERIFY(!ui::findWord(embedding, "parris").has_value());
        const auto found = ui::nearestSpellings({embedding, {"parris", "Parris"}}, {}).value();
        QCOMPARE(found.at("parris").front(), "paris");
        QVERIFY(found.at("Parris").isEmpty());
        // Of a short word only the commonest are meant: "was" is no slip in "wad".
        embedding::Embedding common;
        common.vectors.resize(200, 1);
        for (int row = 0; row < 200; ++row) {
            (void)common.vocabulary.add(row == 0     ? "the"
                                        : row == 150 ? "wad"
                                                     : "word" + std::to_string(row));
            common.vectors(row, 0) = static_cast<float>(row);
        }
        const auto prepared = embedding::prepareEmbedding(std::move(common)).value();
        const auto likeShort = ui::nearestSpellings({prepared, {"teh", "was"}}, {}).value();
        QCOMPARE(likeShort.at("teh"), QStringList{"the"});
        QCOMPARE(likeShort.at("was"), QStringList());
    }
};

class OddsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void powersOfTenAreRoundedUp() {
        // 87.4 / ln 10 = 37.96
        QCOMPARE(report::powerOfTen(87.4), "10³⁸");
        QCOMPARE(report::powerOfTen(std::numeric_limits<double>::infinity()), "∞");
    }

    void theFirstPairThatIsThereIsTaken() {
        embedding::Vocabulary vocabulary;
        const auto pairWith = [&vocabulary](const char* word) {
            (void)vocabulary.add(word);
            return exampleWords(vocabulary);
        };
        QVERIFY(!exampleWords(vocabulary) && !pairWith("bus"));
        for (const char* word : {"monday", "nurse", "paris"}) {
            QVERIFY(pairWith(word) == WordPair(0, 1));
        }
        QVERIFY(pairWith("doctor") == WordPair(4, 2));
    }
};

class OutputMarkTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void contrastIsThatOfWcag() {
        // WCAG 2.1: black on white is 21:1; #767676 is the lightest grey with 4.5:1 on white.
        QVERIFY(std::abs(contrast(Qt::black, Qt::white) - 21.0) < 1e-9);
        for (const auto& [colour, ratio] : {std::pair{QColor(0x76, 0x76, 0x76), 4.54},
                                            {QColor(Qt::red), 4.00},
                                            {QColor(Qt::green), 1.37},
                                            {QColor(Qt::blue), 8.59}}) {
            QVERIFY(std::abs(contrast(colour, Qt::white) - ratio) < 0.01);
        }
    }

    void linesCanBeSeenInBothThemes() {
        for (const QPalette& palette : {lightPalette(), darkPalette()}) {
            const Theme theme = themeFor(palette);
            for (const OutputMark mark :
                 {OutputMark::kept, OutputMark::near, OutputMark::far, OutputMark::unknown}) {
                QVERIFY(contrast(lineColour(mark, theme), theme.surface) >= 3.0);
                QVERIFY(contrast(lineColour(mark, theme), theme.window) >= 2.9);
            }
        }
    }

    void underlinesDifferInShape() {
        const Theme theme = themeFor(lightPalette());
        const std::array marks{OutputMark::kept, OutputMark::near, OutputMark::far,
                               OutputMark::unknown, OutputMark::pending};
        std::vector<QImage> shapes;
        for (const OutputMark mark : marks) {
            QImage image(40, 12, QImage::Format_Grayscale8);
            image.fill(Qt::white);
            QPainter painter(&image);
            drawUnderline(painter, mark, theme, 0.0, 40.0, 6.0);
            painter.end();
            // Whatever was inked becomes black: colours play no part.
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    image.setPixelColor(
                        x, y, image.pixelColor(x, y).value() < 255 ? Qt::black : Qt::white);
                }
            }
            for (const QImage& other : shapes) {
                QVERIFY(image != other);
            }
            shapes.push_back(image);
        }
    }

    void areasOfNearAndFarHavePatterns() {
        const Theme theme = themeFor(darkPalette());
        QVERIFY(areaBrush(OutputMark::kept, theme).style() == Qt::SolidPattern);
        QVERIFY(areaBrush(OutputMark::near, theme).style() == Qt::TexturePattern);
        QVERIFY(areaBrush(OutputMark::far, theme).textureImage() !=
                areaBrush(OutputMark::near, theme).textureImage());
    }
};

namespace {

constexpr int kLongerThanAStepMs = 100;  // 70 ms where timers hurry

/// Lets what follows from a change happen, and end.
void settle() {
    test::letPass(1);
}

}  // namespace

class SettingsHistoryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Every control of the design is one step with a name, whose undo puts all back.
    void everyControlIsAStepOfItsOwn() {
        AnalysisState state;
        SettingsHistory history(state);
        using Settings = AnalysisSettings;
        const std::vector<std::pair<const char*, void (*)(Settings&)>> controls{
            {"mechanism", [](Settings& s) { s.chooseMechanism(mechanism::Tem()); }},
            {"metric",
             [](Settings& s) { s.setParameters({.metric = metric::Metric::mahalanobis}); }},
            {"λ", [](Settings& s) { s.setParameters({.lambda = 0.9}); }},
            {"β", [](Settings& s) { s.setParameters({.beta = 0.25}); }},
            {"how γ is given", [](Settings& s) { s.mechanism.gammaGiven = true; }},
            {"γ", [](Settings& s) { s.setParameters({.gamma = 3.5}); }},
            {"ε", [](Settings& s) { s.chooseEpsilon(3.0); }},
            {"mechanism", [](Settings& s) { s.chooseMechanism(mechanism::Hyperbolic()); }},
            {"noise", [](Settings& s) { s.setParameters({.law = mechanism::RadialLaw::eq7}); }},
            {"draws", [](Settings& s) { s.draws = 50; }},
            {"words",
             [](Settings& s) {
                 s.words = {calibration::WordSelection::Kind::list, 0, {1, 2}};
             }},
            {"seed", [](Settings& s) { s.seed = 9; }},
            {"band",
             [](Settings& s) {
                 s.band = {25, 75};
             }},
            {"unknown words",
             [](Settings& s) { s.textPolicies.unknownWords = release::UnknownPolicy::keep; }},
            {"letter case",
             [](Settings& s) { s.textPolicies.letterCase = text::CasePolicy::lower; }},
            {"grid of ε",
             [](Settings& s) {
                 s.grid.epsilons = {1, 5};
             }},
            {"grid of λ", [](Settings& s) { s.grid.lambdas = {0.5}; }},
            {"grid of β", [](Settings& s) { s.grid.betas = {0.5}; }},
            {"grid of γ",
             [](Settings& s) {
                 s.grid.gammas = {2.0, 3.0};
             }},
            {"pinned settings", [](Settings& s) { s.pinPresent(); }},
            {"limits", [](Settings& s) { s.limits = calibration::defaultLimits(); }}};
        std::vector<Settings> states{state.settings()};
        for (const auto& [name, change] : controls) {
            state.edit(change);
            states.push_back(state.settings());
            QCOMPARE(history.stack().count(), static_cast<int>(states.size()) - 1);
            QCOMPARE(history.stack().undoText(), name);
        }
        for (std::size_t i = controls.size(); i-- > 0;) {
            QCOMPARE(history.stack().undoText(), QString::fromUtf8(controls[i].first));
            history.stack().undo();
            QVERIFY2(state.settings() == states[i], controls[i].first);
        }
        QVERIFY(!history.stack().canUndo());
        for (std::size_t i = 1; i < states.size(); ++i) {
            history.stack().redo();
            QVERIFY2(state.settings() == states[i], controls[i - 1].first);
        }
    }

    /// A list of words comes back with what the report says of it.
    void anUndoneListHasItsSourceAgain() {
        AnalysisState state;
        SettingsHistory history(state);
        const auto choose = [&state](embedding::Row row, const char* file) {
            state.edit([&](AnalysisSettings& settings) {
                settings.chooseWords({calibration::WordSelection::Kind::list, 0, {row}},
                                     calibration::SelectionDescription{.dataFile = file});
            });
            test::letPass(kLongerThanAStepMs);
        };
        const auto file = [&state] { return state.settings().wordsFrom().value().dataFile; };
        choose(1, "first.tsv");
        choose(2, "second.tsv");
        QCOMPARE(file(), std::string("second.tsv"));
        history.stack().undo();
        QCOMPARE(state.settings().words.rows, std::vector<embedding::Row>{1});
        QCOMPARE(file(), std::string("first.tsv"));
        history.stack().redo();
        QCOMPARE(file(), std::string("second.tsv"));
        history.stack().undo();
        history.stack().undo();
        QVERIFY(!state.settings().wordsFrom());
    }

    /// In another unit neither epsilon nor the range that was found for it means anything.
    void anUndoneMechanismHasItsEpsilonAndItsRangeAgain() {
        AnalysisState state;
        SettingsHistory history(state);
        const EpsilonScale found{4.5, 1.0, 9.0};
        state.edit(&AnalysisSettings::suggest, found);
        state.edit(&AnalysisSettings::chooseEpsilon, 3.0);
        state.edit(&AnalysisSettings::chooseMechanism, mechanism::Tem());
        state.edit(&AnalysisSettings::suggest, {70.0, 40.0, 90.0});
        QCOMPARE(state.epsilon(), 70.0);
        history.stack().undo();
        QVERIFY(state.mechanism().as<mechanism::Mahalanobis>());
        QCOMPARE(state.epsilon(), 3.0);
        QVERIFY(state.epsilonScale() == found);
        history.stack().redo();
        QVERIFY(state.epsilonScale() != found);
    }

    /// What the program found out after a step stays when the step is undone.
    void aStepPutsBackOnlyWhatItChanged() {
        AnalysisState state;
        SettingsHistory history(state);
        state.edit(&AnalysisSettings::draws, 50);
        settle();
        state.edit(&AnalysisSettings::suggest, {4.5, 1.0, 9.0});
        settle();
        history.stack().undo();
        QCOMPARE(state.draws(), 100);
        QCOMPARE(state.epsilon(), 4.5);
        QVERIFY(state.epsilonScale().low.has_value());
    }

    void gridsThatFollowAMechanismBelongToItsStep() {
        AnalysisState state;
        test::open(state);
        SettingsHistory history(state);
        CurveGrid curves(state);
        settle();
        history.forget();
        const auto usual = state.grid().epsilons;
        (void)curves.setEpsilonText("1; 2");
        settle();
        state.edit(&AnalysisSettings::chooseMechanism, mechanism::Tem());
        settle();
        QVERIFY(state.grid().epsilons != (std::vector<double>{1, 2}));
        QCOMPARE(history.stack().count(), 2);
        history.stack().undo();
        QVERIFY(state.mechanism().as<mechanism::Mahalanobis>());
        QCOMPARE(state.grid().epsilons, (std::vector<double>{1, 2}));
        history.stack().undo();
        QCOMPARE(state.grid().epsilons, usual);
    }

    /// However long the hand rests, on any slider of the window and on the lines of the plots.
    void aDragOfAnyControlOfTheWindowIsOneStep() {
        const auto window = std::make_unique<MainWindow>();
        window->state().setEmbedding(test::toyEmbedding(), nullptr);
        window->show();
        settle();
        QUndoStack& stack = window->history().stack();
        QVERIFY(!stack.canUndo());
        const auto drag = [&stack](auto& control, auto begin, auto move, auto end) {
            const int before = stack.count();
            begin();
            move(1);
            test::letPass(kLongerThanAStepMs);
            move(2);
            end();
            QVERIFY2(stack.count() - before == 1, qPrintable(control.objectName()));
        };
        const auto sliders = window->findChildren<ValueSlider*>();
        QCOMPARE(sliders.count(), 4);
        for (ValueSlider* slider : sliders) {
            const auto at = [slider](int step) {
                return QPoint(slider->width() * step / 4, slider->height() / 2);
            };
            drag(
                *slider, [&] { QTest::mousePress(slider, Qt::LeftButton, {}, at(3)); },
                [&](int step) { QTest::mouseMove(slider, at(step)); },
                [&] { QTest::mouseRelease(slider, Qt::LeftButton, {}, at(2)); });
        }
        for (const char* name : {"nwPlot", "swPlot", "utilityPlot", "riskPlot"}) {
            auto* plot = test::findControl<XyPlot>(*window, name);
            drag(
                *plot, [&] { Q_EMIT plot->dragStarted(); },
                [&](int step) { Q_EMIT plot->cursorMoved(window->state().epsilon() + step); },
                [&] { Q_EMIT plot->dragFinished(); });
        }
    }

    void quickKeysAreOneStepAndSlowOnesAreNot() {
        AnalysisState state;
        SettingsHistory history(state);
        for (const double epsilon : {3.0, 3.1, 3.2}) {
            state.edit(&AnalysisSettings::chooseEpsilon, epsilon);
        }
        QCOMPARE(history.stack().count(), 1);
        test::letPass(kLongerThanAStepMs);
        state.edit(&AnalysisSettings::chooseEpsilon, 4.0);
        QCOMPARE(history.stack().count(), 2);
        history.stack().undo();
        QCOMPARE(state.epsilon(), 3.2);
        // A change after an undo is a step of its own and ends what could be redone.
        state.edit(&AnalysisSettings::chooseEpsilon, 5.0);
        QVERIFY(!history.stack().canRedo());
        history.stack().undo();
        QCOMPARE(state.epsilon(), 3.2);
    }

    /// Only numbers run through many values; whoever wants another seed twice means both.
    void quickActsAreStepsOfTheirOwn() {
        AnalysisState state;
        SettingsHistory history(state);
        state.edit(&AnalysisSettings::seed, 9);
        state.edit(&AnalysisSettings::seed, 10);
        state.edit(&AnalysisSettings::pinPresent);
        state.edit(&AnalysisSettings::pin, std::nullopt);
        QCOMPARE(history.stack().count(), 4);
        history.stack().undo();
        QVERIFY(state.pin().has_value());
    }

    void aGridThatFollowsAnEstimateIsNoStep() {
        AnalysisState state;
        test::open(state);
        CurveGrid curves(state);
        SettingsHistory history(state);
        const std::vector<double> before = state.grid().epsilons;
        state.edit(&AnalysisSettings::suggest, {40.0, 20.0, 90.0});
        QVERIFY(state.grid().epsilons != before);
        state.edit(&AnalysisSettings::largestDistance, 3.0);
        QCOMPARE(state.grid().gammas.back(), 3.0);
        QVERIFY(!history.stack().canUndo());
    }

    void whatTheProgramSetsIsNoStep() {
        AnalysisState state;
        SettingsHistory history(state);
        state.edit(&AnalysisSettings::draws, 50);
        state.setEmbedding(test::toyEmbedding(), nullptr);
        QVERIFY(!history.stack().canUndo());
        test::letPass(1);
        state.edit(&AnalysisSettings::suggest, {4.5, 1.0, 9.0});
        QCOMPARE(state.epsilon(), 4.5);
        QVERIFY(!history.stack().canUndo());
        test::letPass(1);
        state.edit(&AnalysisSettings::chooseEpsilon, 6.0);
        QCOMPARE(history.stack().count(), 1);
        history.stack().undo();
        QCOMPARE(state.epsilon(), 4.5);
        // It follows its default again.
        state.edit(&AnalysisSettings::suggest, {5.5, 1.0, 9.0});
        QCOMPARE(state.epsilon(), 5.5);
    }
};

EPSILENS_UI_TEST(AnalysisSettingsTest)
EPSILENS_UI_TEST(AnalysisStateTest)
EPSILENS_UI_TEST(MechanismViewTest)
EPSILENS_UI_TEST(WordTest)
EPSILENS_UI_TEST(OddsTest)
EPSILENS_UI_TEST(OutputMarkTest)
EPSILENS_UI_TEST(SettingsHistoryTest)
#include "settings_test.moc"
