import { agentSeconds, requestSeconds, stepSeconds } from '../buckets.ts';
import { named, oneOf, optional, proxies, rows } from '../row.ts';

const errorCode = optional("the error's code; absent if there was none");
const cause = named("the error's code");
const method = {
  'rpc.system.name': oneOf('nats'),
  'rpc.method': named('service and method, such as `call-proxy/execute_call`'),
  'error.type': errorCode,
};

/** Traffic: requests, calls, payments, and what is refused. */
export const requestRows = rows({
  'http.server.request.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Time from a request to the end of its answer, also of answers from memory.',
    services: ['gateway'],
    attributes: {
      'http.request.method': named('the method; `_OTHER` for one that the interface does not have'),
      'url.scheme': oneOf('http', 'https'),
      'http.route': optional("the route's template; absent if there is no route"),
      'http.response.status_code': named('the status'),
      'error.type': optional('the status, from 500 on'),
      'registry.limited_by': optional('`caller` if a limit of the caller alone refused it: no failure of the service'),
    },
    buckets: requestSeconds,
  },
  'registry.http.refusals': {
    kind: 'counter',
    unit: '{request}',
    description: 'Requests that were answered with an error, by its code.',
    services: ['gateway'],
    attributes: { 'http.route': optional("the route's template"), 'error.type': cause },
  },
  'rpc.server.call.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Time that this service took to serve a call of another service; of a stream, to its end.',
    services: ['registry-write', 'trust-projection', 'call-proxy', 'pay-proxy'],
    attributes: method,
    buckets: requestSeconds,
  },
  'rpc.client.call.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Time until another service had answered a call; of a stream, until its head.',
    services: ['gateway', 'registry-write', 'call-proxy', 'pay-proxy'],
    attributes: method,
    buckets: requestSeconds,
  },
  'registry.calls.active': {
    kind: 'up_down_counter',
    unit: '{call}',
    description: 'Calls under way.',
    services: ['gateway', 'call-proxy'],
    attributes: {},
  },
  'registry.calls.limit': {
    kind: 'gauge',
    unit: '{call}',
    description: 'Calls that this process takes at a time.',
    services: ['gateway', 'call-proxy'],
    attributes: {},
  },
  'registry.calls.refused': {
    kind: 'counter',
    unit: '{call}',
    description: 'Calls that were not sent to their agent, or got no answer of it, by cause.',
    services: ['call-proxy'],
    attributes: { 'error.type': cause },
  },
  'registry.payments.active': {
    kind: 'up_down_counter',
    unit: '{payment}',
    description: 'Payments under way.',
    services: ['gateway', 'pay-proxy'],
    attributes: {},
  },
  'registry.payments.limit': {
    kind: 'gauge',
    unit: '{payment}',
    description: 'Payments that this process takes at a time.',
    services: ['gateway', 'pay-proxy'],
    attributes: {},
  },
  'registry.payments.refused': {
    kind: 'counter',
    unit: '{payment}',
    description: 'Payments that were not sent to their agent, or got no answer of it, by cause.',
    services: ['pay-proxy'],
    attributes: { 'error.type': cause },
  },
  'registry.settlements.late': {
    kind: 'counter',
    unit: '{settlement}',
    description:
      'Settled payments that the event log did not take at once: kept on NATS, held in this process, recorded later, or left to people.',
    services: proxies,
    attributes: { 'registry.result': oneOf('kept', 'held', 'recorded', 'by_hand') },
  },
  'registry.agent.answer.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'Time from a request to an agent to the head of its answer.',
    services: proxies,
    attributes: { 'error.type': optional('why there was no answer, such as `timeout` or `unreachable`') },
    buckets: agentSeconds,
  },
  'registry.call.added.duration': {
    kind: 'histogram',
    unit: 's',
    description: 'What the proxy adds to a call with a whole answer: its time without that of the agent.',
    services: ['call-proxy'],
    attributes: {},
    buckets: stepSeconds,
  },
  'registry.circuits.open': {
    kind: 'gauge',
    unit: '{circuit}',
    description: 'Circuits that are open: agents, and servers of agents, that are not contacted for a while.',
    services: proxies,
    attributes: {},
  },
  'registry.circuits.changes': {
    kind: 'counter',
    unit: '{change}',
    description: 'Circuits that opened or closed.',
    services: proxies,
    attributes: { 'registry.change': oneOf('opened', 'closed') },
  },
  'registry.rate_limit.refusals': {
    kind: 'counter',
    unit: '{request}',
    description: 'Requests beyond a rate limit.',
    services: ['gateway'],
    attributes: {
      'registry.limit': oneOf('rotation', 'registration', 'import', 'domain_proof', 'idempotency_key', 'sign_in'),
    },
  },
  'registry.quota.refusals': {
    kind: 'counter',
    unit: '{request}',
    description: 'Requests of organisations beyond their daily limits.',
    services: ['gateway'],
    attributes: { 'registry.usage': oneOf('calls', 'registrations', 'reads') },
  },
  'registry.nonce.refusals': {
    kind: 'counter',
    unit: '{request}',
    description: 'Signed requests whose nonce was not accepted.',
    services: ['gateway'],
    attributes: { 'registry.cause': oneOf('nonce_reused', 'nonce_unknown', 'rate_limited', 'unavailable') },
  },
});
