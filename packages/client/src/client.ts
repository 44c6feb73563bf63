import { readCredentials } from './credentials.ts';
import { readBaseUrl } from './http/base-url.ts';
import { milliseconds } from './http/milliseconds.ts';
import { readRetryOptions } from './http/retry.ts';
import { createTransport } from './http/transport.ts';
import { defaults } from './limits.ts';
import { agentOperations } from './operations/agents.ts';
import { discoverOperations } from './operations/discover.ts';
import { exchangeOperations } from './operations/exchange.ts';
import { logOperations } from './operations/log.ts';
import { operatorOperations, organisationOperations } from './operations/organisation.ts';
import { type PayAnswer, type PayOptions, payOperation } from './operations/pay.ts';
import { sandboxOperations } from './operations/sandbox.ts';
import { trustOperations } from './operations/trust.ts';
import { webhookOperations } from './operations/webhooks.ts';
import type { ClientOptions, Credentials } from './options.ts';

/** Everything that the registry does, by group. */
export type RegistryClient = ReturnType<typeof discoverOperations> &
  ReturnType<typeof trustOperations> &
  ReturnType<typeof agentOperations> &
  ReturnType<typeof exchangeOperations> & {
    /**
     * Relays a request to an agent's endpoint, with a payment or to learn what is to be paid (x402). Resolves whenever the agent answered.
     */
    pay(agentId: string, options?: PayOptions): Promise<PayAnswer>;
    /** An organisation's own affairs, by its key. */
    org: ReturnType<typeof organisationOperations> & {
      /** Be told of changes of trust scores. */
      webhooks: ReturnType<typeof webhookOperations>;
    };
    /** Between the sandbox and production, by an organisation's sandbox key. */
    sandbox: ReturnType<typeof sandboxOperations>;
    /** Proof that the log was not rewritten. */
    log: ReturnType<typeof logOperations>;
    /** For the registry's operators. */
    ops: ReturnType<typeof operatorOperations>;
    /** The same client with further credentials, or with others in their place; null leaves one out. */
    with(credentials: { [Name in keyof Credentials]?: Credentials[Name] | null }): RegistryClient;
  };

/**
 * A client of one registry. It keeps its credentials to itself: neither the object nor an error shows one.
 *
 * @throws TypeError for a base URL that is none, a credential that no header can hold, or a time that is no number.
 */
export function createRegistryClient(options: ClientOptions): RegistryClient {
  const credentials = readCredentials(options);
  const send: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  const transport = createTransport({
    base: readBaseUrl(options.baseUrl),
    credentials,
    // Called on its own: a browser's fetch refuses to be a method of another object.
    fetch: (input, init) => send(input, init),
    timeoutMs: milliseconds('timeoutMs', options.timeoutMs ?? defaults.timeoutMs),
    answerBytesMax: options.answerBytesMax ?? defaults.answerBytesMax,
    retry: readRetryOptions(options.retry),
    onAnswer: options.onAnswer,
  });
  const settings = {
    callTimeoutMs: milliseconds('callTimeoutMs', options.callTimeoutMs ?? defaults.callTimeoutMs),
    streamIdleTimeoutMs: milliseconds(
      'streamIdleTimeoutMs',
      options.streamIdleTimeoutMs ?? defaults.streamIdleTimeoutMs,
    ),
    eventBytesMax: defaults.eventBytesMax,
  };
  return Object.freeze({
    ...discoverOperations(transport),
    ...trustOperations(transport),
    ...agentOperations(transport),
    ...exchangeOperations(transport, settings),
    pay: payOperation(transport, settings),
    org: Object.freeze({
      ...organisationOperations(transport),
      webhooks: Object.freeze(webhookOperations(transport)),
    }),
    sandbox: Object.freeze(sandboxOperations(transport)),
    log: Object.freeze(logOperations(transport)),
    ops: Object.freeze(operatorOperations(transport)),
    with: (others: { [Name in keyof Credentials]?: Credentials[Name] | null }) => {
      const named = Object.entries(others).map(([name, value]) => [name, value ?? undefined]);
      return createRegistryClient({ ...options, ...(Object.fromEntries(named) as Credentials) });
    },
  });
}
