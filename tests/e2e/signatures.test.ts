import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join as joinPath } from 'node:path';
import { createEventRegistry, openEventLog } from '@agent-trust/event-log';
import { agentStream, eventDefinitions } from '@agent-trust/contracts';
import {
  type ClientKey,
  clientKey,
  digestOf,
  freshNonce,
  nowSeconds,
  publicSigners,
  type SignedParts,
  signedHeaders,
} from '@agent-trust/http-signature/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  type Answer,
  ask,
  bearerOf,
  type Body,
  createOrg,
  freshClient,
  gateways,
  type HeaderMap,
  join,
  type Org,
  post,
  stack,
} from '../support/ask.ts';
import { directoryDomains, publish, timesAsked } from '../support/key-directories.ts';
import { type RecordingAgent, startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';

let org: Org;
let receiver: RecordingAgent;
let receiverId: string;
beforeAll(async () => {
  org = await createOrg();
  receiver = await startRecordingAgent();
  receiverId = (await join(org.key, { endpoint_url: receiver.url })).agentId;
});
afterAll(() => receiver.stop());

/** An agent that has never had a bearer key: a public_key is all that it left. */
const signer = async (fields: Body = {}, credential: HeaderMap = {}): Promise<ClientKey> => {
  const agentId = String(fields['agent_id'] ?? unique('signer'));
  const key = await clientKey(agentId, Uint8Array.from(randomBytes(32)));
  const body = { agent_id: agentId, public_key: key.publicKey, ...fields };
  const { status, text } = await post('/register', body, credential);
  if (status !== 201) throw new Error(`register answered ${status}: ${text}`);
  return key;
};

type Sending = SignedParts & { gateway?: string; headers?: HeaderMap; sent?: string; path?: string };
/** Signs a request and sends it; `sent`, `path` and `headers` are what arrives instead of, or beside, what was signed. */
const send = async (key: ClientKey, path: string, body: Body, options: Sending = {}): Promise<Answer> => {
  const { gateway = gateways[0], headers = {}, sent, path: sentPath = path, ...parts } = options;
  const text = JSON.stringify(body);
  const signed = await signedHeaders(key, `${gateway}${path}`, text, parts);
  return ask('POST', sentPath, { gateway, body: sent ?? text, headers: { ...signed, ...freshClient(), ...headers } });
};
const rotate = (key: ClientKey, options: Sending = {}): Promise<Answer> =>
  send(key, '/rotate', { agent_id: key.keyId }, options);
const codeOf = ({ status, body }: Answer): [number, unknown] => [status, body['code'] ?? body['status']];
const invalid = [401, 'invalid_credential'];

const logged = (): string =>
  readdirSync(stack.logsFolder)
    .filter((name) => name.startsWith('gateway'))
    .map((name) => readFileSync(joinPath(stack.logsFolder, name), 'utf8'))
    .join('');
/** The reasons that the log gives for the refusal of one request. */
const reasonsFor = ({ headers }: Answer): string[] =>
  logged()
    .split('\n')
    .filter((line) => line.includes('signature refused') && line.includes(headers.get('x-request-id') ?? '-'))
    .map((line) => (JSON.parse(line) as { reason: string }).reason);
const expectRefused = async (answer: Answer, reason: string): Promise<void> => {
  expect(codeOf(answer)).toEqual(invalid);
  await expect.poll(() => reasonsFor(answer), { timeout: 10_000 }).toEqual([reason]);
};

describe('rotation by signature', () => {
  it('mints a key at once, which works, and whose predecessor fails everywhere from then on', async () => {
    const key = await signer();
    let previous: HeaderMap = {};
    for (const gateway of [...gateways, ...gateways]) {
      const rotated = await rotate(key, { gateway });
      expect(rotated.body).toEqual({
        agent_id: key.keyId,
        status: 'rotated',
        agent_key: expect.stringMatching(/^registry-agent-sk-[A-Za-z0-9_-]{43}$/u) as string,
        claim_link: null,
      });
      expect(rotated.headers.get('cache-control')).toBe('no-store');
      const fresh = bearerOf(rotated.body['agent_key']);
      for (const other of gateways) {
        const callWith = (headers: HeaderMap): Promise<Answer> =>
          post(
            '/call',
            { caller_agent_id: key.keyId, agent_id: receiverId, message: textMessage('hi') },
            headers,
            other,
          );
        expect((await callWith(fresh)).status).toBe(200);
        if (previous['authorization'] !== undefined) expect((await callWith(previous)).status).toBe(401);
      }
      previous = fresh;
    }
  });

  it('writes KeyRotated without a claim and with the hash alone', async () => {
    const key = await signer();
    const rotated = await rotate(key);
    const log = await openEventLog(stack.eventLogUrl);
    const registry = createEventRegistry(eventDefinitions);
    const recorded = await log.readStream(agentStream(key.keyId));
    await log.close();
    const last = recorded.at(-1);
    expect(last?.metadata.actor).toEqual({ kind: 'agent', id: key.keyId });
    expect(last === undefined ? null : registry.decodeKnown(last)).toMatchObject({
      type: 'KeyRotated',
      data: { agentId: key.keyId, claimTokenHash: null },
    });
    expect(
      JSON.stringify(recorded, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain(String(rotated.body['agent_key']));
  });

  it('is open to sandbox agents and to ids beyond ASCII', async () => {
    expect(codeOf(await rotate(await signer({}, org.sandboxKey)))).toEqual([200, 'rotated']);
    expect(codeOf(await rotate(await signer({ agent_id: unique('caf\u00e9 \u{1f916} "x"') })))).toEqual([
      200,
      'rotated',
    ]);
  });

  it('wins over other credentials, and falls through to none of them', async () => {
    const key = await signer();
    const stranger = await clientKey(key.keyId, Uint8Array.from(randomBytes(32)));
    for (const headers of [adminToken, org.key, { 'x-api-key': 'nonsense' }, { authorization: 'Bearer nonsense' }]) {
      expect(codeOf(await rotate(key, { headers }))).toEqual([200, 'rotated']);
      expect(codeOf(await rotate(stranger, { headers }))).toEqual(invalid);
    }
  });

  it('with the signature of another agent is 403', async () => {
    const [key, other] = [await signer(), await signer()];
    expect(codeOf(await send(key, '/rotate', { agent_id: other.keyId }))).toEqual([403, 'invalid_rotation_credential']);
    expect(codeOf(await send(key, '/rotate', { agent_id: unique('nobody') }))).toEqual([
      403,
      'invalid_rotation_credential',
    ]);
  });
});

describe('a signature in place of a key', () => {
  it('calls and reviews', async () => {
    const key = await signer({ verified: true }, adminToken);
    const call = { caller_agent_id: key.keyId, agent_id: receiverId, message: textMessage('signed') };
    expect((await send(key, '/call', call)).status).toBe(200);
    expect(receiver.last().headers).not.toHaveProperty('signature');
    expect(receiver.last().headers).not.toHaveProperty('signature-input');
    const review = { caller_agent_id: key.keyId, receiver_agent_id: receiverId, success: true, score: 9 };
    expect((await send(key, '/review', review)).status).toBe(200);
    expect(codeOf(await send(key, '/call', { ...call, caller_agent_id: receiverId }))).toEqual([
      403,
      'caller_mismatch',
    ]);
  });

  it('updates its own agent alone', async () => {
    const [key, other] = [await signer(), await signer()];
    const updated = await send(key, '/update', { agent_id: key.keyId, specialty: 'signed' });
    expect([updated.status, updated.body['specialty']]).toEqual([200, 'signed']);
    expect(codeOf(await send(key, '/update', { agent_id: other.keyId, specialty: 'x' }))).toEqual([403, 'not_owner']);
    expect(
      codeOf(
        await send(
          key,
          '/update',
          { agent_id: key.keyId },
          { sent: JSON.stringify({ agent_id: key.keyId, specialty: 'x' }) },
        ),
      ),
    ).toEqual(invalid);
  });

  it('replaces its own public_key; the old one fails from then on', async () => {
    const key = await signer();
    const next = await clientKey(key.keyId, Uint8Array.from(randomBytes(32)));
    expect((await send(key, '/update', { agent_id: key.keyId, public_key: next.publicKey })).status).toBe(200);
    for (const gateway of gateways) {
      expect(codeOf(await rotate(key, { gateway }))).toEqual(invalid);
      expect(codeOf(await rotate(next, { gateway }))).toEqual([200, 'rotated']);
    }
  });

  it('beside a bearer key: both must hold, for the same agent', async () => {
    const key = await signer();
    const own = bearerOf((await rotate(key)).body['agent_key']);
    const foreign = (await join()).auth;
    const call = { caller_agent_id: key.keyId, agent_id: receiverId, message: textMessage('both') };
    expect((await send(key, '/call', call, { headers: own })).status).toBe(200);
    await expectRefused(await send(key, '/call', call, { headers: foreign }), 'credentials_disagree');
    expect(codeOf(await send(key, '/call', call, { headers: { authorization: 'Bearer x' } }))).toEqual(invalid);
    await expectRefused(
      await send(key, '/call', call, { headers: own, sent: JSON.stringify({ ...call, extra: 1 }) }),
      'digest_mismatch',
    );
  });
});

describe('public signers', () => {
  it.each(Object.entries(publicSigners))('%s signs for POST /rotate and POST /call', async (_name, sign) => {
    const key = await signer();
    const through = async (path: string, content: Body): Promise<Answer> => {
      const body = JSON.stringify(content);
      const headers = { 'content-type': 'application/json', 'content-digest': digestOf(body) };
      const url = `${gateways[0]}${path}`;
      const signed = await sign({ method: 'POST', url, headers }, key, freshNonce(), new Date());
      return ask('POST', path, { body, headers: { ...headers, ...signed, ...freshClient() } });
    };
    expect(codeOf(await through('/rotate', { agent_id: key.keyId }))).toEqual([200, 'rotated']);
    const call = { caller_agent_id: key.keyId, agent_id: receiverId, message: textMessage('hello') };
    expect((await through('/call', call)).status).toBe(200);
    expect(codeOf(await through('/rotate', { agent_id: receiverId }))).toEqual([403, 'invalid_rotation_credential']);
  });
});

describe('replay', () => {
  // Each gateway alone would let the request pass once. Method: one signed request twenty times at once, ten at each.
  it('of one request twenty times at once: exactly one passes', async () => {
    const key = await signer();
    const body = JSON.stringify({ agent_id: key.keyId });
    const headers = await signedHeaders(key, `${gateways[0]}/rotate`, body);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ask('POST', '/rotate', { gateway: gateways[index % 2] ?? '', body, headers: { ...headers, ...freshClient() } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(401)]);
    const refused = answers.find(({ status }) => status === 401);
    if (refused !== undefined) await expectRefused(refused, 'nonce_reused');
    expect(refused?.text).toContain('nonce was used before');
  });

  it('a nonce is spent by a valid signature alone, and for each agent by itself', async () => {
    const [key, other] = [await signer(), await signer()];
    const nonce = freshNonce();
    const forged = await clientKey(key.keyId, Uint8Array.from(randomBytes(32)));
    expect((await rotate(forged, { nonce })).status).toBe(401);
    expect((await rotate(key, { nonce, gateway: gateways[1] })).status).toBe(200);
    await expectRefused(await rotate(key, { nonce, createdSeconds: nowSeconds() - 7 }), 'nonce_reused');
    expect((await rotate(other, { nonce })).status).toBe(200);
  });
});

describe('what is refused, with one line that says why', () => {
  let key: ClientKey;
  beforeAll(async () => {
    key = await signer();
  });
  const body = (): Body => ({ agent_id: key.keyId });
  const withHeaders = async (change: (headers: Record<string, string>) => Record<string, string>): Promise<Answer> => {
    const text = JSON.stringify(body());
    const headers = await signedHeaders(key, `${gateways[0]}/rotate`, text);
    return ask('POST', '/rotate', { body: text, headers: { ...change(headers), ...freshClient() } });
  };
  const mutateSignature = (mutate: (bytes: Buffer) => Buffer) =>
    withHeaders(({ signature = '', ...rest }) => {
      const bytes = Buffer.from(/:(.*):/u.exec(signature)?.[1] ?? '', 'base64');
      return { ...rest, signature: `sig1=:${mutate(bytes).toString('base64')}:` };
    });
  const littleEndian = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse();

  it.each<[string, SignedParts, string]>([
    ['stale', { createdSeconds: nowSeconds() - 400 }, 'created_too_old'],
    ['of the future', { createdSeconds: nowSeconds() + 400 }, 'created_in_future'],
    ['without the method', { components: ['@path', 'content-digest'] }, 'component_not_covered'],
    ['without the path', { components: ['@method', 'content-digest'] }, 'component_not_covered'],
    ['without the digest', { components: ['@method', '@path'] }, 'component_not_covered'],
    ['of nobody', { keyId: unique('nobody') }, 'agent_unknown'],
  ])('%s', async (_what, parts, reason) => {
    await expectRefused(await rotate(key, parts), reason);
  });

  it('altered: body, path, method, header', async () => {
    await expectRefused(await rotate(key, { sent: `${JSON.stringify(body())} ` }), 'digest_mismatch');
    const review = { caller_agent_id: key.keyId, receiver_agent_id: receiverId, success: true, score: 9 };
    await expectRefused(await send(key, '/rotate', review, { path: '/review' }), 'signature_mismatch');
    await expectRefused(
      await rotate(key, {
        components: ['@method', '@path', 'content-digest', 'content-type'],
        headers: { 'content-type': 'application/json; charset=utf-8' },
      }),
      'signature_mismatch',
    );
    await expectRefused(
      await withHeaders((headers) => ({ ...headers, 'content-digest': digestOf('{}') })),
      'digest_mismatch',
    );
    await expectRefused(await withHeaders(({ 'content-digest': _, ...rest }) => rest), 'component_absent');
  });

  it('malleable, of small order, of another length, by another key', async () => {
    const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;
    const addOrder = (bytes: Buffer): Buffer => {
      const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`);
      return Buffer.concat([bytes.subarray(0, 32), littleEndian(s + order)]);
    };
    await expectRefused(await mutateSignature(addOrder), 'scalar_not_reduced');
    const identity = Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]);
    await expectRefused(await mutateSignature(() => identity), 'small_order_point');
    await expectRefused(await mutateSignature((bytes) => bytes.subarray(1)), 'signature_length');
    await expectRefused(await mutateSignature((bytes) => Buffer.concat([bytes, bytes])), 'signature_length');
    await expectRefused(await mutateSignature(() => randomBytes(64).fill(0, 63)), 'signature_mismatch');
    // A key of small order cannot be registered in the first place.
    const small = Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]).toString('base64url');
    expect(codeOf(await post('/register', { agent_id: unique('small'), public_key: small }))).toEqual([
      400,
      'invalid_public_key',
    ]);
  });

  it.each<[string, (headers: Record<string, string>) => Record<string, string>, string]>([
    [
      'a label twice',
      (h) => ({ ...h, 'signature-input': `${h['signature-input']}, ${h['signature-input']}` }),
      'duplicate_label',
    ],
    ['a signature twice', (h) => ({ ...h, signature: `${h['signature']}, ${h['signature']}` }), 'duplicate_label'],
    [
      'a parameter twice',
      (h) => ({ ...h, 'signature-input': `${h['signature-input']};created=1` }),
      'duplicate_parameter',
    ],
    [
      'a component twice',
      (h) => ({ ...h, 'signature-input': String(h['signature-input']).replace('"@path"', '"@path" "@path"') }),
      'duplicate_component',
    ],
    [
      'a comma at the end',
      (h) => ({ ...h, 'signature-input': `${h['signature-input']},` }),
      'malformed_signature_input',
    ],
    [
      'a time as a string',
      (h) => ({ ...h, 'signature-input': String(h['signature-input']).replace(/created=(\d+)/u, 'created="$1"') }),
      'created_not_integer',
    ],
    [
      'a time with a fraction',
      (h) => ({ ...h, 'signature-input': String(h['signature-input']).replace(/created=(\d+)/u, 'created=$1.0') }),
      'created_not_integer',
    ],
    [
      'no nonce',
      (h) => ({ ...h, 'signature-input': String(h['signature-input']).replace(/;nonce="[^"]*"/u, '') }),
      'nonce_missing',
    ],
    [
      'a long nonce',
      (h) => ({
        ...h,
        'signature-input': String(h['signature-input']).replace(/nonce="/u, `nonce="${'n'.repeat(256)}`),
      }),
      'nonce_invalid',
    ],
    [
      'another algorithm',
      (h) => ({ ...h, 'signature-input': `${h['signature-input']};alg="hmac-sha256"` }),
      'alg_unsupported',
    ],
    [
      'a component of answers',
      (h) => ({ ...h, 'signature-input': String(h['signature-input']).replace('("', '("@status" "') }),
      'component_unsupported',
    ],
    ['one header alone', ({ signature: _, ...rest }) => rest, 'header_missing'],
    [
      'the label in one header',
      (h) => ({ ...h, signature: String(h['signature']).replace('sig1', 'sig2') }),
      'label_missing',
    ],
    [
      'a signature in a string',
      (h) => ({ ...h, signature: String(h['signature']).replaceAll(':', '"') }),
      'signature_not_bytes',
    ],
    ['no base64', (h) => ({ ...h, signature: 'sig1=:*:' }), 'malformed_signature'],
    [
      'a huge header',
      (h) => ({ ...h, 'signature-input': `${h['signature-input']};x="${'x'.repeat(9_000)}"` }),
      'header_too_large',
    ],
  ])('%s', async (_what, change, reason) => {
    await expectRefused(await withHeaders(change), reason);
  });

  it('says the same of whatever has to do with keys', async () => {
    const keyless = await join();
    const details = await Promise.all(
      [
        rotate(key, { keyId: unique('nobody') }),
        rotate(await clientKey(key.keyId, Uint8Array.from(randomBytes(32)))),
        rotate(await clientKey(keyless.agentId, Uint8Array.from(randomBytes(32)))),
      ].map(async (answer) => (await answer).body['detail']),
    );
    expect(new Set(details).size).toBe(1);
  });

  it('comes after the shape of the body, and before who is asked about', async () => {
    expect((await send(key, '/rotate', {})).status).toBe(422);
    const call = { caller_agent_id: key.keyId, agent_id: unique('nobody'), message: textMessage('x') };
    expect(codeOf(await send(key, '/call', call, { createdSeconds: 1 }))).toEqual(invalid);
    expect(codeOf(await send(key, '/call', call))).toEqual([404, 'agent_not_found']);
  });

  it('labels of others are none of ours', async () => {
    expect(codeOf(await rotate(key, { label: 'sig2' }))).toEqual([400, 'contact_email_missing']);
    const call = { caller_agent_id: key.keyId, agent_id: receiverId, message: textMessage('x') };
    expect(codeOf(await send(key, '/call', call, { label: 'sig2' }))).toEqual([401, 'credential_required']);
    const beside = await withHeaders((headers) => ({
      ...headers,
      'signature-input': `proxy=("@authority");created=1, ${headers['signature-input']}`,
      signature: `${headers['signature']}, proxy=:AAAA:`,
    }));
    expect(codeOf(beside)).toEqual([200, 'rotated']);
  });
});

describe('keys from the directory of the domain', () => {
  const [named = '', sole = '', shared = '', rotten = '', absent = '', ownKey = ''] = directoryDomains;
  const member = async (domain: string, fields: Body = {}): Promise<ClientKey> => {
    const agentId = unique('member');
    const { status, text } = await post('/register', { agent_id: agentId, org_domain: domain, ...fields }, org.key);
    if (status !== 201) throw new Error(`register answered ${status}: ${text}`);
    return clientKey(agentId, Uint8Array.from(randomBytes(32)));
  };
  const jwk = ({ publicKey }: ClientKey, fields: Body = {}): Body => ({
    kty: 'OKP',
    crv: 'Ed25519',
    x: publicKey,
    ...fields,
  });

  it('the key whose kid is the agent_id; the domain is asked once for many', async () => {
    const key = await member(named);
    const other = await clientKey('other', Uint8Array.from(randomBytes(32)));
    await publish(stack.directoriesUrl, named, { keys: [jwk(other, { kid: 'other' }), jwk(key, { kid: key.keyId })] });
    const answers = await Promise.all(Array.from({ length: 5 }, () => rotate(key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await timesAsked(stack.directoriesUrl, named)).toBe(1);
    await expectRefused(await rotate(await clientKey(key.keyId, other.seed)), 'signature_mismatch');
  });

  it('the only key of the only agent', async () => {
    const key = await member(sole);
    await publish(stack.directoriesUrl, sole, { keys: [jwk(key), { kty: 'RSA', n: 'AQAB', e: 'AQAB' }] });
    expect(codeOf(await rotate(key))).toEqual([200, 'rotated']);
  });

  it('not the only key once two agents share the domain', async () => {
    const key = await member(shared);
    await publish(stack.directoriesUrl, shared, { keys: [jwk(key)] });
    const second = (await join(org.key)).agentId;
    const moved = await post('/update', { agent_id: second, org_domain: shared }, org.key);
    expect(moved.status).toBe(200);
    await expectRefused(await rotate(key), 'directory_key_absent');
  });

  it('a domain that has none, or says nonsense, cannot verify anything', async () => {
    await publish(stack.directoriesUrl, rotten, '{"keys": "none"}');
    await expectRefused(await rotate(await member(rotten)), 'directory_malformed');
    await expectRefused(await rotate(await member(absent)), 'directory_refused');
    await expectRefused(await rotate(await member(`${unique('unreachable')}.invalid`)), 'directory_unreachable');
  });

  it("an agent's own public_key goes before its domain's", async () => {
    const key = await clientKey('x', Uint8Array.from(randomBytes(32)));
    const published = await member(ownKey, { public_key: key.publicKey });
    await publish(stack.directoriesUrl, ownKey, { keys: [jwk(published, { kid: published.keyId })] });
    await expectRefused(await rotate(published), 'signature_mismatch');
    expect(codeOf(await rotate({ ...key, keyId: published.keyId }))).toEqual([200, 'rotated']);
    expect(await timesAsked(stack.directoriesUrl, ownKey)).toBe(0);
  });
});
