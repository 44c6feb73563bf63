import { readCredentials } from './credentials.ts';
import { readBaseUrl } from './http/request-parts.ts';
import { milliseconds } from './http/deadline.ts';
import { readRetryOptions } from './http/retry.ts';
import { createTransport } from './http/transport.ts';
import { defaults } from './limits.ts';
import { agentOperations } from './operations/agents.ts';
import { discoverOperations } from './operations/discover.ts';
import { exchangeOperations } from './operations/exchange.ts';
import { logOperations } from './operations/log.ts';
import { installationOperations } from './operations/operations.ts';
import { operatorOperations, organisationOperations } from './operations/organisation.ts';
import { type PayAnswer, type PayOptions, payOperation } from './operations/pay.ts';
import { policyLabOperations } from './operations/policy-lab.ts';
import { sandboxOperations } from './operations/sandbox.ts';
import { organisationRecordOperations } from './operations/organisation-record.ts';
import { trustOperations } from './operations/trust.ts';
import { webhookOperations } from './operations/webhooks.ts';
import type { ClientOptions, Credentials } from './options.ts';

/** All operations of the registry, by group. */
export type RegistryClient = ReturnType<typeof discoverOperations> &
  ReturnType<typeof trustOperations> &
  ReturnType<typeof organisationRecordOperations> &
  ReturnType<typeof agentOperations> &
  ReturnType<typeof exchangeOperations> & {
    /** Relays a request to an agent's endpoint, with a payment or to learn the price (x402). Resolves whenever the agent answered. */
    pay(agentId: string, options?: PayOptions): Promise<PayAnswer>;
    /** Operations of an organisation, with its key. */
    org: ReturnType<typeof organisationOperations> & {
      /** Notifications of changed trust scores. */
      webhooks: ReturnType<typeof webhookOperations>;
    };
    /** Moves agents between the sandbox and production, with an organisation's sandbox key. */
    sandbox: ReturnType<typeof sandboxOperations>;
    /** Proofs that the log was not rewritten. */
    log: ReturnType<typeof logOperations>;
    /** For the registry's operators. */
    ops: ReturnType<typeof operatorOperations> &
      ReturnType<typeof installationOperations> &
      ReturnType<typeof policyLabOperations>;
    /** The same client with additional or replaced credentials; null removes one. */
    with(credentials: { [Name in keyof Credentials]?: Credentials[Name] | null }): RegistryClient;
  };

/**
 * A client of one registry. It never reveals its credentials: neither the object nor an error shows one.
 *
 * @throws TypeError for an invalid base URL, a credential that no header can hold, or a time that is not a number.
 */
export function createRegistryClient(options: ClientOptions): RegistryClient {
  const credentials = readCredentials(options);
  const send: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  const transport = createTransport({
    base: readBaseUrl(options.baseUrl),
    credentials,
    // Called without `this`: a browser's fetch refuses to be a method of another object.
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
    ...organisationRecordOperations(transport),
    ...agentOperations(transport),
    ...exchangeOperations(transport, settings),
    pay: payOperation(transport, settings),
    org: Object.freeze({
      ...organisationOperations(transport),
      webhooks: Object.freeze(webhookOperations(transport)),
    }),
    sandbox: Object.freeze(sandboxOperations(transport)),
    log: Object.freeze(logOperations(transport)),
    ops: Object.freeze({
      ...operatorOperations(transport),
      ...installationOperations(transport),
      ...policyLabOperations(transport),
    }),
    with: (others: { [Name in keyof Credentials]?: Credentials[Name] | null }) => {
      const named = Object.entries(others).map(([name, value]) => [name, value ?? undefined]);
      return createRegistryClient({ ...options, ...(Object.fromEntries(named) as Credentials) });
    },
  });
}
