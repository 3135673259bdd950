#include <array>

#include <QAbstractButton>
#include <QCheckBox>
#include <QFile>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include "core/base/random_stream.h"
#include "tests/ui/support/ui_test.h"
#include "ui/shell/preferences.h"
#include "ui/shell/preferences_dialog.h"
#include "ui/shell/window_factory.h"
#include "ui/widgets/notice_line.h"
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
class MemoryLimitTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_path = m_folder.filePath(QStringLiteral("vectors.bin"));
        QVERIFY(QFile::exists(m_path) || writeVectors(m_path));
        allow(kTightGiB);
        m_window = createWindow(coreLoadFunctions());
        m_window->resize(m_window->minimumSize());
        m_window->show();
    }
    void cleanup() {
        m_window.reset();
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
        QVERIFY(m_window->state().embedding() == nullptr);
        // The line fits into the smallest window.
        QCOMPARE(m_window->size(), m_window->minimumSize());

        action(QStringLiteral("Load the first %1").arg(first.match(notice().text()).captured(1)))
            ->click();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != nullptr, kPatienceMs);
        QCOMPARE(m_window->state().embedding()->wordCount(), named.toInt());
        QVERIFY(findControl<QCheckBox>(*m_window, "rowLimitCheckBox")->isChecked());
        QCOMPARE(findControl<NumberField>(*m_window, "rowLimitField")->value(), named.toDouble());
        QVERIFY(!notice().isVisible());
    }

    void whereNoRowFitsTheirNumberIsTyped() {
        allow(kTooTightGiB);
        m_window->open(m_path);
        QTRY_VERIFY_WITH_TIMEOUT(notice().isVisible(), kPatienceMs);
        action(QStringLiteral("Load the first rows…"))->click();
        QVERIFY(findControl<QCheckBox>(*m_window, "rowLimitCheckBox")->isChecked());
        auto* rows = findControl<NumberField>(*m_window, "rowLimitField");
        QTRY_VERIFY(rows->hasFocus());
        QTest::keyClicks(rows, QStringLiteral("2000"));
        QTest::keyClick(rows, Qt::Key_Return);
        allow(0.0);
        findControl<QPushButton>(*m_window, "reloadButton")->click();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != nullptr, kPatienceMs);
        QCOMPARE(m_window->state().embedding()->wordCount(), 2'000);
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
        action(QStringLiteral("Preferences…"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != nullptr, kPatienceMs);
        QCOMPARE(m_window->state().embedding()->wordCount(), kManyRows);
    }

    void withoutALimitAllIsLoaded() {
        allow(0.0);
        m_window->open(m_path);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != nullptr, kPatienceMs);
        QCOMPARE(m_window->state().embedding()->wordCount(), kManyRows);
    }

private:
    static void allow(double gib) {
        Preferences preferences;
        preferences.memoryGiB = gib;
        preferences.save();
    }
    NoticeLine& notice() { return *findControl<NoticeLine>(*m_window, "noticeLine"); }
    QAbstractButton* action(const QString& text) {
        for (auto* button : notice().findChildren<QAbstractButton*>()) {
            if (button->text() == text) {
                return button;
            }
        }
        qFatal("the notice has no action of that text");
    }

    QTemporaryDir m_folder;
    QString m_path;
    std::unique_ptr<MainWindow> m_window;
};

EPSILENS_UI_TEST(MemoryLimitTest)
#include "memory_limit_test.moc"
