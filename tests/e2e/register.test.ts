import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  ask,
  createOrg,
  faultLocations,
  get,
  join,
  keepingNames,
  type Org,
  post,
  tokenOf,
  verify,
} from '../support/ask.ts';
import { unique } from '../support/registry.ts';

const contact = { contact_email: 'owner@agent.example' };
const ofHex = (hex: string): string => Buffer.from(hex, 'hex').toString('base64url');
const publicKey = (): string => String(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x);

let org: Org;
beforeAll(async () => {
  org = await createOrg();
});

const register = (fields: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  post('/register', { agent_id: unique('agent'), ...fields }, headers);

describe('the registering party', () => {
  it('an agent without an organisation and with a contact_email starts unverified at 40 and gets a claim link, no key', async () => {
    const agentId = unique('agent');
    const answer = await register({ agent_id: agentId, ...contact });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      agent_id: agentId,
      status: 'registered',
      agent_key: null,
      verified: false,
      trust_score: 40,
      trust_policy: 'v1',
      role: 'agent',
      org_name: null,
      org_domain: null,
      is_sandbox: false,
      related_agent_id: null,
      transaction_count: 0,
      success_rate: null,
      recommended_action: 'abort',
      flags: ['unverified', 'no_transactions', 'no_endpoint', 'low_trust'],
    });
    expect(tokenOf(answer.body['claim_link'])).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/u);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(Date.now() - Date.parse(String(answer.body['registered_at']))).toBeLessThan(60_000);
  });

  it('an agent with only a public_key may register too', async () => {
    expect((await register({ public_key: publicKey() })).status).toBe(201);
  });

  it.each([{}, { contact_email: null, public_key: null }, { contact_info: 'me' }])(
    'an agent with neither is refused: %j',
    async (fields) => {
      const answer = await register(fields);
      expect(answer.status).toBe(422);
      expect(answer.body['code']).toBe('contact_required');
      expect(faultLocations(answer)).toEqual(['body.contact_email']);
    },
  );

  it("an organisation's key makes the agent verified at 75 and forces the canonical name", async () => {
    const answer = await register({ org_name: 'Somebody Else' }, org.key);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      verified: true,
      trust_score: 75,
      org_name: org.name,
      is_sandbox: false,
      recommended_action: 'proceed',
    });
  });

  it('its sandbox key registers into the sandbox, also at 75', async () => {
    const answer = await register({}, org.sandboxKey);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ verified: true, trust_score: 75, org_name: org.name, is_sandbox: true });
    expect(answer.body['flags']).toContain('sandbox');
  });

  it("the admin's agents start unverified at 40, or verified at 75 if the request says so", async () => {
    const domain = `${unique('d')}.example`;
    const plain = await register({ org_name: 'Free Choice', org_domain: domain }, adminToken);
    expect(plain.body).toMatchObject({ verified: false, trust_score: 40, org_name: 'Free Choice', org_domain: domain });
    const verified = await register({ verified: true }, adminToken);
    expect(verified.body).toMatchObject({ verified: true, trust_score: 75 });
  });

  it('for any other caller the field `verified` is unknown and ignored', async () => {
    expect((await register({ ...contact, verified: true })).body).toMatchObject({ verified: false, trust_score: 40 });
  });

  it.each(['wrong', `registry-org-sk-${'A'.repeat(43)}`, `registry-agent-sk-${'A'.repeat(43)}`, ''])(
    'an invalid X-API-KEY is refused, never ignored: %j',
    async (key) => {
      const answer = await register(contact, { 'x-api-key': key });
      expect([answer.status, answer.body['code']]).toEqual([401, 'invalid_api_key']);
    },
  );

  it('an Authorization other than the admin credential is refused', async () => {
    const { auth } = await join();
    for (const authorization of [auth['authorization'] ?? '', 'Bearer nonsense', 'Basic YTpi', 'Bearer']) {
      const answer = await register(contact, { authorization });
      expect([answer.status, answer.body['code']]).toEqual([401, 'invalid_credential']);
    }
  });

  it('the shape is checked before the credential, and the credential before the rules', async () => {
    expect((await register({ agent_id: 7 }, { 'x-api-key': 'wrong' })).status).toBe(422);
    expect((await register({ org_name: 'x' }, { 'x-api-key': 'wrong' })).status).toBe(401);
  });
});

describe('org_name and org_domain', () => {
  it.each([{ org_name: 'Acme' }, { org_domain: 'acme.example' }])(
    'are 403 without an org key or admin credential: %j',
    async (fields) => {
      const answer = await register({ ...contact, ...fields });
      expect([answer.status, answer.body['code']]).toEqual([403, 'org_fields_forbidden']);
    },
  );

  it('count as absent if they are null', async () => {
    expect((await register({ ...contact, org_name: null, org_domain: null })).status).toBe(201);
  });

  it('a domain is compared in lower case, in punycode and without the trailing dot, and has one holder', async () => {
    const name = unique('bücher');
    const first = await register({ org_domain: `WWW.${name}.Example.` }, org.key);
    expect(first.status).toBe(201);
    const canonical = new URL(`http://www.${name}.example`).hostname;
    expect(first.body['org_domain']).toBe(canonical);
    for (const spelling of [canonical, `www.${name.toUpperCase()}.EXAMPLE`, `${canonical}.`]) {
      for (const credential of [org.key, org.sandboxKey, adminToken]) {
        const answer = await register({ org_domain: spelling }, credential);
        expect([answer.status, answer.body['code']]).toEqual([409, 'org_domain_taken']);
      }
    }
  });

  it('a refused registration holds no domain', async () => {
    const org_domain = `${unique('free')}.example`;
    const taken = await join(org.key);
    expect((await register({ agent_id: taken.agentId, org_domain }, org.key)).status).toBe(409);
    expect((await register({ org_domain, public_key: 'bad' }, org.key)).status).toBe(400);
    expect((await register({ org_domain }, org.key)).status).toBe(201);
  });

  it.each([
    '',
    'nodot',
    'a b.example',
    'http://acme.example',
    'acme.example/x',
    'acme.example:80',
    '10.0.0.1',
    '-a.example',
    `${'a'.repeat(64)}.example`,
    '[::1]',
    'a..example',
    '%61.example',
    'a.b@c.example',
  ])('an invalid domain is 422: %j', async (org_domain) => {
    const answer = await register({ org_domain }, org.key);
    expect([answer.status, answer.body['code']]).toEqual([422, 'validation_failed']);
    expect(faultLocations(answer)).toEqual(['body.org_domain']);
  });
});

describe('agent_id', () => {
  it('is unique across both universes and all owners', async () => {
    const { agentId } = await join(org.sandboxKey);
    for (const credential of [org.key, org.sandboxKey, adminToken, {}]) {
      const answer = await register({ agent_id: agentId, ...contact }, credential);
      expect([answer.status, answer.body['code']]).toEqual([409, 'agent_id_taken']);
    }
  });

  it('is case-sensitive', async () => {
    const agentId = unique('case');
    await join({}, { agent_id: agentId });
    expect((await register({ agent_id: agentId.toUpperCase(), ...contact })).status).toBe(201);
  });

  it.each([
    ['128 astral characters', (salt: string) => salt + '😀'.repeat(128 - salt.length)],
    ['slashes, dots and percent signs', (salt: string) => `../a/b%2F%00?x=1#y&${salt}`],
    ['spaces, quotes and backslashes', (salt: string) => ` "'\\\`<>${salt} `],
    ['right-to-left letters and combining marks', (salt: string) => `אב\u0301${salt}❤\ufe0f`],
    ['a name of a prototype', (salt: string) => `__proto__${salt}`],
    ['the last code points', (salt: string) => `\u{10FFFF}\uFFFD\uFFFE${salt}`],
  ])('may contain %s, and identifies the agent', async (_what, make) => {
    const agentId = make(unique('u'));
    const member = await join({}, { agent_id: agentId });
    expect((await verify(agentId)).body['agent_id']).toBe(agentId);
    expect((await get(`/agent/${encodeURIComponent(agentId)}`)).body['agent_id']).toBe(agentId);
    expect(member.agentId).toBe(agentId);
  });

  it.each([
    ['missing', undefined],
    ['null', null],
    ['a number', 1],
    ['an object', {}],
    ['empty', ''],
    ['of 129 characters', 'a'.repeat(129)],
    ['of 129 astral characters', '😀'.repeat(129)],
    ['with U+0000', 'a\0b'],
    ['with a line break', 'a\nb'],
    ['with DEL', 'a\u007f'],
    ['with a C1 control', 'a\u0085'],
    ['one dot', '.'],
    ['two dots', '..'],
    ['with a zero-width space', 'globex\u200bbuyer'],
    ['with a zero-width joiner', 'globex\u200dbuyer'],
    ['with a byte order mark', '\ufeffglobex'],
    ['with a soft hyphen', 'glo\u00adbex'],
    ['with a bidirectional override', 'globex\u202erebuy'],
    ['with a bidirectional isolate', 'globex\u2066buyer\u2069'],
    ['with a right-to-left mark', 'globex\u200f'],
    ['with a tag', 'globex\u{e0061}'],
    ['with a line separator', 'globex\u2028buyer'],
  ])('%s is 422', async (_what, agent_id) => {
    const answer = await post('/register', { ...contact, ...(agent_id === undefined ? {} : { agent_id }) });
    expect(answer.status).toBe(422);
    expect(faultLocations(answer)).toEqual(['body.agent_id']);
  });

  it('with a lone surrogate is 422', async () => {
    const answer = await ask('POST', '/register', { body: '{"agent_id":"a\\ud800","contact_email":"a@b.example"}' });
    expect([answer.status, faultLocations(answer)]).toEqual([422, ['body.agent_id']]);
  });
});

describe('capabilities', () => {
  const capabilitiesOf = async (capabilities: unknown) =>
    (await register({ ...contact, ...keepingNames({ capabilities }) })).body['capabilities'];

  it('are names or {name, weight}; names are normalised and the default weight is 1', async () => {
    expect(
      await capabilitiesOf(['  Price-Quote ', { name: 'ＦＬＩＧＨＴ  Booking' }, { name: 'ocr', weight: 3 }]),
    ).toEqual([
      { name: 'price_quote', weight: 1 },
      { name: 'flight_booking', weight: 1 },
      { name: 'ocr', weight: 3 },
    ]);
  });

  it('repeated under the same canonical name are merged, with the higher weight', async () => {
    expect(await capabilitiesOf(['price quote', { name: 'PRICE_QUOTE', weight: 2 }, 'Price--Quote'])).toEqual([
      { name: 'price_quote', weight: 2 },
    ]);
  });

  const weighted = (...weights: number[]) =>
    keepingNames({ capabilities: weights.map((weight, index) => ({ name: `c${index}`, weight })) });

  it('at most one of weight 3, two of weight 2 and three of weight 1 are allowed', async () => {
    expect((await register({ ...contact, ...weighted(3, 2, 2, 1, 1, 1) })).status).toBe(201);
    for (const weights of [
      [3, 3],
      [2, 2, 2],
      [1, 1, 1, 1],
    ]) {
      const answer = await register({ ...contact, ...weighted(...weights) });
      expect([answer.status, answer.body['code']]).toEqual([400, 'capability_weights_exceeded']);
    }
  });

  it('the tiers count the merged list, and the admin may exceed them', async () => {
    expect(
      (await register({ ...contact, ...keepingNames({ capabilities: ['a', 'A', 'b', 'c', ' c '] }) })).status,
    ).toBe(201);
    expect((await register(weighted(3, 3, 3), adminToken)).status).toBe(201);
  });

  it.each([
    ['a name of 51 characters', ['a'.repeat(51)], 'body.capabilities.0'],
    ['a name of 51 characters in an object', [{ name: 'a'.repeat(51) }], 'body.capabilities.0.name'],
    ['an empty name', [{ name: '' }], 'body.capabilities.0.name'],
    ['a name of nothing but spaces', ['   '], 'body.capabilities.0'],
    ['a weight of 0', [{ name: 'a', weight: 0 }], 'body.capabilities.0.weight'],
    ['a weight of 4', ['ok', { name: 'a', weight: 4 }], 'body.capabilities.1.weight'],
    ['a weight of 1.5', [{ name: 'a', weight: 1.5 }], 'body.capabilities.0.weight'],
    ['a weight in text', [{ name: 'a', weight: '1' }], 'body.capabilities.0.weight'],
    ['a number', [1], 'body.capabilities.0'],
    ['not a list', 'a', 'body.capabilities'],
    ['null', null, 'body.capabilities'],
  ])('%s is 422, with its location', async (_what, capabilities, place) => {
    const answer = await register({ ...contact, capabilities });
    expect([answer.status, faultLocations(answer)]).toEqual([422, [place]]);
  });

  it('a name of 50 characters, astral ones too, is allowed', async () => {
    expect(
      (await register({ ...contact, ...keepingNames({ capabilities: ['a'.repeat(50), '😀'.repeat(50)] }) })).status,
    ).toBe(201);
  });
});

describe('public_key', () => {
  it.each([
    ['not base64url', 'not a key!'],
    ['31 bytes', Buffer.alloc(31, 7).toString('base64url')],
    ['33 bytes', Buffer.alloc(33, 7).toString('base64url')],
    ['padded', `${publicKey()}=`],
    ['ordinary base64', `${'+/'.repeat(21)}A`],
    ['a non-canonical encoding', `${'A'.repeat(42)}B`],
    ['not a point of the curve', Buffer.concat([Buffer.from([2]), Buffer.alloc(31)]).toString('base64url')],
    ['the neutral element', Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]).toString('base64url')],
    ['a point of order 2', ofHex('ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f')],
    ['a point of order 4', Buffer.alloc(32).toString('base64url')],
    ['a point of order 8', ofHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')],
    ['a y coordinate that is not reduced', ofHex('edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f')],
    ['a valid key with a suffix', `${publicKey()}A`],
    ['empty', ''],
  ])('%s is 400, for the admin too', async (_what, public_key) => {
    for (const credential of [{}, org.key, adminToken]) {
      const answer = await register({ ...contact, public_key }, credential);
      expect([answer.status, answer.body['code']]).toEqual([400, 'invalid_public_key']);
    }
  });

  it('of another type is 422', async () => {
    expect((await register({ ...contact, public_key: 5 })).status).toBe(422);
  });
});

describe('price_schedule', () => {
  const payment = { payment_network: 'base', payment_pay_to: '0xabc', payment_asset: 'USDC' };
  const prices = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ task: `task ${index}`, price: 0.01 }));

  it('of 20 entries with the three payment fields is accepted and shown', async () => {
    const answer = await register({ ...contact, ...payment, price_schedule: prices(20) });
    expect(answer.status).toBe(201);
    expect(answer.body['routing']).toMatchObject({ ...payment, price_schedule: prices(20) });
  });

  it.each(Object.keys(payment))('without %s is 422', async (missing) => {
    const answer = await register({ ...contact, ...payment, [missing]: null, price_schedule: prices(1) });
    expect([answer.status, answer.body['code'], faultLocations(answer)]).toEqual([
      422,
      'price_schedule_incomplete',
      ['body.price_schedule'],
    ]);
    expect((await register({ ...payment, [missing]: null, price_schedule: prices(1) }, adminToken)).status).toBe(201);
  });

  it.each([
    ['21 entries', prices(21), 'body.price_schedule'],
    ['a price of 0', [{ task: 't', price: 0 }], 'body.price_schedule.0.price'],
    ['a price below 0', [{ task: 't', price: -1 }], 'body.price_schedule.0.price'],
    ['no price', [{ task: 't' }], 'body.price_schedule.0.price'],
    ['a task of 101 characters', [{ task: 'é'.repeat(101), price: 1 }], 'body.price_schedule.0.task'],
    ['no task', [{ price: 1 }], 'body.price_schedule.0.task'],
  ])('with %s is 422', async (_what, price_schedule, place) => {
    const answer = await register({ ...contact, ...payment, price_schedule });
    expect([answer.status, faultLocations(answer)]).toEqual([422, [place]]);
  });

  it('a task of 100 astral characters is allowed', async () => {
    expect(
      (await register({ ...contact, ...payment, price_schedule: [{ task: '😀'.repeat(100), price: 1e-9 }] })).status,
    ).toBe(201);
  });
});

describe('the other fields', () => {
  it('have the defaults of the specification', async () => {
    expect((await register(contact)).body).toMatchObject({
      capabilities: [],
      message_protocol: 'a2a',
      a2a_compliant: false,
      accepted_content_types: ['text/plain', 'application/json'],
      payload_schema: null,
      routing: {
        protocol: null,
        settlement_rail: null,
        http_methods: null,
        price_schedule: null,
        pay_via: null,
        endpoint_url: null,
      },
    });
  });

  it('the owner sees the endpoint in the answer to the registration, everybody else a pay_via if the agent accepts x402', async () => {
    const agentId = unique('payée/1');
    const endpoint_url = 'https://agent.example/hook';
    const owner = await register({ agent_id: agentId, ...contact, endpoint_url, settlement_rail: 'x402' });
    expect(owner.body['routing']).toMatchObject({ endpoint_url, settlement_rail: ['x402'] });
    const seen = await verify(agentId);
    expect(seen.text).not.toContain('agent.example/hook');
    const payVia = String((seen.body['routing'] as Record<string, unknown>)['pay_via']);
    expect(payVia.endsWith(`/pay/${encodeURIComponent(agentId)}`)).toBe(true);
    const unpayable = await register({ ...contact, endpoint_url, settlement_rail: ['stripe', 'manual'] });
    expect(unpayable.body['routing']).toMatchObject({ pay_via: null, settlement_rail: ['stripe', 'manual'] });
  });

  it.each([
    ['endpoint_url', `https://a.example/${'x'.repeat(2083 - 18)}`],
    ['contact_email', `${'a'.repeat(60)}@agent.example`],
    ['payload_schema', { currency: 'EUR', date_format: null }],
    ['http_methods', ['get', 'POST']],
    ['accepted_content_types', []],
    ['message_protocol', 'mcp'],
    ['an_unknown_field', { anything: [1] }],
    ['__proto__', { polluted: true }],
    ['constructor', { prototype: {} }],
  ])('%s accepts %j', async (field, value) => {
    const body = `{"agent_id":${JSON.stringify(unique('agent'))},"contact_email":"a@b.example",${JSON.stringify(field)}:${JSON.stringify(value)}}`;
    expect((await ask('POST', '/register', { body })).status).toBe(201);
  });

  it.each([
    ['endpoint_url', ''],
    ['endpoint_url', `https://a.example/${'x'.repeat(2084 - 18)}`],
    ['endpoint_url', 'ftp://a.example/'],
    ['endpoint_url', 'javascript:alert(1)'],
    ['endpoint_url', 'https://user:pass@a.example/'],
    ['endpoint_url', 'a.example'],
    ['contact_email', 'nobody'],
    ['contact_email', 'a@b'],
    ['message_protocol', 'grpc'],
    ['message_protocol', null],
    ['a2a_compliant', 'yes'],
    ['payload_schema', { currency: 'EUR', colour: 'red' }],
    ['payload_schema', []],
    ['accepted_content_types', 'text/plain'],
    ['settlement_rail', 5],
    ['http_methods', ['GE T']],
    ['specialty', 9],
    ['auth_header_name', 'X Key'],
    ['capability_confirmations', { a: 'yes' }],
    ['clone_from_agent_id', ''],
  ])('%s must not be %j', async (field, value) => {
    const answer = await register({ ...contact, [field]: value });
    expect(answer.status).toBe(422);
    expect(faultLocations(answer)[0]).toMatch(new RegExp(`^body\\.${field}`, 'u'));
  });

  it('an Idempotency-Key has 1 to 128 characters', async () => {
    expect((await register(contact, { 'idempotency-key': 'k'.repeat(129) })).status).toBe(422);
  });
});
