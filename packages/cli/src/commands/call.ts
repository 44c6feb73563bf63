import { exitCodes } from '../exit-codes.ts';
import { readInput } from '../io.ts';
import { safeJson, safeLine, safeLines } from '../output/safe-text.ts';
import type { Output } from '../output/output.ts';
import { command } from '../program/command.ts';
import { choice, flag, given, text, texts } from '../program/option.ts';
import type { GlobalOptions } from '../settings/settings.ts';
import { UsageError } from '../usage-error.ts';
import { actingAgent } from './acting-agent.ts';
import { shellWord } from './confirmation.ts';
import { messageOf } from './message.ts';

const headersOf = (given: readonly string[] | undefined): Record<string, string> | undefined =>
  given === undefined
    ? undefined
    : Object.fromEntries(
        given.map((header) => {
          const at = header.indexOf(':');
          if (at <= 0) throw new UsageError(`--header takes "Name: value", not "${header}"`);
          return [header.slice(0, at).trim(), header.slice(at + 1).trim()];
        }),
      );

const isGood = (status: number): boolean => status >= 200 && status < 300;

/** The options with which another command acts as the same agent, if the command line named it. */
const actingOptions = ({ profile, agentId, keyFile, agentKeyFile }: GlobalOptions): string =>
  Object.entries({ profile, 'agent-id': agentId, 'key-file': keyFile, 'agent-key-file': agentKeyFile })
    .map(([name, value]) => (value === undefined ? '' : ` --${name} ${shellWord(value)}`))
    .join('');

/** An agent's answer for people: text unchanged, JSON indented. */
const showBody = (body: unknown, out: Output): void =>
  out.line(typeof body === 'string' ? safeLines(body) : safeJson(JSON.stringify(body, null, 2)));

export const call = command({
  path: ['call'],
  summary: 'Send a message to an agent through the registry.',
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
  examples: [
    { says: 'In words', run: 'agent-trust call corner-shop "What do 100 bolts cost?"' },
    { says: 'As data, in a script', run: `agent-trust call corner-shop --data '{"sku":"A-1"}' --json --fail` },
    { says: 'From a pipe', run: `echo '{"sku":"A-1"}' | agent-trust call corner-shop --data -` },
    { says: 'As a stream of events', run: 'agent-trust call corner-shop "Tell me more" --stream --json' },
  ],
  run: async ({ args: [agentId = '', words = ''], options, context }) => {
    const { out, io } = context;
    const callerAgentId = actingAgent(context);
    const stream = options.stream === true;
    const input = { text: words === '' ? undefined : words, data: options.data, message: options.message, stream };
    const headers = headersOf(options.header);
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
      ...(payment === undefined ? {} : { payment }),
      ...given({ mcpSessionId: options.mcpSession, idempotencyKey: options.idempotencyKey }),
    };
    if (stream) {
      const { showStream } = await import('./show-stream.ts');
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
