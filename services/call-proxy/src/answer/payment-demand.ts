/**
 * An agent that asks for payment (402) names itself as the resource to pay for. Callers pay through the registry, so the agent's
 * address is replaced by its pay address: x402 v1 in the JSON body (`accepts[].resource`), v2 in the base64 JSON of the
 * PAYMENT-REQUIRED header (`resource.url`), and wherever else the endpoint's host occurs in either.
 */

/** Payment Required (RFC 9110 §15.5.3). */
export const paymentRequired = 402;

const hideIn = (value: unknown, traces: string[], payUrl: string, key?: string): unknown => {
  if (typeof value === 'string') {
    const isResourceUrl = (key === 'resource' || key === 'url') && /^https?:\/\//iu.test(value);
    return isResourceUrl || holdsTrace(value, traces) ? payUrl : value;
  }
  if (Array.isArray(value)) return value.map((item) => hideIn(item, traces, payUrl));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, hideIn(item, traces, payUrl, name)]));
  }
  return value;
};

const holdsTrace = (value: string, traces: string[]): boolean => {
  const lower = value.toLowerCase();
  return traces.some((trace) => lower.includes(trace));
};

/** What of an endpoint must not be seen: its host with port, and its bare host name. */
const tracesOf = (endpointUrl: string): string[] => {
  const url = new URL(endpointUrl);
  return [url.host.toLowerCase(), url.hostname.toLowerCase()];
};

/** The body of a 402 with the agent's address replaced by `payUrl`. What is not JSON is kept, or dropped whole when it names the agent's host. */
export const hideEndpointInBody = (body: Uint8Array, endpointUrl: string, payUrl: string): Uint8Array => {
  const traces = tracesOf(endpointUrl);
  const text = new TextDecoder().decode(body);
  try {
    return new TextEncoder().encode(JSON.stringify(hideIn(JSON.parse(text), traces, payUrl)));
  } catch {
    return holdsTrace(text, traces) ? new Uint8Array() : body;
  }
};

/** The PAYMENT-REQUIRED header likewise, or null when it cannot be read and so cannot be shown. */
export const hideEndpointInHeader = (header: string, endpointUrl: string, payUrl: string): string | null => {
  try {
    const demand: unknown = JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
    return Buffer.from(JSON.stringify(hideIn(demand, tracesOf(endpointUrl), payUrl))).toString('base64');
  } catch {
    return null;
  }
};
