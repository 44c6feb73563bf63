import { type Stack, startStack } from '@agent-trust/dev-stack';
import { beginsWithV1 } from './first-policy.ts';
import { startCheckedGateways } from './openapi/checked-gateways.ts';
import { readModelWaitMs } from './stack-waits.ts';

/**
 * A separate system for one test file, with its own settings, behind a proxy that checks answers against the OpenAPI document as the
 * proxies of the shared system do. `stop` throws if an answer violated the document.
 */
export async function startCheckedStack(env: NodeJS.ProcessEnv): Promise<Stack> {
  const checked = await startCheckedGateways(1);
  const [url = ''] = checked.urls;
  const stack = await startStack({
    ephemeral: true,
    fsync: false,
    env: {
      ...beginsWithV1,
      REGISTRATIONS_PER_MINUTE: '0',
      READ_MODEL_WAIT_MS: String(readModelWaitMs),
      ...env,
      BASE_URL: url,
    },
  });
  await checked.open([stack.url]);
  return {
    ...stack,
    url,
    stop: async () => {
      const violations = await checked.take();
      checked.stop();
      await stack.stop();
      if (violations.length > 0)
        throw new Error(`answers that the OpenAPI document does not describe:\n${violations.join('\n')}`);
    },
  };
}
