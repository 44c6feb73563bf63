/*
 * Bugs: a command for webhooks acts on another one, hides what is stuck, or shows a secret a second time.
 * Method: the real commands against the whole system with an address that refuses everything.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '@agent-trust/test-kit';
import { type Body, createOrg, join as joinRegistry, type Member, type Org } from '../support/ask.ts';
import { done, newUser, type RunOptions, type User } from '../support/cli.ts';
import { unique } from '../support/registry.ts';

let user: User;
let org: Org;
let other: Org;
let agent: Member;
beforeAll(async () => {
  user = await newUser();
  org = await createOrg();
  other = await createOrg();
  agent = await joinRegistry(org.key);
});
afterAll(() => user.stop());

const as = ({ key }: Org): RunOptions => ({ env: { AGENT_TRUST_ORG_KEY: key['x-api-key'] ?? '' } });
// Nothing listens there: every delivery fails.
const url = 'https://127.1.0.9:4443/trust';

describe('webhooks', () => {
  it('are created with a secret, listed, inspected, replayed and deleted', async () => {
    const made = await user.json(['webhooks', 'create', url, '--agent', agent.agentId], as(org));
    const id = String(made['webhook_id']);
    expect(made).toMatchObject({
      url,
      agent_ids: [agent.agentId],
      secret: expect.stringMatching(/^whsec_/u) as string,
    });
    const listed = await done(user.run(['webhooks', 'list'], as(org)));
    expect(listed.stdout).toContain(id);
    expect(listed.stdout).not.toContain(String(made['secret']));
    expect((await user.json(['webhooks', 'list'], as(other))) as unknown).toEqual([]);

    expect((await done(user.run(['webhooks', 'replay', id, '--from', '0'], as(org)))).stdout).toContain(
      `${id} is sent`,
    );
    await waitFor(async () => {
      const found = (await user.json(
        ['webhooks', 'deliveries', id, '--status', 'pending'],
        as(org),
      )) as unknown as Body[];
      return found.some(({ agent_id: of, attempts }) => of === agent.agentId && Number(attempts) > 0);
    });
    const shown = await done(user.run(['webhooks', 'show', id], as(org)));
    expect(shown.stdout).toMatch(/pending +[1-9]/u);
    expect((await done(user.run(['webhooks', 'deliveries', id], as(org)))).stdout).toMatch(/^ *POSITION +TYPE/u);
    expect((await done(user.run(['webhooks', 'dead-letters', id], as(org)))).stderr).toContain('No dead letters.');

    for (const words of [['show'], ['delete'], ['deliveries'], ['dead-letters'], ['replay', '--from', '0']]) {
      const [word = '', ...more] = words;
      expect([word, (await user.run(['webhooks', word, id, ...more], as(other))).code]).toEqual([word, 5]);
    }
    expect((await done(user.run(['webhooks', 'delete', id], as(org)))).stdout).toContain('is ended');
    expect((await user.run(['webhooks', 'show', id], as(org))).code).toBe(5);
  });

  it('are refused for an address that is not allowed, and without what is needed', async () => {
    expect((await user.run(['webhooks', 'create', 'http://127.0.0.1:9/'], as(org))).code).toBe(7);
    expect((await user.run(['webhooks', 'create', `https://${unique('no')}.example/`], as(org))).code).toBe(7);
    expect((await user.run(['webhooks', 'list'])).code).toBe(3);
    expect((await user.run(['webhooks', 'replay', 'x'], as(org))).code).toBe(2);
  });
});
