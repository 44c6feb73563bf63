/** What the address of this page says after `?`. */
export type AuditSearch = Record<string, never>;

export function readAuditSearch(_search: Record<string, unknown>): AuditSearch {
  return {};
}
