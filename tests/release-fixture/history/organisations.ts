import { type Body, orgKey } from '../../support/registry.ts';
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

/** Named keys of an organisation (one that stays, one that is replaced, one that is revoked), and its limits. */
export async function writeOrganisationKeys({ post, must, known }: WrittenRegistry): Promise<void> {
  const create = (name: string) => post(keyOf('beta'), '/org/keys', { name, scopes: ['read', 'register'] });
  const keep = (name: string, { api_key: key }: Body): void => {
    if (typeof key === 'string') known.credentials[`named key ${name}`] = orgKey(key);
  };
  keep('deployment', await create('deployment'));
  const replaced = await create('nightly');
  keep('nightly', await post(keyOf('beta'), `/org/keys/${String(replaced['key_id'])}/replace`, {}));
  const revoked = await create('lost');
  await must(keyOf('beta'), 'DELETE', `/org/keys/${String(revoked['key_id'])}`);
  await must(operator, 'PUT', '/ops/organisations/beta/limits', {
    calls_per_day: 10_000,
    reason: 'The contract of May.',
  });
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
