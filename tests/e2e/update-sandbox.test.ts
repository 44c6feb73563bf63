import { beforeAll, describe, expect, it } from 'vitest';
import { adminToken, type Body, createOrg, join, type Member, type Org, post, verify } from '../support/ask.ts';
import { unique } from '../support/registry.ts';
import { configurationIn, everyField, outcome, owned, update } from '../support/updates.ts';

let org: Org;
let rival: Org;
beforeAll(async () => {
  [org, rival] = await Promise.all([createOrg(), createOrg()]);
});

/** A live agent and its clone, which was changed since. */
const pair = async (fields: Body = everyField): Promise<{ live: Member; draftId: string }> => {
  const live = await join(org.key, fields);
  const draftId = unique('draft');
  const clone = await post('/register', { agent_id: draftId, clone_from_agent_id: live.agentId }, org.sandboxKey);
  if (clone.status !== 201) throw new Error(`cloning returned ${clone.status}: ${clone.text}`);
  return { live, draftId };
};
const pull = (draftId: string, from: string, more: Body = {}, credential = org.sandboxKey) =>
  update(draftId, { pull_from_agent_id: from, ...more }, credential);
const strayed = { specialty: 'strayed', capabilities: [], endpoint_url: null, message_protocol: 'raw', protocol: null };

describe('pull_from_agent_id', () => {
  it('overwrites the whole configuration with that of the live counterpart, and nothing else', async () => {
    const { live, draftId } = await pair();
    const contact = { contact_info: "the draft's own" };
    expect((await update(draftId, { ...strayed, ...contact }, org.sandboxKey)).status).toBe(200);
    expect((await update(live.agentId, { specialty: 'newer', contact_info: "the live one's" }, org.key)).status).toBe(
      200,
    );
    const answer = await pull(draftId, live.agentId);
    expect([answer.status, answer.body['agent_id'], answer.body['specialty']]).toEqual([200, draftId, 'newer']);
    const draft = await owned(draftId, org.sandboxKey);
    expect(configurationIn(draft)).toEqual({ ...everyField, specialty: 'newer' });
    expect(draft).toMatchObject({ ...contact, org_domain: null, is_sandbox: true, related_agent_id: live.agentId });
  });

  it('except the fields in the same request, including null; the live agent is unchanged', async () => {
    const { live, draftId } = await pair();
    expect((await update(draftId, strayed, org.sandboxKey)).status).toBe(200);
    const before = await owned(live.agentId, org.key);
    const overrides = { specialty: 'mine', signup_help: null, capabilities: null, a2a_compliant: null };
    expect((await pull(draftId, live.agentId, overrides)).status).toBe(200);
    expect(configurationIn(await owned(draftId, org.sandboxKey))).toEqual({
      ...everyField,
      specialty: 'mine',
      signup_help: null,
      capabilities: [],
    });
    expect(await owned(live.agentId, org.key)).toEqual(before);
  });

  it('repeated changes nothing, and is 200', async () => {
    const { live, draftId } = await pair();
    expect((await pull(draftId, live.agentId)).status).toBe(200);
    expect(configurationIn(await owned(draftId, org.sandboxKey))).toEqual(everyField);
  });

  it('null counts as absent', async () => {
    const agent = await join();
    expect((await update(agent.agentId, { pull_from_agent_id: null }, agent.auth)).status).toBe(200);
  });

  it('needs the sandbox key: 403 for every other caller', async () => {
    const { live, draftId } = await pair();
    for (const credential of [org.key, adminToken, { ...org.key, ...adminToken }]) {
      expect(outcome(await pull(draftId, live.agentId, {}, credential))).toEqual([403, 'sandbox_key_required']);
    }
    const own = await join(org.sandboxKey);
    expect(outcome(await pull(own.agentId, live.agentId, {}, own.auth))).toEqual([403, 'sandbox_key_required']);
    expect(outcome(await pull(live.agentId, live.agentId, {}, live.auth))).toEqual([403, 'sandbox_key_required']);
    expect((await pull(draftId, live.agentId, {}, { ...org.sandboxKey, ...adminToken })).status).toBe(200);
  });

  it('works for a confirmed pair alone: anything else is the same 403, known or not', async () => {
    const { live, draftId } = await pair();
    const other = await pair();
    const single = await join(org.sandboxKey);
    const words = new Set<string>();
    for (const [target, from] of [
      [draftId, other.live.agentId],
      [draftId, other.draftId],
      [draftId, draftId],
      [draftId, unique('nobody')],
      [draftId, (await join(rival.key)).agentId],
      [draftId, (await join(rival.sandboxKey)).agentId],
      [single.agentId, live.agentId],
    ] as const) {
      const answer = await pull(target, from);
      expect(outcome(answer)).toEqual([403, 'not_a_confirmed_pair']);
      words.add(
        String(answer.body['detail']).replaceAll(JSON.stringify(from), '').replaceAll(JSON.stringify(target), ''),
      );
    }
    expect(words.size).toBe(1);
  });

  it("for another organisation's draft is 404, and for the live agent with the sandbox key wrong_universe", async () => {
    const { live, draftId } = await pair();
    expect(outcome(await pull(draftId, live.agentId, {}, rival.sandboxKey))).toEqual([404, 'agent_not_found']);
    expect(outcome(await pull(live.agentId, draftId))).toEqual([403, 'wrong_universe']);
  });

  it('the result must satisfy the rules', async () => {
    const { live, draftId } = await pair();
    const answer = await pull(draftId, live.agentId, { payment_asset: null });
    expect(outcome(answer)).toEqual([422, 'price_schedule_incomplete']);
    expect(outcome(await pull(draftId, live.agentId, { public_key: 'x' }))).toEqual([400, 'invalid_public_key']);
    expect((await pull(draftId, live.agentId, { payment_asset: null, price_schedule: null })).status).toBe(200);
  });
});

it('an update in the sandbox is visible there alone', async () => {
  const { live, draftId } = await pair();
  expect((await update(draftId, { specialty: 'secret plan' }, org.sandboxKey)).status).toBe(200);
  expect((await verify(draftId, org.sandboxKey)).body['specialty']).toBe('secret plan');
  for (const headers of [{}, org.key, rival.key, rival.sandboxKey]) {
    expect((await verify(draftId, headers)).status).toBe(404);
  }
  expect((await verify(live.agentId)).body['specialty']).toBe(everyField.specialty);
});
