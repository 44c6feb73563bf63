/** What the address of this page says after `?`. */
export type RegistrySearch = Record<string, never>;

export function readRegistrySearch(_search: Record<string, unknown>): RegistrySearch {
  return {};
}
