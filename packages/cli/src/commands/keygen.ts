import { resolve } from 'node:path';
import { safeLine } from '../output/safe-text.ts';
import { command } from '../program/command.ts';
import { makeKeyFile } from '../settings/key-file.ts';

export const keygen = command({
  path: ['keygen'],
  summary: 'Make a private key for an agent to sign with.',
  description:
    'An Ed25519 key in a new file that you alone can read (PKCS #8, PEM). A file that is there is never written over. The public key goes to the registry with "register --key-file" or "update --new-key-file"; nothing is sent now.',
  arguments: [{ name: 'file', description: 'the new file', values: 'file' }],
  options: {},
  examples: [{ says: 'A key, and its public half on standard output', run: 'agent-trust keygen agent.pem' }],
  run: async ({ args: [file = ''], context }) => {
    const publicKey = makeKeyFile(file);
    const made = { key_file: resolve(file), public_key: publicKey };
    context.answer(made, () => {
      context.out.line(publicKey);
      context.out.note(
        `The private key is in ${safeLine(file)}. Keep it, and give it to nobody: the registry knows the agent by it.`,
      );
    });
  },
});
