#pragma once

#include "core/base/ascii.h"
