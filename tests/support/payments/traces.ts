import { expect } from 'vitest';
import { endpointMark } from '../ask.ts';
import type { Seen } from './buyers.ts';

/** A text, followed by everything that is base64 in it, decoded. */
const decoded = (text: string): string =>
  [
    text,
    ...(text.match(/[\w+/-]{8,}={0,2}/gu) ?? []).map((token) => Buffer.from(token, 'base64').toString('utf8')),
  ].join('\n');

/** Checks that an answer shows nothing of the endpoint: not the host with its port, not the port alone, not the path. */
export function expectNoTraceOf({ headers, text }: Pick<Seen, 'headers' | 'text'>, endpointUrl: string): void {
  const all = [...headers].map((pair) => pair.join(': ')).concat(text);
  const shown = all.map((part) => decoded(decoded(part))).join('\n');
  const { host, port } = new URL(endpointUrl);
  for (const trace of [host, `:${port}`, encodeURIComponent(host), endpointMark]) expect(shown).not.toContain(trace);
}
