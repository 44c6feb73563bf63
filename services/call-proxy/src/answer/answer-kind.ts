/** Successful (RFC 9110 §15.3): the agent's own answer. What has another status is often its server's, and tells of the server. */
export function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode < 300;
}

/** True when the body came compressed, which was not asked for: it is passed on as it came and never unpacked. */
export function isCoded(headers: Readonly<Record<string, string>>): boolean {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return coding !== '' && coding !== 'identity';
}
