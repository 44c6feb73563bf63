import type { ListenedMessage } from '@agent-trust/client';
import { UsageError } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Output } from '../output/output.ts';
import { safeLine } from '../output/safe-text.ts';
import { command } from '../program/command.ts';
import { given, text, texts } from '../program/option.ts';

/** How long the local receiver may take for an answer: as long as a webhook's. */
const answerMs = 15_000;

type Forwarded = { status: number; ms: number } | { error: string; ms: number };

const targetOf = (address: string): string => {
  const url = URL.parse(address);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError('--forward-to takes an http or https address, like http://127.0.0.1:3000/hook');
  // Node sends no request to such an address, and names the password in its error.
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--forward-to must not have a user or password in it');
  return url.href;
};

/** Hands a message to the receiver as the registry would send it. A redirect is not followed. */
const forward = async (target: string, { headers, body }: ListenedMessage, signal: AbortSignal): Promise<Forwarded> => {
  const began = performance.now();
  const took = (): number => Math.round(performance.now() - began);
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
    });
    await response.body?.cancel();
    return { status: response.status, ms: took() };
  } catch (error) {
    signal.throwIfAborted();
    const { cause, message, name } = error as Error & { cause?: { code?: string } };
    return {
      error: name === 'TimeoutError' ? `no answer within ${answerMs} ms` : (cause?.code ?? message),
      ms: took(),
    };
  }
};

type Said = {
  type?: string;
  data?: Partial<Record<'agent_id' | 'position' | 'trust_score' | 'previous_score', unknown>>;
};

const shown = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');

/** What a message says, on one line. */
const shortly = (body: string): string => {
  const { type = '', data = {} } = JSON.parse(body) as Said;
  const who = shown(data.agent_id) || 'the organisation';
  const score =
    typeof data.trust_score === 'number' ? ` ${shown(data.previous_score) || 'none'} -> ${data.trust_score}` : '';
  return `${shown(data.position)}  ${shown(type)}  ${who}${score}`;
};

const resultText = (result: Forwarded | null, { paint }: Pick<Output, 'paint'>): string => {
  if (result === null) return '';
  const isTaken = 'status' in result && result.status >= 200 && result.status < 300;
  const said = 'status' in result ? String(result.status) : safeLine(result.error);
  return `  ${paint(isTaken ? 'green' : 'red', said)} (${result.ms} ms)`;
};

const listen = command({
  path: ['listen'],
  description: [
    "Messages are made and signed as for a webhook, by the organisation's production key, and handed to the address of --forward-to with the same",
    'headers: a receiver under development verifies them with the secret that is shown first. Each is handed on once and in order, whatever the',
    'receiver answers; its answer is shown. Broken connections are resumed. Nothing stays behind in the registry. Ctrl-C ends it: exit code 130.',
    'With --json the first line is {"listener_id","secret"}, and each further one a message with the answer.',
  ].join('\n'),
  options: {
    forwardTo: text('--forward-to <url>', 'where messages are posted; without it they are only shown'),
    agent: texts('--agent <agent_id>', "only of this agent, of any organisation; default: all one's own", 'agent'),
    after: text('--after <position>', 'begin after this log position, 0 for everything; default: only new messages'),
  },
  examples: {
    'A receiver under development': 'agent-trust listen --forward-to http://127.0.0.1:3000/hook',
  },
  run: async ({ options, context }) => {
    const { out, io } = context;
    const target = options.forwardTo === undefined ? null : targetOf(options.forwardTo);
    const { client, options: asked } = await context.registry(['org']);
    const { webhooks } = client.org;
    const listener = await webhooks.openListener(asked);
    if (out.json) out.document(JSON.stringify(listener));
    else {
      out.line(`secret  ${out.paint('bold', safeLine(listener.secret))}`);
      out.note(`Listening${target === null ? '' : ` for ${target}`}; Ctrl-C ends it.`);
    }
    const { isSigned } = await import('@agent-trust/webhook-signature');
    const query = given({ after: options.after, agent_ids: options.agent?.join(',') });
    for await (const message of webhooks.listen(listener.listener_id, query, asked)) {
      if (!isSigned(message, listener.secret)) {
        out.warn('a message is not signed with the secret of this listener: it is not handed on');
        return exitCodes.notVerified;
      }
      const result = target === null ? null : await forward(target, message, io.stopSignal());
      if (out.json) out.document(JSON.stringify({ ...message, forwarded: result }));
      else out.line(`${safeLine(shortly(message.body))}${resultText(result, out)}`);
    }
    return exitCodes.ok;
  },
});

export const commands = [listen];
