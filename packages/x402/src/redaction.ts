import { x402Limits } from './limits.ts';
import { createAddressMatcher, type AddressMatcher } from './address-matcher.ts';

/** The address that stands in place of an agent's own. */
export type PayAddress = {
  /** Address of the agent's pay route, without query: `https://registry.example/pay/an-agent`. */
  base: string;
  /** The same with the query that the payer asks with, if any. */
  url: string;
};

/** Replaces an agent's addresses in one demand, and knows what stood there. */
export type Redaction = {
  /** Replaces every text (keys included) and number that names the agent. Answers the same value where nothing had to be. */
  redact(value: unknown): unknown;
  /** True when a text names the agent, in any of its writings. */
  isNamedIn(text: string): boolean;
  /** What was replaced, in the order of the numbers that stand in its place; bounded. */
  originals(): string[];
};

type Json = Record<string, unknown>;

const asObject = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;

/** The address that a demand names as the resource to pay for: v2 `resource.url`, v1 `accepts[].resource`. */
const resourceUrlOf = (value: unknown): string | null => {
  const demand = asObject(value);
  const accepts = demand?.['accepts'];
  const candidates: unknown[] = [
    asObject(demand?.['resource'])?.['url'],
    demand?.['resource'],
    ...(Array.isArray(accepts)
      ? accepts.slice(0, x402Limits.requirementsMax).map((entry) => asObject(entry)?.['resource'])
      : []),
  ];
  return (
    (candidates.find((url) => typeof url === 'string' && /^https?:\/\//iu.test(url)) as string | undefined) ?? null
  );
};

/**
 * What hides one agent's endpoint behind its pay address. The first text that is replaced (the resource, where a demand names one)
 * becomes the pay address itself, each further one that address with a number behind `#`, so that a client's payment, which repeats
 * parts of the demand, can be given back to the agent in the agent's own words: see `restorePaymentHeaders`.
 */
export function createRedaction(endpointUrl: string, payAddress: PayAddress): Redaction {
  const addresses = new Set([endpointUrl]);
  let matcher: AddressMatcher = createAddressMatcher([...addresses]);
  const numbers = new Map<string, number>();

  const replacementOf = (original: string): string => {
    let number = numbers.get(original);
    if (
      number === undefined &&
      numbers.size < x402Limits.originalsMax &&
      original.length <= x402Limits.originalCharsMax
    ) {
      number = numbers.size + 1;
      numbers.set(original, number);
    }
    // 0 stands for what cannot be put back.
    return number === 1 ? payAddress.url : `${payAddress.url}#${number ?? 0}`;
  };
  const redactText = (text: string): string =>
    // A text that looks like a replacement is one of the agent's own, and must come back to it as it is.
    matcher.isIn(text) || replacementNumber(text, payAddress.base) !== null ? replacementOf(text) : text;

  /** A number is no text that could be given back, so nothing stands for it but that it is redacted. */
  const isNamedAs = (value: number | string, key: string): boolean =>
    matcher.isIn(`${/port$/iu.test(key) ? 'port ' : ''}${value}`);

  const redactIn = (value: unknown, depth: number, under = ''): unknown => {
    if (typeof value === 'number') return isNamedAs(value, under) ? `${payAddress.url}#0` : value;
    if (typeof value === 'string' && /port$/iu.test(under) && isNamedAs(value, under)) return replacementOf(value);
    if (typeof value === 'string') return numbers.has(value) ? replacementOf(value) : redactText(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= x402Limits.depthMax) throw new RangeError('a demand that is nested too deeply');
    if (Array.isArray(value)) return value.map((item) => redactIn(item, depth + 1, under));
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [redactText(key), redactIn(item, depth + 1, key)]),
    );
  };

  return {
    redact: (value) => {
      const resourceUrl = resourceUrlOf(value);
      if (resourceUrl !== null) {
        // The resource may go by another name than the endpoint: a proxy of the agent's own. Neither is for others to see.
        if (replacementNumber(resourceUrl, payAddress.base) === null)
          matcher = createAddressMatcher([...addresses.add(resourceUrl)]);
        replacementOf(resourceUrl);
      }
      return redactIn(value, 0);
    },
    isNamedIn: (text) => matcher.isIn(text),
    originals: () => [...numbers.keys()],
  };
}

/** The number of a replacement that was made for this pay address, with whatever query; null for any other text. */
export function replacementNumber(text: string, payBase: string): number | null {
  if (!text.startsWith(payBase)) return null;
  const match = /^(?:\?[^#]*)?(?:#(\d{1,6}))?$/u.exec(text.slice(payBase.length));
  return match === null ? null : Number(match[1] ?? 1);
}
