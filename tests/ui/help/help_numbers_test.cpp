#include <optional>

#include "core/base/numbers.h"
#include "core/report/memo_words.h"
#include "tests/ui/support/ui_test.h"
#include "ui/help/help_window.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

/// A command of the help, and the numbers that the table below it gives.
struct Example {
    QStringList arguments;
    QList<std::pair<QString, QString>> values;
};

/// An indented line is a command, the rows of the table that follows are its values.
QList<Example> examplesOf(const QString& markdown) {
    static const QRegularExpression kRow("^\\| ([^|]+) \\| ([0-9.,]+) \\|$");
    QList<Example> examples;
    const QStringList lines = markdown.split('\n');
    for (const QString& line : lines) {
        const auto row = kRow.match(line);
        if (line.startsWith("    epsilens-cli ")) {
            examples.append({line.simplified().split(' ').mid(1), {}});
        } else if (row.hasMatch() && !examples.isEmpty()) {
            examples.last().values.append({row.captured(1), row.captured(2)});
        }
    }
    return examples;
}

QJsonObject guaranteeOf(const QStringList& arguments) {
    QProcess program;
    program.start(QStringLiteral(EPSILENS_CLI), arguments + QStringList{"--format", "json"});
    if (!program.waitForFinished(test::kPatienceMs)) {
        program.kill();
        return {};
    }
    return QJsonDocument::fromJson(program.readAllStandardOutput())
        .object()["guarantees"]
        .toArray()
        .first()
        .toObject();
}

std::optional<double> valueNamed(const QJsonObject& guarantee, const QString& name) {
    const QJsonObject pair = guarantee["pairs"].toArray().first().toObject();
    for (const QJsonObject& object : {pair, guarantee}) {
        if (object[name].isDouble()) {
            return object[name].toDouble();
        }
    }
    static const QStringList kFactors{"Euclidean lower factor", "Euclidean upper factor"};
    const qsizetype place = kFactors.indexOf(name);
    return place < 0 ? std::nullopt
                     : std::optional(guarantee["euclidean"].toArray().at(place).toDouble());
}

/// With as many significant digits as the text has; bounds rounded to their safe side.
QString shownLike(const QString& text, const QString& name, double value) {
    QString digits = text;
    digits.remove('.');
    static const QRegularExpression kLeadingZeros("^0+");
    digits.remove(kLeadingZeros);
    const int count = static_cast<int>(digits.size());
    if (name == "odds") {
        return toQString(report::factorAtMost(value));
    }
    if (name == "distance" || name == "gamma") {
        return significant(value, count);
    }
    return toQString(name == "Euclidean lower factor" ? formatAtLeast(value, count)
                                                      : formatAtMost(value, count));
}

}  // namespace

/// The numbers of the help are recomputed by the very commands that it shows.
class HelpNumbersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyNumberIsWhatItsCommandGives() {
        const auto examples = examplesOf(helpMarkdown("guarantees"));
        QCOMPARE(examples.size(), 6);
        for (const Example& example : examples) {
            const QString command = example.arguments.join(' ');
            const QJsonObject guarantee = guaranteeOf(example.arguments);
            QVERIFY2(!guarantee.isEmpty(), qPrintable(command));
            QVERIFY2(example.values.size() >= 3, qPrintable(command));
            for (const auto& [name, text] : example.values) {
                const auto value = valueNamed(guarantee, name);
                QVERIFY2(value.has_value(), qPrintable(name));
                QVERIFY2(shownLike(text, name, *value) == text,
                         qPrintable(QString("%1: %2 is %3, not %4")
                                        .arg(command, name, shownLike(text, name, *value), text)));
            }
        }
    }
};

EPSILENS_UI_TEST(HelpNumbersTest)
#include "help_numbers_test.moc"
