/*
 * Bug: the registry's published log proves nothing: a proof does not verify, a checkpoint contradicts another gateway's, a tile has other
 * hashes, or a receipt or signed verdict differs from the registry's answer.
 * Method: a reader that has only the public key and the public routes verifies all of it, with the pure package and with jose.
 */
import {
  consistencyProof,
  fromHex,
  inclusionProof,
  leafHash,
  type LogEntry,
  openCheckpoint,
  type OpenedCheckpoint,
  parseVerifierKey,
  tileHashes,
  tilePath,
  toHex,
  treeRoot,
  verifyConsistency,
  verifyInclusion,
} from '@agent-trust/transparency-log';
import { compactVerify, importJWK, type JWK } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  call,
  createOrg,
  gateways,
  get,
  join,
  type Member,
  type Org,
  post,
  review,
  verify,
} from '../support/ask.ts';
import { type RecordingAgent, startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';

const [first, second] = gateways;
let endpoint: RecordingAgent;
let org: Org;
let caller: Member;
let receiver: Member;
let transactionId: string;

beforeAll(async () => {
  endpoint = await startRecordingAgent();
  org = await createOrg();
  caller = await join(org.key, { org_domain: `${unique('d')}.example` });
  receiver = await join({}, { endpoint_url: endpoint.url });
  transactionId = await reviewed(caller, receiver);
  return () => endpoint.stop();
});

const reviewed = async (from: Member, to: Member): Promise<string> => {
  const { body } = await call(from, to.agentId, textMessage('hello'));
  const transaction_id = String(body['transaction_id']);
  expect((await review(from, to.agentId, { transaction_id, score: 9 })).status).toBe(200);
  return transaction_id;
};

const logKey = async () => parseVerifierKey(String((await get('/log/key')).body['verifier_key']));
const checkpoint = async (gateway: string = first): Promise<OpenedCheckpoint & { note: string }> => {
  const answer = await get('/log/checkpoint', {}, gateway);
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
    200,
    'text/plain; charset=utf-8',
    'no-cache',
  ]);
  return { ...(await openCheckpoint(answer.text, { logKey: await logKey() })), note: answer.text };
};
const tile = async (path: string): Promise<{ status: number; bytes: Uint8Array; headers: Headers }> => {
  const response = await fetch(`${first}/log/${path}`);
  return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()), headers: response.headers };
};
const hashesOf = (body: Answer['body']): Uint8Array[] => (body['hashes'] as string[]).map(fromHex);
const refusal = ({ status, body }: Answer): unknown[] => [status, body['code']];
const receiptOf = (agentId: string, id: string, headers = {}): Promise<Answer> =>
  get(`/agent/${encodeURIComponent(agentId)}/trust/receipt/${id}`, headers);

describe('checkpoints', () => {
  it('are signed by the published key, in the name of the log, and only grow', async () => {
    const before = await checkpoint();
    const { origin } = (await get('/log/key')).body;
    expect(before.origin).toBe(origin);
    // Its receipt waits until the tree has it; a checkpoint alone waits for nothing.
    await receiptOf(receiver.agentId, await reviewed(caller, receiver));
    const after = await checkpoint(second);
    expect(after.size).toBeGreaterThanOrEqual(before.size + 3);
    const { status, body } = await get(`/log/proof/consistency?from=${before.size}&to=${after.size}`);
    expect([status, body['from_root'], body['to_root']]).toEqual([200, toHex(before.root), toHex(after.root)]);
    const claim = { from: before.size, to: after.size, fromRoot: before.root, toRoot: after.root };
    expect(verifyConsistency({ ...claim, proof: hashesOf(body) })).toBe(true);
    expect(verifyConsistency({ ...claim, fromRoot: after.root, proof: hashesOf(body) })).toBe(false);
  });

  it('exist for requested sizes, but not beyond the current size', async () => {
    const beyond = 999_999_999_999_999;
    expect(refusal(await get(`/log/proof/consistency?from=1&to=${beyond}`))).toEqual([404, 'not_in_log']);
    expect(refusal(await get(`/log/proof/inclusion?index=${beyond}`))).toEqual([404, 'not_in_log']);
    expect(refusal(await get(`/log/proof/inclusion?index=5&size=5`))).toEqual([404, 'not_in_log']);
    expect(refusal(await get('/log/proof/inclusion?event_id=nobody'))).toEqual([404, 'not_in_log']);
    for (const wrong of ['', '?index=1&event_id=a', '?index=-1', '?index=x', '?index=0&size=0', `?index=${beyond}0`])
      expect(refusal(await get(`/log/proof/inclusion${wrong}`))).toEqual([422, 'validation_failed']);
    for (const wrong of ['', '?from=3&to=2', '?to=2', '?from=0'])
      expect(refusal(await get(`/log/proof/consistency${wrong}`))).toEqual([422, 'validation_failed']);
  });
});

describe('tiles', () => {
  it('yield the root and every proof that the registry returns', async () => {
    const { size, root } = await checkpoint();
    const read = tileHashes(size, async (wanted) => (await tile(tilePath(wanted))).bytes);
    expect(toHex(await treeRoot(size, read))).toBe(toHex(root));
    const { body } = await get(`/log/proof/inclusion?index=3&size=${size}`);
    expect(body).toMatchObject({ leaf_index: '3', size, root: toHex(root) });
    expect((await inclusionProof(3, size, read)).map(toHex)).toEqual(body['hashes']);
    const consistency = await get(`/log/proof/consistency?from=5&to=${size}`);
    expect((await consistencyProof(5, size, read)).map(toHex)).toEqual(consistency.body['hashes']);
  });

  it('never change, and are absent beyond the tree', async () => {
    const { size } = await checkpoint();
    const width = Math.min(size, 7);
    const partial = await tile(`tile/0/000.p/${width}`);
    expect([partial.status, partial.bytes.length, partial.headers.get('cache-control')]).toEqual([
      200,
      width * 32,
      'public, max-age=31536000, immutable',
    ]);
    expect(partial.headers.get('content-type')).toBe('application/octet-stream');
    const none = ['0/x001/x000/000', '63/000.p/1', '0/999', '64/000', '0/0', '0/000.p/0', '0/000.p/256', '0/x000/000'];
    for (const path of none) expect([path, (await tile(`tile/${path}`)).status]).toEqual([path, 404]);
    expect((await tile('tile/entries/000')).status).toBe(404);
  });
});

describe('a receipt', () => {
  it('proves a review to a reader who has only the key', async () => {
    const { status, body } = await receiptOf(receiver.agentId, transactionId);
    expect(status).toBe(200);
    const entry = body['entry'] as LogEntry & { data: Answer['body'] };
    expect(entry).toMatchObject({
      type: 'ExchangeReviewed',
      data: { transactionId, callerAgentId: caller.agentId, receiverAgentId: receiver.agentId, score: 9 },
    });
    const { size, root } = await openCheckpoint(String(body['checkpoint']), { logKey: await logKey() });
    const claim = { index: Number(body['leaf_index']), size, root, proof: hashesOf(body) };
    expect(verifyInclusion({ ...claim, leafHash: leafHash(entry) })).toBe(true);
    expect(body['leaf_hash']).toBe(toHex(leafHash(entry)));
    const forged = { ...entry, data: { ...entry.data, score: 10 } };
    expect(verifyInclusion({ ...claim, leafHash: leafHash(forged) })).toBe(false);
    const byId = await get(`/log/proof/inclusion?event_id=${entry.event_id}`);
    expect(byId.body).toMatchObject({ leaf_index: body['leaf_index'], leaf_hash: body['leaf_hash'] });
  });

  it('is available immediately after the review, at either gateway', async () => {
    const id = await reviewed(caller, receiver);
    const path = `/agent/${encodeURIComponent(receiver.agentId)}/trust/receipt/${id}`;
    expect((await get(path, {}, second)).status).toBe(200);
  });

  it('exists for that agent and that exchange alone', async () => {
    expect(refusal(await receiptOf(receiver.agentId, 'no-exchange'))).toEqual([404, 'review_not_found']);
    expect(refusal(await receiptOf(caller.agentId, transactionId))).toEqual([404, 'review_not_found']);
    expect(refusal(await receiptOf(unique('nobody'), transactionId))).toEqual([404, 'agent_not_found']);
    const { body } = await call(caller, receiver.agentId, textMessage('unreviewed'));
    expect(refusal(await receiptOf(receiver.agentId, String(body['transaction_id'])))).toEqual([
      404,
      'review_not_found',
    ]);
  });

  it("of a sandbox review is visible with that sandbox's key alone", async () => {
    const buyer = await join(org.sandboxKey, {});
    const seller = await join(org.sandboxKey, { endpoint_url: endpoint.url });
    const id = await reviewed(buyer, seller);
    const leaves = (headers = {}) => get(`/agent/${encodeURIComponent(seller.agentId)}/reviews/leaves`, headers);
    expect((await leaves(org.sandboxKey)).list).toEqual([expect.objectContaining({ transaction_id: id })]);
    expect(refusal(await leaves())).toEqual([404, 'agent_not_found']);
    expect((await receiptOf(seller.agentId, id, org.sandboxKey)).status).toBe(200);
    expect(refusal(await receiptOf(seller.agentId, id))).toEqual([404, 'agent_not_found']);
    expect(refusal(await receiptOf(seller.agentId, id, (await createOrg()).sandboxKey))).toEqual([
      404,
      'agent_not_found',
    ]);
    expect(refusal(await receiptOf(receiver.agentId, id, org.sandboxKey))).toEqual([404, 'agent_not_found']);
  });
});

describe('a signed verdict', () => {
  const signed = async (agentId: string, headers = {}): Promise<{ answer: Answer; claims: Answer['body'] }> => {
    const answer = await post('/verify?signed=true', { agent_id: agentId }, headers);
    const { jwk } = (await get('/log/key')).body as { jwk: JWK };
    const { payload, protectedHeader } = await compactVerify(
      String(answer.body['signed_verdict']),
      await importJWK(jwk, 'EdDSA'),
    );
    expect(protectedHeader).toEqual({ alg: 'EdDSA', kid: jwk.kid, typ: 'agent-trust-verdict+jwt' });
    return { answer, claims: JSON.parse(new TextDecoder().decode(payload)) as Answer['body'] };
  };

  it('states the content of the answer, and the log', async () => {
    const { answer, claims } = await signed(receiver.agentId);
    const { signed_verdict: _, ...plain } = answer.body;
    expect(plain).toEqual((await verify(receiver.agentId)).body);
    const { trust_score, trust_policy, recommended_action } = plain;
    const log = claims['log'] as { origin: string; size: number; root: string };
    expect(claims).toEqual({
      iss: log.origin,
      iat: expect.any(Number) as number,
      agent_id: receiver.agentId,
      universe: 'production',
      trust_score,
      trust_policy,
      recommended_action,
      position: expect.stringMatching(/^\d+$/u) as string,
      log: { origin: log.origin, size: expect.any(Number) as number, root: expect.any(String) as string },
    });
    expect(Math.abs(Number(claims['iat']) * 1_000 - Date.now())).toBeLessThan(60_000);
    const { size } = await checkpoint(second);
    const proof = await get(`/log/proof/consistency?from=${log.size}&to=${size}`);
    expect(proof.body['from_root']).toBe(log.root);
  });

  it('of a sandbox agent says so, and for an invisible agent there is none', async () => {
    const draft = await join(org.sandboxKey, {});
    expect((await signed(draft.agentId, org.sandboxKey)).claims['universe']).toBe('sandbox');
    for (const agentId of [draft.agentId, unique('nobody')]) {
      const answer = await post('/verify?signed=true', { agent_id: agentId });
      expect([...refusal(answer), answer.body['signed_verdict']]).toEqual([404, 'agent_not_found', undefined]);
    }
  });

  it('is included on request only', async () => {
    expect((await post('/verify?signed=false', { agent_id: receiver.agentId })).body).not.toHaveProperty(
      'signed_verdict',
    );
    expect(refusal(await post('/verify?signed=yes', { agent_id: receiver.agentId }))).toEqual([
      422,
      'validation_failed',
    ]);
  });
});
