import { randomUUID } from 'node:crypto';
import { DomainError, refusalOf, unaryMethodsOf } from '@agent-trust/contracts';
import { connectRpc, serveAll } from '@agent-trust/nats-rpc';
import type { Stack } from '../start-stack.ts';
import { createDemoRunner } from './demo-runner.ts';
import { playDemoHere } from './play-demo.ts';
import { createStartCodes } from './start-codes.ts';

export type Supervisor = {
  /** A code that signs a browser in as operator, once. */
  readonly makeCode: () => string;
  /** Ends a demo that runs, and leaves the bus. */
  readonly stop: () => Promise<void>;
};

/**
 * What the process of `npm start` does for a gateway that asks: it knows the codes that it has printed, and plays the demo. On the bus it has a
 * user of its own, which only the embedded nats-server knows.
 * @throws RpcError if the bus does not let it listen, such as a server of NATS_URL with other users
 */
export async function openSupervisor({ url, supervisorNatsUrl }: Stack): Promise<Supervisor> {
  const codes = createStartCodes();
  const demos = createDemoRunner((tell, signal) => playDemoHere(url, codes, tell, signal));
  const rpc = await connectRpc({
    natsUrl: supervisorNatsUrl,
    service: 'supervisor',
    instanceId: randomUUID(),
    toRefusal: (error) => (error instanceof DomainError ? refusalOf(error) : null),
  });
  try {
    await serveAll(rpc, unaryMethodsOf('supervisor'), {
      redeemStartCode: ({ codeHash }) => ({ role: codes.redeem(codeHash) }),
      playDemo: ({ pauseMs, actor: { kind, id } }) => ({
        demo: demos.begin({ pauseMs, requestedBy: id === null ? kind : `${kind} ${id}` }),
      }),
      getDemo: () => ({ demo: demos.current() }),
    });
  } catch (error) {
    await rpc.close();
    throw error;
  }
  return {
    makeCode: () => codes.make('operator'),
    stop: async () => {
      await demos.stop();
      await rpc.close();
    },
  };
}
