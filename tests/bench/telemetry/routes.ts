/** What is measured: an answer from memory, and the request that has most to do. */
export const routes = ['/verify', '/call'] as const;
export type Route = (typeof routes)[number];
