// Bug: each covered query parameter parses and encodes the whole query again, and each covered key its whole dictionary, for requests that
// need no valid signature. Method: count how often a query is parsed and a header's lines are read.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { signatureLimits } from '../limits.ts';
import type { SignableRequest } from '../request.ts';
import { signatureBase } from '../signature-base.ts';
import { type BareItem, string } from '../structured-fields/types.ts';
import { type ComponentIdentifier, componentNamed } from './identifier.ts';
import { parsedOnce } from './parsed-once.ts';

const count = signatureLimits.queryParametersMax;
const request: SignableRequest = {
  method: 'POST',
  scheme: 'http',
  authority: 'registry.test',
  requestTarget: `/rotate?${Array.from({ length: count + 1 }, (_, n) => `p${n}=%41${n}`).join('&')}`,
  headers: [['Priority', Array.from({ length: 20 }, (_, n) => `k${n}=${n}`).join(', ')]],
};
const covering = (name: string, parameter: string, values: readonly string[]): ComponentIdentifier[] =>
  values.map((value) => componentNamed(name, new Map<string, BareItem>([[parameter, string(value)]])));
const baseOver = (components: readonly ComponentIdentifier[]): string =>
  signatureBase(request, { components, parameters: new Map() });
const names = (length: number): string[] => Array.from({ length }, (_, n) => `p${n}`);

afterEach(() => vi.unstubAllGlobals());

describe('in a request is parsed once', () => {
  it('the query, for all covered parameters', () => {
    let parses = 0;
    const counted = class extends URLSearchParams {
      constructor(init?: string) {
        super(init);
        parses += 1;
      }
    };
    vi.stubGlobal('URLSearchParams', counted);
    expect(baseOver(covering('@query-param', 'name', names(count)))).toContain(`"@query-param";name="p7": A7\n`);
    expect(parses).toBe(1);
    expect(baseOver([componentNamed('@query')])).toContain('"@query": ?p0=');
    expect(parses).toBe(1);
  });

  it('a dictionary, for all of its covered keys', () => {
    const parsed = parsedOnce(request);
    expect(parsed.dictionary('priority')).toBe(parsed.dictionary('priority'));
    expect(parsed.dictionary('priority').size).toBe(20);
    const keys = Array.from({ length: 20 }, (_, n) => `k${n}`);
    expect(baseOver(covering('priority', 'key', keys))).toContain('"priority";key="k19": 19\n');
  });

  it('the number of covered query parameters is limited', () => {
    expect(() => baseOver(covering('@query-param', 'name', names(count + 1)))).toThrow(
      new RegExp(`more than ${count} parameters of the query`),
    );
  });
});
