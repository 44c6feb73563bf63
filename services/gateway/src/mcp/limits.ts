/** Bounds of the MCP server. A message is no longer than the body of any other request: `limits.bodyBytesMax` of contracts. */
export const mcpLimits = {
  /** Answer of a route that a tool hands on; a /call carries 10 MiB, which grow when they are written as JSON. */
  routeAnswerBytesMax: 16 * 1024 * 1024,
} as const;
