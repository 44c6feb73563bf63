import { setting, type Setting } from '@agent-trust/service-kit';

const seedBytes = 32;

/** An Ed25519 seed: 32 bytes in base64url. */
export function signingSeed(): Setting<Uint8Array> {
  return setting('an Ed25519 seed: 32 bytes in base64url, which is 43 characters', (text) => {
    const bytes = Buffer.from(text, 'base64url');
    return bytes.length === seedBytes && bytes.toString('base64url') === text ? new Uint8Array(bytes) : undefined;
  });
}

/** A name of the log: a URL without its scheme (C2SP tlog-checkpoint); it also names the key, and so has neither spaces nor a plus. */
export function logOrigin(): Setting<string> {
  return setting('a URL without its scheme, such as registry.example/log, with neither spaces nor "+"', (text) =>
    /^[^\s+\p{Cc}]{1,255}$/u.test(text) ? text : undefined,
  );
}

/** What the log is called where nothing else was said: the address that its checkpoint is served under. */
export function originOfBaseUrl(baseUrl: string): string {
  const { host, pathname } = new URL(baseUrl);
  return `${host}${pathname.replace(/\/+$/u, '')}/log`;
}
