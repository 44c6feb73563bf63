/**
 * Bugs: a command differs from the interface, hides a refusal from a script, or sends a credential that was not requested.
 * Method: the output of a command with --json is compared with the interface's own answer, its exit code with the refusal, and the received
 * headers with the permitted ones. A few commands run as processes, as in a script.
 */
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { adminKey, type Body, get, join as joinRegistry, post, profile, stack, verify } from '../support/ask.ts';
import { done, finished, newUser, type User } from '../support/cli.ts';
import { respondJson, startRecordingAgent, type RecordingAgent } from '../support/recording-agent.ts';
import { unique } from '../support/registry.ts';

let user: User;
let agent: RecordingAgent;
let answerWith: { status: number; body: unknown };
let org: string;
let buyer: string;
let seller: string;

const save = async (who: User, name: string): Promise<void> => {
  await done(
    who.run(['org', 'create', name, '--contact-email', 'ops@org.example', '--save'], {
      env: { AGENT_TRUST_ADMIN_KEY: stack.adminKey },
    }),
  );
};

beforeAll(async () => {
  user = await newUser();
  answerWith = { status: 200, body: { offer: 12 } };
  agent = await startRecordingAgent((...all) => respondJson(answerWith.status, answerWith.body)(...all));
  org = unique('cli-org');
  buyer = unique('cli-buyer');
  seller = unique('cli-seller');
  await save(user, org);
  await done(user.run(['register', buyer, '--save']));
  await joinRegistry({}, { agent_id: seller, endpoint_url: agent.url });
});
afterAll(async () => {
  await user.stop();
  await agent.stop();
});

const configOf = (who: User): { profiles: Record<string, Record<string, string>> } =>
  JSON.parse(readFileSync(who.configFile, 'utf8')) as { profiles: Record<string, Record<string, string>> };
const lastHeaders = (): Record<string, unknown> => user.requests.at(-1)?.headers ?? {};
/** Exit code and error `code`, which --json writes on standard error. */
const refusal = async (...args: string[]): Promise<[number | null, unknown, string]> => {
  const { code, stdout, stderr } = await user.run([...args, '--json']);
  return [code, (JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as Body)['code'], stdout];
};

describe('reading', () => {
  it("with --json writes exactly the interface's answer, and sends no credential", async () => {
    const commands: [string[], () => Promise<{ body: Body; list: Body[] }>][] = [
      [['verify', seller], () => verify(seller)],
      [['show', seller], () => profile(seller)],
      [['trust-history', seller, '--limit', '9'], () => get(`/agent/${seller}/trust/history?limit=9`)],
      [['match', '--org-name', org], () => post('/match', { org_name: org })],
      [['match', '--org-name', org, '--live'], () => post('/match', { org_name: org, live: true })],
      [
        ['registry', '--limit', '3', '--offset', '1', '--min-score', '10'],
        () => get('/registry?limit=3&offset=1&min_trust_score=10'),
      ],
      [
        ['registry', '--id-prefix', seller.toUpperCase()],
        () => get(`/registry?agent_id_prefix=${encodeURIComponent(seller)}`),
      ],
    ];
    for (const [args, fetched] of commands) {
      // Other files change the registry, so a list may change between the two reads.
      await vi.waitFor(
        async () => {
          const given = await user.json(args);
          const { body, list } = await fetched();
          expect(given).toEqual(Array.isArray(given) ? list : body);
        },
        { timeout: 90_000 },
      );
      expect(Object.keys(lastHeaders())).not.toEqual(expect.arrayContaining(['authorization']));
      expect(lastHeaders()['x-api-key']).toBeUndefined();
    }
  });

  it('without --json shows the same as readable text', async () => {
    const { stdout } = await done(user.run(['verify', seller]));
    expect(stdout).toContain(`${seller}  trust 40/100: abort`);
    expect(stdout).not.toContain(agent.url);
    expect((await done(user.run(['registry', '--limit', '2']))).stdout).toMatch(/^AGENT +TRUST +ACTION/u);
    // On a busy machine a part may answer too late to be called well.
    expect((await waitFor(() => done(user.run(['health'])))).stdout).toMatch(/registry +ok/u);
  });

  it('explains a score, now and as of a moment', async () => {
    const now = await user.json(['trust', seller]);
    const { position } = now['as_of'] as { position: string };
    const { body } = await get(`/agent/${seller}/trust?as_of=${position}&limit=5`);
    expect(await user.json(['trust', seller, '--as-of', position, '--limit', '5'])).toEqual(body);
    expect(body).toMatchObject({
      agent_id: seller,
      trust_score: now['trust_score'],
      contributions: now['contributions'],
    });
    expect((await done(user.run(['trust', seller]))).stdout).toMatch(/prior +5\.000 +5\.000 +40 % +40\.000/u);
    expect((await done(user.run(['trust-history', seller]))).stdout).toMatch(/ 40 +v1 +AgentRegistered /u);
    expect((await user.run(['trust', seller, '--as-of', 'yesterday'])).code).toBe(7);
    expect((await user.run(['trust', unique('nobody')])).code).toBe(5);
  });

  it('gates scripts by score and by recommended action', async () => {
    const codeOf = async (...args: string[]): Promise<number | null> => (await user.run(['verify', ...args])).code;
    expect(await codeOf(buyer, '--gate')).toBe(0);
    expect(await codeOf(buyer, '--min-score', '75')).toBe(0);
    expect(await codeOf(buyer, '--min-score', '76')).toBe(20);
    expect(await codeOf(seller, '--gate')).toBe(22);
    expect(await codeOf(seller)).toBe(0);
    const nobody = unique('nobody');
    expect(await codeOf(nobody)).toBe(5);
    expect(await codeOf(nobody, '--gate')).toBe(23);
    expect(await codeOf(nobody, '--min-score', '1')).toBe(23);
    // The worst of several decides.
    expect([await codeOf(buyer, seller), await codeOf(buyer, seller, '--gate')]).toEqual([0, 22]);
    expect(await codeOf(seller, buyer, '--min-score', '75')).toBe(20);
    expect([await codeOf(buyer, nobody), await codeOf(nobody, buyer, '--gate')]).toEqual([5, 23]);
    const { stdout: table } = await done(user.run(['verify', buyer, seller]));
    expect(table).toMatch(new RegExp(`${buyer} +75 .*\\n.*${seller} +40 `, 'u'));
    // With --json the verdict is on standard output, although the command fails.
    const { code, stdout } = await user.run(['verify', nobody, '--json']);
    expect([code, (JSON.parse(stdout) as Body)['recommended_action']]).toEqual([5, 'block']);
  });

  it('reads a sandbox only with --sandbox', async () => {
    const draft = unique('cli-draft');
    await done(user.run(['register', draft, '--sandbox']));
    expect(lastHeaders()['x-api-key']).toBe(configOf(user).profiles['default']?.['sandbox_key']);
    expect((await user.json(['verify', draft, '--sandbox']))['agent_id']).toBe(draft);
    expect((await user.run(['verify', draft])).code).toBe(5);
    expect(await user.json(['org', 'whoami', '--sandbox'])).toEqual({ org_name: org, is_sandbox: true });
  });
});

describe('exit codes', () => {
  it('distinguish refusals, with nothing on standard output', async () => {
    expect(await refusal('show', unique('nobody'))).toEqual([5, 'agent_not_found', '']);
    expect(await refusal('register', buyer)).toEqual([6, 'agent_id_taken', '']);
    expect(await refusal('register', unique('bad'), '--endpoint-url', 'nonsense')).toEqual([
      7,
      'validation_failed',
      '',
    ]);
    expect(await refusal('register', unique('bad'), '--auth', 'none')).toEqual([7, 'contact_required', '']);
    expect(await refusal('update', seller, '--specialty', 'mine now')).toEqual([4, 'not_owner', '']);
    expect(await refusal('claim', 'no-such-token')).toEqual([7, 'invalid_claim_token', '']);
    expect(await refusal('verify', seller, '--url', 'http://127.0.0.1:9')).toEqual([9, 'network', '']);
    expect(await refusal('review', buyer, '--success', '--score', '9')).toEqual([4, 'self_review', '']);
  });

  it('distinguish faults of the command line, before anything is sent', async () => {
    const before = user.requests.length;
    const faults: [string[], RegExp][] = [
      [['verify'], /missing required argument/u],
      [['verfy', 'x'], /Did you mean verify/u],
      [['verify', 'x', '--min-score', '101'], /whole number from 0 to 100/u],
      [['match'], /name a capability/u],
      [['review', seller, '--score', '9'], /either --success or --failure/u],
      [['review', seller, '--success'], /--score is missing/u],
      [['call', seller], /give exactly one of: a text, --data, --message/u],
      [['call', seller, 'a', '--data', '{}'], /give exactly one of: a text, --data, --message/u],
      [['call', seller, '--data', 'no json'], /no JSON/u],
      [['call', seller, 'a', '--method', 'PUT'], /one of GET, POST/u],
      [['verify', 'x', '--url', 'ftp://x'], /http or https/u],
      [['verify', 'x', '--auth', 'magic'], /--auth takes/u],
      [['update', seller], /at least one field/u],
      [['update', seller, '--clear', 'agent_id'], /--clear takes/u],
      [['update', seller, '--clear', 'specialty', '--specialty', 'x'], /specialty is given a value and cleared/u],
      [['update', seller, '--specialty', 'x', '--key-file', '.'], /is a folder/u],
      [['update', seller, '--specialty', 'x', '--key-file', '/dev/null'], /no Ed25519 private key/u],
      [['keygen', '-'], /never written to standard output/u],
      [['org', 'create'], /Try "agent-trust org create --help"/u],
      [['org', 'create', 'x'], /--contact-email is missing/u],
      [['call', seller, '--data', '@nofile'], /nofile does not exist/u],
      [
        ['ops', 'erase', seller],
        /destroys the contact of \S+ and what it has answered to reviews for good: add --yes/u,
      ],
      [['completion', 'tcsh'], /bash, zsh, fish/u],
      [['config', 'use', 'newcomer'], /not saved/u],
      [['org'], /Usage/u],
    ];
    for (const [args, reported] of faults) {
      const { code, stdout, stderr } = await user.run(args);
      expect([args, code, stdout]).toEqual([args, 2, '']);
      expect(stderr).toMatch(reported);
    }
    expect(user.requests.length).toBe(before);
  });

  it('are those of the process', async () => {
    const processOf = (...args: string[]) => finished(user.start(args));
    expect(await processOf('verify', seller)).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(await processOf('show', unique('nobody'))).toMatchObject({ code: 5, stdout: '' });
    expect(await processOf('verify')).toMatchObject({ code: 2, stdout: '' });
    expect(await done(finished(user.start(['call', seller, '-'], { stdin: 'from a pipe' })))).toMatchObject({
      code: 0,
    });
    expect(agent.last().body).toBe('from a pipe');
  });

  it('distinguish an answer of another server from a fault of the command line', async () => {
    for (const args of [['verify', 'x'], ['match', 'x'], ['health']]) {
      const { code, stderr } = await user.run([...args, '--url', agent.url]);
      expect([args, code]).toEqual([args, 1]);
      expect(stderr).toContain(`is ${agent.url} an Agent Trust Registry?`);
    }
  });

  it('distinguish a missing credential from a refused one, and explain how to provide it', async () => {
    const newcomer = await newUser();
    const { code, stderr } = await newcomer.run(['org', 'agents']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('AGENT_TRUST_ORG_KEY')]);
    expect(newcomer.requests).toEqual([]);
    const refused = await newcomer.run(['org', 'agents'], { env: { AGENT_TRUST_ORG_KEY: 'registry-org-sk-wrong' } });
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('invalid_api_key')]);
    expect(refused.stderr).not.toContain('registry-org-sk-wrong');
    await newcomer.stop();
  });
});

describe('a call and its review', () => {
  it('is sent as the saved agent, and prints the answer unchanged', async () => {
    answerWith = { status: 200, body: { offer: 12, big: 1 } };
    const { code, stdout, stderr } = await user.run(['call', seller, '--data', '{"sku":"A-1"}']);
    expect([code, JSON.parse(stdout)]).toEqual([0, { offer: 12, big: 1 }]);
    expect(stderr).toContain(`agent-trust review ${seller}`);
    expect(agent.last().body).toBe('{"sku":"A-1"}');
    await done(user.run(['call', seller, 'in words']));
    expect(agent.last().body).toBe('in words');
    await done(user.run(['call', seller, '-'], { stdin: 'from a pipe' }));
    expect(agent.last().body).toBe('from a pipe');
    writeFileSync(join(user.folder, 'order.json'), '{"sku":"B-2"}');
    await done(finished(user.start(['call', seller, '--data', '@order.json', '--header', 'X-Trace: t-1'])));
    expect([agent.last().body, agent.last().headers['x-trace']]).toEqual(['{"sku":"B-2"}', 't-1']);
  });

  it('reports a failure of the agent, and makes it an exit code on request', async () => {
    answerWith = { status: 500, body: { error: 'out of order' } };
    const reported = await user.run(['call', seller, 'x', '--agent-id', buyer]);
    expect(reported.code).toBe(0);
    // The suggested review is of this outcome, by the calling agent.
    expect(reported.stderr).toContain(`review ${seller} --failure --score <1-10> --agent-id ${buyer}`);
    const failed = await user.run(['call', seller, 'x', '--fail', '--json']);
    expect([failed.code, (JSON.parse(failed.stdout) as Body)['status_code']]).toEqual([11, 500]);
    answerWith = { status: 200, body: {} };
    const gone = unique('cli-gone');
    await joinRegistry({}, { agent_id: gone, endpoint_url: 'http://127.0.0.1:9/' });
    expect(await refusal('call', gone, 'x')).toEqual([11, 'downstream_failed', '']);
  });

  it('can be reviewed once', async () => {
    const shop = unique('cli-shop');
    await joinRegistry({}, { agent_id: shop, endpoint_url: agent.url });
    const called = await user.json(['call', shop, 'x']);
    const reviewed = await user.json([
      'review',
      shop,
      '--success',
      '--score',
      '9',
      '--transaction',
      String(called['transaction_id']),
    ]);
    expect(reviewed).toEqual((await verify(shop)).body);
    expect(await refusal('review', shop, '--success', '--score', '9')).toEqual([6, 'no_unreviewed_exchange', '']);
  });

  it('says which agent a key is of', async () => {
    const shop = unique('cli-shop');
    const { auth } = await joinRegistry({}, { agent_id: shop });
    const env = { AGENT_TRUST_AGENT_KEY: String(auth['authorization']).replace('Bearer ', '') };
    expect(await user.json(['whoami'], { env })).toEqual({ agent_id: shop, org_id: null, is_sandbox: false });
    expect((await done(user.run(['whoami'], { env }))).stdout).toMatch(new RegExp(`^ +agent +${shop}$`, 'mu'));
  });

  it('can be answered once by the owner of the agent', async () => {
    const shop = unique('cli-shop');
    const { auth } = await joinRegistry({}, { agent_id: shop, endpoint_url: agent.url });
    const key = String(auth['authorization']).replace('Bearer ', '');
    const env = { AGENT_TRUST_AGENT_ID: shop, AGENT_TRUST_AGENT_KEY: key };
    const called = await user.json(['call', shop, 'x']);
    const transaction = String(called['transaction_id']);
    await done(user.run(['review', shop, '--failure', '--score', '3', '--transaction', transaction]));
    const words = ['answer', shop, '--transaction', transaction, '--text', 'We have refunded it.'];
    expect((await done(user.run(words, { env }))).stdout).toContain(`${transaction} is answered`);
    expect((await done(user.run(['show', shop]))).stdout).toMatch(/ANSWER[^]+We have refunded it\./u);
    const again = await user.run([...words, '--json'], { env });
    expect([again.code, again.stderr]).toEqual([6, expect.stringContaining('already_answered')]);
    expect((await user.run(['answer', shop, '--text', 'x'], { env })).code).toBe(2);
  });

  it('keeps the digits of numbers', async () => {
    const numbers = unique('cli-numbers');
    const raw = '{"exact":12345678901234567890.123,"many":1e400}';
    const exact = await startRecordingAgent((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(raw);
    });
    await joinRegistry({}, { agent_id: numbers, endpoint_url: exact.url });
    const { stdout } = await done(user.run(['call', numbers, 'x', '--json']));
    await exact.stop();
    expect(stdout).toContain('12345678901234567890.123');
    expect(stdout.trim().split('\n')).toHaveLength(1);
  });
});

describe('paying and importing', () => {
  it("shows an agent's payment demand, and the result of a payment", async () => {
    const demand = {
      x402Version: 1,
      error: 'X-PAYMENT header is required',
      accepts: [
        {
          scheme: 'exact',
          network: 'base-sepolia',
          maxAmountRequired: '12300',
          resource: agent.url,
          description: 'a forecast',
          mimeType: 'application/json',
          payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
          maxTimeoutSeconds: 60,
          asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
        },
      ],
    };
    answerWith = { status: 402, body: demand };
    const wanted = await user.run(['pay', seller]);
    expect([wanted.code, wanted.stdout]).toEqual([
      11,
      expect.stringMatching(/wants 12300 atomic units of 0x036C\S+ on base-sepolia/u),
    ]);
    const reported = JSON.parse((await user.run(['pay', seller, '--json'])).stdout) as {
      status: number;
      demands: Body[];
    };
    expect([reported.status, reported.demands.length, JSON.stringify(reported).includes(agent.url)]).toEqual([
      402,
      1,
      false,
    ]);
    answerWith = { status: 200, body: { forecast: 'sun' } };
    const payment = Buffer.from(
      JSON.stringify({ x402Version: 1, scheme: 'exact', network: 'base-sepolia', payload: {} }),
    );
    const paid = await user.run(['pay', seller, '--payment-file', '-'], { stdin: payment.toString('base64') });
    expect([paid.code, JSON.parse(paid.stdout)]).toEqual([0, { forecast: 'sun' }]);
    expect(agent.last().headers['x-payment']).toBe(payment.toString('base64'));
    expect((await user.run(['pay', unique('nobody')])).code).toBe(5);
  });

  it('previews the agent that a domain publishes', async () => {
    const card = await startRecordingAgent(
      respondJson(200, {
        name: 'Forecasts',
        description: 'Weather',
        url: 'https://forecasts.example/a2a',
        version: '1.0.0',
        provider: { organization: 'Forecasts Ltd', url: 'https://forecasts.example' },
        capabilities: {},
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain'],
        skills: [{ id: 'forecast', name: 'Forecast', description: 'Weather of tomorrow', tags: [] }],
      }),
    );
    const { host } = new URL(card.url);
    const { code, stdout, stderr } = await user.run(['import', host]);
    const bad = await refusal('import', 'not a domain');
    await card.stop();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/organisation +Forecasts Ltd/u);
    expect(bad.slice(0, 1)).toEqual([7]);
  });
});

describe('own agents', () => {
  it("are updated by their own key, else by their organisation's, and by both only on request", async () => {
    const updated = await user.json(
      ['update', buyer, '--specialty', 'bolts', '--rail', 'x402'].map((word) =>
        word === '--rail' ? '--settlement-rail' : word,
      ),
    );
    expect([updated['specialty'], (updated['routing'] as Body)['settlement_rail']]).toEqual(['bolts', ['x402']]);
    expect([typeof lastHeaders()['authorization'], lastHeaders()['x-api-key']]).toEqual(['string', undefined]);
    const cleared = await user.json(['update', buyer, '--clear', 'specialty', '--auth', 'org']);
    expect([cleared['specialty'], lastHeaders()['authorization']]).toEqual([null, undefined]);
    await done(user.run(['update', buyer, '--specialty', 'nuts', '--auth', 'agent,org']));
    expect([typeof lastHeaders()['authorization'], typeof lastHeaders()['x-api-key']]).toEqual(['string', 'string']);
  });

  it('are asked about capabilities, and options answer the questions', async () => {
    const name = unique('cli-asked');
    const args = ['register', name, '--capability', 'price quotation service'];
    const first = await user.run([...args, '--json']);
    const question = JSON.parse(first.stdout) as { status?: string; candidate_matches?: Record<string, string> };
    const [[submitted, canonical] = ['', '']] = Object.entries(question.candidate_matches ?? {});
    expect([first.code, question.status]).toEqual([12, 'capability_confirmation_required']);
    expect((await user.run(args)).stdout).toContain(
      `--same-capability '${submitted}=${canonical}'`.replaceAll(/'(\S+)'/gu, '$1'),
    );
    const registered = await user.json([...args, '--same-capability', `${submitted}=${canonical}`]);
    expect(registered['capabilities']).toEqual([{ name: canonical, weight: 1 }]);
  });

  it('move between sandbox and production, and are cloned and promoted', async () => {
    const draft = unique('cli-draft');
    await done(user.run(['register', draft, '--sandbox', '--endpoint-url', agent.url]));
    expect((await user.json(['sandbox', 'preview', draft]))['draft_agent_id']).toBe(draft);
    expect((await user.json(['sandbox', 'publish', draft]))['moved_to']).toBe('production');
    expect(await refusal('sandbox', 'publish', draft)).toEqual([6, 'already_in_universe', '']);
    for (const args of [
      ['sandbox', 'publish'],
      ['sandbox', 'preview'],
      ['show', '--sandbox'],
    ]) {
      const { code, stderr } = await user.run([...args, unique('nobody')]);
      expect([code, stderr]).toEqual([5, expect.not.stringContaining('looks in your own')]);
    }
    expect((await user.run(['show', unique('nobody')])).stderr).toContain('--sandbox looks in your own');
    const clone = unique('cli-clone');
    await done(user.run(['register', clone, '--sandbox', '--clone-from', draft, '--specialty', 'new']));
    expect((await user.json(['sandbox', 'promote', clone]))['real_agent_id']).toBe(draft);
    expect((await verify(draft)).body['specialty']).toBe('new');
    expect(await refusal('sandbox', 'withdraw', draft)).toEqual([6, 'clone_paired', '']);
  });

  it('are listed for their organisation alone', async () => {
    const listed = (await user.json(['org', 'agents'])) as unknown as Body[];
    expect(listed.map((one) => one['agent_id'])).toContain(buyer);
    expect((await user.json(['org', 'agent', buyer]))['agent_id']).toBe(buyer);
    expect(await refusal('org', 'agent', seller)).toEqual([5, 'agent_not_found', '']);
    expect(await user.json(['org', 'payments'])).toEqual([]);
    expect(await user.json(['org', 'usage'])).toMatchObject({ org_name: org, limits: { calls_per_day: 0 } });
  });
});

describe("an organisation's keys", () => {
  it('are replaced in the saved settings, and shown otherwise', async () => {
    const owner = await newUser();
    const name = unique('cli-keys');
    await save(owner, name);
    const before = configOf(owner).profiles['default'] ?? {};
    const { stdout } = await done(owner.run(['org', 'rotate-key', '--save']));
    const after = configOf(owner).profiles['default'] ?? {};
    expect(after['org_key']).not.toBe(before['org_key']);
    expect(stdout).not.toContain(after['org_key']);
    expect((await owner.run(['org', 'whoami'])).code).toBe(0);
    expect((await owner.run(['org', 'whoami'], { env: { AGENT_TRUST_ORG_KEY: before['org_key'] ?? '' } })).code).toBe(
      3,
    );
    expect((await owner.run(['org', 'sandbox-key', 'issue'])).code).toBe(6);
    await done(owner.run(['org', 'sandbox-key', 'revoke']));
    const issued = await owner.run(['org', 'sandbox-key', 'issue']);
    expect(issued.stdout).toMatch(/sandbox key +registry-org-/u);
    await owner.stop();
  });

  it('are further ones with scopes, each in its universe', async () => {
    const owner = await newUser();
    await save(owner, unique('cli-named'));
    const made = await done(owner.run(['org', 'keys', 'create', '--name', 'deploy', '--scopes', 'read, register']));
    expect(made.stdout).toMatch(/^registry-org-sk-\S{43}\n$/u);
    const withKey = { env: { AGENT_TRUST_ORG_KEY: made.stdout.trim() } };
    expect((await owner.run(['org', 'agents'], withKey)).code).toBe(0);
    expect((await owner.run(['org', 'payments'], withKey)).stderr).toContain('needs the scope payments');
    const listed = await done(owner.run(['org', 'keys', 'list']));
    expect(listed.stdout).toMatch(/deploy +register,read +active/u);
    expect((await done(owner.run(['org', 'keys', 'list', '--sandbox']))).stdout).not.toContain('deploy');
    const replaced = await done(owner.run(['org', 'keys', 'replace', 'deploy', '--overlap', '0']));
    expect((await owner.run(['org', 'agents'], withKey)).code).toBe(3);
    const renewed = { env: { AGENT_TRUST_ORG_KEY: replaced.stdout.trim() } };
    expect((await owner.run(['org', 'agents'], renewed)).code).toBe(0);
    await done(owner.run(['org', 'keys', 'revoke', 'deploy']));
    expect((await owner.run(['org', 'agents'], renewed)).code).toBe(3);
    expect((await owner.run(['org', 'keys', 'create', '--name', 'x', '--scopes', 'everything'])).code).toBe(2);
    expect((await owner.run(['org', 'keys', 'replace', 'deploy', '--overlap', 'soon'])).code).toBe(2);
    await owner.stop();
  });

  it('are issued once for each name, with the admin key alone', async () => {
    const admin = { env: { AGENT_TRUST_ADMIN_KEY: stack.adminKey } };
    const args = ['org', 'create', org, '--contact-email', 'ops@org.example'];
    expect((await user.run(args, admin)).code).toBe(6);
    expect((await user.run(args)).code).toBe(3);
    expect((await user.run(args, { env: { AGENT_TRUST_ADMIN_KEY: 'wrong' } })).code).toBe(3);
    const fromFile = await user.run(
      ['org', 'create', unique('cli-org'), '--contact-email', 'ops@org.example', '--admin-key-file', '-', '--json'],
      { stdin: adminKey['x-admin-key'] ?? '' },
    );
    expect(Object.keys(JSON.parse(fromFile.stdout) as Body)).toEqual([
      'api_key',
      'sandbox_api_key',
      'org_name',
      'created_at',
    ]);
  });
});

describe('the settings file', () => {
  it('is readable by its owner alone, and refused otherwise', async () => {
    expect(statSync(user.configFile).mode & 0o777).toBe(0o600);
    expect(statSync(join(user.configFile, '..')).mode & 0o777).toBe(0o700);
    chmodSync(user.configFile, 0o640);
    const { code, stderr } = await user.run(['org', 'whoami']);
    chmodSync(user.configFile, 0o600);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`chmod 600 ${user.configFile}`)]);
  });

  it('provides keys only for the registry that they were saved for', async () => {
    const other = await newUser();
    const env = { AGENT_TRUST_URL: other.url };
    expect((await user.run(['org', 'whoami'], { env })).code).toBe(3);
    expect((await user.run(['call', seller, 'x', '--agent-id', buyer], { env })).code).toBe(3);
    expect(other.requests).toEqual([]);
    const mixed = await user.run(['register', unique('x'), '--save'], { env });
    expect([mixed.code, mixed.stderr]).toEqual([2, expect.stringContaining('--profile')]);
    await other.stop();
  });

  it('is shown without keys, and `forget` deletes from it', async () => {
    const { stdout } = await done(user.run(['config', 'show']));
    expect(stdout).toContain(`${buyer} (acts): key saved`);
    expect(stdout).not.toMatch(/registry-(agent|org)-sk-/u);
    const reported = await user.run(['config', 'show', '--json']);
    expect(reported.stdout).not.toMatch(/registry-(agent|org)-sk-/u);
    const spare = unique('cli-spare');
    await done(user.run(['register', spare, '--save']));
    await done(user.run(['config', 'use', spare]));
    expect((await user.json(['config', 'show']))['agent_id']).toBe(spare);
    await done(user.run(['config', 'use', buyer]));
    await done(user.run(['config', 'forget', spare]));
    expect((await user.run(['config', 'use', spare])).code).toBe(2);
  });

  it('keeps both of two agents that are saved at the same time', async () => {
    const pair = [unique('cli-pair'), unique('cli-pair')];
    await Promise.all(pair.map((id) => done(finished(user.start(['register', id, '--save'])))));
    const { agents } = configOf(user).profiles['default'] as unknown as { agents: Record<string, unknown> };
    expect(Object.keys(agents)).toEqual(expect.arrayContaining(pair));
  });
});
