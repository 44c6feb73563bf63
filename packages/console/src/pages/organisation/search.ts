/** What the address of this page says after `?`. */
export type OrganisationSearch = Record<string, never>;

export function readOrganisationSearch(_search: Record<string, unknown>): OrganisationSearch {
  return {};
}
