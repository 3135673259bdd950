#include <algorithm>
#include <optional>

#include "core/base/numbers.h"
#include "core/report/memo_words.h"
#include "tests/ui/support/toy_embedding.h"
#include "tests/ui/support/ui_test.h"
#include "ui/help/help_window.h"
#include "ui/release/release_dialog.h"
#include "ui/setup/setup_panel.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

/// The section of a topic, which there has to be.
QString titleOf(const QString& topic) {
    const HelpSection* section = helpSection(HelpTopic::parse(topic));
    if (section == nullptr) {
        qWarning("no section %s", qPrintable(topic));
    }
    return section == nullptr ? QString() : section->title;
}

}  // namespace

class HelpPagesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPageHasTextAndEveryHeadingAKeyOfItsOwn() {
        QSet<QString> keys;
        for (const HelpSection& section : helpSections()) {
            const QString key = section.page + '#' + headingKey(section.title);
            QVERIFY2(!keys.contains(key), qPrintable(key));
            keys.insert(key);
            QVERIFY(helpMarkdown(section.page).size() > 200);
            QVERIFY(!titleOf(section.page).isEmpty());
        }
        QVERIFY(helpMarkdown("nowhere").isEmpty());
    }

    void everyLinkLeadsSomewhere() {
        static const QRegularExpression kLink("\\]\\(([^)]*)\\)");
        int links = 0;
        for (const HelpSection& section : helpSections()) {
            const QString page = section.level == 1 ? helpMarkdown(section.page) : QString();
            for (const auto& link : kLink.globalMatch(page)) {
                ++links;
                const QString topic = topicOfLink(link.captured(1));
                QVERIFY(!topic.isEmpty() && !titleOf(topic).isEmpty());
            }
        }
        QVERIFY(links > 5);
    }

    void everyControlFindsItsSectionAndEveryNameItsControl() {
        const auto window = std::make_unique<MainWindow>();
        const QWidget* release = newReleaseDialog(window->state(), window->limits(), window->jobs(),
                                                  window->setup().guarantee(), window.get());
        QSet<QString> names{release->objectName()};
        for (const QWidget* top : {static_cast<const QWidget*>(window.get()), release}) {
            for (const QWidget* widget : top->findChildren<QWidget*>()) {
                QVERIFY(!titleOf(helpTopicOf(widget)).isEmpty());
                names.insert(widget->objectName());
            }
        }
        for (const QString& name : controlsWithTopics()) {
            QVERIFY2(names.contains(name), qPrintable(name));
        }
        QCOMPARE(titleOf(helpTopicOf(test::findControl<QWidget>(*window, "epsilonSlider"))),
                 "ε step by step");
        QCOMPARE(helpTopicOf(nullptr), "start");
    }
};

class HelpWindowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void showsPagesAndGoesBack() {
        HelpWindow help;
        help.show();
        auto* text = test::findControl<QTextBrowser>(help, "helpText");
        auto* back = test::findControl<QAbstractButton>(help, "helpBackButton");
        QCOMPARE(help.shownPage(), "start");
        QVERIFY(!back->isEnabled());
        help.showTopic("messages#computing");
        QCOMPARE(help.shownPage(), "messages");
        QVERIFY(test::holds(text->toPlainText(), "Computing"));
        QVERIFY(text->verticalScrollBar()->value() > 0);
        help.showTopic("nowhere");
        QCOMPARE(help.shownPage(), "messages");
        back->click();
        QCOMPARE(help.shownPage(), "start");
        Q_EMIT text->anchorClicked(QUrl("help:terms#λ-lambda"));
        QCOMPARE(help.shownPage(), "terms");
        // Nothing else is followed.
        Q_EMIT text->anchorClicked(QUrl("https://example.org/"));
        QCOMPARE(help.shownPage(), "terms");
    }

    void aSectionAskedForIsMarkedAndScrolledByKeys() {
        QWidget asking;
        asking.show();
        showHelp(asking, "guarantees#looks-private-promises-little");
        auto* help = asking.findChild<HelpWindow*>();
        QVERIFY(QTest::qWaitForWindowActive(help));
        auto* text = test::findControl<QTextBrowser>(*help, "helpText");
        QVERIFY(text->hasFocus());
        QCOMPARE(text->extraSelections().size(), 1);
        const QTextBlock heading = text->extraSelections().front().cursor.block();
        QCOMPARE(heading.text(), "Looks private, promises little");
        QVERIFY(text->rect().intersects(text->cursorRect(QTextCursor(heading))));
        QTest::keyClick(text, Qt::Key_Escape);
        QVERIFY(!help->isVisible());
    }

    void f1AndAClickThatAsksLeadToTheTopicOfAControl() {
        for (const bool isClick : {false, true}) {
            const auto window = std::make_unique<MainWindow>();
            window->show();
            window->state().setEmbedding(test::toyEmbedding(), nullptr);
            const auto trigger = [&window](const char* name) {
                test::findControl<QAction>(*window, name)->trigger();
            };
            trigger("detailsAction");
            auto* seed = test::findControl<QWidget>(*window, "seedField");
            if (isClick) {
                QCOMPARE(test::findControl<QAction>(*window, "whatsThisAction")->shortcut(),
                         QKeySequence(Qt::SHIFT | Qt::Key_F1));
                trigger("whatsThisAction");
                QVERIFY(QWhatsThis::inWhatsThisMode());
                QTest::mouseClick(seed, Qt::LeftButton);
                QVERIFY(!QWhatsThis::inWhatsThisMode());
            } else {
                seed->setFocus();
                QTRY_VERIFY(seed->hasFocus());
                trigger("helpAction");
            }
            QCOMPARE(test::findControl<HelpWindow>(*window, "helpWindow")->shownPage(), "terms");
        }
    }

    void f1WorksInADialog() {
        const auto window = std::make_unique<MainWindow>();
        window->show();
        ReleaseDialog& dialog = *newReleaseDialog(window->state(), window->limits(), window->jobs(),
                                                  window->setup().guarantee(), window.get());
        dialog.open();
        QTest::keyClick(test::findControl<QWidget>(dialog, "letterCaseComboBox"), Qt::Key_F1);
        auto* help = test::findControl<HelpWindow>(dialog, "helpWindow");
        QVERIFY(help->isVisible());
        QCOMPARE(help->shownPage(), "limits");
        // A window of the main window would be blocked while the dialog is open.
        QVERIFY(help->parentWidget() == &dialog);
    }
};

namespace {

/// Where the literal ends that begins at a place.
qsizetype endOfLiteral(const QString& text, qsizetype begin) {
    qsizetype at = begin + 1;
    while (at < text.size() && text.at(at) != '"') {
        at += text.at(at) == '\\' ? 2 : 1;
    }
    return at;
}

/// Where a bracket that is open at a place is closed; literals are passed over.
qsizetype endOfBracket(const QString& text, qsizetype from) {
    int depth = 1;
    for (qsizetype at = from; at < text.size(); ++at) {
        const QChar character = text.at(at);
        if (character == '"') {
            at = endOfLiteral(text, at);
        } else if (QString("({").contains(character)) {
            ++depth;
        } else if (QString(")}").contains(character) && --depth == 0) {
            return at;
        }
    }
    return text.size();
}

/// Without what stands in braces: the buttons of a notice.
QString withoutBraces(const QString& arguments) {
    QString rest;
    for (qsizetype at = 0; at < arguments.size(); ++at) {
        const qsizetype begin = at;
        if (arguments.at(at) == '"') {
            at = endOfLiteral(arguments, at);
        } else if (arguments.at(at) == '{') {
            at = endOfBracket(arguments, at + 1);
            continue;
        }
        rest += arguments.mid(begin, at + 1 - begin);
    }
    return rest;
}

/// Whether a literal is a sentence: three words at least, beside the values put into it. Others are
/// pieces of one.
bool isSentence(const QString& literal) {
    static const QRegularExpression kWord("\\b[^\\W\\d_]+\\b");
    constexpr int kFewestWords = 3;
    return literal.count(kWord) >= kFewestWords;
}

/// The sentences in a piece of code.
QStringList literalsOf(const QString& code) {
    static const QRegularExpression kLiteral("\"((?:[^\"\\\\]|\\\\.)*)\"");
    QStringList literals;
    for (const auto& found : kLiteral.globalMatch(code)) {
        const QString literal = found.captured(1).replace("\\\"", "\"");
        if (isSentence(literal)) {
            literals.append(literal);
        }
    }
    return literals;
}

/// The literals in the arguments behind each place that a pattern finds.
QStringList literalsBehind(const QString& text, const QRegularExpression& pattern) {
    QStringList literals;
    for (const auto& place : pattern.globalMatch(text)) {
        const qsizetype begin = place.capturedEnd();
        literals += literalsOf(withoutBraces(text.mid(begin, endOfBracket(text, begin) - begin)));
    }
    return literals;
}

/// The literals in the bodies of the member functions of a name that take nothing.
QStringList literalsOfBody(const QString& text, const QString& name) {
    const QRegularExpression head(QString("\\b%1\\(\\) const \\{").arg(name));
    QStringList literals;
    for (const auto& place : head.globalMatch(text)) {
        const qsizetype begin = place.capturedEnd();
        literals += literalsOf(text.mid(begin, endOfBracket(text, begin) - begin));
    }
    return literals;
}

/// What a constant or a function that stands in the place of a text says.
QStringList literalsByName(const QString& text) {
    static const QRegularExpression kNamed("ErrorCode::\\w+,\\s*(\\w+)(\\(\\))?\\)");
    QStringList literals;
    for (const auto& place : kNamed.globalMatch(text)) {
        if (place.capturedLength(2) > 0) {
            literals += literalsOfBody(text, place.captured(1));
        } else {
            const QRegularExpression constant(
                QString("\\b%1 =\\s*(\"[^\"]*\")").arg(place.captured(1)));
            literals += literalsOf(constant.match(text).captured(1));
        }
    }
    return literals;
}

/// Calls of the functions of the file that make errors, and of those that complain of a row or an
/// option.
QStringList literalsOfMakers(const QString& text) {
    static const QRegularExpression kMaker("\\bError>? (\\w+)\\(|\\b(skip|refused)\\(");
    QStringList names;
    for (const auto& maker : kMaker.globalMatch(text)) {
        const QString name = maker.captured(1) + maker.captured(2);
        // What exactly is damaged makes no difference to what can be done.
        if (!name.startsWith("damaged")) {
            names.append(name);
        }
    }
    names.removeDuplicates();
    QStringList literals;
    for (const QString& name : names) {
        literals += literalsBehind(text, QRegularExpression(QString("\\b%1\\(").arg(name)));
    }
    return literals;
}

/// A source file of the program with literals that are written in several parts put together.
QString sourceText(const QString& path) {
    static const QRegularExpression kBetweenParts("\"\\s*\\n\\s*\"");
    return QString::fromUtf8(test::contentOf(path)).remove(kBetweenParts);
}

/// What the sources of a folder say to whoever uses the program: the texts of errors and notices,
/// also where a function of the file makes them, a constant holds them or one of several is chosen,
/// and what hinders a computation. Values are still place holders in them, as {} and %1.
QStringList messagesOfSources(const QString& folder) {
    static const QRegularExpression kText(
        "(?:ErrorCode|Severity)::\\w+,|\\b(?:complain|invalidArgument|refuse)\\(");
    QStringList messages;
    QDirIterator files(folder, {"*.cpp"}, QDir::Files);
    while (files.hasNext()) {
        const QString text = sourceText(files.next());
        messages += literalsBehind(text, kText) + literalsByName(text) + literalsOfMakers(text) +
                    literalsOfBody(text, "obstacle");
    }
    messages.removeDuplicates();
    return messages;
}

QString sourceFolder(const char* name) {
    return QStringLiteral(EPSILENS_SOURCE "/") + name;
}

/// The sources of the window, the command line and the library in one text.
QString allSources() {
    QString text;
    for (const char* folder : {"core", "ui", "app/cli"}) {
        QDirIterator files(sourceFolder(folder), {"*.cpp", "*.h"}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            text += sourceText(files.next());
        }
    }
    return text.replace("\\\"", "\"");
}

/// What the tables of the page have in their first column, without the headings.
QStringList messagesOfHelp() {
    static const QRegularExpression kRow("^\\| (?!message |---)(.+) \\| .+ \\|$",
                                         QRegularExpression::MultilineOption);
    QStringList messages;
    for (const auto& row : kRow.globalMatch(helpMarkdown("messages"))) {
        messages.append(row.captured(1));
    }
    return messages;
}

/// What does not change from case to case.
QStringList fixedParts(const QString& message) {
    static const QRegularExpression kChanging("\\{[^}]*\\}|%\\d|…");
    constexpr qsizetype kShortest = 3;
    QStringList parts;
    const QStringList all = message.split(kChanging, Qt::SkipEmptyParts);
    for (const QString& part : all) {
        if (part.trimmed().size() >= kShortest) {
            parts.append(part.trimmed());
        }
    }
    return parts;
}

bool holdsInOrder(const QString& text, const QStringList& parts) {
    qsizetype from = 0;
    for (const QString& part : parts) {
        const qsizetype found = text.indexOf(part, from);
        if (found < 0) {
            return false;
        }
        from = found + part.size();
    }
    return true;
}

/// Whether a row of the help is about a message; either may say more than the other. A row of few
/// letters would be about too many.
bool isAbout(const QString& row, const QString& message) {
    constexpr qsizetype kFewestLetters = 9;
    const QStringList ofRow = fixedParts(row);
    return (ofRow.join(QString()).size() >= kFewestLetters && holdsInOrder(message, ofRow)) ||
           holdsInOrder(row, fixedParts(message));
}

}  // namespace

/// A message that the program no longer has must leave the help, and all that it has must stand
/// there.
class HelpMessagesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyMessageOfTheHelpIsOneOfTheProgram() {
        const QString sources = allSources();
        QVERIFY(sources.size() > 100'000);
        const QStringList messages = messagesOfHelp();
        QVERIFY(messages.size() > 40);
        for (const QString& message : messages) {
            const QStringList parts = fixedParts(message);
            for (const QString& part : parts) {
                QVERIFY2(sources.contains(part), qPrintable(message + ": " + part));
            }
        }
    }

    void everyMessageOfTheProgramIsInTheHelp() {
        const QStringList rows = messagesOfHelp();
        QStringList missing;
        qsizetype messages = 0;
        for (const char* folder :
             {"core/base",     "core/calibration", "core/embedding",   "core/io",
              "core/engine",   "core/mechanism",   "core/metric",      "core/numeric",
              "core/document", "core/release",     "core/report",      "core/text",
              "core/training", "app/cli",          "app/cli/commands", "app/cli/parser",
              "ui/state",      "ui/widgets",       "ui/plot",          "ui/choose",
              "ui/curves",     "ui/release",       "ui/report",        "ui/setup",
              "ui/shell",      "ui/space",         "ui/words"}) {
            QVERIFY2(QDir(sourceFolder(folder)).exists(), folder);
            const QStringList said = messagesOfSources(sourceFolder(folder));
            messages += said.size();
            for (const QString& message : said) {
                if (std::ranges::none_of(
                        rows, [&](const QString& row) { return isAbout(row, message); })) {
                    missing.append(message);
                }
            }
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join('\n')));
        QVERIFY2(messages >= 146, qPrintable(QString::number(messages)));
    }
};

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

EPSILENS_UI_TEST(HelpPagesTest)
EPSILENS_UI_TEST(HelpWindowTest)
EPSILENS_UI_TEST(HelpMessagesTest)
EPSILENS_UI_TEST(HelpNumbersTest)
#include "help_test.moc"
