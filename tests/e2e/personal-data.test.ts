/**
 * Bug: the contact data of an agent's people is stored readable in the event log, a row, a log line or a bucket, where it cannot be erased; or
 * it is shown after the operator has erased it. Method: contacts enter on every path and are searched for in every store; then they are
 * erased, and requested from every gateway at once.
 */
import { randomUUID } from 'node:crypto';
import type { RecordedEvent } from '@agent-trust/event-log';
import {
  fromHex,
  leafHash,
  type LogEntry,
  openCheckpoint,
  parseVerifierKey,
  toHex,
  verifyConsistency,
  verifyInclusion,
} from '@agent-trust/transparency-log';
import { describe, expect, it } from 'vitest';
import {
  adminToken,
  ask,
  createOrg,
  freshClient,
  gateways,
  get,
  type HeaderMap,
  join,
  post,
  profile,
  stack,
} from '../support/ask.ts';
import { unique } from '../support/registry.ts';
import { allEvents, findSecrets } from '../support/secrets-at-rest.ts';

const freshContact = () => {
  const mark = randomUUID();
  return { contact_email: `owner-${mark}@agent.example`, contact_info: `ring twice ${mark} ☎` };
};
const erase = (agentId: string, headers: HeaderMap = adminToken, gateway?: string) =>
  ask('POST', `/ops/agents/${encodeURIComponent(agentId)}/erase`, {
    headers,
    ...(gateway === undefined ? {} : { gateway }),
  });
const shownEverywhere = async (agentId: string): Promise<unknown[]> => {
  const path = `/agent/${encodeURIComponent(agentId)}`;
  const answers = await Promise.all(
    gateways.flatMap((gateway) => Array.from({ length: 5 }, () => get(path, {}, gateway))),
  );
  return [...new Set(answers.map(({ body }) => body['contact_info']))];
};
const rotateByMail = (agentId: string) => post('/rotate', { agent_id: agentId }, freshClient());

it('a contact is shown to permitted callers, and stored in clear nowhere', async () => {
  const org = await createOrg();
  const [published, owned, changed, sandboxed, repeated] = Array.from({ length: 5 }, freshContact);
  const independent = await join({}, published);
  expect((await profile(independent.agentId)).body['contact_info']).toBe(published?.contact_info);
  const member = await join(org.key, owned);
  const ownerProfile = await get(`/org/agents/${member.agentId}`, org.key);
  expect(ownerProfile.body['contact_info']).toBe(owned?.contact_info);
  expect((await post('/update', { agent_id: member.agentId, ...changed }, org.key)).status).toBe(200);
  expect((await profile(member.agentId)).body['contact_info']).toBe(changed?.contact_info);
  const draft = await join(org.sandboxKey, sandboxed);
  expect((await get(`/agent/${draft.agentId}`, org.sandboxKey)).body['contact_info']).toBe(sandboxed?.contact_info);
  // The second registration keeps its answer under an idempotency key.
  const [key, body] = [randomUUID(), { agent_id: unique('agent'), ...repeated }];
  for (const expected of [201, 201])
    expect((await post('/register', body, { 'idempotency-key': key })).status).toBe(expected);
  // Only profiles show it.
  for (const { text } of [
    await post('/verify', { agent_id: member.agentId }),
    await get('/registry?limit=200'),
    await post('/match', { limit: 200 }),
  ])
    expect(text).not.toContain(changed?.contact_info);
  const texts = [published, owned, changed, sandboxed, repeated].flatMap((contact) => Object.values(contact ?? {}));
  expect(texts).toHaveLength(10);
  expect(await findSecrets(stack, texts)).toEqual([]);
});

describe('an erasure', () => {
  it('is for operators alone, and for existing agents', async () => {
    const { agentId, auth } = await join({}, freshContact());
    const org = await createOrg();
    expect([(await erase(agentId, {})).status, (await erase(agentId, auth)).status]).toEqual([401, 401]);
    expect((await erase(agentId, org.key)).body['code']).toBe('credential_required');
    expect((await erase(unique('nobody'))).body['code']).toBe('agent_not_found');
    expect((await erase('x'.repeat(129))).status).toBe(422);
    expect((await profile(agentId)).body['contact_info']).not.toBeNull();
  });

  it('is complete when it returns: no gateway shows the contact, no mail goes to it, and that stays so', async () => {
    const contact = freshContact();
    const { agentId, auth } = await join({}, contact);
    expect(await shownEverywhere(agentId)).toEqual([contact.contact_info]);
    const before = (await post('/verify', { agent_id: agentId })).body;
    const first = await erase(agentId, adminToken, gateways[1]);
    expect(first.body).toEqual({ agent_id: agentId, status: 'erased', erased_at: expect.any(String) });
    expect(await shownEverywhere(agentId)).toEqual([null]);
    expect((await erase(agentId)).body).toEqual(first.body);
    expect((await rotateByMail(agentId)).body['code']).toBe('contact_email_missing');
    // The agent's score, its key and all other fields are unchanged.
    expect((await post('/verify', { agent_id: agentId })).body).toEqual(before);
    const renewed = freshContact();
    expect((await post('/update', { agent_id: agentId, ...renewed }, auth)).status).toBe(200);
    expect(await shownEverywhere(agentId)).toEqual([renewed.contact_info]);
    expect((await rotateByMail(agentId)).status).toBe(200);
    expect(await findSecrets(stack, [...Object.values(contact), ...Object.values(renewed)])).toEqual([]);
  });

  it('of an agent without a contact, in either universe, changes nothing', async () => {
    const org = await createOrg();
    for (const key of [org.key, org.sandboxKey]) {
      const { agentId } = await join(key);
      expect((await erase(agentId)).body).toEqual({ agent_id: agentId, status: 'erased', erased_at: null });
    }
  });

  it('concurrent with updates ends with the later of both, and an acknowledged update is not lost', async () => {
    const { agentId, auth } = await join({}, freshContact());
    for (let round = 0; round < 3; round += 1) {
      const contacts = Array.from({ length: 4 }, freshContact);
      const updates = contacts.map((contact) => post('/update', { agent_id: agentId, ...contact }, auth));
      const [erased] = await Promise.all([erase(agentId), ...updates]);
      expect([200, 503]).toContain(erased.status);
      const [shown, ...others] = await shownEverywhere(agentId);
      expect(others).toEqual([]);
      expect([null, ...contacts.map(({ contact_info: info }) => info)]).toContain(shown);
    }
    expect((await erase(agentId)).status).toBe(200);
    expect(await shownEverywhere(agentId)).toEqual([null]);
  });
});

it('the log keeps its events, encrypted with a key that no longer exists', async () => {
  const contact = freshContact();
  const { agentId } = await join({}, contact);
  const eventsOf = async () => {
    const events = [];
    for await (const event of allEvents(stack.eventLogUrl)) if (event.stream === `agent-${agentId}`) events.push(event);
    return events;
  };
  const before = await eventsOf();
  expect((await erase(agentId)).status).toBe(200);
  const after = await eventsOf();
  expect(after.slice(0, before.length)).toEqual(before);
  const registered = after[0] as RecordedEvent;
  type Sealed = { contactEmail: { keyId: string; sealed: string } };
  const { contactEmail } = (registered.data as { contact: Sealed }).contact;
  expect(contactEmail).toEqual({ keyId: expect.any(String), sealed: expect.stringMatching(/^[\w-]+$/u) });
  expect(after.at(-1)).toMatchObject({
    type: 'PersonalDataErased',
    data: { agentId, keyIds: [contactEmail.keyId] },
    metadata: { actor: { kind: 'admin' } },
  });
});

it('the proofs of the log still verify, and contain nothing of the contact', async () => {
  const contact = freshContact();
  const { agentId } = await join({}, contact);
  const logKey = parseVerifierKey(String((await get('/log/key')).body['verifier_key']));
  const checkpoint = async () => openCheckpoint((await get('/log/checkpoint')).text, { logKey });
  const eventsOf = () => get(`/ops/events?agent_id=${encodeURIComponent(agentId)}`, adminToken);
  const hashes = (body: Record<string, unknown>) => (body['hashes'] as string[]).map(fromHex);
  const recorded = await eventsOf();
  const provesAll = async (text: string): Promise<string[]> => {
    const entries = JSON.parse(text) as (LogEntry & { leaf_hash: string })[];
    for (const { leaf_hash: hash, ...entry } of entries) {
      const { body } = await get(`/log/proof/inclusion?event_id=${entry.event_id}`);
      const logged = (({ event_id, stream, revision, position, type, recorded_at, metadata, data }) => ({
        event_id,
        stream,
        revision,
        position,
        type,
        recorded_at,
        metadata,
        data,
      }))(entry);
      expect(toHex(leafHash(logged))).toBe(hash);
      const claim = { index: Number(body['leaf_index']), size: Number(body['size']), proof: hashes(body) };
      const root = fromHex(String(body['root']));
      expect(verifyInclusion({ ...claim, root, leafHash: leafHash(logged) })).toBe(true);
    }
    return entries.map(({ leaf_hash: hash }) => hash);
  };
  const leaves = await provesAll(recorded.text);
  const before = await checkpoint();
  expect((await erase(agentId)).status).toBe(200);
  const erased = await eventsOf();
  expect((await provesAll(erased.text)).slice(0, leaves.length)).toEqual(leaves);
  expect(erased.list.at(-1)?.['type']).toBe('PersonalDataErased');
  const after = await checkpoint();
  const { body } = await get(`/log/proof/consistency?from=${before.size}&to=${after.size}`);
  const claim = { from: before.size, to: after.size, fromRoot: before.root, toRoot: after.root };
  expect(verifyConsistency({ ...claim, proof: hashes(body) })).toBe(true);
  for (const text of Object.values(contact)) expect(recorded.text).not.toContain(text);
});
