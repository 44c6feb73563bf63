import { deriveKey, macOf } from '../credentials/seal.ts';

/** The uses of the server's secret for repeated requests. */
export type DerivedKeys = ReturnType<typeof deriveKeys>;

export function deriveKeys(secret: string) {
  const derive = (purpose: string): Buffer => deriveKey(secret, purpose);
  const [names, claims, commands] = [derive('idempotency names'), derive('claim tokens'), derive('command ids')];
  return {
    /** AES-256 key that seals the entries. */
    seal: derive('idempotency seal'),
    /** The name under which a request's answer is kept. It reveals neither the caller nor the client's key. */
    nameOf: (parts: readonly string[]): string => macOf(names, parts).digest('hex'),
    /** The secret half of a claim token: 32 bytes in base64url that only this secret and the same parts lead to. */
    claimSecretOf: (parts: readonly string[]): string => macOf(claims, parts).digest('base64url'),
    /** The id of a command that the same parts lead to: a UUID of version 8 (RFC 9562 §5.8). */
    commandIdOf: (parts: readonly string[]): string => {
      const hex = macOf(commands, parts).digest('hex');
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(18, 30)}`;
    },
  };
}
