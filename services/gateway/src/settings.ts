import { isIP } from 'node:net';
import {
  baseSettings,
  carrierStopTimeout,
  durationMs,
  flag,
  list,
  listenPort,
  oneOf,
  outboundAllow,
  replicaBytes,
  setting,
  text,
  url,
  wholeNumber,
} from '@agent-trust/service-kit';
import { z } from 'zod';
import type { RegistrySecrets } from './credentials/seal.ts';
import { domainProofSettings, privateProofSettings } from './domain-proof/settings.ts';
import { chainExplorers, traceUrl } from './features/console/link-settings.ts';
import { edgeLimits } from './limits.ts';
import { mailboxSetting, smtpServerSetting } from './features/rotate/mail/smtp-server.ts';
import { signatureEdgeLimits } from './http/caller/signature/nonce-store.ts';
import { incompleteOidcSettings, oidcSettings } from './http/caller/operator/oidc/settings.ts';
import { directoryBases } from './http/caller/key-directory/key-directory.ts';

/** A secret in a header: printable, without spaces. There is no default: a built-in secret protects nothing. */
const secret = () =>
  setting('a secret of 16 to 512 printable ASCII characters without spaces', (value) =>
    /^[\x21-\x7e]{16,512}$/u.test(value) ? value : undefined,
  );

const isRange = (text: string): boolean => {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  return (
    version !== 0 &&
    rest.length === 0 &&
    (prefix === undefined || (/^\d{1,3}$/u.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128)))
  );
};

/** Host names of this server beside those in BASE_URL and of loopback; a name without a port stands for all its ports. */
const hostNames = list('host names, each with an optional port, separated by commas', (item) =>
  /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/iu.test(item) ? item.toLowerCase() : undefined,
);

/** Origins as browsers send them: scheme, host, and port unless it is the scheme's default (RFC 6454 §6.2). */
const webOrigins = list(
  'origins of web pages, such as https://app.example (no slash at the end), separated by commas',
  (item) =>
    // A pattern would be read as a host of that name, which no page has.
    !item.includes('*') && /^https?:/u.test(item) && URL.parse(item)?.origin === item ? item : undefined,
);

/** The proxies whose X-Forwarded-For is trusted. With a number of hops, a client could bypass the proxy. */
const trustedProxies = list('addresses and CIDR ranges of proxies, separated by commas', (item) =>
  isRange(item) ? item : undefined,
);

export const settings = z
  .object({
    ...baseSettings,
    STOP_TIMEOUT_MS: carrierStopTimeout,
    PORT: listenPort().default(8080),
    HOST: text(1, 255).default('127.0.0.1'),
    /** For links and cards; derived from the listen address if unset. */
    BASE_URL: url('http:', 'https:').optional(),
    ADMIN_KEY: secret(),
    ADMIN_TOKEN: secret(),
    /** Derives claim links of repeated registrations and seals kept answers. The same for all gateways of a registry. */
    REGISTRY_SECRET: secret(),
    /** Opens what another value has sealed, and finds what was stored under it, for as long as such things live: 24 hours. */
    REGISTRY_SECRET_PREVIOUS: secret().optional(),
    /** Derives the secrets of webhooks; trust-projection has the same. */
    WEBHOOK_SECRET: text(32, 1_024),
    WEBHOOK_SECRET_PREVIOUS: text(32, 1_024).optional(),
    CALL_TIMEOUT_MS: durationMs(1).default(30_000),
    /** Concurrent calls of one agent at one gateway. */
    CALLS_PER_CALLER_MAX: wholeNumber(1, edgeLimits.calls.allMax).default(64),
    /** Whether web pages that show the registry are served at /console. */
    CONSOLE: oneOf('on', 'off').default('off'),
    /** Where the console links to: traces, and transactions and accounts of chains. */
    TRACE_URL: traceUrl().optional(),
    CHAIN_EXPLORER_URL: chainExplorers().default([]),
    /** Whether agents can be read, and registered, without a credential. */
    PUBLIC_READS: flag().default(true),
    OPEN_REGISTRATION: flag().default(true),
    /** Registrations of one client address without a credential, in any minute; 0: as many as it likes. */
    REGISTRATIONS_PER_MINUTE: wholeNumber(0, 1_000).default(60),
    /** How long an acknowledged write may take to reach the read model before the answer is 503. */
    READ_MODEL_WAIT_MS: durationMs(1, 60_000).default(5_000),
    REPLICA_BYTES: replicaBytes,
    /** Lines of served requests, and as many of refused ones; more are counted. */
    ACCESS_LINES_PER_SECOND: wholeNumber(0, 100_000).default(100),
    TRUST_PROXY: trustedProxies.optional(),
    /** Further host names of the registry. MCP_ALLOWED_HOSTS is an earlier name of the same. */
    ALLOWED_HOSTS: hostNames.default([]),
    MCP_ALLOWED_HOSTS: hostNames.default([]),
    /** Origins of pages that may use the MCP server. */
    MCP_ALLOWED_ORIGINS: webOrigins.default([]),
    /** Pages of other origins that may use the HTTP interface. */
    CORS_ALLOWED_ORIGINS: webOrigins.default([]),
    /** How far the `created` of a signature may lie from now. */
    SIGNATURE_MAX_SKEW_SECONDS: wholeNumber(1, signatureEdgeLimits.skewSecondsMax).default(300),
    /** Whether a signature must also cover `@authority`, which must be one of this registry's, and `@query`. */
    SIGNATURE_STRICT: flag().default(false),
    /** Where the key directories of domains are, if not on the domains. */
    KEY_DIRECTORY_BASE: directoryBases().default(new Map()),
    ...domainProofSettings,
    ...oidcSettings,
    OUTBOUND_ALLOW: outboundAllow,
    /** How a claim link for an anonymous caller is delivered: in the answer, there for agents without an organisation alone, or to the agent's contact_email. */
    CLAIM_DELIVERY: oneOf('inline', 'inline-unowned', 'smtp').default('inline'),
    /** Whether `inline` is meant where NODE_ENV is `production`. */
    ALLOW_INLINE_CLAIMS: flag().default(false),
    NODE_ENV: text(0, 64).optional(),
    SMTP_URL: smtpServerSetting().optional(),
    SMTP_FROM: mailboxSetting().optional(),
  })
  .superRefine(({ CLAIM_DELIVERY, ALLOW_INLINE_CLAIMS, ALLOW_PRIVATE_DOMAIN_PROOFS, NODE_ENV, ...given }, context) => {
    if (CLAIM_DELIVERY === 'inline' && NODE_ENV === 'production' && !ALLOW_INLINE_CLAIMS) {
      context.addIssue({
        code: 'custom',
        path: ['CLAIM_DELIVERY'],
        message:
          'is inline, by which anybody can take over an agent that has a contact_email: set it to inline-unowned or smtp, or ALLOW_INLINE_CLAIMS=true',
      });
    }
    if (NODE_ENV === 'production' && !ALLOW_PRIVATE_DOMAIN_PROOFS) {
      for (const name of privateProofSettings(given)) {
        context.addIssue({
          code: 'custom',
          path: [name],
          message:
            'is set, and whoever answers there can prove any domain: unset it, or set ALLOW_PRIVATE_DOMAIN_PROOFS=true in a network of your own',
        });
      }
    }
    for (const { name, message } of incompleteOidcSettings(given)) {
      context.addIssue({ code: 'custom', path: [name], message });
    }
    if (CLAIM_DELIVERY !== 'smtp') return;
    const missing = (['SMTP_URL', 'SMTP_FROM'] as const).filter((name) => given[name] === undefined);
    for (const name of missing) {
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'is not set; CLAIM_DELIVERY=smtp cannot do without it',
      });
    }
  });
export type GatewaySettings = Readonly<z.output<typeof settings>>;

export function registrySecretsOf({
  REGISTRY_SECRET: current,
  REGISTRY_SECRET_PREVIOUS: previous,
}: Pick<GatewaySettings, 'REGISTRY_SECRET' | 'REGISTRY_SECRET_PREVIOUS'>): RegistrySecrets {
  return previous === undefined ? [current] : [current, previous];
}
