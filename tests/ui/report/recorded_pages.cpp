#include "tests/ui/report/recorded_pages.h"

#include <QPaintEngine>

namespace epsilens::test {

class RecordedPages::Text : public QPaintEngine {
public:
    Text() : QPaintEngine(AllFeatures) {}

    bool begin(QPaintDevice* /*device*/) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState& /*state*/) override {}
    void drawPixmap(const QRectF& /*area*/, const QPixmap& /*picture*/,
                    const QRectF& /*source*/) override {}
    void drawPath(const QPainterPath& /*path*/) override {}
    void drawPolygon(const QPointF* /*points*/, int /*count*/, PolygonDrawMode /*mode*/) override {}
    void drawTextItem(const QPointF& /*place*/, const QTextItem& item) override {
        m_texts.append(item.text());
    }
    [[nodiscard]] Type type() const override { return User; }

    [[nodiscard]] const QStringList& texts() const { return m_texts; }

private:
    QStringList m_texts;
};

/// A4 at 300 dots per inch.
class RecordedPages::Paper : public QPrintEngine {
public:
    void setProperty(PrintEnginePropertyKey /*key*/, const QVariant& /*value*/) override {}
    [[nodiscard]] QVariant property(PrintEnginePropertyKey /*key*/) const override { return {}; }
    bool newPage() override {
        ++m_count;
        return true;
    }
    bool abort() override { return true; }
    [[nodiscard]] int metric(QPaintDevice::PaintDeviceMetric metric) const override {
        constexpr int kDotsPerInch = 300;
        constexpr int kWidth = 2150;
        constexpr int kHeight = 3170;
        constexpr int kWidthMm = 182;
        constexpr int kHeightMm = 269;
        switch (metric) {
            case QPaintDevice::PdmWidth:
                return kWidth;
            case QPaintDevice::PdmHeight:
                return kHeight;
            case QPaintDevice::PdmWidthMM:
                return kWidthMm;
            case QPaintDevice::PdmHeightMM:
                return kHeightMm;
            case QPaintDevice::PdmDpiX:
            case QPaintDevice::PdmDpiY:
            case QPaintDevice::PdmPhysicalDpiX:
            case QPaintDevice::PdmPhysicalDpiY:
                return kDotsPerInch;
            case QPaintDevice::PdmDepth:
                return 24;
            default:
                return 1;
        }
    }
    [[nodiscard]] QPrinter::PrinterState printerState() const override { return QPrinter::Active; }

    [[nodiscard]] int count() const { return m_count; }

private:
    int m_count = 1;
};

RecordedPages::RecordedPages()
    : m_text(std::make_unique<Text>()), m_paper(std::make_unique<Paper>()) {
    setEngines(m_paper.get(), m_text.get());
}

RecordedPages::~RecordedPages() = default;

const QStringList& RecordedPages::texts() const {
    return m_text->texts();
}

int RecordedPages::count() const {
    return m_paper->count();
}

}  // namespace epsilens::test
