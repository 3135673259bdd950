#include "core/document/descriptions.h"

#include <vector>

#include "core/calibration/plane_picture.h"
#include "core/document/fields.h"
#include "core/plane/contour.h"

namespace epsilens::document {
namespace {

using calibration::PlanePicture;
using plane::PlanePoint;

constexpr std::size_t kMostPoints = 1'000'000;
constexpr Number kCoordinate{-kLargestNumber, kLargestNumber};

/// x and y in turn, which takes half the lines that pairs would.
struct Points {
    [[nodiscard]] nlohmann::ordered_json write(const std::vector<PlanePoint>& points,
                                               Purpose purpose) const {
        nlohmann::ordered_json array = nlohmann::ordered_json::array();
        for (const PlanePoint& point : points) {
            array.push_back(kCoordinate.write(point.x, purpose));
            array.push_back(kCoordinate.write(point.y, purpose));
        }
        return array;
    }
    void read(const JsonNode& node, std::vector<PlanePoint>& points) const {
        points.clear();
        bool isWhole = true;
        node.eachItem(2 * kMostPoints, [&](const JsonNode& item) {
            double& target = isWhole ? points.emplace_back().x : points.back().y;
            kCoordinate.read(item, target);
            isWhole = !isWhole;
        });
        if (!isWhole) {
            node.complain("it holds an odd number of coordinates");
        }
    }
};

constexpr auto kContours =
    listOf(objectOf([](auto& json, auto& contour) {
               json.field("share", contour.share, kShare);
               describePair(json, "semiAxes", contour.semiAxisX, contour.semiAxisY, kCoordinate);
               describePair(json, "centre", contour.centre.x, contour.centre.y, kCoordinate);
           }),
           100);

constexpr auto kSetting = objectOf([](auto& json, auto& setting) {
    json.field("contours", setting.contours, kContours);
    json.field("spherical", setting.spherical, kContours);
    json.field("draws", setting.draws, Points{});
});

}  // namespace

template <typename Fields, typename Picture>
void describePlane(Fields& json, Picture& picture) {
    json.field("disk", picture.isDisk, kFlag);
    json.field("whole", picture.isWhole, kFlag);
    describePair(json, "shares", picture.shares[0], picture.shares[1], kCoordinate);
    json.field("vocabulary", picture.vocabulary, Integer{1, kLargestRow});
    json.field("words", picture.words, Points{});
    json.field("word", picture.word, kText);
    describePair(json, "place", picture.place.x, picture.place.y, kCoordinate);
    json.field("cells", picture.settings, listOf(kSetting, kMostPoints));
}

template void describePlane(FieldWriter& json, const PlanePicture& picture);
template void describePlane(FieldReader& json, PlanePicture& picture);

}  // namespace epsilens::document
