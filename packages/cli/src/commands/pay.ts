import { exitCodes } from '../exit-codes.ts';
import { readInput, textOrFile } from '../io.ts';
import { showBody } from '../output/output.ts';
import { safeLine } from '../output/safe-text.ts';
import { command } from '../program/command.ts';
import { choice, given, text } from '../program/option.ts';

const answerBytesMax = 64 * 1024 * 1024;

const bodyText = async (response: Response): Promise<string> => {
  let text = '';
  let bytes = 0;
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > answerBytesMax) throw new Error(`the answer has more than ${answerBytesMax} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};

const pay = command({
  path: ['pay'],
  description: [
    'Without --payment-file it shows what the agent wants to be paid. A wallet makes the payment from that; send the same request again with it.',
    '--call-ref names the call that is paid for. The exit code is 11 when the agent answers another status than 2xx: 402 is its demand.',
    'With --json the answer is {"status","body","demands","settlement","attribution"}.',
  ].join('\n'),
  arguments: [{ name: 'agent_id', description: 'the agent to pay', values: 'agent' }],
  options: {
    paymentFile: text('--payment-file <file>', 'file with the payment, base64 JSON of x402; - for stdin', 'file'),
    callRef: text('--call-ref <transaction>', 'the call that is paid for'),
    method: choice('--method <method>', 'how the endpoint is called', ['GET', 'POST']),
    data: text('--data <text>', 'body for the agent; @file, - for stdin', 'file'),
    contentType: text('--content-type <type>', 'type of the body; default application/json', [
      'application/json',
      'text/plain',
    ]),
  },
  examples: { 'What does it cost?': 'agent-trust pay corner-shop || echo "it wants to be paid, or failed"' },
  run: async ({ args: [agentId = ''], options, context }) => {
    const { out, io } = context;
    const payment = options.paymentFile === undefined ? undefined : (await readInput(options.paymentFile, io)).trim();
    const body = options.data === undefined ? undefined : await textOrFile(options.data, io);
    const { client, options: asked } = await context.registry(['none']);
    const answer = await client.pay(agentId, {
      ...asked,
      payment,
      callRef: options.callRef,
      ...given({ method: options.method }),
      ...(body === undefined ? {} : { body, headers: { 'content-type': options.contentType ?? 'application/json' } }),
    });
    const said = await bodyText(answer.response);
    const { status, settlement, attribution, demands } = answer;
    let parsed: unknown = said;
    try {
      parsed = JSON.parse(said);
    } catch {
      // Not JSON: shown as text.
    }
    if (out.json) {
      const shown = { demands: demands.map(({ raw }) => raw), settlement: settlement?.raw ?? null, attribution };
      out.document(JSON.stringify({ status, body: parsed, ...shown }));
    } else {
      for (const { accepts, x402Version } of demands)
        for (const { amount, asset, network, scheme, payTo } of accepts)
          out.line(
            safeLine(
              `wants ${amount} atomic units of ${asset} on ${network} (${scheme}), paid to ${payTo}; x402 version ${x402Version}`,
            ),
          );
      if (demands.length === 0) showBody(parsed, out);
      out.note(`${agentId} answered ${status}`);
      if (settlement !== null)
        out.note(
          settlement.success
            ? `settled: ${settlement.transaction ?? ''} on ${settlement.network ?? ''}`
            : `not settled: ${settlement.errorReason ?? ''}`,
        );
    }
    return status >= 200 && status < 300 ? exitCodes.ok : exitCodes.agentFailed;
  },
});

export const commands = [pay];
