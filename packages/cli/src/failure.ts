import { CredentialError, UsageError } from './errors.ts';
import { type ExitCode, exitCodeOfStatus, exitCodes } from './exit-codes.ts';

export type Failure = { exitCode: ExitCode; lines: string[]; json: Record<string, unknown> };

/** The client's errors by name: its module is not loaded for commands that need no registry. */
type ClientFailure = Error & {
  status?: number;
  code?: string;
  detail?: string;
  items?: readonly { loc: readonly (string | number)[]; msg: string }[];
  requestId?: string | null;
  retryAfterSeconds?: number | null;
  body?: Readonly<Record<string, unknown>>;
  transactionId?: string | null;
};

/** Advice for refusals whose own text gives none. */
const hints: Record<string, string> = {
  agent_not_found: 'Nobody registered it, or it is in a sandbox: --sandbox looks in your own.',
  invalid_credential:
    'An agent\'s key is replaced by the next one: "agent-trust rotate" asks for it. An operator\'s has expired, was revoked, or is another installation\'s. "agent-trust config show" shows which are saved.',
  invalid_api_key: '"agent-trust config show" shows which keys are saved; --auth none sends none.',
  invalid_admin_key:
    'The running registry says at its start where its credentials are; npm start keeps them in .data/secrets.json.',
  invalid_claim_token:
    'A claim link works once and for a limited time: "agent-trust rotate <agent_id>" asks for another.',
  caller_mismatch: '--agent-id must name the agent whose key is sent.',
  no_unreviewed_exchange: 'Call the agent first: each executed call can be reviewed once.',
  contact_required: "Give --contact-email or --key-file, or register with an organisation's key.",
  agent_id_taken: 'Choose another id.',
  org_name_taken: 'Choose another name.',
};

const textsIn = (body: Readonly<Record<string, unknown>>, ...names: string[]): string[] =>
  names.map((name) => body[name]).filter((value) => typeof value === 'string');

const textOf = (answer: unknown): string => (typeof answer === 'string' ? answer : JSON.stringify(answer));

const refusal = (error: ClientFailure, isInSandbox: boolean): Failure => {
  const { status = 0, code = '', detail = '', items = [], requestId, retryAfterSeconds, body = {} } = error;
  const hint = isInSandbox && code === 'agent_not_found' ? undefined : hints[code];
  const lines = [
    `${items.length > 0 ? 'the request is invalid' : detail} (${status} ${code})`,
    ...items.map(({ loc, msg }) => `  ${loc.filter((part) => part !== 'body').join('.')}: ${msg}`),
    ...textsIn(body, 'recommended_action').map((action) => `recommended action: ${action}`),
    ...(retryAfterSeconds == null ? [] : [`Try again in ${retryAfterSeconds} s.`]),
    ...textsIn(body, 'review_reminder', 'fallback_suggestion'),
    // The exchange has taken place: its answer cannot be fetched a second time.
    ...(body['body'] === undefined
      ? []
      : [`The agent answered ${String(body['status_code'])}: ${textOf(body['body'])}`]),
    // The key may be valid and is shown only once: showing it is better than losing it.
    ...textsIn(body, 'api_key', 'sandbox_api_key', 'agent_key', 'claim_link').map(
      (secret) => `Keep this, it may be valid already: ${secret}`,
    ),
    ...(hint === undefined ? [] : [hint]),
    ...(requestId == null ? [] : [`request id: ${requestId}`]),
  ];
  return { exitCode: exitCodeOfStatus(status), lines, json: { ...body } };
};

const local = (exitCode: ExitCode, code: string, detail: string, more: string[] = []): Failure => ({
  exitCode,
  lines: [detail, ...more],
  json: { detail, code },
});

/** Reasons for which nothing has reached the registry; a port that fetch blocks has no code. */
const neverSent = [
  '',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

const networkFailure = (error: Error, url: string): Failure => {
  const code = causeOf(error);
  const reason = code === '' ? '' : ` (${code})`;
  const [detail, advice] = neverSent.includes(code)
    ? [
        `${url} cannot be reached${reason}`,
        'Is it running there? --url or AGENT_TRUST_URL names another address; "npm start" starts one on http://127.0.0.1:8080.',
      ]
    : [`the connection to ${url} broke${reason}`, 'It is not known whether the request was carried out.'];
  return local(exitCodes.network, 'network', detail, [advice]);
};

/** The cause of a failed connection, for example `ECONNREFUSED`. */
const causeOf = (error: unknown): string => {
  let found = '';
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code } = at as NodeJS.ErrnoException;
    if (typeof code === 'string') found = code;
  }
  return found;
};

/**
 * Translates an error of any kind. `url` is named if the registry could not be reached; `isAnswered` means that some server has answered,
 * `isInSandbox` that the command looked in the organisation's sandbox.
 */
export function failureOf(
  error: unknown,
  url: string | undefined,
  { isAnswered = false, isInSandbox = false }: { isAnswered?: boolean; isInSandbox?: boolean } = {},
): Failure {
  if (error instanceof UsageError) return local(exitCodes.usage, 'usage', error.message);
  if (error instanceof CredentialError) return local(exitCodes.unauthorised, 'credential_missing', error.message);
  if (!(error instanceof Error)) return local(exitCodes.unexpected, 'unexpected', String(error));
  const failed = error as ClientFailure;
  const unexpectedAnswer = (detail: string): Failure =>
    local(exitCodes.unexpected, 'unexpected_answer', `${detail}: is ${url ?? 'this'} an Agent Trust Registry?`);
  switch (failed.name) {
    case 'RegistryError':
      return refusal(failed, isInSandbox);
    case 'NetworkError':
      return networkFailure(error, url ?? 'the registry');
    case 'TimeoutError':
      return local(exitCodes.network, 'timeout', error.message, [
        'It is not known whether the request was carried out. --timeout waits longer.',
      ]);
    case 'UnexpectedAnswerError':
      return unexpectedAnswer(error.message);
    case 'BrokenStreamError': {
      const { transactionId } = failed;
      // A stream of the registry's own, of events or an export, is no answer of an agent.
      if (transactionId == null) return local(exitCodes.network, 'stream_broken', error.message);
      return local(exitCodes.agentFailed, 'stream_broken', error.message, [
        `transaction ${transactionId}: it is on record and may be reviewed`,
      ]);
    }
    case 'LogProofError':
      return local(exitCodes.notVerified, failed.code ?? '', error.message, ['Nothing of it may be used.']);
    // The verifier fetches checkpoints and tiles by itself.
    case 'UnreachableError':
      return local(exitCodes.network, 'network', error.message);
    case 'TypeError':
      // The client throws this for an argument that it cannot send. After an answer, it means that the answer lacks fields of a registry's.
      if (isAnswered) return unexpectedAnswer('the answer has another form');
      return local(exitCodes.usage, 'usage', error.message);
    default:
      return local(exitCodes.unexpected, 'unexpected', error.message, (error.stack ?? '').split('\n').slice(1));
  }
}
