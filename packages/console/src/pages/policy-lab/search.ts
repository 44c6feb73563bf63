/** What the address of this page says after `?`. */
export type PolicyLabSearch = Record<string, never>;

export function readPolicyLabSearch(_search: Record<string, unknown>): PolicyLabSearch {
  return {};
}
