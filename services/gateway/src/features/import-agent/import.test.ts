import { runs } from '@agent-trust/test-kit/runs';
import { codePointCount, importResponse, registerBody } from '@agent-trust/contracts';
import { createCheckTarget } from '@agent-trust/safe-fetch';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endpointOfCard } from './fields-of-card.ts';
import { importLimits } from './limits.ts';
import { importedFrom } from './import-agent.ts';
import { readCard } from './read-card.ts';
import { card02, card03, card10 } from './testing/cards.ts';

const names: Record<string, string[]> = { 'inside.example.com': ['10.0.0.7'] };
const checkTarget = createCheckTarget({
  allow: '',
  resolve: async (host) => {
    if (host === 'nobody.example.com') throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    return names[host] ?? ['93.184.215.14'];
  },
});
const sourceUrl = 'https://agents.example.com/.well-known/agent-card.json';
const bytesOf = (card: unknown): Uint8Array => Buffer.from(typeof card === 'string' ? card : JSON.stringify(card));

const imported = async (card: unknown) => {
  const read = readCard(bytesOf(card));
  if (typeof read === 'string') throw new Error(read);
  const endpoint = await endpointOfCard(read.interfaces, sourceUrl, checkTarget);
  const about = { askedHost: 'agents.example.com', sourceUrl, baseUrl: 'https://registry.example' };
  return importResponse.parse(importedFrom(read, endpoint, about));
};
const reasonOf = (card: unknown): unknown => readCard(bytesOf(card));

describe('a card', () => {
  it('of A2A 0.2', async () => {
    const { preview, missing_fields, note, source_url } = await imported(card02);
    expect([preview, missing_fields, source_url]).toEqual([
      {
        org_name: null,
        specialty: 'Helps with exchange rates for currencies',
        endpoint_url: 'https://agents.example.com/',
        capabilities: [{ name: 'convert_currency', weight: 3 }],
      },
      ['agent_id', 'contact_email'],
      sourceUrl,
    ]);
    expect(note).toContain('A2A 0.2');
    expect(note).toContain('for example "currency-agent"');
    expect(note).toContain('https://registry.example/register');
    expect(note).not.toContain('another host');
  });

  it.each([
    ['0.3', card03, 2],
    ['1.0', card10, 1],
  ])('of A2A %s', async (line, card, capabilities) => {
    const { preview, note } = await imported(card);
    expect(preview).toEqual({
      org_name: 'Example Geo Services Inc.',
      specialty: 'Plans routes with traffic in mind.',
      endpoint_url: 'https://georoute.example.com/a2a/v1',
      capabilities: [
        { name: 'route_optimizer_traffic', weight: 3 },
        { name: 'custom_map_generator', weight: 2 },
      ].slice(0, capabilities),
    });
    expect(note).toContain(`A2A ${line}`);
    expect(note).toContain('org_fields_forbidden');
    expect(note).toContain('on georoute.example.com, another host than agents.example.com');
  });

  it('of two lines at once provides its interface of the newest, and in snake case the same', async () => {
    const both = { ...card03, ...card10, url: 'https://old.example.com' };
    expect((await imported(both)).preview.endpoint_url).toBe('https://georoute.example.com/a2a/v1');
    const { supportedInterfaces, ...rest } = card10;
    const snake = {
      ...rest,
      supported_interfaces: supportedInterfaces.map(({ url, protocolBinding }) => ({
        url,
        protocol_binding: protocolBinding,
      })),
    };
    expect((await imported(snake)).preview).toEqual((await imported(card10)).preview);
  });

  it.each([
    ['', 'it is not JSON in UTF-8'],
    ['{"name":', 'it is not JSON in UTF-8'],
    ['[1]', 'it is not a JSON object'],
    ['null', 'it is not a JSON object'],
    ['[['.repeat(50_000), 'it is not JSON in UTF-8'],
    [{}, 'it has no name'],
    [{ name: 7, url: 'https://a.example' }, 'it has no name'],
    [{ name: '\u200b\u202e ', url: 'https://a.example' }, 'it has no name'],
    [{ name: 'a', description: 'nothing else' }, 'it has neither an address nor skills'],
    ['{"__proto__":{"name":"a","url":"https://a.example"}}', 'it has no name'],
  ])('with invalid content is refused: %.40j', (card, reason) => {
    expect(reasonOf(card)).toBe(reason);
  });

  it('must be UTF-8, and may start with a byte order mark', () => {
    expect(readCard(Buffer.from(JSON.stringify(card02), 'utf16le'))).toBe('it is not JSON in UTF-8');
    expect(readCard(Buffer.from(`\ufeff${JSON.stringify(card02)}`))).toMatchObject({ name: 'Currency Agent' });
  });

  it('with members of a wrong type loses only these, and the note lists them', async () => {
    const { preview, note, missing_fields } = await imported({
      name: 'a',
      url: 'https://agents.example.com/a2a',
      description: ['x'],
      provider: 'Acme',
      skills: { translate: {} },
    });
    expect(preview).toEqual({
      org_name: null,
      specialty: null,
      endpoint_url: 'https://agents.example.com/a2a',
      capabilities: [],
    });
    expect(missing_fields).toEqual(['agent_id', 'contact_email', 'capabilities']);
    expect(note).toContain('left out: description, provider, skills');
  });
});

describe('skills', () => {
  const of = async (skills: unknown[]) => imported({ name: 'a', skills });

  it('become at most one capability of weight 3, two of 2, three of 1; the note names the others', async () => {
    const skills = Array.from({ length: 20 }, (_, index) => ({ id: `do thing-${'abcdefghijklmnopqrst'[index]}` }));
    const { preview, note } = await of([...skills, { id: 'Do-Thing_A' }]);
    expect(preview.capabilities.map(({ name, weight }) => [name, weight])).toEqual([
      ['do_thing_a', 3],
      ['do_thing_b', 2],
      ['do_thing_c', 2],
      ['do_thing_d', 1],
      ['do_thing_e', 1],
      ['do_thing_f', 1],
    ]);
    expect(note).toContain('Left out: "do_thing_g"');
    expect(note).toContain('and 4 more');
  });

  it.each([
    [{ id: 'skill-1', name: 'Translate text' }, 'translate_text'],
    [{ id: '7', name: 'Translate' }, 'translate'],
    [{ id: '0b1c8f9e-7f0a-4c55-9d0f-27c1f5f6b1aa', name: 'Translate' }, 'translate'],
    [{ id: 'x'.repeat(51), name: 'y'.repeat(51), tags: ['z'.repeat(51), 'tagged'] }, 'tagged'],
    [{ id: 'tr\u202eanslate\u0007' }, 'translate'],
    [{ name: 'Ünïcode Wörk' }, 'ünïcode_wörk'],
    [{ id: 'priceQuote' }, 'price_quote'],
    [{ id: 'GitHub search' }, 'github_search'],
  ])('%j is %s', async (skill, name) => {
    expect((await of([skill])).preview.capabilities).toEqual([{ name, weight: 3 }]);
  });

  it('without anything that fits are counted', async () => {
    const { preview, note } = await of([{ id: 5 }, { id: '__' }, 'text', null, { name: 'ok then' }]);
    expect(preview.capabilities).toEqual([{ name: 'ok_then', weight: 3 }]);
    expect(note).toMatch(/fits a capability .*: 2\./u);
    expect(note).toContain('no objects: 2');
  });
});

describe('the address of a card', () => {
  const endpointOf = async (url: unknown, more: object = {}) =>
    imported({ name: 'a', skills: [{ id: 'do it' }], url, ...more });

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://user:pw@agents.example.com/',
    'https://agents.example.com\\@evil.example/',
    'https://agents.exa\u200bmple.com/',
    'https://agents.example.com/\u202egpj',
    'https://agents.example.com/a b',
    'https://agents.example.com/\u0000',
    'HTTPS:/agents.example.com',
    '//agents.example.com/a2a',
    '/\\evil.example/a2a',
    'agents.example.com/a2a',
    `https://agents.example.com/${'a'.repeat(2083)}`,
  ])('%.60j is omitted', async (url) => {
    const { preview, missing_fields, note } = await endpointOf(url);
    expect([preview.endpoint_url, missing_fields]).toEqual([null, ['agent_id', 'contact_email', 'endpoint_url']]);
    expect(note).toContain('not a whole http or https URL');
    expect(note).not.toContain('evil');
  });

  it.each([
    'http://127.0.0.1:10000/',
    'http://127.1:41241/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://0.0.0.0:10000/',
    'https://inside.example.com/a2a',
    'https://agents.example.com:22/',
  ])('%s is never imported, and the note does not show it', async (url) => {
    const { preview, note } = await endpointOf(url);
    expect(preview.endpoint_url).toBeNull();
    expect(note).toContain('not one that the registry may contact');
    expect(note).not.toContain(new URL(url).hostname);
  });

  it('is replaced by the next of its interfaces', async () => {
    const { preview } = await endpointOf('http://127.0.0.1/', {
      additionalInterfaces: [
        { url: 'https://agents.example.com/grpc', transport: 'GRPC' },
        { url: 'https://agents.example.com/rpc', transport: 'jsonrpc' },
      ],
    });
    expect(preview.endpoint_url).toBe('https://agents.example.com/rpc');
  });

  it('may lack its host, or have a host without an address, which the note says', async () => {
    const relative = await endpointOf('/a2a');
    expect([relative.preview.endpoint_url, relative.note]).toEqual([
      'https://agents.example.com/a2a',
      expect.stringContaining('without a host'),
    ]);
    const unresolved = await endpointOf('https://nobody.example.com/a2a');
    expect([unresolved.preview.endpoint_url, unresolved.note]).toEqual([
      'https://nobody.example.com/a2a',
      expect.stringContaining('has no address now'),
    ]);
  });

  it('is absent if the card offers only other transports, or no address', async () => {
    const grpc = await endpointOf('https://agents.example.com', { preferredTransport: 'GRPC' });
    expect([grpc.preview.endpoint_url, grpc.note]).toEqual([null, expect.stringContaining('JSON-RPC')]);
    expect((await endpointOf(undefined)).note).toContain('names no address');
  });
});

describe('texts of a card', () => {
  it('lose invisible characters, and appear escaped in the note', async () => {
    const { preview, note } = await imported({
      name: 'Evil"\u001b[31m\nAgent\u202e',
      description: ' Two\r\n\tlines \u200b\u{e0041}<b>bold</b> \u2028 end ',
      provider: { organization: 'A\u0000c\u00adme' },
      skills: [{ id: 'do it' }],
    });
    expect(preview).toMatchObject({ org_name: 'Acme', specialty: 'Two lines <b>bold</b> end' });
    expect(note).toContain('"Evil\\"[31m Agent"');
  });

  it('are limited in length', async () => {
    const long = '😀'.repeat(5_000);
    const { preview, note } = await imported({
      name: long,
      description: long,
      provider: { organization: long },
      skills: Array.from({ length: 300 }, (_, index) => ({ id: `do ${'ab'.repeat(10)} ${index}` })),
    });
    expect(codePointCount(preview.specialty ?? '')).toBe(4096);
    expect([preview.org_name, note.length < 3_000]).toEqual([null, true]);
    expect(note).toContain(`not looked at, or are no objects: ${300 - importLimits.skillsMax}`);
  });
});

// Bug: a document crashes the reader, or its answer violates the schema or is refused by /register. Method: any JSON, and cards whose members
// are any JSON.
describe('a document of a domain', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.constantFrom('http://localhost/', 'javascript:x', '/a2a', 'GRPC', 'JSONRPC', '1.0', ''),
  );
  const anyValue = fc.oneof(fc.jsonValue({ maxDepth: 3 }), anyText);
  const members = (...names: string[]) =>
    fc.record(Object.fromEntries(names.map((name) => [name, anyValue])), { requiredKeys: [] });
  const listOf = (...names: string[]) =>
    fc.oneof(anyValue, fc.array(fc.oneof(members(...names), anyValue), { maxLength: 9 }));
  const anyCard = fc.record(
    {
      name: fc.oneof(anyText, anyValue),
      description: anyValue,
      url: anyValue,
      protocolVersion: anyValue,
      preferredTransport: anyValue,
      provider: fc.oneof(anyValue, members('organization', 'url')),
      skills: listOf('id', 'name', 'tags'),
      supportedInterfaces: listOf('url', 'protocolBinding'),
      additionalInterfaces: listOf('url', 'transport'),
    },
    { requiredKeys: [] },
  );

  it('is refused, or becomes a valid answer that /register accepts', async () => {
    const tries = runs(600, 2_000);
    let cards = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyCard, fc.jsonValue()), async (card) => {
        if (typeof readCard(bytesOf(card ?? 'null')) === 'string') return;
        cards += 1;
        const { preview, note } = await imported(card);
        registerBody.parse({ agent_id: 'a', ...preview });
        expect(note).not.toMatch(/[^\P{C}\n]|\p{Default_Ignorable_Code_Point}/u);
        expect([preview.org_name, preview.specialty].join('')).not.toMatch(/\p{C}/u);
      }),
      { numRuns: tries, seed: 20_260_101 },
    );
    expect(cards).toBeGreaterThan(0.15 * tries);
  });

  it('may be any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(['string', 'object']).toContain(typeof readCard(bytes));
      }),
      { numRuns: runs(300, 1_000), seed: 20_260_101 },
    );
  });
});
