/** The first page: what happens, how to begin, and a tab that is signed in by a link. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { adminToken, createOrg, join, post, stack } from '../../support/ask.ts';
import { brokenWords } from '../../support/console/broken-words.ts';
import { describeConsole } from '../../support/console/console-tests.ts';
import { unique } from '../../support/registry.ts';

/** Nobody plays the demo in the stack of these tests. */
const demoAbsent = /404.*\/ops\/demo/u;

const codeOf = async (role: string): Promise<string> => {
  const { status, body } = await post('/ops/sign-in-codes', { role }, adminToken);
  expect(status).toBe(201);
  return String(body['code']);
};

const operators = "An operator's key or token";
/** Eight requests, most of which take milliseconds. */
const requestsMsMax = 90_000;

const operatorKey = async (role: string): Promise<string> => {
  const { status, body } = await post('/ops/keys', { name: unique(role), role }, adminToken);
  expect(status).toBe(201);
  return String(body['key']);
};
const keyOf = (headers: Record<string, string>): string =>
  headers['x-api-key'] ?? (headers['authorization'] ?? '').replace('Bearer ', '');

/** Each kind of session: its key, what the first request is made by, and the end of the review. */
const sessions: {
  who: string;
  key: () => Promise<string>;
  kind?: string;
  first: string;
  says?: RegExp;
  seller: number;
}[] = [
  {
    who: 'an organisation',
    key: async () => keyOf((await createOrg()).key),
    first: "By your organisation's key.",
    seller: 40,
  },
  {
    who: 'a sandbox',
    key: async () => keyOf((await createOrg()).sandboxKey),
    first: "By your organisation's sandbox key.",
    seller: 75,
  },
  {
    who: 'an agent',
    key: async () => keyOf((await join((await createOrg()).key)).auth),
    first: 'By no key.',
    seller: 40,
  },
  {
    who: 'an operator of the role admin',
    key: () => operatorKey('admin'),
    kind: operators,
    first: "By your operator's key.",
    seller: 40,
  },
  {
    who: 'the token of the installation',
    key: () => Promise.resolve(stack.adminToken),
    kind: operators,
    first: 'By no key.',
    seller: 40,
  },
  {
    who: 'an operator without that role',
    key: () => operatorKey('operator'),
    kind: operators,
    first: "By the installation's ADMIN_KEY, or an operator's key of the role admin.",
    says: /Your key has the role operator.*the first request needs the role admin/u,
    seller: 40,
  },
];

describeConsole('the home page', (console) => {
  it('says what this is, shows who is new, and fits every window', async () => {
    const org = await createOrg();
    await join(org.key, { endpoint_url: 'https://agents.test/hook', http_methods: ['POST'] });
    const visit = await console.visit('/');
    await visit.page.getByRole('table', { name: 'Newest agents with an endpoint' }).waitFor();
    await visit.photograph('home');
    const narrow = await console.visit('/', { widthPx: 360 });
    await narrow.page.getByRole('table', { name: 'Newest agents with an endpoint' }).waitFor();
    expect(await narrow.overflowPx()).toBe(0);
    expect(await brokenWords(narrow.page)).toEqual([]);
    await narrow.photograph('home-narrow');
  });

  it("fills the reader's key into the five requests, and shows it shortened", async () => {
    const org = await createOrg();
    const key = org.key['x-api-key'] ?? '';
    const visit = await console.visit('/');
    await console
      .context()
      .grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(visit.page.url()).origin });
    await console.signIn(visit, key);
    const { page } = visit;
    expect(await page.getByRole('region', { name: 'Request 1' }).textContent()).toContain(
      "ORG_KEY='registry-org-sk-…'",
    );
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: 'Copy request 1' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(key);
  });

  it.each(sessions)('has five requests that work with the key of $who', async (session) => {
    const { kind, first, says, seller } = session;
    const key = await session.key();
    // Whether the demo can be played is asked for an operator.
    const visit = await console.visit('/', kind === undefined ? {} : { provokes: [demoAbsent] });
    const { page } = visit;
    await console
      .context()
      .grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(page.url()).origin });
    await console.signIn(visit, key, kind);
    const firstItem = page.getByRole('listitem').filter({ has: page.getByRole('region', { name: 'Request 1' }) });
    await firstItem.getByText(first).waitFor();
    if (says !== undefined) await page.getByText(says).waitFor();
    expect(await page.content()).not.toContain(key);
    expect(await visit.stored()).not.toContain(key);
    expect(await visit.axe()).toEqual([]);
    await page.getByRole('button', { name: 'Copy all five' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const commands = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(commands.includes(key)).toBe(says === undefined);
    const { stdout } = await promisify(execFile)('bash', ['-uc', commands], {
      env: { PATH: process.env['PATH'], ADMIN_KEY: stack.adminKey },
      timeout: requestsMsMax,
    });
    const answers = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    // Nothing in a sandbox moves a score.
    const after = seller === 75 ? { trust_score: 75, success_rate: null } : { success_rate: 1 };
    expect(answers).toMatchObject([{ trust_score: seller }, { transaction_id: expect.any(String) }, after]);
  });

  it('signs a tab in by a link, once, and keeps the code nowhere', async () => {
    const code = await codeOf('viewer');
    const visit = await console.visit(`/#code=${code}`, { provokes: [demoAbsent] });
    await visit.page.getByRole('button', { name: /^Signed in as/u }).waitFor();
    expect(visit.page.url()).not.toContain('code');
    expect(await visit.stored()).not.toContain(code);
    expect(await visit.page.content()).not.toContain(code);

    // A second tab with the same link; goTo loads this one anew.
    const second = await console.visit(`/#code=${code}`, { provokes: [/400/u] });
    await second.page.getByRole('alert').waitFor();
    expect(await second.page.getByRole('alert').textContent()).toContain('invalid_sign_in_code');
    expect(await second.page.getByRole('button', { name: 'Sign in' }).count()).toBe(1);
    await console.signIn(second, (await createOrg()).key['x-api-key'] ?? '');
    expect(await second.page.getByRole('alert').count()).toBe(0);
  });

  it('offers the demo only where it can be played, and asks once whether it can', async () => {
    const org = await createOrg();
    // The stack of these tests is not one of `npm start`, so nobody answers for the demo.
    let answered: Promise<{ status(): number }> | undefined;
    const visit = await console.visit(`/#code=${await codeOf('operator')}`, {
      provokes: [demoAbsent],
      before: async (page) => {
        answered = page.waitForResponse('**/ops/demo');
      },
    });
    expect((await answered)?.status()).toBe(404);
    await visit.page.getByRole('button', { name: /^Signed in as/u }).waitFor();
    await visit.page.getByRole('heading', { name: 'See it happen' }).waitFor({ state: 'detached' });
    // Another page and back, and other credentials.
    const navigation = visit.page.getByRole('navigation', { name: 'Pages' });
    await navigation.getByRole('link', { name: 'Registry' }).click();
    await visit.page.getByRole('heading', { name: 'Registry', level: 1 }).waitFor();
    await navigation.getByRole('link', { name: 'Home' }).click();
    await visit.page.getByRole('heading', { name: 'What this is' }).waitFor();
    await console.signIn(visit, org.key['x-api-key'] ?? '');
    await visit.page.getByRole('region', { name: 'Request 1' }).getByText("ORG_KEY='registry-org-sk-…'").waitFor();
    expect(visit.asked.filter((asked) => asked === 'GET /ops/demo')).toHaveLength(1);
  });
});
