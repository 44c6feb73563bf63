import { type Stack, startStack } from '@agent-trust/dev-stack';
import { startCheckedGateways } from './openapi/checked-gateways.ts';

/**
 * A system of one test file's own, with settings of its own, behind a proxy that holds its answers to the OpenAPI document as those in front
 * of the shared system do. Stopping it throws where an answer was outside of the document.
 */
export async function startCheckedStack(env: NodeJS.ProcessEnv): Promise<Stack> {
  const checked = await startCheckedGateways(1);
  const [url = ''] = checked.urls;
  const stack = await startStack({ ephemeral: true, fsync: false, env: { ...env, BASE_URL: url } });
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
