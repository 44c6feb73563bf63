import { demo, DomainError, getDemo, getDemoRoute, playDemo, playDemoRoute, toWire } from '@agent-trust/contracts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { askSupervisor } from './ask-supervisor.ts';

const play = endpoint(playDemoRoute, async ({ body, actor, request }, gateway) => {
  const begun = await askSupervisor(gateway, request, playDemo, { pauseMs: body.pause_ms, actor });
  if (begun === null) throw demoAbsent();
  return toWire(demo, begun.demo);
});

const get = endpoint(getDemoRoute, async ({ request }, gateway) => {
  const found = await askSupervisor(gateway, request, getDemo, {});
  if (found === null) throw demoAbsent();
  return toWire(demo, found.demo);
});

export const demoEndpoints: readonly Endpoint[] = [play, get];

const demoAbsent = (): DomainError =>
  new DomainError('demo_absent', 'npm start alone plays the demo, and this registry was not started by it');
