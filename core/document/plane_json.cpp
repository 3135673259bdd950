#include "core/document/plane_json.h"
#include <limits>

#include <nlohmann/json.hpp>

#include "core/document/json_parts.h"

namespace epsilens::document {
namespace {

using nlohmann::ordered_json;
using plane::Contour;
using plane::PlanePoint;

constexpr std::size_t kMostPoints = 1'000'000;
constexpr std::size_t kLongestWord = 100'000;

/// x and y in turn, which takes half the lines that pairs would.
ordered_json jsonPoints(const std::vector<PlanePoint>& points) {
    ordered_json json = ordered_json::array();
    for (const PlanePoint& point : points) {
        json.push_back(jsonNumber(point.x));
        json.push_back(jsonNumber(point.y));
    }
    return json;
}

std::vector<PlanePoint> readPoints(const JsonNode& node) {
    const std::vector<double> values =
        node.numbers(-kLargestNumber, kLargestNumber, 2 * kMostPoints);
    if (values.size() % 2 != 0) {
        node.complain("it holds an odd number of coordinates");
        return {};
    }
    std::vector<PlanePoint> points;
    points.reserve(values.size() / 2);
    for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
        points.push_back({values[i], values[i + 1]});
    }
    return points;
}

PlanePoint readPoint(const JsonNode& node) {
    const std::vector<PlanePoint> points = readPoints(node);
    if (points.size() != 1) {
        node.complain("it does not hold two coordinates");
        return {};
    }
    return points.front();
}

ordered_json jsonContours(const std::vector<Contour>& contours) {
    ordered_json json = ordered_json::array();
    for (const Contour& contour : contours) {
        ordered_json entry;
        entry["share"] = jsonNumber(contour.share);
        entry["semiAxes"] = {jsonNumber(contour.semiAxisX), jsonNumber(contour.semiAxisY)};
        entry["centre"] = jsonPoints({contour.centre});
        json.push_back(std::move(entry));
    }
    return json;
}

std::vector<Contour> readContours(const JsonNode& node) {
    constexpr std::size_t kMostContours = 100;
    std::vector<Contour> contours;
    for (const JsonNode& entry : node.items(kMostContours)) {
        const PlanePoint axes = readPoint(entry.at("semiAxes"));
        contours.push_back(
            {entry.at("share").number(0.0, 1.0), axes.x, axes.y, readPoint(entry.at("centre"))});
    }
    return contours;
}

}  // namespace

ordered_json jsonPlane(const calibration::PlanePicture& picture) {
    ordered_json json;
    json["disk"] = picture.isDisk;
    json["whole"] = picture.isWhole;
    json["shares"] = {jsonNumber(picture.shares[0]), jsonNumber(picture.shares[1])};
    json["vocabulary"] = picture.vocabulary;
    json["words"] = jsonPoints(picture.words);
    json["word"] = picture.word;
    json["place"] = jsonPoints({picture.place});
    json["cells"] = ordered_json::array();
    for (const calibration::PlanePicture::Setting& setting : picture.settings) {
        ordered_json entry;
        entry["contours"] = jsonContours(setting.contours);
        entry["spherical"] = jsonContours(setting.spherical);
        entry["draws"] = jsonPoints(setting.draws);
        json["cells"].push_back(std::move(entry));
    }
    return json;
}

calibration::PlanePicture readPlane(const JsonNode& node) {
    calibration::PlanePicture picture;
    picture.isDisk = node.at("disk").boolean();
    picture.isWhole = node.at("whole").boolean();
    const PlanePoint shares = readPoint(node.at("shares"));
    picture.shares = {shares.x, shares.y};
    picture.vocabulary = node.at("vocabulary").integer(1, kLargestRow);
    picture.words = readPoints(node.at("words"));
    picture.word = node.at("word").text(kLongestWord);
    picture.place = readPoint(node.at("place"));
    for (const JsonNode& entry : node.at("cells").items(kMostPoints)) {
        picture.settings.push_back({readContours(entry.at("contours")),
                                    readContours(entry.at("spherical")),
                                    readPoints(entry.at("draws"))});
    }
    return picture;
}

}  // namespace epsilens::document
