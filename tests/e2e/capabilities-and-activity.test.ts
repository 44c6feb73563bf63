import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ask, createOrg, get, join, keepingNames, type Org, post } from '../support/ask.ts';
import { unique } from '../support/registry.ts';

type Listed = {
  name: string;
  category: string | null;
  aliases: { alias: string; learned: boolean }[];
  agent_count: number;
};
type Tree = { categories: { category: string; capability_count: number }[]; capabilities: Listed[] };

let org: Org;
const ownName = unique('tea_leaf_reading').replaceAll('-', '_');
const draft = unique('reader');

const list = async (query: string, headers = {}): Promise<Tree> => {
  const { status, body, text } = await get(`/capabilities?${query}`, headers);
  if (status !== 200) throw new Error(`returned ${status}: ${text}`);
  return body as Tree;
};
const register = async (agentId: string, fields: object): Promise<number> => {
  const endpoint_url = 'https://reader.example/a2a';
  const body = { agent_id: agentId, contact_email: 'owner@agent.example', endpoint_url, ...fields };
  return (await post('/register', keepingNames(body), org.sandboxKey)).status;
};

beforeAll(async () => {
  org = await createOrg();
  const status = await register(draft, { capabilities: [ownName] });
  if (status !== 201) throw new Error(`the registration was answered ${status}`);
});

describe('GET /capabilities', () => {
  it('has the taxonomy, to its end', async () => {
    const all: Listed[] = [];
    for (let offset = 0; ; offset += 1_000) {
      const { categories, capabilities } = await list(`limit=1000&offset=${offset}`);
      all.push(...capabilities);
      if (capabilities.length > 0 && capabilities.length === 1_000) continue;
      const counted = categories.reduce((sum, { capability_count }) => sum + capability_count, 0);
      expect(all.filter(({ category }) => category !== null)).toHaveLength(counted);
      break;
    }
    const order = all.filter(({ category }) => category !== null).map(({ category, name }) => `${category}\0${name}`);
    expect(order).toEqual(order.toSorted((a, b) => (a < b ? -1 : 1)));
  });

  it('finds a capability by a part of an alias, in any spelling', async () => {
    const { capabilities } = await list('text=Price-Quot&category=commerce');
    expect(capabilities.find(({ name }) => name === 'price_quote')?.aliases).toContainEqual({
      alias: 'quote',
      learned: false,
    });
    expect((await list(`text=${unique('nothing')}`)).capabilities).toEqual([]);
  });

  it('shows a sandbox what its agents brought and learned, at once, and nobody else', async () => {
    const alias = `${ownName}s`;
    const answers = { capability_confirmations: { [alias]: true }, candidate_matches: { [alias]: ownName } };
    expect(await register(unique('reader'), { capabilities: [alias], ...answers })).toBe(201);
    const { capabilities } = await list(`text=${alias}`, org.sandboxKey);
    expect(capabilities).toMatchObject([
      { name: ownName, category: null, aliases: [{ alias, learned: true }], agent_count: 2 },
    ]);
    expect((await list(`text=${ownName}`)).capabilities).toEqual([]);
    expect((await list(`text=${ownName}`, (await createOrg()).sandboxKey)).capabilities).toEqual([]);
  });

  it('refuses what is no filter, and is read only', async () => {
    for (const query of [
      'text=ab',
      'text=...',
      'text=ab.cd',
      'limit=0',
      'limit=1001',
      'offset=-1',
      'text=%00%00%00',
      'category=%20',
    ]) {
      expect((await get(`/capabilities?${query}`)).status).toBe(422);
    }
    expect((await ask('POST', '/capabilities', { body: {} })).status).toBe(405);
  });
});

describe('GET /activity', () => {
  type Activity = { newest: { agent_id: string }[]; days: { registrations: number }[] };
  const activity = async (headers = {}): Promise<Activity> => {
    const { status, body, text } = await get('/activity?days=30', headers);
    if (status !== 200) throw new Error(`returned ${status}: ${text}`);
    return body as Activity;
  };
  const registrations = ({ days }: Activity): number => days.reduce((sum, day) => sum + day.registrations, 0);

  it('counts and shows agents of production, and none of a sandbox, to any key', async () => {
    const before = registrations(await activity());
    await join({}, { endpoint_url: 'https://reader.example/a2a' });
    // Put together once in a while, for all.
    await vi.waitFor(async () => expect(registrations(await activity(org.sandboxKey))).toBeGreaterThan(before), {
      timeout: 90_000,
    });
    const { newest, days } = await activity(org.sandboxKey);
    expect(days).toHaveLength(30);
    expect(newest.length).toBeGreaterThan(0);
    expect(newest.map(({ agent_id: id }) => id)).not.toContain(draft);
    for (const query of ['days=0', 'days=31', 'days=x']) expect((await get(`/activity?${query}`)).status).toBe(422);
  });
});
