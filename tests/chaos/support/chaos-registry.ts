import type { Stack } from '@agent-trust/dev-stack';
import { createOrganisation, type Http, httpTo, type Member, registerAgent, unique } from '../../support/registry.ts';
import { startChaosStack } from './chaos-stack.ts';
import { type AgentRequest, type RecordingAgent, startRecordingAgent } from './recording-agent.ts';

export type ChaosRegistryOptions<Name extends string> = {
  env?: Record<string, string>;
  /** A data folder of the test's own, instead of a temporary one. */
  dataDir?: string;
  onLog?: (process: string, line: string) => void;
  /** Agents of one organisation, each with its request handler. */
  agents: Record<Name, (request: AgentRequest) => void | Promise<void>>;
  /** The number of calling agents; each has a separate organisation. */
  callers?: number;
  /** Fields of the callers' registrations. */
  callerFields?: () => Record<string, unknown>;
};

export type ChaosRegistry<Name extends string> = {
  stack: Stack;
  /** The first gateway. */
  http: Http;
  agents: Record<Name, RecordingAgent & { agentId: string }>;
  callers: Member[];
  /** The key of the organisation that owns the agents. */
  organisationKey: string;
  stop: () => Promise<void>;
};

/** A separate system for one file, with agents that record their requests and agents that call them. */
export async function startChaosRegistry<Name extends string>({
  env,
  dataDir,
  onLog,
  agents: answers,
  callers: callerCount = 1,
  callerFields,
}: ChaosRegistryOptions<Name>): Promise<ChaosRegistry<Name>> {
  const stack = await startChaosStack(env, onLog, dataDir);
  const started: [string, RecordingAgent & { agentId: string }][] = [];
  const stop = async (): Promise<void> => {
    await stack.stop();
    await Promise.all(started.map(([, agent]) => agent.stop()));
  };
  try {
    return await fill();
  } catch (error) {
    await stop();
    throw error;
  }

  async function fill(): Promise<ChaosRegistry<Name>> {
    const http = httpTo(stack.url);
    const { key } = await createOrganisation(stack);
    for (const [name, answer] of Object.entries<ChaosRegistryOptions<Name>['agents'][Name]>(answers)) {
      const agent = await startRecordingAgent(answer);
      const { agentId } = await registerAgent(http, {
        key,
        agentId: unique(name),
        fields: { endpoint_url: agent.url },
      });
      started.push([name, { ...agent, agentId }]);
    }
    const callers: Member[] = [];
    for (let index = 0; index < callerCount; index += 1) {
      const fields = callerFields?.() ?? {};
      callers.push(await registerAgent(http, { key: (await createOrganisation(stack)).key, fields }));
    }
    return {
      stack,
      http,
      agents: Object.fromEntries(started) as ChaosRegistry<Name>['agents'],
      callers,
      organisationKey: key,
      stop,
    };
  }
}
