#pragma once

#include "core/plane/ball_noise.h"
#include "core/plane/plane_axes.h"
#include "core/plane/plane_noise.h"

/// The geometry of the plane as the panel speaks of it.
namespace epsilens::ui {

using plane::BallNoise;
using plane::Contour;
using plane::PlaneAxes;
using plane::PlaneNoise;
using plane::PlanePoint;

/// Corners of a drawn contour.
inline constexpr int kOutlinePoints = 128;

}  // namespace epsilens::ui
