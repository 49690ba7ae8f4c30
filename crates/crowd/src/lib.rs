//! Thousands of animated instances: their clocks, and their palettes on every core.
