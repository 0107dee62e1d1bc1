package carve

const WindowSize = windowSize
