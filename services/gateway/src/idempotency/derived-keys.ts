import { deriveKey, macOf } from '../credentials/derive-key.ts';

/** The uses of the server's secret, besides MCP and the ids of anonymous payers. */
export type DerivedKeys = {
  /** AES-256 key that seals what is kept for repeated requests. */
  seal: Buffer;
  /** The name under which a request's answer is kept: tells nobody whose it is, nor what the client's key was. */
  nameOf(parts: readonly string[]): string;
  /** The secret half of a claim token: 32 bytes in base64url that only this secret and the same parts lead to. */
  claimSecretOf(parts: readonly string[]): string;
  /** The id of a command that the same parts lead to: a UUID of version 8 (RFC 9562 §5.8). */
  commandIdOf(parts: readonly string[]): string;
};

export function deriveKeys(secret: string): DerivedKeys {
  const derive = (purpose: string): Buffer => deriveKey(secret, purpose);
  const [seal, names] = [derive('idempotency seal'), derive('idempotency names')];
  const [claims, commands] = [derive('claim tokens'), derive('command ids')];
  return {
    seal,
    nameOf: (parts) => macOf(names, parts).digest('hex'),
    claimSecretOf: (parts) => macOf(claims, parts).digest('base64url'),
    commandIdOf: (parts) => {
      const hex = macOf(commands, parts).digest('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(18, 30)}`;
    },
  };
}
