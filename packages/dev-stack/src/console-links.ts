import { signInFragment } from '@agent-trust/contracts';
import { answersOk } from './probe.ts';

/** Whether the registry at `url` serves the console. Never rejects. */
export function isConsoleServed(url: string): Promise<boolean> {
  return answersOk(`${url}/console/`);
}

/** The console's page about an agent, whatever its id is. @param baseUrl where people reach the registry: its pages name their files by it */
export function agentPage(baseUrl: string, agentId: string): string {
  return `${baseUrl}/console/agents/${encodeURIComponent(agentId)}`;
}

/** Signs the first tab that opens it in. */
export function signInLink(baseUrl: string, code: string): string {
  return `${baseUrl}/console/${signInFragment(code)}`;
}
