/** Types of events that the newest release did not know. A type leaves the list when the fixture of the release that brings it is made. */
export const eventsSinceRelease: readonly string[] = [];
