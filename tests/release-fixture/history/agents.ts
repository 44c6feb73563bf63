import { agentKeyOf, anybody, keyOf, operator, sandboxKeyOf, type WrittenRegistry } from './written-registry.ts';

const publicKey = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';

/** Agents in both universes: updates, moves, clones, adoption, blocks, an erased contact, and claim links that nobody has redeemed yet. */
export async function writeAgents(registry: WrittenRegistry): Promise<void> {
  const { post, register, known } = registry;
  const update = (by: string, agentId: string, fields: object, headers = {}) =>
    registry.must(by, 'POST', '/update', { agent_id: agentId, ...fields }, headers);

  await register(keyOf('alpha'), 'changing', {
    contact_info: 'Ask for Ada at the second desk ☎ 17',
    contact_email: 'ada@alpha.example',
    specialty: 'Quotes for fasteners',
    capabilities: [{ name: 'quoting', weight: 3 }],
    settlement_rail: ['x402'],
  });
  await update(agentKeyOf('changing'), 'changing', { specialty: 'Quotes for bolts' });
  const contact = 'Ask for Bea at the third desk ☎ 18';
  await update(keyOf('alpha'), 'changing', { contact_info: contact, public_key: publicKey });
  known.contacts['changing'] = contact;

  await register(anybody, 'adopted', { contact_email: 'owner@agent.example', contact_info: 'ring twice' });
  await update(keyOf('gamma'), 'adopted', {}, known.credentials[agentKeyOf('adopted')]);
  await register(anybody, 'unclaimed', { contact_email: 'late@agent.example' }, { claims: false });

  await register(keyOf('alpha'), 'live', {
    specialty: 'Translates',
    capabilities: [{ name: 'machine_translation', weight: 3 }],
  });
  await register(sandboxKeyOf('alpha'), 'clone', { clone_from_agent_id: 'live' });
  await update(keyOf('alpha'), 'live', { specialty: 'Translates contracts' });
  await update(sandboxKeyOf('alpha'), 'clone', { pull_from_agent_id: 'live' });
  await update(sandboxKeyOf('alpha'), 'clone', { specialty: 'Translates contracts and patents' });
  await post(sandboxKeyOf('alpha'), '/sandbox/promote', { sandbox_agent_id: 'clone', production_agent_id: 'live' });

  await register(sandboxKeyOf('alpha'), 'published', { specialty: 'New' });
  await post(sandboxKeyOf('alpha'), '/sandbox/publish', { agent_id: 'published' });
  known.agents['published'] = { readableBy: keyOf('alpha') };
  await register(keyOf('alpha'), 'withdrawn', { specialty: 'Not ready' });
  await post(sandboxKeyOf('alpha'), '/sandbox/withdraw', { agent_id: 'withdrawn' });
  known.agents['withdrawn'] = { readableBy: sandboxKeyOf('alpha') };

  for (const agentId of ['reinstated', 'suspended']) {
    await register(keyOf('beta'), agentId);
    await post(operator, `/ops/agents/${agentId}/suspend`, { reason: 'Answers calls with malware.' });
  }
  await post(operator, '/ops/agents/reinstated/reinstate', { reason: 'The owner has replaced the server.' });
  await register(keyOf('beta'), 'retired');
  await post(keyOf('beta'), '/retire', { agent_id: 'retired' });

  await register(anybody, 'erased', { contact_email: 'e@agent.example', contact_info: 'to be forgotten' });
  await post(operator, '/ops/agents/erased/erase', undefined);
  delete known.contacts['erased'];
}
