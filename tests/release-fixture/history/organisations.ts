import { anybody, keyOf, operator, type WrittenRegistry } from './written-registry.ts';

/** Organisations, their keys, and what the operator does with both. */
export async function writeOrganisations(registry: WrittenRegistry): Promise<void> {
  const { post, must, keepKeys } = registry;
  for (const org of ['alpha', 'beta', 'gamma']) await registry.createOrganisation(org);
  await must(keyOf('beta'), 'DELETE', '/org/sandbox-key');
  keepKeys('beta', await post(keyOf('beta'), '/org/sandbox-key', undefined));
  keepKeys('beta', await post(keyOf('beta'), '/org/rotate-key', undefined));

  const ofGamma = '/ops/organisations/gamma';
  await post(operator, `${ofGamma}/disable`, { reason: 'Registers agents that answer with malware.' });
  await post(operator, `${ofGamma}/enable`, { reason: 'They are gone.' });
  keepKeys(
    'gamma',
    await post(operator, `${ofGamma}/reissue-keys`, { reason: 'Its keys were in a public repository.' }),
  );
}

/** Keys of operators: one that stays valid, and one that is revoked. */
export async function writeOperatorKeys({ post, known }: WrittenRegistry): Promise<void> {
  const created = await post(operator, '/ops/keys', { name: 'olivia', role: 'viewer', expires_in_days: 365 });
  known.credentials['viewer olivia'] = { authorization: `Bearer ${String(created['key'])}` };
  const second = await post(operator, '/ops/keys', { name: 'oscar', role: 'operator', expires_in_days: 365 });
  await post(operator, `/ops/keys/${String(second['key_id'])}/revoke`, { reason: 'He has left.' });
}

/** Capabilities that an agent is asked about, and aliases that the operator judges. */
export async function writeCapabilities({ post, register }: WrittenRegistry): Promise<void> {
  const name = 'converting_of_currencies';
  const asked = { agent_id: 'asked', contact_email: 'a@agent.example', capabilities: [name] };
  const question = await post(anybody, '/register', asked);
  const meant = (question['candidate_matches'] as Record<string, string>)[name] ?? '';
  const answers = { capability_confirmations: { [name]: true }, candidate_matches: question['candidate_matches'] };
  await register(anybody, 'asked', { ...asked, ...answers });
  await post(operator, `/ops/capability-aliases/${name}/confirm`, { name: meant, reason: 'usual' });
  await post(operator, `/ops/capability-aliases/${name}/undo`, { reason: 'misleading' });
}
