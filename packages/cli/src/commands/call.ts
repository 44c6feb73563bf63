import type { CallStream } from '@agent-trust/client';
import { exitCodes } from '../exit-codes.ts';
import { type Io, readInput } from '../io.ts';
import { type Output, showBody } from '../output/output.ts';
import { safeLine, safeLines, shellWord } from '../output/safe-text.ts';
import { actingAgent, command } from '../program/command.ts';
import { choice, flag, given, text, texts } from '../program/option.ts';
import type { GlobalOptions } from '../program/global-options.ts';
import { UsageError } from '../errors.ts';
import { jsonObject } from './agent-fields.ts';

const headerOf = (header: string): [string, string] => {
  const at = header.indexOf(':');
  if (at <= 0) throw new UsageError(`--header takes "Name: value", not "${header}"`);
  return [header.slice(0, at).trim(), header.slice(at + 1).trim()];
};

const isGood = (status: number): boolean => status >= 200 && status < 300;

/** The options with which another command acts as the same agent, if the command line named it. */
const actingOptions = ({ profile, agentId, keyFile, agentKeyFile }: GlobalOptions): string =>
  Object.entries({ profile, 'agent-id': agentId, 'key-file': keyFile, 'agent-key-file': agentKeyFile })
    .map(([name, value]) => (value === undefined ? '' : ` --${name} ${shellWord(value)}`))
    .join('');

const call = command({
  path: ['call'],
  description: [
    'Its endpoint stays hidden, and the exchange is on record and can be reviewed. The acting agent (--agent-id, or the saved one) calls.',
    'Where JSON is taken, @file reads a file; there and in place of a text - reads standard input.',
    'With --stream events are shown as they come; with --json each is one line {"id","event","data"}. The exit code is 0 when the agent answered; with --fail only for a status of 2xx.',
  ].join('\n'),
  arguments: [
    { name: 'agent_id', description: 'the agent to call', values: 'agent' },
    { name: 'text', description: 'what to say, in words; - for standard input', optional: true },
  ],
  options: {
    data: text('--data <json>', 'what to say, as a JSON object', 'file'),
    message: text('--message <json>', 'a whole message, for agents that speak mcp or raw', 'file'),
    stream: flag('--stream', 'ask for a stream of events'),
    method: choice('--method <method>', 'how a plain endpoint is called', ['GET', 'POST']),
    header: texts('--header <name: value>', 'a header for the agent'),
    mcpSession: text('--mcp-session <id>', 'session of an mcp agent'),
    paymentFile: text('--payment-file <file>', 'file with an x402 payment, base64 JSON; - for stdin', 'file'),
    idempotencyKey: text('--idempotency-key <key>', 'a repeated call under the same key is not made again'),
    fail: flag('--fail', 'exit with 11 when the agent answers another status than 2xx'),
  },
  examples: {
    'In words': 'agent-trust call corner-shop "What do 100 bolts cost?"',
    'As data, in a script': `agent-trust call corner-shop --data '{"sku":"A-1"}' --json --fail`,
    'From a pipe': `echo '{"sku":"A-1"}' | agent-trust call corner-shop --data -`,
    'As a stream of events': 'agent-trust call corner-shop "Tell me more" --stream --json',
  },
  run: async ({ args: [agentId = '', words = ''], options, context }) => {
    const { out, io } = context;
    const callerAgentId = actingAgent(context);
    const stream = options.stream === true;
    const input = { text: words === '' ? undefined : words, data: options.data, message: options.message, stream };
    const headers = options.header && Object.fromEntries(options.header.map(headerOf));
    const body = {
      caller_agent_id: callerAgentId,
      agent_id: agentId,
      message: await messageOf(input, io),
      ...given({ method: options.method, forwarded_headers: headers }),
    };
    const payment = options.paymentFile === undefined ? undefined : (await readInput(options.paymentFile, io)).trim();
    const { client, options: asked } = await context.registry(['agent', 'signature'], callerAgentId);
    const callOptions = {
      ...asked,
      ...given({ payment, mcpSessionId: options.mcpSession, idempotencyKey: options.idempotencyKey }),
    };
    if (stream) {
      const status = await showStream(await client.callStream(body, callOptions), out);
      return options.fail === true && !isGood(status) ? exitCodes.agentFailed : exitCodes.ok;
    }
    const answer = await client.call(body, callOptions);
    context.answer(answer, () => {
      showBody(answer.body, out);
      out.note(`${agentId} answered ${answer.status_code}; transaction ${answer.transaction_id}`);
      if (!isGood(answer.status_code)) out.warn(`${agentId} did not do it: status ${answer.status_code}`);
      for (const hint of [answer.next_step, answer.fallback_suggestion]) if (hint != null) out.note(hint);
      if (answer.pay_via !== undefined) out.note(`pay via ${answer.pay_via}`);
      if (answer.mcp_session_id !== null) out.note(`mcp session ${safeLine(answer.mcp_session_id)}`);
      const outcome = isGood(answer.status_code) ? '--success' : '--failure';
      out.note(
        `Rate it: agent-trust review ${shellWord(agentId)} ${outcome} --score <1-10>${actingOptions(context.global)}`,
      );
    });
    return options.fail === true && !isGood(answer.status_code) ? exitCodes.agentFailed : exitCodes.ok;
  },
});

/**
 * The message of a call: a part of text, a part of data, or a whole message. A text is sent unchanged, even if it starts with @: others may have
 * written it, and it must not name a file of this machine. @throws UsageError unless there is exactly one of them.
 */
export async function messageOf(
  input: { text?: string | undefined; data?: string | undefined; message?: string | undefined; stream: boolean },
  io: Pick<Io, 'readStdin'>,
): Promise<Record<string, unknown>> {
  const { text, data, message, stream } = input;
  const given = [text, data, message].filter((one) => one !== undefined);
  if (given.length !== 1) throw new UsageError('give exactly one of: a text, --data, --message');
  if (message !== undefined) return jsonObject(message, '--message', io);
  const part =
    data === undefined
      ? { kind: 'text', content_type: 'text/plain', content: text === '-' ? await io.readStdin() : text }
      : { kind: 'data', content_type: 'application/json', content: await jsonObject(data, '--data', io) };
  return {
    jsonrpc: '2.0',
    id: 1,
    method: stream ? 'message/stream' : 'message/send',
    params: { message: { role: 'user', parts: [part] } },
  };
}

/** The text of an event, if it has any: an A2A message or update, or a chunk of plain text. */
export function wordsOf(json: unknown): string | undefined {
  const event = json as {
    result?: { parts?: unknown; status?: { message?: { parts?: unknown } }; artifact?: { parts?: unknown } };
  } | null;
  const parts = event?.result?.parts ?? event?.result?.artifact?.parts ?? event?.result?.status?.message?.parts;
  if (!Array.isArray(parts)) return undefined;
  const words = parts.map((part: { text?: unknown } | null) => part?.text).filter((text) => typeof text === 'string');
  return words.length === 0 ? undefined : words.join(' ');
}

/**
 * Shows the events of a call as they arrive, with --json one line each. The next event is read after the last one is written, so a slow reader slows
 * the agent down. Returns the agent's status.
 */
const showStream = async (stream: CallStream, out: Output): Promise<number> => {
  for await (const { id, event, data, json } of stream.events) {
    if (out.json) out.document(JSON.stringify({ id, event, data: json === undefined ? data : json }));
    else out.line(safeLines(wordsOf(json) ?? data));
  }
  out.note(`${stream.statusCode}; transaction ${stream.transactionId ?? 'unknown'}`);
  if (stream.payVia !== null) out.note(`pay via ${stream.payVia}`);
  return stream.statusCode;
};

export const commands = [call];
