import { x402Limits } from './limits.ts';
import { createAddressMatcher, replaceAddress, type AddressMatcher } from './address-matcher.ts';

export type PayAddress = {
  /** Address of the agent's pay route, without query: `https://registry.example/pay/an-agent`. */
  base: string;
  /** The same with the query of the payer's request, if any. */
  url: string;
};

export type Redaction = {
  /** Replaces every text (keys included) and number that names the agent. Returns the same value if nothing had to be replaced. */
  redact(value: unknown): unknown;
  /** A long page with the agent's address replaced; null if it cannot be shown. */
  redactPage(page: string): string | null;
  /** True if a text names the agent, in any notation. */
  isNamedIn(text: string): boolean;
  /** The replaced texts, in the order of the numbers that replace them; bounded. */
  originals(): string[];
};

type Json = Record<string, unknown>;

const asObject = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;

/** The address of the resource in a demand: v2 `resource.url`, v1 `accepts[].resource`. */
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
 * Replaces one agent's addresses. The first replaced text (the resource, if a demand names one) becomes the pay address, each further one the pay
 * address with a number after `#`: a payment repeats parts of the demand, and `restorePaymentHeaders` restores them for the agent.
 *
 * @param endpointMatcher of `endpointUrl`, if it is kept: compiling one takes longer than searching a short answer.
 */
export function createRedaction(
  endpointUrl: string,
  payAddress: PayAddress,
  endpointMatcher: AddressMatcher = createAddressMatcher([endpointUrl]),
): Redaction {
  const addresses = new Set([endpointUrl]);
  let matcher = endpointMatcher;
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
    // 0 marks a text that cannot be restored.
    return number === 1 ? payAddress.url : `${payAddress.url}#${number ?? 0}`;
  };
  const redactText = (text: string): string =>
    // A text that looks like a replacement is the agent's own, and must be returned to it unchanged.
    matcher.isIn(text) || replacementNumber(text, payAddress.base) !== null ? replacementOf(text) : text;

  /** A number cannot be restored, so its replacement only says that it is redacted. */
  const isNamedAs = (value: number | string, key: string): boolean =>
    matcher.isIn(`${/port$/iu.test(key) ? 'port ' : ''}${value}`);

  const redactLeaf = (value: string | number, key: string): string | number => {
    if (typeof value === 'number') return isNamedAs(value, key) ? `${payAddress.url}#0` : value;
    if (numbers.has(value) || (/port$/iu.test(key) && isNamedAs(value, key))) return replacementOf(value);
    return redactText(value);
  };

  return {
    redact: (value) => {
      const resourceUrl = resourceUrlOf(value);
      if (resourceUrl !== null) {
        // The resource may have another name than the endpoint, for example a proxy of the agent. Both are hidden.
        if (replacementNumber(resourceUrl, payAddress.base) === null)
          matcher = createAddressMatcher([...addresses.add(resourceUrl)]);
        replacementOf(resourceUrl);
      }
      return mapJson(value, redactLeaf, redactText);
    },
    redactPage: (page) => replaceAddress(page, endpointUrl, payAddress.url),
    isNamedIn: (text) => matcher.isIn(text),
    originals: () => [...numbers.keys()],
  };
}

/**
 * A copy of a JSON value with its texts, numbers and keys replaced; `key` is that of the nearest member above.
 *
 * @throws RangeError for a value that is nested too deeply
 */
export function mapJson(
  value: unknown,
  replace: (leaf: string | number, key: string) => string | number,
  replaceKey: (key: string) => string,
  key = '',
  depth = 0,
): unknown {
  if (typeof value === 'string' || typeof value === 'number') return replace(value, key);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= x402Limits.depthMax) throw new RangeError('a value that is nested too deeply');
  if (Array.isArray(value)) return value.map((item) => mapJson(item, replace, replaceKey, key, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      replaceKey(name),
      mapJson(item, replace, replaceKey, name, depth + 1),
    ]),
  );
}

/** The number of a replacement for this pay address, with any query; null for any other text. */
export function replacementNumber(text: string, payBase: string): number | null {
  if (!text.startsWith(payBase)) return null;
  const match = /^(?:\?[^#]*)?(?:#(\d{1,6}))?$/u.exec(text.slice(payBase.length));
  return match === null ? null : Number(match[1] ?? 1);
}
