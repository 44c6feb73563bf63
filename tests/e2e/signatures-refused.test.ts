import { randomBytes } from 'node:crypto';
import {
  type ClientKey,
  digestOf,
  nowSeconds,
  type SignedParts,
  signedHeaders,
} from '@agent-trust/http-signature/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, ask, type Body, createOrg, freshClient, gateways, join, post } from '../support/ask.ts';
import { type RecordingAgent, startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';
import { codeOf, expectRefused, freshKey, invalid, rotate, send, signer } from '../support/signer.ts';

let receiver: RecordingAgent;
let receiverId: string;
beforeAll(async () => {
  receiver = await startRecordingAgent();
  receiverId = (await join((await createOrg()).key, { endpoint_url: receiver.url })).agentId;
});
afterAll(() => receiver.stop());

const without = (headers: Record<string, string>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([header]) => header !== name));

describe('a refused signature, with one log line that states the reason', () => {
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
    ['with a future time', { createdSeconds: nowSeconds() + 400 }, 'created_in_future'],
    ['without the method', { components: ['@path', 'content-digest'] }, 'component_not_covered'],
    ['without the path', { components: ['@method', 'content-digest'] }, 'component_not_covered'],
    ['without the digest', { components: ['@method', '@path'] }, 'component_not_covered'],
    ['of an unknown agent', { keyId: unique('nobody') }, 'agent_unknown'],
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
    await expectRefused(await withHeaders((headers) => without(headers, 'content-digest')), 'content_digest_missing');
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
    // Registration refuses a key of small order.
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
      'a component of responses',
      (h) => ({ ...h, 'signature-input': String(h['signature-input']).replace('("', '("@status" "') }),
      'component_unsupported',
    ],
    ['only one of the headers', (h) => without(h, 'signature'), 'header_missing'],
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
    ['invalid base64', (h) => ({ ...h, signature: 'sig1=:*:' }), 'malformed_signature'],
    [
      'a huge header',
      (h) => ({ ...h, 'signature-input': `${h['signature-input']};x="${'x'.repeat(9_000)}"` }),
      'header_too_large',
    ],
  ])('%s', async (_what, change, reason) => {
    await expectRefused(await withHeaders(change), reason);
  });

  it('gets the same answer for every reason that concerns keys', async () => {
    const keyless = await join();
    const details = await Promise.all(
      [
        rotate(key, { keyId: unique('nobody') }),
        rotate(await freshKey(key.keyId)),
        rotate(await freshKey(keyless.agentId)),
      ].map(async (answer) => (await answer).body['detail']),
    );
    expect(new Set(details).size).toBe(1);
  });

  it('is checked after the shape of the body, and before the named agents', async () => {
    expect((await send(key, '/rotate', {})).status).toBe(422);
    const call = { caller_agent_id: key.keyId, agent_id: unique('nobody'), message: textMessage('x') };
    expect(codeOf(await send(key, '/call', call, { createdSeconds: 1 }))).toEqual(invalid);
    expect(codeOf(await send(key, '/call', call))).toEqual([404, 'agent_not_found']);
  });

  it('with an unknown label is ignored', async () => {
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
