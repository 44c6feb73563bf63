const orgIdChars = 32;

/** The form in which organisation names are compared: NFKC, lower case, trimmed. Idempotent. */
export function normaliseOrgName(name: string): string {
  // Lowering can undo NFKC, and NFKC can make a space of another character, so both come again last.
  return name.normalize('NFKC').toLowerCase().normalize('NFKC').trim();
}

/**
 * The id of the organisation of that name: the first 128 bits of the SHA-256 of the normalised name. Two names that differ in
 * case or width only give one id, so the organisation's stream itself makes names unique.
 *
 * @param sha256Hex the hash of a text's UTF-8 bytes, as lower-case hexadecimal digits
 */
export function orgIdOfName(orgName: string, sha256Hex: (text: string) => string): string {
  return sha256Hex(normaliseOrgName(orgName)).slice(0, orgIdChars);
}
