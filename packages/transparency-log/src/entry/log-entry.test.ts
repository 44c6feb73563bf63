import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHex } from '../hash/encoding.ts';
import { sha256 as portableSha256, sha256OfText as portableSha256OfText } from '../hash/sha256.ts';
import { sha256, sha256OfText } from '../hash/sha256-node.ts';
import { canonicalBytes, canonicalJson, leafHash, logEntryOf, type RecordedEventLike } from './log-entry.ts';

const recorded = (more: Partial<RecordedEventLike> = {}): RecordedEventLike => ({
  position: 9_007_199_254_740_993n,
  eventId: '3fe24708-3b7a-8fcf-b215-d82cce11365a',
  stream: 'agent-café',
  revision: 2n,
  type: 'KeyRotated',
  recordedAt: new Date('2026-03-04T05:06:07.080Z'),
  metadata: { correlationId: 'req-1', actor: { kind: 'agent_key', id: 'a' } },
  data: { b: 1, a: [1.5, 'ü', null] },
  ...more,
});

describe('the leaf of an event', () => {
  it('is its canonical JSON, and never changes, because roots depend on it', () => {
    const entry = logEntryOf(recorded());
    expect(new TextDecoder().decode(canonicalBytes(entry))).toMatchInlineSnapshot(
      `"{"data":{"a":[1.5,"ü",null],"b":1},"event_id":"3fe24708-3b7a-8fcf-b215-d82cce11365a","metadata":{"actor":{"id":"a","kind":"agent_key"},"correlationId":"req-1"},"position":"9007199254740993","recorded_at":"2026-03-04T05:06:07.080Z","revision":"2","stream":"agent-café","type":"KeyRotated"}"`,
    );
    expect(toHex(leafHash(entry))).toMatchInlineSnapshot(
      `"f7e0ae3e38ff440819a0bd5b278434ccd4bd21f2fe3316f946be509de1b83c09"`,
    );
  });

  it('differs for another event', () => {
    const changes: Partial<RecordedEventLike>[] = [
      { position: 9_007_199_254_740_992n },
      { eventId: '3fe24708-3b7a-8fcf-b215-d82cce11365b' },
      { stream: 'agent-cafe\u0301' },
      { revision: 3n },
      { type: 'KeyRotatee' },
      { recordedAt: new Date('2026-03-04T05:06:07.081Z') },
      { metadata: {} },
      { data: { b: 1, a: [1.5, 'ü', 0] } },
    ];
    const hashes = [{}, ...changes].map((change) => toHex(leafHash(logEntryOf(recorded(change)))));
    expect(new Set(hashes).size).toBe(changes.length + 1);
  });

  it("does not depend on other fields of an export's line", () => {
    const entry = logEntryOf(recorded());
    const line = { leaf_index: 7, leaf_hash: toHex(leafHash(entry)), ...entry };
    expect(leafHash(line)).toEqual(leafHash(entry));
  });
});

describe('personal data', () => {
  const contact = { contactEmail: 'someone@example.org', contactInfo: { keyId: 'k', sealed: 'AAAA' } };

  it.each(['AgentRegistered', 'ContactChanged'])('of %s is in the leaf only as hashes', (type) => {
    const entry = logEntryOf(recorded({ type, data: { agentId: 'a', contact } }));
    expect(JSON.stringify(entry)).not.toContain('someone');
    expect(JSON.stringify(entry)).not.toContain('AAAA');
    expect(entry.data).toEqual({
      agentId: 'a',
      contact: {
        contactEmail: { sha256: toHex(sha256(new TextEncoder().encode('"someone@example.org"'))) },
        contactInfo: { sha256: toHex(sha256(new TextEncoder().encode('{"keyId":"k","sealed":"AAAA"}'))) },
      },
    });
    const other = { ...contact, contactEmail: 'someone@example.com' };
    const changed = logEntryOf(recorded({ type, data: { agentId: 'a', contact: other } }));
    expect(leafHash(changed)).not.toEqual(leafHash(entry));
  });

  it("of an organisation is the hash of its contact's address", () => {
    const created = recorded({
      type: 'OrganisationCreated',
      data: { orgName: 'Acme', contactEmail: 'someone@example.org' },
    });
    expect(logEntryOf(created).data).toEqual({
      orgName: 'Acme',
      contactEmail: { sha256: toHex(sha256(new TextEncoder().encode('"someone@example.org"'))) },
    });
  });

  it('of an answer to a review is the hash of the sealed text', () => {
    const answered = recorded({
      type: 'ReviewAnswered',
      data: { receiverAgentId: 'a', answer: { keyId: 'k', sealed: 'AAAA' } },
    });
    expect(logEntryOf(answered).data).toEqual({
      receiverAgentId: 'a',
      answer: { sha256: toHex(sha256(new TextEncoder().encode('{"keyId":"k","sealed":"AAAA"}'))) },
    });
  });

  it('that is absent stays absent, and an event of another kind is unchanged', () => {
    const none = { agentId: 'a', contact: { contactEmail: null, contactInfo: null } };
    expect(logEntryOf(recorded({ type: 'ContactChanged', data: none })).data).toEqual(none);
    expect(logEntryOf(recorded({ type: 'ContactChanged', data: { contact: null } })).data).toEqual({ contact: null });
    expect(logEntryOf(recorded({ type: 'Noted', data: { contact } })).data).toEqual({ contact });
  });

  it('is not removed from the given event itself', () => {
    const event = recorded({ type: 'ContactChanged', data: { contact } });
    logEntryOf(event);
    expect(event.data).toEqual({ contact });
  });
});

describe('canonical JSON', () => {
  it('is that of RFC 8785 §3.2.2 and §3.2.3', () => {
    const value = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
    const sorted = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
    expect(Object.values(JSON.parse(canonicalJson(sorted)) as object)).toEqual([4, 2, 6, 7, 1, 5, 3]);
  });

  it("has one text for a value, whatever the order of its members, equal to the library's if that has one", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(text).toBe(canonicalize(value));
      }),
    );
  });

  it('has the same text of many members, of deep ones, and of what JSON leaves out', () => {
    const names = fc.uniqueArray(fc.string({ unit: 'binary', maxLength: 3 }), { minLength: 15, maxLength: 40 });
    fc.assert(
      fc.property(names, (given) => {
        const value = Object.fromEntries(given.map((name, index) => [name, [name, index]]));
        for (const one of [value, { ...value, left: undefined }]) expect(canonicalJson(one)).toBe(canonicalize(one));
      }),
    );
    for (const depth of [31, 32, 33, 5_000]) {
      let deep: unknown = 1;
      for (let level = 0; level < depth; level += 1) deep = level % 2 === 0 ? [deep] : { b: deep, a: -0 };
      expect(canonicalJson(deep)).toBe(canonicalize(deep));
    }
    const odd = { at: new Date(0), none: [undefined], map: new Map() };
    for (const one of [odd, { a: 1, ...odd }, { __proto__: null, b: 1, a: 2 }])
      expect(canonicalJson(one)).toBe(canonicalize(one));
    const own: unknown = JSON.parse('{"__proto__":1,"a":{"toJSON":2},"10":3,"9":4}');
    expect(canonicalJson(own)).toBe('{"10":3,"9":4,"__proto__":1,"a":{"toJSON":2}}');
  });

  it('distinguishes lone surrogates from each other and from their escapes', () => {
    const texts = ['\ud800', '\ud801', '\\ud800', '\ufffd', '\udc00x'].map((text) =>
      canonicalJson({ z: 1, [text]: [text] }),
    );
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) expect(text.isWellFormed()).toBe(true);
    expect(() => canonicalJson({ a: Number.NaN })).toThrow('NaN');
    expect(() => canonicalJson(undefined)).toThrow(TypeError);
  });
});

it('SHA-256 is equal with Node and without', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 4 }),
      fc.string({ unit: 'binary' }),
      (parts, text) => {
        expect([...portableSha256(...parts)]).toEqual([...sha256(...parts)]);
        expect([...portableSha256OfText(text)]).toEqual([...sha256OfText(text)]);
        expect([...sha256OfText(text)]).toEqual([...sha256(new TextEncoder().encode(text))]);
      },
    ),
  );
});
