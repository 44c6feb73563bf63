/** Successful (RFC 9110 §15.3): the agent's own answer. An answer with another status often comes from its server, and describes the server. */
export function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** True for a compressed body. Compression is not asked for; such a body is passed on as it is and never unpacked. */
export function isCoded(headers: Readonly<Record<string, string>>): boolean {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return coding !== '' && coding !== 'identity';
}
