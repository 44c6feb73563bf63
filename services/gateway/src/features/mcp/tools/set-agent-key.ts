import { DomainError, setAgentKeyTool, type ToolArguments } from '@agent-trust/contracts';
import { isAgentKey } from '../../../credentials/keys.ts';
import { parse } from '../../../http/validation.ts';
import type { McpContext } from '../mcp-core.ts';

/**
 * Makes the session act with an agent's key, or with none. The key is held to its form and to being some agent's now; whose is not told, and no
 * answer repeats it.
 *
 * @throws DomainError validation_failed, invalid_credential; what the session store refuses.
 */
export async function setAgentKey(
  given: ToolArguments,
  context: Pick<McpContext, 'setAgentKey' | 'isLiveAgentKey'>,
): Promise<Record<string, unknown>> {
  const key = (parse('arguments', setAgentKeyTool.input, given)['agent_key'] ?? '') as string;
  if (key === '') {
    await context.setAgentKey(null);
    return {
      status: 'cleared',
      message: "No key is set for this session: tools act with the credentials of the connection's headers, if any.",
    };
  }
  if (!isAgentKey(key)) {
    throw new DomainError('validation_failed', 'the key has not the form of one', {
      items: [
        {
          loc: ['arguments', 'agent_key'],
          msg: "must be an agent key, registry-agent-sk- and 43 characters; an organisation's key goes into X-API-KEY of the connection",
          type: 'value_error',
        },
      ],
    });
  }
  if (!(await context.isLiveAgentKey(key))) {
    throw new DomainError(
      'invalid_credential',
      "the key is no agent's key: it was replaced, or never was one; what was set before stays",
    );
  }
  await context.setAgentKey(key);
  return { status: 'set', message: 'From now on the tools of this session act as the agent whose key this is.' };
}
