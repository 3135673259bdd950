#include "ui/shell/empty_state.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/shell/recent_files.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {
constexpr int kFrameInset = 24;
constexpr int kShownRecent = 5;
}  // namespace

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent),
      m_title(headingLabel(tr("Drop an embedding here"), this)),
      m_text(emptyStateLabel(
          tr("GloVe, word2vec or fastText vectors, text or binary, plain or compressed."), this)),
      m_ways(new QWidget(this)),
      m_recent(new QWidget(this)),
      m_recentLayout(new QVBoxLayout(m_recent)) {
    setObjectName(QStringLiteral("emptyState"));
    QFont large = m_title->font();
    large.setPointSizeF(large.pointSizeF() * 1.5);
    m_title->setFont(large);
    m_title->setAlignment(Qt::AlignCenter);
    m_title->setObjectName(QStringLiteral("emptyStateTitleLabel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(48, 48, 48, 48);
    layout->setSpacing(kRowSpacing);
    layout->addStretch();
    layout->addWidget(m_title);
    layout->addWidget(m_text);
    layout->addSpacing(kGroupSpacing);
    addButtons(*layout);
    layout->addSpacing(kGroupSpacing);
    layout->addWidget(m_recent, 0, Qt::AlignHCenter);
    layout->addStretch();
    m_recentLayout->setSpacing(2);
    refresh();
}

void EmptyState::addButtons(QVBoxLayout& layout) {
    auto* open = new QPushButton(tr("Open a file…"), m_ways);
    open->setObjectName(QStringLiteral("emptyStateOpenButton"));
    open->setDefault(true);
    setFocusProxy(open);
    open->setAccessibleDescription(tr("Choose an embedding file"));
    auto* sample = new QPushButton(tr("Use the built-in sample"), m_ways);
    sample->setObjectName(QStringLiteral("emptyStateSampleButton"));
    sample->setAccessibleDescription(tr("12,000 English words in 100 dimensions"));
    auto* poincare = new QPushButton(tr("Use the Poincaré sample"), m_ways);
    poincare->setObjectName(QStringLiteral("emptyStatePoincareSampleButton"));
    poincare->setAccessibleDescription(
        tr("14,065 English nouns in the Poincaré ball, 10 dimensions, for hyperbolic noise"));
    poincare->setToolTip(poincare->accessibleDescription());
    sample->setToolTip(sample->accessibleDescription());
    connect(poincare, &QPushButton::clicked, this, &EmptyState::poincareSampleRequested);
    connect(open, &QPushButton::clicked, this, &EmptyState::openRequested);
    connect(sample, &QPushButton::clicked, this, &EmptyState::sampleRequested);
    auto* row = new QHBoxLayout(m_ways);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kRowSpacing);
    row->addWidget(open);
    row->addWidget(sample);
    row->addWidget(poincare);
    layout.addWidget(m_ways, 0, Qt::AlignHCenter);
}

void EmptyState::refresh() {
    if (m_isLoading) {
        return;
    }
    m_title->setText(tr("Drop an embedding here"));
    m_text->show();
    m_ways->show();
    while (QLayoutItem* item = m_recentLayout->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    const QStringList all = RecentFiles::list();
    const QStringList paths = all.mid(0, kShownRecent);
    m_recent->setVisible(!paths.isEmpty());
    if (paths.isEmpty()) {
        return;
    }
    m_recentLayout->addWidget(hintLabel(tr("Recent files"), m_recent), 0, Qt::AlignHCenter);
    for (const QString& path : paths) {
        auto* button = new QPushButton(QFileInfo(path).fileName(), m_recent);
        button->setFlat(true);
        button->setToolTip(path);
        button->setAccessibleDescription(path);
        button->setEnabled(QFileInfo::exists(path));
        connect(button, &QPushButton::clicked, this, [this, path] { Q_EMIT fileRequested(path); });
        m_recentLayout->addWidget(button);
    }
    if (all.size() > paths.size()) {
        auto* more = hintLabel(
            tr("%1 more under File → Open recent").arg(all.size() - paths.size()), m_recent);
        more->setObjectName(QStringLiteral("moreRecentLabel"));
        m_recentLayout->addWidget(more, 0, Qt::AlignHCenter);
    }
}

void EmptyState::endLoading() {
    m_isLoading = false;
    refresh();
}

void EmptyState::setLoading(const QString& name) {
    m_isLoading = true;
    m_title->setText(tr("Loading %1…").arg(name));
    m_text->hide();
    m_ways->hide();
    m_recent->hide();
}

void EmptyState::paintEvent(QPaintEvent* event) {
    QWidget::paintEvent(event);
    if (m_ways->isHidden()) {
        return;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen(palette().color(QPalette::Mid), 2.0, Qt::CustomDashLine);
    pen.setDashPattern({4.0, 4.0});
    painter.setPen(pen);
    painter.drawRoundedRect(rect().adjusted(kFrameInset, kFrameInset, -kFrameInset, -kFrameInset),
                            12.0, 12.0);
}

}  // namespace epsilens::ui
