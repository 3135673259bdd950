#include "ui/setup/load_summary.h"

#include <array>

#include <QCoreApplication>
#include <QStringList>

#include "core/report/info_report.h"
#include "ui/widgets/qt_convert.h"

namespace epsilens::ui {

namespace {

/// In the order of embedding::FileFormat.
constexpr std::array kFormats{"GloVe text", "word2vec text", "word2vec binary", "fastText binary",
                              "built in"};

QString tr(const char* text) {
    return QCoreApplication::translate("LoadSummary", text);
}

}  // namespace

QList<SummaryRow> loadSummary(const embedding::PreparedEmbedding& embedding) {
    const embedding::LoadReport& report = embedding.embedding.report;
    QList<SummaryRow> rows;
    const auto add = [&rows](const QString& label, const QString& value, bool needsCare = false,
                             const QString& detail = {}) {
        rows.append({label, value.isEmpty() ? tr("none") : value, detail, needsCare});
    };
    add(tr("Size"), tr("%1 words × %2 dimensions")
                        .arg(counted(embedding.wordCount()), counted(embedding.dimensions())));
    if (report.limitedTo) {
        add(tr("Limit"), tr("first %1 rows").arg(counted(*report.limitedTo)), true);
    }
    const QString format = tr(kFormats.at(static_cast<std::size_t>(report.format)));
    add(tr("Format"), report.compression.empty()
                          ? format
                          : tr("%1, %2").arg(format, toQString(report.compression)));
    const QString skipped = toQString(report::skippedRowsText(report));
    QStringList duplicates;
    QStringList details{skipped};
    if (report.duplicates.count > 0) {
        duplicates.append(tr("%1 words").arg(counted(report.duplicates.count)));
    }
    if (embedding.duplicates.extraRows > 0) {
        duplicates.append(tr("%1 vectors").arg(counted(embedding.duplicates.extraRows)));
        details.append(tr("Words with the same vector cannot be told apart; the first of each of "
                          "these %1 groups stands for all of it.")
                           .arg(counted(embedding.duplicates.classes)));
    }
    details.removeAll(QString());
    add(tr("Duplicates"), duplicates.join(tr(", ")), !duplicates.isEmpty(),
        details.join(QLatin1Char('\n')));
    const bool isBad = report.badLines() > 0;
    add(tr("Bad lines"), isBad ? tr("%1 left out").arg(counted(report.badLines())) : QString(),
        isBad || report.endsWithinRow, skipped);
    const QString outlying = toQString(report::outlyingRowsText(report::outlyingRows(embedding)));
    if (!outlying.isEmpty()) {
        add(tr("Outlying"), outlying, true);
    }
    return rows;
}

QString embeddingTitle(const embedding::PreparedEmbedding& embedding) {
    return tr("%1 %2 × %3")
        .arg(toQString(embedding.embedding.name), counted(embedding.wordCount()),
             counted(embedding.dimensions()));
}

}  // namespace epsilens::ui
