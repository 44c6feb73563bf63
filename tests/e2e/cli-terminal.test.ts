/**
 * Bugs: an agent controls its caller's terminal; colours in a pipe; a stack trace because a reader closed its pipe; a Ctrl-C that hangs; a
 * stream that is buffered before it is shown; a completion script that the shell rejects.
 * Method: real pipes, a real terminal (script), a real bash, and an agent with hostile answers.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, join as joinRegistry, stack } from '../support/ask.ts';
import { done, finished, newUser, type User } from '../support/cli.ts';
import { type RecordingAgent, type Respond, startRecordingAgent } from '../support/recording-agent.ts';
import { unique } from '../support/registry.ts';

const has = (program: string): boolean => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const escape = '\u001b';

let user: User;
let agent: RecordingAgent;
let respond: Respond;
let buyer: string;
let seller: string;
beforeAll(async () => {
  user = await newUser();
  agent = await startRecordingAgent((...all) => respond(...all));
  buyer = unique('cli-buyer');
  seller = unique('cli-seller');
  const admin = { env: { AGENT_TRUST_ADMIN_KEY: stack.adminKey } };
  await done(user.run(['org', 'create', unique('cli-org'), '--contact-email', 'o@org.example', '--save'], admin));
  await done(user.run(['register', buyer, '--save']));
  await joinRegistry(
    {},
    { agent_id: seller, endpoint_url: agent.url, specialty: `cheap${escape}[2Jbolts\u202e\u009b31m` },
  );
});
afterAll(async () => {
  await user.stop();
  await agent.stop();
});

/** Everything that a terminal interprets, except line breaks. */
const acts = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const isQuiet = (text: string): boolean => !acts.test(text.replaceAll('\n', ''));

describe("an agent's output", () => {
  it('never reaches the terminal unescaped', async () => {
    const evil = `${escape}]0;owned\u0007 ${escape}[31mred\u202egnp.exe\u2069 \u009b2J\r\u0000`;
    respond = (_request, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(evil);
    for (const args of [
      ['call', seller, 'x'],
      ['call', seller, 'x', '--json'],
      ['show', seller],
      ['show', seller, '--json'],
      ['trust', seller, '--as-of', `${escape}[2J`],
      ['trust-history', seller],
      ['verify', `${escape}[2J`],
    ]) {
      const { stdout, stderr } = await user.run(args);
      expect([args, isQuiet(stdout), isQuiet(stderr)]).toEqual([args, true, true]);
    }
    // Escaped, not lost: the JSON document is equal.
    expect((await user.json(['call', seller, 'x']))['body']).toBe(evil);
    respond = (_request, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ say: evil }));
    const { stdout } = await done(user.run(['call', seller, 'x']));
    expect([isQuiet(stdout), JSON.parse(stdout)]).toEqual([true, { say: evil }]);
  });

  it('is shown event by event as it arrives', async () => {
    let shown = '';
    respond = async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of ['one', 'two', `three${escape}[2J`]) {
        response.write(`data: ${event}\n\n`);
        await waitFor(() => shown.includes(event.slice(0, 3)), { description: `the terminal has event ${event}` });
      }
      response.end('data: {"n":4}\n\n');
    };
    const child = user.start(['call', seller, 'go', '--stream', '--json']);
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      shown += chunk;
    });
    const { code, stdout } = await finished(child);
    expect(code).toBe(0);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as Body)['data']),
    ).toEqual(['one', 'two', `three${escape}[2J`, { n: 4 }]);
    expect(isQuiet(stdout)).toBe(true);
  });
});

describe('a command whose reader or user leaves', () => {
  const endless = async (response: ServerResponse): Promise<void> => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => response.write('data: tick\n\n'), 5);
    await once(response, 'close');
    clearInterval(timer);
  };

  it('ends quietly when its pipe closes, and cancels the call', async () => {
    let closed = false;
    respond = async (_request, response) => {
      await endless(response);
      closed = true;
    };
    const { stdout, stderr } = await user.bash(`agent-trust call ${seller} go --stream --json | head -n 2`);
    expect([stdout.trim().split('\n').length, stderr]).toEqual([2, '']);
    await waitFor(() => closed, { description: 'a closed connection at the agent' });
  });

  it('exits with 130 on Ctrl-C, and cancels the call', async () => {
    let closed = false;
    respond = async (_request, response) => {
      await endless(response);
      closed = true;
    };
    const child = user.start(['call', seller, 'go', '--stream', '--json']);
    child.stdout?.once('data', () => child.kill('SIGINT'));
    const { code, stderr } = await finished(child);
    expect([code, stderr]).toEqual([130, '']);
    await waitFor(() => closed, { description: 'a closed connection at the agent' });
  });
});

describe('colour', () => {
  const coloured = (text: string): boolean => text.includes(`${escape}[`);

  it('is written on request, and never into a pipe by default', async () => {
    const of = async (env: Record<string, string>): Promise<boolean> =>
      coloured((await done(user.run(['verify', seller], { env }))).stdout);
    expect(await of({})).toBe(false);
    expect(await of({ FORCE_COLOR: '1' })).toBe(true);
    expect(await of({ FORCE_COLOR: '0' })).toBe(false);
    expect(coloured((await done(user.run(['verify', seller, '--json'], { env: { FORCE_COLOR: '1' } }))).stdout)).toBe(
      false,
    );
  });

  it.runIf(has('script'))('is written on a terminal, unless NO_COLOR forbids it', async () => {
    const onTerminal = async (env: Record<string, string>): Promise<string> =>
      (await finished(user.onTerminal(`agent-trust verify ${seller}`, { TERM: 'xterm', ...env }))).stdout;
    const shown = await onTerminal({});
    expect(shown).toContain(`${escape}[31mabort${escape}[39m`);
    // There, too, the agent's own sequences are shown as text.
    expect(shown).toContain('cheap\\x1b[2Jbolts');
    expect(coloured(await onTerminal({ NO_COLOR: '1' }))).toBe(false);
    expect(coloured(await onTerminal({ TERM: 'dumb' }))).toBe(false);
  });
});

/** Words that a shell offers for a line whose last word is incomplete. */
const bashOffers = async (line: string): Promise<string[]> => {
  const words = line.split(' ');
  const script = [
    'source <(agent-trust completion bash)',
    `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})`,
    `COMP_CWORD=${words.length - 1}`,
    `COMP_LINE='${line}'`,
    `COMP_POINT=${line.length}`,
    '_agent_trust',
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n');
  return (await done(user.bash(script))).stdout
    .trim()
    .split('\n')
    .filter((word) => word !== '');
};

describe('completion', () => {
  it('offers commands, options, values, saved agents and files in bash', async () => {
    writeFileSync(join(user.folder, 'order.json'), '{}');
    expect(await bashOffers('agent-trust ver')).toEqual(['verify']);
    expect(await bashOffers('agent-trust org sandbox-key ')).toEqual(['issue', 'revoke']);
    expect(await bashOffers('agent-trust --json org rot')).toEqual(['rotate-key']);
    expect(await bashOffers('agent-trust review x --fail')).toEqual(['--failure']);
    expect(await bashOffers('agent-trust match --message-protocol ')).toEqual(['a2a', 'mcp', 'raw']);
    expect(await bashOffers('agent-trust call --method G')).toEqual(['GET']);
    expect(await bashOffers('agent-trust update cli-buy')).toEqual([buyer]);
    expect(await bashOffers('agent-trust verify --key-file ord')).toEqual(['order.json']);
    expect(await bashOffers('agent-trust verify x --jso')).toEqual(['--json']);
    expect(await bashOffers('agent-trust completion ')).toEqual(['bash', 'zsh', 'fish']);
    expect(await bashOffers('agent-trust nonsense ')).toEqual([]);
  });

  it.runIf(has('script'))('completes a word at a bash prompt', async () => {
    // A terminal with readline: TAB, then the line runs.
    writeFileSync(join(user.folder, 'rc'), 'PS1="> "\nsource <(agent-trust completion bash)\n');
    const child = user.onTerminal('bash --noprofile --rcfile rc -i', { TERM: 'dumb' });
    const ended = finished(child);
    let seen = '';
    child.stdout.on('data', (chunk: string) => {
      seen += chunk;
    });
    const type = async (keys: string, shown: string): Promise<void> => {
      child.stdin.write(keys);
      await waitFor(() => seen.includes(shown), { description: `the terminal shows ${shown}` });
    };
    await waitFor(() => seen.includes('> '), { description: 'a prompt' });
    await type('agent-trust heal\t', 'health ');
    await type('--js\t', '--json ');
    await type('\n', '{"status":');
    child.stdin.write('exit\n');
    const { stdout } = await ended;
    expect(stdout).toMatch(/\{"status":"(ok|degraded)"/u);
  });

  for (const shell of ['zsh', 'fish'] as const) {
    it.runIf(has(shell))(`is a valid script for ${shell}`, async () => {
      const { stdout } = await done(user.run(['completion', shell]));
      writeFileSync(join(user.folder, `complete.${shell}`), stdout);
      expect(await user.bash(`${shell} -n complete.${shell}`)).toMatchObject({ code: 0, stderr: '' });
    });
  }

  it.runIf(has('fish'))('offers the same in fish', async () => {
    const line = 'agent-trust org sandbox-key ';
    const { stdout } = await done(user.bash(`fish -c 'agent-trust completion fish | source; complete -C "${line}"'`));
    expect(stdout.trim().split('\n')).toEqual(['issue', 'revoke']);
  });

  it('offers every option and value of the program', async () => {
    const { stdout } = await done(user.run(['__complete', '--', 'register', '--']));
    const { stdout: help } = await done(user.run(['register', '--help']));
    const offered = stdout.trim().split('\n');
    const named = [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gmu)].map(([, name]) => name);
    expect(offered).toEqual(expect.arrayContaining(named));
    expect(named.length).toBeGreaterThan(20);
  });
});

describe("an agent's own key", () => {
  const fileOf = (name: string): string => join(user.folder, name);

  it('is generated once, readable for its owner alone, and signs', async () => {
    const file = fileOf('agent.pem');
    const { stdout: publicKey } = await done(user.run(['keygen', file]));
    const before = readFileSync(file, 'utf8');
    expect(execFileSync('stat', ['-c', '%a', file]).toString().trim()).toBe('600');
    const again = await user.run(['keygen', file]);
    expect([again.code, readFileSync(file, 'utf8')]).toEqual([2, before]);
    await done(user.bash('ln -s agent.pem link.pem'));
    expect((await user.run(['keygen', fileOf('link.pem')])).code).toBe(2);
    expect((await user.run(['keygen', fileOf('no/such/folder.pem')])).code).toBe(2);
    expect(publicKey.trim()).toMatch(/^[\w-]{43}$/u);

    const signer = unique('cli-signer');
    await done(user.run(['register', signer, '--auth', 'none', '--key-file', fileOf('agent.pem')]));
    const rotated = await user.json(['rotate', signer, '--key-file', fileOf('agent.pem')]);
    expect([rotated['status'], rotated['agent_key']]).toEqual([
      'rotated',
      expect.stringMatching(/^registry-agent-sk-/u),
    ]);
    expect(user.requests.at(-1)?.headers).toMatchObject({ signature: expect.stringMatching(/^sig1=/u) });
    expect(user.requests.at(-1)?.headers['authorization']).toBeUndefined();
    await done(user.run(['update', signer, '--specialty', 'signs', '--key-file', fileOf('agent.pem')]));

    await done(user.run(['keygen', fileOf('other.pem')]));
    const foreign = await user.run(['update', signer, '--specialty', 'not mine', '--key-file', fileOf('other.pem')]);
    expect([foreign.code, foreign.stderr]).toEqual([3, expect.stringContaining('invalid_credential')]);
    await done(user.run(['update', signer, '--new-key-file', fileOf('other.pem'), '--key-file', fileOf('agent.pem')]));
    await done(user.run(['update', signer, '--specialty', 'mine', '--key-file', fileOf('other.pem')]));
    expect((await user.run(['update', signer, '--specialty', 'old', '--key-file', fileOf('agent.pem')])).code).toBe(3);
  });

  it('is refused if others can read it or if it is not a key', async () => {
    await done(user.run(['keygen', fileOf('open.pem')]));
    await done(user.bash('chmod 644 open.pem; echo nonsense > none.pem; chmod 600 none.pem'));
    const open = await user.run(['rotate', 'x', '--key-file', fileOf('open.pem')]);
    expect([open.code, open.stderr]).toEqual([2, expect.stringContaining('chmod 600')]);
    const none = await user.run(['rotate', 'x', '--key-file', fileOf('none.pem')]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no Ed25519 private key')]);
    expect(none.stderr).not.toContain('nonsense');
  });

  it('is saved with its agent, and bearer keys are shown only if they are not saved', async () => {
    await done(user.run(['keygen', fileOf('saved.pem')]));
    const name = unique('cli-saved');
    const saved = await done(
      user.run(['register', name, '--auth', 'none', '--key-file', fileOf('saved.pem'), '--save']),
    );
    expect(saved.stdout + saved.stderr).not.toContain('registry-agent-sk-');
    const rotated = await done(user.run(['rotate', name]));
    expect(rotated.stdout).toMatch(/registry-agent-sk-/u);
    const again = await done(user.run(['rotate', name, '--save']));
    expect(again.stdout + again.stderr).not.toContain('registry-agent-sk-');
    await done(user.run(['update', name, '--specialty', 'kept']));
    const link = await user.json(['rotate', name, '--auth', 'agent']);
    const claimed = await done(user.run(['claim', '-'], { stdin: String(link['claim_link']) }));
    expect(claimed.stdout).toMatch(/registry-agent-sk-/u);
    const elsewhere = await user.run(['claim', 'https://registry.example/rotate?token=abc']);
    expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining('https://registry.example')]);
  });
});
