import { agentStream, eventDefinitions } from '@agent-trust/contracts';
import { createEventRegistry, openEventLog } from '@agent-trust/event-log';
import { digestOf, freshNonce, nowSeconds, publicSigners, signedHeaders } from '@agent-trust/http-signature/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  type Answer,
  ask,
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
import { type RecordingAgent, startRecordingAgent } from '../support/recording-agent.ts';
import { bearer, textMessage, unique } from '../support/registry.ts';
import { codeOf, expectRefused, freshKey, invalid, rotate, send, signer } from '../support/signer.ts';

let org: Org;
let receiver: RecordingAgent;
let receiverId: string;
beforeAll(async () => {
  org = await createOrg();
  receiver = await startRecordingAgent();
  receiverId = (await join(org.key, { endpoint_url: receiver.url })).agentId;
});
afterAll(() => receiver.stop());

describe('rotation by signature', () => {
  it('issues a key at once, which works, and the former key fails everywhere from then on', async () => {
    const key = await signer();
    let previous = bearer(String((await rotate(key)).body['agent_key']));
    for (const gateway of [...gateways, ...gateways]) {
      const rotated = await rotate(key, { gateway });
      expect(rotated.body).toEqual({
        agent_id: key.keyId,
        status: 'rotated',
        agent_key: expect.stringMatching(/^registry-agent-sk-[A-Za-z0-9_-]{43}$/u) as string,
        claim_link: null,
      });
      expect(rotated.headers.get('cache-control')).toBe('no-store');
      const fresh = bearer(String(rotated.body['agent_key']));
      for (const other of gateways) {
        const callWith = (headers: HeaderMap): Promise<Answer> =>
          post(
            '/call',
            { caller_agent_id: key.keyId, agent_id: receiverId, message: textMessage('hi') },
            headers,
            other,
          );
        expect((await callWith(fresh)).status).toBe(200);
        expect((await callWith(previous)).status).toBe(401);
      }
      previous = fresh;
    }
  });

  it('writes KeyRotated without a claim, with the hash alone', async () => {
    const key = await signer();
    const rotated = await rotate(key);
    const log = await openEventLog(stack.eventLogUrl);
    const registry = createEventRegistry(eventDefinitions);
    const recorded = await log.readStream(agentStream(key.keyId));
    await log.close();
    const last = recorded.at(-1);
    expect(last?.metadata.actor).toEqual({ kind: 'agent', id: key.keyId, credentials: ['signature'] });
    expect(last === undefined ? null : registry.decodeKnown(last)).toMatchObject({
      type: 'KeyRotated',
      data: { agentId: key.keyId, claimTokenHash: null },
    });
    expect(
      JSON.stringify(recorded, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain(String(rotated.body['agent_key']));
  });

  it('is allowed for sandbox agents and for ids beyond ASCII', async () => {
    expect(codeOf(await rotate(await signer({}, org.sandboxKey)))).toEqual([200, 'rotated']);
    expect(codeOf(await rotate(await signer({ agent_id: unique('caf\u00e9 \u{1f916} "x"') })))).toEqual([
      200,
      'rotated',
    ]);
  });

  it('takes precedence over other credentials, without a fallback to them', async () => {
    const key = await signer();
    const otherKey = await freshKey(key.keyId);
    for (const headers of [adminToken, org.key, { 'x-api-key': 'nonsense' }, { authorization: 'Bearer nonsense' }]) {
      expect(codeOf(await rotate(key, { headers }))).toEqual([200, 'rotated']);
      expect(codeOf(await rotate(otherKey, { headers }))).toEqual(invalid);
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

describe('a signature instead of a key', () => {
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
    const next = await freshKey(key.keyId);
    expect((await send(key, '/update', { agent_id: key.keyId, public_key: next.publicKey })).status).toBe(200);
    for (const gateway of gateways) {
      expect(codeOf(await rotate(key, { gateway }))).toEqual(invalid);
      expect(codeOf(await rotate(next, { gateway }))).toEqual([200, 'rotated']);
    }
  });

  it('beside a bearer key: both must be valid, for the same agent', async () => {
    const key = await signer();
    const own = bearer(String((await rotate(key)).body['agent_key']));
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
  // Each gateway alone would let the request pass once. Method: one signed request twenty times at once, ten at each gateway.
  it('of one request twenty times at once: exactly one passes', async () => {
    const key = await signer();
    const body = JSON.stringify({ agent_id: key.keyId });
    const headers = await signedHeaders(key, `${gateways[0]}/rotate`, body);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        ask('POST', '/rotate', { gateway: gateways[index % 2] ?? '', body, headers: { ...headers, ...freshClient() } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, ...Array<number>(19).fill(401)]);
    const refused = answers.find(({ status }) => status === 401);
    if (refused !== undefined) await expectRefused(refused, 'nonce_reused');
    expect(refused?.text).toContain('nonce was used before');
  });

  it('a nonce is used up by a valid signature alone, and separately for each agent', async () => {
    const [key, other] = [await signer(), await signer()];
    const nonce = freshNonce();
    const forged = await freshKey(key.keyId);
    expect((await rotate(forged, { nonce })).status).toBe(401);
    expect((await rotate(key, { nonce, gateway: gateways[1] })).status).toBe(200);
    await expectRefused(await rotate(key, { nonce, createdSeconds: nowSeconds() - 7 }), 'nonce_reused');
    expect((await rotate(other, { nonce })).status).toBe(200);
  });
});
