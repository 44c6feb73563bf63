import { signInFragment } from '@agent-trust/contracts';
import { answersOk } from './probe.ts';

/** Whether the registry at `url` serves the console. Never rejects. */
export function isConsoleServed(url: string): Promise<boolean> {
  return answersOk(`${url}/console/`);
}

/** The console's page about an agent, whatever its id is. */
export function agentPage(url: string, agentId: string): string {
  return `${url}/console/agents/${encodeURIComponent(agentId)}`;
}

/** Signs the first tab that opens it in. */
export function signInLink(url: string, code: string): string {
  return `${url}/console/${signInFragment(code)}`;
}
