/** What the address of this page says after `?`. */
export type AgentSearch = Record<string, never>;

export function readAgentSearch(_search: Record<string, unknown>): AgentSearch {
  return {};
}
