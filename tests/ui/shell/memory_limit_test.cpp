#include <array>

#include <QAbstractButton>
#include <QFile>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include "core/base/random_stream.h"
#include "tests/ui/shell/whole_window.h"
#include "ui/shell/preferences.h"
#include "ui/widgets/number_field.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using test::kPatienceMs;

namespace {

constexpr int kManyRows = 10'000;
constexpr std::size_t kDimensions = 300;
/// 75.2 MB: buffers take 67 MB of them, which leaves too little for the 12 MB of the vectors.
constexpr double kTightGiB = 0.07;
/// 53.7 MB: less than the buffers take.
constexpr double kTooTightGiB = 0.05;

/// A word2vec file of random vectors.
bool writeVectors(const QString& path) {
    QFile file(path);
    bool written = file.open(QIODevice::WriteOnly) && file.write("10000 300\n") > 0;
    SeededStream random(StreamKey{5, StreamPurpose::unitDraws, 0, 0});
    std::array<float, kDimensions> row{};
    for (int i = 0; i < kManyRows && written; ++i) {
        for (float& value : row) {
            value = static_cast<float>(random.uniform());
        }
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the bytes of the numbers
        const QByteArray bytes(reinterpret_cast<const char*>(row.data()), sizeof(row));
        written = file.write("w" + QByteArray::number(i) + ' ' + bytes) > 0;
    }
    return written;
}

}  // namespace

/// The memory that the Preferences allow for loading.
class MemoryLimitTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        prepare();
        m_path = m_large.filePath(QStringLiteral("vectors.bin"));
        QVERIFY(QFile::exists(m_path) || writeVectors(m_path));
        allow(kTightGiB);
        m_window->resize(m_window->minimumSize());
    }
    void cleanup() {
        clean();
        QSettings().clear();
    }

    void asManyRowsAsTheMessageNamesFit() {
        m_window->open(m_path);
        QTRY_VERIFY_WITH_TIMEOUT(notice().isVisible(), kPatienceMs);
        QVERIFY2(notice().text().contains(QStringLiteral("10,000 rows of 300 values need")) &&
                     notice().text().contains(QStringLiteral("75 MB are allowed")),
                 qPrintable(notice().text()));
        const QRegularExpression first(QStringLiteral("load the first ([0-9,]+) "));
        const QString named = first.match(notice().text()).captured(1).remove(QLatin1Char(','));
        QVERIFY2(named.toInt() > 0 && named.toInt() < kManyRows, qPrintable(notice().text()));
        QVERIFY(state().embedding() == nullptr);
        // The line fits into the smallest window.
        QCOMPARE(m_window->size(), m_window->minimumSize());

        answer(QStringLiteral("Load the first %1").arg(first.match(notice().text()).captured(1)));
        QTRY_VERIFY_WITH_TIMEOUT(state().embedding() != nullptr, kPatienceMs);
        QCOMPARE(state().embedding()->wordCount(), named.toInt());
        QCOMPARE(state().embedding()->embedding.report.limitedTo, named.toLongLong());
        QVERIFY(!notice().isVisible());
    }

    void whereNoRowFitsTheirNumberIsTyped() {
        allow(kTooTightGiB);
        m_window->open(m_path);
        QTRY_VERIFY_WITH_TIMEOUT(notice().isVisible(), kPatienceMs);
        answer(QStringLiteral("Load the first rows…"));
        auto* rows = &find<NumberField>("rowLimitField");
        QTRY_VERIFY(rows->hasFocus());
        QTest::keyClicks(rows, QStringLiteral("2000"));
        QTest::keyClick(rows, Qt::Key_Return);
        allow(0.0);
        click("reloadButton");
        QTRY_VERIFY_WITH_TIMEOUT(state().embedding() != nullptr, kPatienceMs);
        QCOMPARE(state().embedding()->wordCount(), 2'000);
    }

    void theMessageLeadsToTheLimit() {
        m_window->open(m_path);
        QTRY_VERIFY_WITH_TIMEOUT(notice().isVisible(), kPatienceMs);
        // What somebody does in the dialog while it is open.
        QTimer soon;
        soon.setSingleShot(true);
        connect(&soon, &QTimer::timeout, this, [this] {
            auto* dialog = m_window->findChild<PreferencesDialog*>();
            QVERIFY(dialog != nullptr);
            findControl<NumberField>(*dialog, "memoryField")->setValue(0.1);
            dialog->accept();
        });
        soon.start(0);
        answer(QStringLiteral("Preferences…"));
        QTRY_VERIFY_WITH_TIMEOUT(state().embedding() != nullptr, kPatienceMs);
        QCOMPARE(state().embedding()->wordCount(), kManyRows);
    }

private:
    static void allow(double gib) {
        Preferences preferences;
        preferences.memoryGiB = gib;
        preferences.save();
    }
    void answer(const QString& text) const { test::buttonOf(notice(), text).click(); }

    const QTemporaryDir m_large;  ///< for all tests
    QString m_path;
};

EPSILENS_UI_TEST(MemoryLimitTest)
#include "memory_limit_test.moc"
