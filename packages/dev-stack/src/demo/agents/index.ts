export { startA2aAgent } from './a2a-agent.ts';
export type { A2aReply } from './a2a-agent.ts';
export { startPlainAgent } from './plain-agent.ts';
export { listen, type RunningAgent } from './running-agent.ts';
