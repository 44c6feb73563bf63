/*
 * Bugs: a backup that was taken while others write lacks what belongs together (events without the key of their contact, a signed head of events
 * that the log lacks), so that the restore is refused or loses data; a backup or a restore that was killed looks whole; a damaged one is restored.
 * Method: a registry with a history is backed up under load and lost: its folder is deleted. It is restored in an empty folder, and compared with
 * what callers were shown before. Backups and restores are killed, and copies damaged.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { verifyReceipt } from '@agent-trust/client/log';
import type { Stack } from '@agent-trust/dev-stack';
import { fromHex, openCheckpoint, parseVerifierKey, verifyConsistency } from '@agent-trust/transparency-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bearer,
  callBody,
  createOrganisation,
  type Http,
  httpTo,
  type Member,
  orgKey,
  registerAgent,
  unique,
} from '../support/registry.ts';
import { startChaosStack } from './support/chaos-stack.ts';
import { untilHealthy } from './support/invariants.ts';
import { readWholeLog } from './support/raw-log.ts';
import { query, replay } from './support/read-model-rows.ts';
import { untilServed } from './support/until-served.ts';
import { answerText, type RecordingAgent, startRecordingAgent } from './support/recording-agent.ts';

const root = resolve(import.meta.dirname, '../..');
const toolFile = (tool: string): string => join(root, `services/trust-projection/src/tools/${tool}/main.ts`);
const contactInfo = 'ring twice';
/** How often a command that was done before its signal came is interrupted again. */
const interruptionsMax = 10;

let folder: string;
let stack: Stack | undefined;
let http: Http;
let agent: RecordingAgent;
const inFolder = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'backup-'));
  agent = await startRecordingAgent(answerText);
});
afterAll(async () => {
  await stack?.stop();
  await agent?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const start = async (data: string): Promise<Stack> => {
  stack = await startChaosStack({ OUTBOUND_ALLOW: '127.0.0.1' }, undefined, inFolder(data));
  http = httpTo(stack.url);
  await untilHealthy(stack);
  return stack;
};

type Run = { code: number; output: string };
const environment = (env: Record<string, string>): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  DATA_DIR: inFolder('data'),
  ...env,
});
const run = (file: string, args: string[], env: Record<string, string> = {}): Promise<Run> =>
  new Promise((done) => {
    execFile(process.execPath, [file, ...args], { env: environment(env), cwd: folder }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` }),
    );
  });
const backUp = (...args: string[]): Promise<Run> => run(toolFile('backup'), args);
const restore = (from: string, env: Record<string, string> = {}, ...more: string[]): Promise<Run> =>
  run(toolFile('restore'), ['--from', from, ...more], env);

/** Runs a tool until its output has some text, then sends a signal, and resolves when it has ended: with whether it was interrupted. */
const interruptOnce = async (
  tool: string,
  args: string[],
  at: string,
  signal: NodeJS.Signals,
  made: string,
): Promise<boolean> => {
  const child: ChildProcess = spawn(process.execPath, [toolFile(tool), ...args], {
    env: environment({}),
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  let isSent = false;
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    // Once: a second signal would end it before it has removed what it made.
    if (!isSent && output.includes(at)) isSent = child.kill(signal);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  expect(output, `${tool} came as far as where it is interrupted`).toContain(at);
  // Killed after its work and before its end it has done it; asked to stop, it says by its exit code whether it has.
  return signal === 'SIGKILL' ? !existsSync(made) : code !== 0;
};
/** The same once more, without what it made, if it was done before the signal came: this process may be late. */
const interrupt = async (
  tool: string,
  args: string[],
  at: string,
  signal: NodeJS.Signals,
  made: string,
): Promise<void> => {
  for (let again = 0; !(await interruptOnce(tool, args, at, signal, made)); again += 1) {
    expect(again, `${tool} was interrupted in the middle`).toBeLessThan(interruptionsMax);
    rmSync(made, { recursive: true });
  }
};

/** What callers were shown of agents that nobody else deals with, but for the log's position, which is of all agents. */
const shownOf = async (agentIds: readonly string[]): Promise<unknown> =>
  Promise.all(
    agentIds.map(async (id) => {
      const { as_of: _asOf, ...explained } = (await http.get(`/agent/${id}/trust`)).body;
      return {
        verdict: (await http.post('/verify', { agent_id: id })).body,
        explained,
        history: (await http.get(`/agent/${id}/trust/history`)).body,
      };
    }),
  );

type Kept = {
  organisation: { name: string; key: string; sandboxKey: string };
  members: Member[];
  erased: Member;
  shown: unknown;
  logKey: string;
  note: string;
  receipt: never;
  transactionId: string;
};
let kept: Kept;

/** A registry with an organisation, exchanges, reviews, contacts, and one that was erased. */
const makeHistory = async (): Promise<Kept> => {
  const organisation = await createOrganisation(stack!);
  const fields = { endpoint_url: agent.url, contact_info: contactInfo };
  const seller = await registerAgent(http, { fields });
  const buyers = await Promise.all(
    Array.from({ length: 4 }, () => registerAgent(http, { key: organisation.key, fields })),
  );
  let transactionId = '';
  for (const buyer of buyers) {
    const { body } = await http.post('/call', callBody(buyer, seller.agentId), bearer(buyer.key));
    transactionId = String(body['transaction_id']);
    const rating = { caller_agent_id: buyer.agentId, receiver_agent_id: seller.agentId, success: true, score: 9 };
    const reviewed = await http.post('/review', { ...rating, transaction_id: transactionId }, bearer(buyer.key));
    expect(reviewed.status).toBeLessThan(300);
  }
  const erased = await registerAgent(http, { fields });
  const erasure = await http.post(`/ops/agents/${erased.agentId}/erase`, {}, bearer(stack!.adminToken));
  expect(erasure.status).toBe(200);
  const members = [seller, ...buyers];
  return {
    organisation,
    members,
    erased,
    transactionId,
    shown: await shownOf(members.map(({ agentId }) => agentId)),
    receipt: (await http.get(`/agent/${seller.agentId}/trust/receipt/${transactionId}`)).body as never,
    logKey: String((await http.get('/log/key')).body['verifier_key']),
    note: (await http.get('/log/checkpoint')).text,
  };
};

/** Registers, calls and reviews without pause until it is stopped; resolves with how many agents it registered. */
const startWriting = () => {
  const stopping = new AbortController();
  let registered = 0;
  const work = Array.from({ length: 6 }, async () => {
    let buyer: Member | undefined;
    while (!stopping.signal.aborted) {
      const fields = { endpoint_url: agent.url, contact_info: contactInfo };
      const seller = await registerAgent(http, { agentId: unique('loaded'), fields }).catch((error: unknown) => {
        // A busy machine may refuse one for now.
        if (String(error).includes('returned 503')) return undefined;
        throw error;
      });
      if (seller === undefined) continue;
      registered += 1;
      if (buyer !== undefined) {
        const answer = await http.post('/call', callBody(buyer, seller.agentId), bearer(buyer.key));
        const rating = { caller_agent_id: buyer.agentId, receiver_agent_id: seller.agentId, success: true, score: 8 };
        await http.post('/review', { ...rating, transaction_id: answer.body['transaction_id'] }, bearer(buyer.key));
      }
      buyer = seller;
    }
  });
  return {
    registered: () => registered,
    stop: async (): Promise<number> => {
      stopping.abort();
      await Promise.all(work);
      return registered;
    },
  };
};

/** Schemas of which every table can be computed from the log or begins anew: `docs/backup.md` says what is lost with them. */
const isDerived = (schema: string): boolean =>
  /^(read_models|log_record|replay_record|policy_lab|edge_replicas)/u.test(schema);

describe('a backup', () => {
  it('is taken while everybody writes, for its owner alone, and has every table that cannot be computed', async () => {
    await start('data');
    kept = await makeHistory();
    const load = startWriting();
    try {
      await interrupt('backup', ['--to', inFolder('killed')], 'event_log.events', 'SIGKILL', inFolder('killed'));
      await interrupt('backup', ['--to', inFolder('stopped')], 'event_log.events', 'SIGTERM', inFolder('stopped'));
      const before = load.registered();
      expect(await backUp('--to', inFolder('copy'))).toMatchObject({ code: 0 });
      expect(load.registered(), 'agents registered while the backup was made').toBeGreaterThan(before);
    } finally {
      await load.stop();
    }
    const tables = await query<{ name: string; schema: string }>(
      stack?.postgresUrl,
      `SELECT schemaname AS schema, schemaname || '.' || tablename AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema') AND tablename NOT IN ('schema_migration', 'log_format')`,
    );
    const copied = readdirSync(inFolder('copy')).map((file) => file.replace(/\.copy\.zst$/u, ''));
    expect(tables.filter(({ name, schema }) => !isDerived(schema) && !copied.includes(name))).toEqual([]);
    expect(statSync(inFolder('copy')).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(inFolder('copy')))
      expect([file, statSync(join(inFolder('copy'), file)).mode & 0o777]).toEqual([file, 0o600]);
    expect(await backUp('--verify', inFolder('copy'))).toMatchObject({ code: 0 });
    expect(await backUp('--to', inFolder('copy'))).toMatchObject({
      code: 1,
      output: expect.stringContaining('not empty'),
    });

    // Everything is lost.
    await stack?.stop();
    stack = undefined;
    rmSync(inFolder('data'), { recursive: true });
  });

  it('that was killed half-way is none', async () => {
    expect(existsSync(inFolder('killed'))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.startsWith('stopped'))).toEqual([]);
    expect(await restore(inFolder('killed.unfinished'))).toMatchObject({
      code: 1,
      output: expect.stringContaining('is no backup'),
    });
    expect(existsSync(inFolder('data'))).toBe(false);
  });

  const damages: Record<string, (copy: string) => void> = {
    'was changed': (copy) => {
      const file = join(copy, 'event_log.events.copy.zst');
      const bytes = readFileSync(file);
      bytes[bytes.length >> 1]! ^= 1;
      writeFileSync(file, bytes);
    },
    'was changed ': (copy) => truncateSync(join(copy, 'personal_data.agent_key.copy.zst'), 20),
    'is missing': (copy) => rmSync(join(copy, 'log_signing.signed_head.copy.zst')),
    'is not in SHA256SUMS': (copy) => writeFileSync(join(copy, 'event_log.more.copy.zst'), ''),
    'secrets.json was changed': (copy) => writeFileSync(join(copy, 'secrets.json'), '{}'),
  };
  it.each(Object.entries(damages))('of which a file %s is refused, and nothing is made', async (words, damage) => {
    const copy = inFolder(unique('damaged'));
    cpSync(inFolder('copy'), copy, { recursive: true });
    damage(copy);
    expect(await restore(copy)).toMatchObject({ code: 1, output: expect.stringContaining(words.trim()) });
    expect(readdirSync(folder).filter((name) => name.startsWith('data'))).toEqual([]);
  });

  it('is refused with secrets that do not open its keys', async () => {
    const other = inFolder('other.json');
    const secrets = JSON.parse(readFileSync(join(inFolder('copy'), 'secrets.json'), 'utf8')) as object;
    writeFileSync(other, JSON.stringify({ ...secrets, PERSONAL_DATA_KEY: 'x'.repeat(43) }));
    const refused = { code: 1, output: expect.stringContaining('do not open the key') };
    expect(await restore(inFolder('copy'), {}, '--secrets', other)).toMatchObject(refused);
  });
});

describe('a restore', () => {
  it('that was stopped or killed leaves no data folder', async () => {
    await interrupt('restore', ['--from', inFolder('copy')], '  log_signing.signed_head', 'SIGTERM', inFolder('data'));
    expect(readdirSync(folder).filter((name) => name.startsWith('data'))).toEqual([]);
    await interrupt('restore', ['--from', inFolder('copy')], '  log_signing.signed_head', 'SIGKILL', inFolder('data'));
    expect(readdirSync(folder).filter((name) => name.startsWith('data'))).toEqual(['data.unfinished']);
    const refused = { code: 1, output: expect.stringContaining('remove it if none is') };
    expect(await restore(inFolder('copy'))).toMatchObject(refused);
    rmSync(inFolder('data.unfinished'), { recursive: true });
  });

  it('refuses a folder that has something', async () => {
    mkdirSync(inFolder('taken'));
    writeFileSync(join(inFolder('taken'), 'note.txt'), 'mine');
    const refused = { code: 1, output: expect.stringContaining('not empty') };
    expect(await restore(inFolder('copy'), { DATA_DIR: inFolder('taken') })).toMatchObject(refused);
    expect(readdirSync(inFolder('taken'))).toEqual(['note.txt']);
  });

  it('makes the same registry: scores, reasons, keys, contacts, signatures', async () => {
    expect(await restore(inFolder('copy'))).toMatchObject({ code: 0 });
    await start('data');
    const { members, organisation, erased, shown, logKey, note, receipt, transactionId } = kept;
    expect(await shownOf(members.map(({ agentId }) => agentId))).toEqual(shown);

    const [seller, buyer] = members as [Member, Member];
    expect((await http.get('/org/agents', orgKey(organisation.key))).status).toBe(200);
    const called = await http.post('/call', callBody(buyer, seller.agentId), bearer(buyer.key));
    expect(called.status).toBe(200);

    const contactOf = async (agentId: string): Promise<unknown> =>
      (await untilServed(() => http.get(`/agent/${agentId}`))).body['contact_info'];
    expect(await contactOf(erased.agentId)).toBeNull();
    const events = await readWholeLog(stack!);
    const registered = events
      .filter(({ type }) => type === 'AgentRegistered')
      .map(({ stream }) => stream.slice('agent-'.length));
    expect(registered.filter((id) => id.startsWith('loaded')).length).toBeGreaterThan(5);
    // The log is never newer than the keys.
    for (const id of registered.filter((one) => one !== erased.agentId))
      expect([id, await contactOf(id)]).toEqual([id, contactInfo]);

    expect((await http.get('/log/key')).body['verifier_key']).toBe(logKey);
    const text = (await http.get('/log/checkpoint')).text;
    const verifier = { logKey: parseVerifierKey(logKey) };
    const [old, now] = [await openCheckpoint(note, verifier), await openCheckpoint(text, verifier)];
    expect(now.origin).toBe(old.origin);
    const { body } = await http.get(`/log/proof/consistency?from=${old.size}&to=${now.size}`);
    const proof = (body['hashes'] as string[]).map(fromHex);
    const claim = { from: old.size, to: now.size, fromRoot: old.root, toRoot: now.root, proof };
    expect(verifyConsistency(claim)).toBe(true);
    await verifyReceipt(receipt, { logKey });
    const again = (await http.get(`/agent/${seller.agentId}/trust/receipt/${transactionId}`)).body as never;
    await verifyReceipt(again, { logKey });
    writeFileSync(inFolder('kept.txt'), note);
    const verified = await run(
      join(root, 'packages/log-verifier/src/main/log-verify.ts'),
      ['--registry', stack!.url, '--checkpoint', inFolder('kept.txt'), '--key', logKey],
      { EVENT_LOG_URL: stack!.environment['EVENT_LOG_URL'] ?? '' },
    );
    expect(verified).toMatchObject({ code: 0 });

    const { code, output } = await replay(stack!);
    expect({ code, output }).toMatchObject({ code: 0 });
    const next = await registerAgent(http, { fields: { contact_info: contactInfo } });
    expect(await contactOf(next.agentId)).toBe(contactInfo);
  });

  it('is backed up again while it is stopped, by the command alone', async () => {
    await stack?.stop();
    stack = undefined;
    expect(await backUp('--to', inFolder('again'))).toMatchObject({ code: 0 });
    expect(await backUp('--verify', inFolder('again'))).toMatchObject({ code: 0 });
    expect(existsSync(join(inFolder('data'), 'stack.json'))).toBe(false);
  });
});
