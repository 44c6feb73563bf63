/** A server process that tests kill: writes without end to every stream. Arguments: NATS URL, service. */
import { connectRpc } from '../rpc.ts';
import { bytesMethod } from '../test-methods.ts';

const [natsUrl = '', service = ''] = process.argv.slice(2);
const rpc = await connectRpc({ natsUrl, service, instanceId: 'doomed' });
await rpc.serveStream(bytesMethod(service), async ({ signal }, _input, _body, answer) => {
  answer.head({ status: 200 });
  while (!signal.aborted) await answer.write(Buffer.alloc(1_000));
  return { received: 0 };
});
process.send?.('serving');
