/** What the address of this page says after `?`. */
export type HomeSearch = Record<string, never>;

export function readHomeSearch(_search: Record<string, unknown>): HomeSearch {
  return {};
}
