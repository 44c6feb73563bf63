/**
 * HTTP frameworks log their own request and response objects under `req` and `res`. These are large, hold credentials and have getters that work only
 * once; only the fields that identify them are logged.
 */
const requestFields = ['id', 'method', 'url', 'host', 'ip'] as const;
const responseFields = ['statusCode'] as const;

export function pickFromRequest(request: unknown): object {
  return pick(request, requestFields);
}
export function pickFromResponse(response: unknown): object {
  return pick(response, responseFields);
}

const pick = (source: unknown, names: readonly string[]): object => {
  const picked: Record<string, unknown> = {};
  if (typeof source !== 'object' || source === null) return picked;
  for (const name of names) {
    const value = (source as Record<string, unknown>)[name];
    if (typeof value === 'string' || typeof value === 'number') picked[name] = value;
  }
  return picked;
};
