import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cosign, formatVerifierKey, noteSigner, parseNote, signatureTypes } from '@agent-trust/transparency-log';

export type PublishingWitness = {
  name: string;
  /** Its part of LOG_WITNESSES. */
  setting: string;
  /** Cosigns the present checkpoint of a registry, and publishes it; until then there is nothing at its address. */
  witness: (registryUrl: string) => Promise<void>;
  stop: () => Promise<void>;
};

/** A witness that publishes what it cosigns at an address of its own. */
export async function startPublishingWitness(name: string): Promise<PublishingWitness> {
  const signer = await noteSigner(name, new Uint8Array(32).fill(3), signatureTypes.cosignatureV1);
  let published: string | null = null;
  const server = createServer((_, response) =>
    response.writeHead(published === null ? 404 : 200).end(published),
  ).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    name,
    setting: `${formatVerifierKey(signer.key)} http://127.0.0.1:${port}/cosigned.txt`,
    witness: async (registryUrl) => {
      const note = await (await fetch(`${registryUrl}/log/checkpoint`)).text();
      published = `${note.trimEnd()}\n${await cosign(parseNote(note).text, signer, Math.floor(Date.now() / 1_000))}`;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
