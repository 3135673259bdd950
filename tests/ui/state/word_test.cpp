#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/report/memo_words.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/state/mechanism_view.h"
#include "ui/state/output_mark.h"
#include "ui/state/word.h"

using namespace epsilens;
using namespace epsilens::ui;
using ui::Word;

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

    void powersOfTenAreRoundedUp() {
        // 87.4 / ln 10 = 37.96
        QCOMPARE(report::powerOfTen(87.4), "10³⁸");
        QCOMPARE(report::powerOfTen(std::numeric_limits<double>::infinity()), "∞");
    }

    void pairsThatAreThereAreTaken() {
        embedding::Vocabulary vocabulary;
        const auto pairWith = [&vocabulary](const char* word) {
            (void)vocabulary.add(word);
            return exampleWords(vocabulary);
        };
        using Pairs = std::vector<WordPair>;
        QVERIFY(exampleWords(vocabulary).empty() && pairWith("bus").empty());
        for (const char* word : {"monday", "nurse", "paris"}) {
            QVERIFY(pairWith(word) == Pairs({{0, 1}}));
        }
        QVERIFY(pairWith("doctor") == Pairs({{4, 2}}));
        QVERIFY(pairWith("car") == Pairs({{4, 2}, {5, 0}}));
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

EPSILENS_UI_TEST(WordTest)
EPSILENS_UI_TEST(OutputMarkTest)
#include "word_test.moc"
