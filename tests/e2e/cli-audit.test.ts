/*
 * Bugs: a command shows other events than the interface, loses or repeats one when its connection breaks, or calls an export complete that is
 * not; a proof or signature that does not hold is reported as one that does.
 * Method: the real commands against the whole system, through a proxy that breaks connections or changes answers.
 */
import { existsSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { faultProxy, waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  type Body,
  call,
  createOrg,
  gateways,
  get,
  join as joinRegistry,
  type Member,
  type Org,
  post,
  review,
  stack,
} from '../support/ask.ts';
import { done, finished, newUser, type Run, type RunOptions, type User } from '../support/cli.ts';
import { type RecordingAgent, startRecordingAgent } from '../support/recording-agent.ts';
import { textMessage, unique } from '../support/registry.ts';

let user: User;
let endpoint: RecordingAgent;
let org: Org;
let agent: Member;
let seller: Member;
let transactionId: string;

beforeAll(async () => {
  user = await newUser();
  endpoint = await startRecordingAgent();
  org = await createOrg();
  agent = await joinRegistry(org.key, { org_domain: `${unique('d')}.example` });
  seller = await joinRegistry({}, { endpoint_url: endpoint.url });
  const { body } = await call(agent, seller.agentId, textMessage('hello'));
  transactionId = String(body['transaction_id']);
  await review(agent, seller.agentId, { transaction_id: transactionId, score: 9 });
});
afterAll(async () => {
  await user.stop();
  await endpoint.stop();
});

const asOwner = (): RunOptions => ({ env: { AGENT_TRUST_ORG_KEY: org.key['x-api-key'] ?? '' } });
const asOperator: RunOptions = { env: { AGENT_TRUST_ADMIN_TOKEN: stack.adminToken } };
const change = (specialty: string) => post('/update', { agent_id: agent.agentId, specialty }, agent.auth);
const linesOf = ({ stdout }: Pick<Run, 'stdout'>): string[] => stdout.split('\n').filter((line) => line !== '');

describe('events', () => {
  it('are those of the interface: for the owner, and for operators', async () => {
    const { list } = await get(`/org/agents/${agent.agentId}/events?order=desc&limit=3`, org.key);
    const shown = JSON.parse(
      (await done(user.run(['events', agent.agentId, '--limit', '3', '--json'], asOwner()))).stdout,
    ) as Body[];
    expect([shown, shown.length]).toEqual([list, 3]);
    const [first] = JSON.parse(
      (
        await done(
          user.run(['events', agent.agentId, '--order', 'asc', '--type', 'AgentRegistered', '--json'], asOperator),
        )
      ).stdout,
    ) as Body[];
    expect(first).toMatchObject({
      type: 'AgentRegistered',
      stream: `agent-${agent.agentId}`,
      leaf_hash: expect.any(String),
    });
    const text = await done(user.run(['events', agent.agentId, '--type', 'AgentRegistered'], asOwner()));
    expect(text.stdout).toMatch(/^ *\d+ {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC {2}AgentRegistered .*production_key/u);
  });

  it('are refused without the credential that shows them, before anything is sent where it is known', async () => {
    expect((await user.run(['events'])).code).toBe(3);
    expect((await user.run(['events', unique('nobody')], asOwner())).code).toBe(5);
    expect((await user.run(['events', agent.agentId, '--org', 'Acme'], asOwner())).code).toBe(2);
    expect((await user.run(['events', agent.agentId, '--follow', '--limit', '3'], asOwner())).code).toBe(2);
    expect((await user.run(['events', '--follow', '--export', '-'], asOperator)).code).toBe(2);
  });

  it('are followed across broken connections, each once, until Ctrl-C', async () => {
    const proxy = await faultProxy(gateways[0]);
    onTestFinished(() => proxy.close());
    const newest = JSON.parse(
      (await done(user.run(['events', agent.agentId, '--limit', '1', '--json'], asOwner()))).stdout,
    ) as [{ position: string }];
    const { env } = asOwner();
    const child = user.start(
      ['events', agent.agentId, '--follow', '--after', newest[0].position, '--json', '--url', proxy.url],
      { env: { ...env } },
    );
    const seen: unknown[] = [];
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines)
        seen.push(
          (JSON.parse(line) as { data: { configuration: { specialty: unknown } } }).data.configuration.specialty,
        );
    });
    for (const specialty of ['one', 'two', 'three']) {
      await change(specialty);
      await waitFor(() => seen.at(-1) === specialty);
      proxy.cut();
    }
    child.kill('SIGINT');
    expect((await finished(child)).code).toBe(130);
    expect(seen).toEqual(['one', 'two', 'three']);
  });

  it('are exported into a file that has its name only when it is complete', async () => {
    const file = join(user.folder, 'own.jsonl');
    const { stderr } = await done(user.run(['events', agent.agentId, '--export', file], asOwner()));
    const lines = linesOf({ stdout: readFileSync(file, 'utf8') });
    const end = JSON.parse(lines.at(-1) ?? '') as { end_of_export: { events: number; up_to_position: string } };
    expect(end.end_of_export.events).toBe(lines.length - 1);
    expect(stderr).toContain(
      `complete: ${lines.length - 1} events, up to position ${end.end_of_export.up_to_position}`,
    );
    expect(existsSync(`${file}.part`)).toBe(false);
    expect(process.platform === 'win32' ? 0o600 : statSync(file).mode & 0o777).toBe(0o600);
    expect((await user.run(['events', agent.agentId, '--export', file], asOwner())).code).toBe(2);
    // What an export that failed left, or somebody put there, is neither followed nor kept with its rights.
    const [again, elsewhere] = [join(user.folder, 'again.jsonl'), join(user.folder, 'elsewhere')];
    writeFileSync(elsewhere, 'of another', { mode: 0o644 });
    symlinkSync(elsewhere, `${again}.part`);
    await done(user.run(['events', agent.agentId, '--export', again], asOwner()));
    expect(readFileSync(elsewhere, 'utf8')).toBe('of another');
    const [exported, target] = [lstatSync(again), lstatSync(elsewhere)];
    expect([exported.isSymbolicLink(), exported.mode & 0o777, target.mode & 0o777]).toEqual([false, 0o600, 0o644]);
    const piped = await done(user.run(['events', agent.agentId, '--export', '-'], asOwner()));
    expect(linesOf(piped).slice(0, lines.length - 1)).toEqual(lines.slice(0, -1));
  });

  it('are not called complete if the export broke off', async () => {
    const url = await startChangingProxy((text) => text.slice(0, text.lastIndexOf('{"end_of_export"')));
    const file = join(user.folder, 'broken.jsonl');
    const { code, stderr } = await user.run(['events', agent.agentId, '--export', file, '--url', url], asOwner());
    expect([code, stderr]).toEqual([9, expect.stringMatching(/not whole: it broke off after \d+ events/u)]);
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, true]);
  });
});

/** The registry, whose answers are changed on the way, and requests are given further headers. */
const startChangingProxy = async (
  changed: (text: string) => string,
  added: Record<string, string> = {},
): Promise<string> => {
  const server = createServer((request, response) => {
    const pass = async (): Promise<void> => {
      const body: Buffer[] = [];
      for await (const chunk of request) body.push(chunk as Buffer);
      const { host: _host, connection: _connection, ...headers } = request.headers;
      const answer = await fetch(`${gateways[0]}${request.url}`, {
        method: request.method ?? 'GET',
        headers: { ...(headers as Record<string, string>), ...added },
        ...(body.length === 0 ? {} : { body: Buffer.concat(body) }),
      });
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
      response.end(changed(await answer.text()));
    };
    pass().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

describe('proofs of the log', () => {
  it('are verified by a key that is kept, and refused by another', async () => {
    const { stdout: key } = await done(user.run(['log', 'key']));
    const taken = await done(user.run(['log', 'checkpoint']));
    expect(taken.stderr).toContain('was taken from the registry that is verified');
    await done(user.run(['log', 'key', '--save']));
    const kept = await done(user.run(['log', 'checkpoint']));
    expect(kept.stderr).not.toContain('was taken from');
    const before = join(user.folder, 'before.txt');
    writeFileSync(before, kept.stdout);
    await change('later');
    await waitFor(async () => (await done(user.run(['log', 'checkpoint']))).stdout !== kept.stdout);
    const since = await done(user.run(['log', 'checkpoint', '--since', before]));
    expect(since.stderr).toContain('the log has only grown');
    const size = Number(kept.stdout.split('\n')[1]);
    expect(await user.json(['log', 'checkpoint', '--since', before])).toMatchObject({ since: size, key_from: 'saved' });

    // The same root for another number of events: nobody has signed that.
    writeFileSync(before, kept.stdout.replace(`\n${size}\n`, `\n${size - 1}\n`));
    const edited = await user.run(['log', 'checkpoint', '--since', before, '--json']);
    expect([edited.code, JSON.parse(edited.stderr)]).toEqual([
      24,
      expect.objectContaining({ code: 'wrong_signature' }),
    ]);
    const another = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    expect((await user.run(['log', 'checkpoint', '--key', another])).code).toBe(24);
    expect((await user.run(['log', 'checkpoint', '--key', key.trim()])).code).toBe(0);
  });

  it('show that a review is in the log, also later and without the registry', async () => {
    const asked = await done(user.run(['log', 'receipt', seller.agentId, transactionId, '--json']));
    const file = join(user.folder, 'receipt.json');
    writeFileSync(file, asked.stdout);
    const { stdout } = await done(user.run(['log', 'receipt', '--file', file, '--url', user.url]));
    expect(stdout).toMatch(/verified {2}the review is in the log/u);
    expect(stdout).toContain(seller.agentId);
    const better = { ...(JSON.parse(asked.stdout) as Body) };
    const entry = better['entry'] as { data: Body };
    writeFileSync(file, JSON.stringify({ ...better, entry: { ...entry, data: { ...entry.data, score: 10 } } }));
    const changed = await user.run(['log', 'receipt', '--file', file, '--json']);
    expect([changed.code, JSON.parse(changed.stderr)]).toEqual([24, expect.objectContaining({ code: 'wrong_leaf' })]);
    expect((await user.run(['log', 'receipt', seller.agentId, unique('none')])).code).toBeGreaterThan(0);
    const { stdout: key } = await user.run(['log', 'key']);
    const elsewhere = await user.run(['log', 'receipt', '--file', file, '--url', 'http://127.0.0.1:1']);
    expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining('is verified by a kept key')]);
    writeFileSync(file, asked.stdout);
    const offline = ['log', 'receipt', '--file', file, '--url', 'http://127.0.0.1:1', '--key', key.trim()];
    expect((await user.run(offline)).code).toBe(0);
  });

  it('verify an export of the whole log, and name the event that was changed', async () => {
    const before = join(user.folder, 'whole.txt');
    writeFileSync(before, (await done(user.run(['log', 'checkpoint']))).stdout);
    const file = join(user.folder, 'whole.jsonl');
    await done(user.run(['events', '--export', file], asOperator));
    const verify = (...more: string[]) => user.run(['log', 'verify', file, '--checkpoint', before, ...more]);
    const { stdout } = await done(verify());
    expect(stdout).toContain('The log is verified.');
    const lines = readFileSync(file, 'utf8').split('\n');
    const changed = JSON.parse(lines[5] ?? '') as Body;
    lines[5] = JSON.stringify({ ...changed, recorded_at: '2020-01-01T00:00:00.000Z' });
    writeFileSync(file, lines.join('\n'));
    const { code, stdout: report } = await verify('--json');
    expect([code, JSON.parse(report)]).toEqual([
      24,
      expect.objectContaining({
        verified: false,
        findings: expect.arrayContaining([expect.objectContaining({ code: 'event_changed', index: 5 })]) as unknown,
      }),
    ]);
    expect((await user.run(['log', 'verify', `${file}x`, '--checkpoint', before])).code).toBe(2);
    expect((await user.run(['log', 'verify', file])).code).toBe(2);
  });
});

describe('verify --signed', () => {
  it('says whose signature holds, and decides by what was signed', async () => {
    const { stdout } = await done(user.run(['verify', agent.agentId, '--signed', '--gate']));
    const [name = ''] = (await done(user.run(['log', 'key']))).stdout.split('+');
    expect(stdout).toMatch(/trust 75\/100: proceed/u);
    expect(stdout).toContain(`signed by  ${name} (key `);
    const answer = await user.json(['verify', agent.agentId, '--signed']);
    expect(answer).toMatchObject({ trust_score: 75, signed_verdict: expect.stringMatching(/^ey/u) as string });
    expect((await user.run(['verify', unique('nobody'), '--signed'])).code).toBe(5);
    expect((await user.run(['verify', agent.agentId, seller.agentId, '--signed'])).code).toBe(2);
  });

  it('refuses an answer that says something else than its signature, and a signature that was changed', async () => {
    const { stdout } = await done(user.run(['log', 'key']));
    const through = async (changed: (text: string) => string): Promise<unknown> => {
      const url = await startChangingProxy(changed);
      const args = ['verify', agent.agentId, '--signed', '--json', '--key', stdout.trim(), '--url', url];
      const run = await user.run(args);
      return [run.code, run.stdout, (JSON.parse(run.stderr) as Body)['code']];
    };
    expect(await through((text) => text.replace('"trust_score":75', '"trust_score":99'))).toEqual([
      24,
      '',
      'malformed_verdict',
    ]);
    const forge = (text: string): string =>
      text.replace(
        /("signed_verdict":"[\w-]+\.[\w-]+\.)([\w-])/u,
        (_, head: string, first: string) => `${head}${first === 'A' ? 'B' : 'A'}`,
      );
    expect(await through(forge)).toEqual([24, '', 'wrong_signature']);
    const asAnother = (text: string): string => text.replace(`"agent_id":"${agent.agentId}"`, '"agent_id":"another"');
    expect(await through(asAnother)).toEqual([24, '', 'malformed_verdict']);
  });

  it('neither shows nor decides by what nobody has signed', async () => {
    const { stdout: logKey } = await done(user.run(['log', 'key']));
    const url = await startChangingProxy((text) =>
      text
        .replace(/"org_name":(?:null|"[^"]*")/u, '"org_name":"Mallory Ltd"')
        .replace(/"flags":\[[^\]]*\]/u, '"flags":["unregistered"]'),
    );
    const args = ['verify', agent.agentId, '--signed', '--gate', '--key', logKey.trim(), '--url', url];
    const { code, stdout } = await user.run(args);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/trust 75\/100: proceed/u)]);
    expect(stdout).not.toContain('Mallory');
  });

  it('refuses a verdict of a sandbox where production is asked for', async () => {
    const { stdout: logKey } = await done(user.run(['log', 'key']));
    const draft = await joinRegistry(org.sandboxKey);
    const args = ['verify', draft.agentId, '--signed', '--gate', '--key', logKey.trim()];
    const owner = { env: { AGENT_TRUST_SANDBOX_KEY: org.sandboxKey['x-api-key'] ?? '' } };
    const { stdout } = await done(user.run([...args, '--sandbox'], owner));
    expect(stdout).toMatch(/trust 75\/100: proceed/u);
    // The owner stands in between, and has the registry sign what it says in the owner's sandbox.
    const url = await startChangingProxy((text) => text, org.sandboxKey);
    const refused = await user.run([...args, '--json', '--url', url]);
    expect([refused.code, refused.stdout, (JSON.parse(refused.stderr) as Body)['code']]).toEqual([
      24,
      '',
      'wrong_universe',
    ]);
  });
});
