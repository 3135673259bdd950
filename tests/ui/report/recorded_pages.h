#pragma once

#include <memory>

#include <QPrintEngine>
#include <QPrinter>
#include <QStringList>

namespace epsilens::test {

/// Pages that keep what is written on them instead of showing it, clipped or not: what a PDF holds
/// for who searches it.
class RecordedPages : public QPrinter {
public:
    RecordedPages();
    ~RecordedPages() override;
    RecordedPages(const RecordedPages&) = delete;
    RecordedPages& operator=(const RecordedPages&) = delete;

    [[nodiscard]] const QStringList& texts() const;
    [[nodiscard]] int count() const;

private:
    class Text;
    class Paper;
    std::unique_ptr<Text> m_text;
    std::unique_ptr<Paper> m_paper;
};

}  // namespace epsilens::test
