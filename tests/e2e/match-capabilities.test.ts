import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Body, createOrg, gateways, type HeaderMap, type Org, post } from '../support/ask.ts';
import { unique } from '../support/registry.ts';

type Reason = { required_capability: string; matched_capability: string; how: string; similarity: number };
type Match = Body & { agent_id: string; match_score: number; match_reasons: Reason[] };

let org: Org;
/** An agent whose only capability is to read handwriting. */
let scribe: string;
/** The same in the organisation's sandbox, with a second capability that is unique. */
let draft: string;
/** Always the same: of words with digits made by chance, some resemble a capability. */
const ownWord = 'glyphomancy';

const register = async (capabilities: string[], headers: HeaderMap = {}, fields: Body = {}): Promise<Answer> =>
  post(
    '/register',
    {
      agent_id: unique('scribe'),
      contact_email: 'owner@agent.example',
      endpoint_url: 'https://scribe.example/a2a',
      capabilities,
      ...fields,
    },
    headers,
  );
const registered = async (...args: Parameters<typeof register>): Promise<string> => {
  const { status, body, text } = await register(...args);
  if (status !== 201) throw new Error(`returned ${status}: ${text}`);
  return String(body['agent_id']);
};
/** The match entry of one agent for these capabilities; null if it is not among the matches. */
const matchOf = async (agentId: string, required: string[], headers: HeaderMap = {}): Promise<Match | null> => {
  const { status, list, text } = await post('/match', { required_capabilities: required, limit: 200 }, headers);
  if (status !== 200) throw new Error(`returned ${status}: ${text}`);
  return (list as Match[]).find(({ agent_id }) => agent_id === agentId) ?? null;
};

beforeAll(async () => {
  org = await createOrg();
  scribe = await registered(['handwriting_recognition']);
  draft = await registered(['handwriting_recognition', ownWord], org.sandboxKey);
});

describe('POST /match by capability', () => {
  it.each([
    ['its canonical name', 'Handwriting Recognition', 'exact'],
    ['an alias', 'read-handwriting', 'alias'],
    ['other words for it', 'recognise_handwriting', 'close'],
    ['a misspelt name', 'handwritting_recogniton', 'close'],
    ['a free description', 'decipher handwritten notes of my aunt', 'close'],
  ])('finds an agent by %s and gives the reason', async (_case, required, how) => {
    const match = await matchOf(scribe, [required]);
    expect(match?.match_reasons).toHaveLength(1);
    const [reason] = match?.match_reasons ?? [];
    expect(reason).toMatchObject({ matched_capability: 'handwriting_recognition', how });
    // Only a similar name may score below an identical one; the exact similarity is not documented.
    expect(reason?.similarity).toBeGreaterThan(how === 'close' ? 0.3 : 0.9999);
    expect(reason?.similarity).toBeLessThanOrEqual(1);
  });

  it('for a known name, does not match agents with a merely similar capability', async () => {
    expect(await matchOf(scribe, ['ocr'])).toBeNull();
    expect(await matchOf(scribe, ['text_recognition'])).toBeNull();
  });

  it('ranks a similar capability below the same one', async () => {
    const exact = await matchOf(scribe, ['handwriting_recognition']);
    const close = await matchOf(scribe, ['decipher handwritten notes of my aunt']);
    expect(close?.match_score).toBeLessThan(exact?.match_score ?? 0);
  });

  it('finds no agent for a name that resembles nothing in the taxonomy', async () => {
    const { status, list } = await post('/match', { required_capabilities: ['knit_a_sweater'] });
    expect([status, list]).toEqual([200, []]);
  });
});

describe('names that the taxonomy has learned', () => {
  const slip = 'hand_writing_recogniser';
  const confirm = async (headers: HeaderMap): Promise<void> => {
    const answers = {
      capability_confirmations: { [slip]: true },
      candidate_matches: { [slip]: 'handwriting_recognition' },
    };
    expect((await register([slip], headers)).status).toBe(202);
    const { status, body } = await register([slip], headers, answers);
    expect([status, body['capabilities']]).toEqual([201, [{ name: 'handwriting_recognition', weight: 1 }]]);
  };
  const howOf = async (agentId: string, headers: HeaderMap = {}): Promise<string | undefined> =>
    (await matchOf(agentId, [slip], headers))?.match_reasons[0]?.how;

  it('from a sandbox are known there and nowhere else; from production, everywhere once enough have confirmed them', async () => {
    await confirm(org.sandboxKey);
    expect(await howOf(draft, org.sandboxKey)).toBe('alias');
    expect(await howOf(scribe)).toBe('close');
    // Agents without an organisation, and two organisations, are not enough.
    for (const headers of [{}, {}, {}, org.key, (await createOrg()).key]) await confirm(headers);
    expect(await howOf(scribe)).toBe('close');
    await confirm((await createOrg()).key);
    expect(await howOf(scribe)).toBe('alias');
    // The name is an alias by now, so a registration asks no question about it.
    const other = await createOrg();
    expect((await register([slip], other.sandboxKey)).status).toBe(201);
  });

  it('from a sandbox match there, in other forms too, and never outside of it', async () => {
    const variant = ownWord.replace('glyphomancy', 'glyphomancies');
    expect((await matchOf(draft, [variant], org.sandboxKey))?.match_reasons[0]).toMatchObject({
      matched_capability: ownWord,
      how: 'close',
    });
    for (const gateway of gateways) {
      for (const name of [ownWord, variant]) {
        const { list } = await post('/match', { required_capabilities: [name] }, {}, gateway);
        expect(list).toEqual([]);
      }
    }
    // In production a registration asks no question about the sandbox's name either.
    expect((await register([variant])).status).toBe(201);
  });
});
