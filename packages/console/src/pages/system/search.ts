/** What the address of this page says after `?`. */
export type SystemSearch = Record<string, never>;

export function readSystemSearch(_search: Record<string, unknown>): SystemSearch {
  return {};
}
