import { textOf } from '../../search.ts';

/** What the address of this page says after `?`. */
export type AgentSearch = {
  /** The moment that the page shows: a position of the log or an RFC 3339 time; absent for now. */
  as_of?: string | undefined;
  /** `now`: values of now stand beside those of the moment. */
  compare?: 'now' | undefined;
};

export function readAgentSearch(search: Record<string, unknown>): AgentSearch {
  const asOf = textOf(search['as_of']);
  return { as_of: asOf, compare: asOf !== undefined && search['compare'] === 'now' ? 'now' : undefined };
}
