import type { LaterRoute } from '../http/later.ts';

/** Routes of the specification that are not built yet. A route that is built leaves this table for `endpoints.ts`. */
export const laterRoutes: readonly LaterRoute[] = [
  { method: 'GET', path: '/agent/{agent_id}/trust', what: 'The explanation of a trust score' },
  { method: 'GET', path: '/agent/{agent_id}/trust/history', what: 'The history of a trust score' },
];
