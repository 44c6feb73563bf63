/** Bug: a password in the address of a receiver is shown with every message, in the error of each one that could not be handed on. */
import { expect, it } from 'vitest';
import { run } from '../run.ts';

it.each(['http://user:secret@127.0.0.1:3000/hook', 'ftp://127.0.0.1/hook', '127.0.0.1:3000'])(
  'messages are not handed to %s',
  async (address) => {
    const written: string[] = [];
    const stream = { write: (text: string) => void written.push(text) };
    const io = {
      stdout: stream,
      stderr: stream,
      env: { AGENT_TRUST_CONFIG: '/nowhere/config.json' },
      readStdin: () => Promise.resolve(''),
      stopSignal: () => new AbortController().signal,
    };
    expect(await run(['listen', '--forward-to', address], io, '1.0.0')).toBe(2);
    expect(written.join('')).toContain('--forward-to');
    expect(written.join('')).not.toContain('secret');
  },
);
