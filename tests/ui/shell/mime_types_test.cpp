#include <QDir>
#include <QFile>
#include <QMimeDatabase>
#include <QStandardPaths>

#include "core/base/random_stream.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using test::kPatienceMs;

namespace {

constexpr int kRows = 40;

QByteArray header(int dimensions) {
    return QByteArray::number(kRows) + ' ' + QByteArray::number(dimensions) + '\n';
}

/// The same vectors as word2vec writes them: binary, or as text.
QByteArray vectors(int dimensions, bool isBinary) {
    SeededStream random(StreamKey{11, StreamPurpose::unitDraws, 0, 0});
    QByteArray content = header(dimensions);
    for (int row = 0; row < kRows; ++row) {
        content += "w" + QByteArray::number(row);
        content += isBinary ? " " : "";
        for (int column = 0; column < dimensions; ++column) {
            const auto value = static_cast<float>(random.normal());
            if (isBinary) {
                // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes of a number
                content.append(reinterpret_cast<const char*>(&value), sizeof(value));
            } else {
                content += ' ' + QByteArray::number(static_cast<double>(value), 'f', 5);
            }
        }
        content += isBinary ? "" : "\n";
    }
    return content;
}

}  // namespace

/// The types that the desktop learns from the installed file.
class MimeTypesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        const QDir types(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
                         QStringLiteral("/mime/packages"));
        QVERIFY(types.mkpath(QStringLiteral(".")));
        QVERIFY(QFile::copy(QStringLiteral(EPSILENS_MIME_TYPES),
                            types.filePath(QStringLiteral("epsilens.xml"))));
        QTRY_VERIFY_WITH_TIMEOUT(QMimeDatabase().mimeTypeForName(binaryType()).isValid(),
                                 kPatienceMs);
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void binaryVectorsAreKnownByTheirContent_data() {
        QTest::addColumn<int>("dimensions");
        for (const int dimensions : {2, 10, 64, 150, 300, 999, 1536, 4096}) {
            QTest::addRow("%d dimensions", dimensions) << dimensions;
        }
    }

    void binaryVectorsAreKnownByTheirContent() {
        QFETCH(int, dimensions);
        QCOMPARE(typeOf(vectors(dimensions, true)), binaryType());
        // The same numbers, and the same first line.
        QCOMPARE(typeOf(vectors(dimensions, false)), QStringLiteral("text/plain"));
    }

    /// A model of fastText begins with FASTTEXT_FILEFORMAT_MAGIC_INT32 = 793712314 and version 12,
    /// the lowest byte first.
    void modelsOfFastTextAreKnownByTheirFirstBytes() {
        QByteArray content("\xBA\x16\x4F\x2F\x0C\0\0\0", 8);
        QCOMPARE(typeOf(content + QByteArray(100, '\1')), binaryType());
        content[0] = '\xBB';
        QVERIFY(typeOf(content + QByteArray(100, '\1')) != binaryType());
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void otherFilesAreLeftToOthers_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("nothing behind the first line") << header(300);
        QTest::newRow("no dimensions") << QByteArray("40 \n\0\1\2", 7);
        QTest::newRow("five digits") << QByteArray("40 30000\n") + QByteArray(100, '\1');
        QTest::newRow("a word first") << QByteArray("rows 300\n") + QByteArray(100, '\1');
    }

    void otherFilesAreLeftToOthers() {
        QFETCH(QByteArray, content);
        QVERIFY2(typeOf(content) != binaryType(), qPrintable(typeOf(content)));
    }

    void namesTellTheRest() {
        const auto named = [](const char* name) {
            return QMimeDatabase()
                .mimeTypeForFile(QLatin1String(name), QMimeDatabase::MatchExtension)
                .name();
        };
        QCOMPARE(named("a.epsilens"), QStringLiteral("application/x-epsilens-session"));
        QCOMPARE(named("a.vec"), QStringLiteral("application/x-word-vectors"));
    }

private:
    static QString binaryType() { return QStringLiteral("application/x-word-vectors-binary"); }
    static QString typeOf(const QByteArray& content) {
        return QMimeDatabase().mimeTypeForData(content).name();
    }
};

EPSILENS_UI_TEST(MimeTypesTest)
#include "mime_types_test.moc"
