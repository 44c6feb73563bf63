import { histogram, secondsSince } from '@agent-trust/metrics';

const durations = {
  client: histogram('rpc.client.call.duration'),
  server: histogram('rpc.server.call.duration'),
};

/** Measures a call from now on. The returned function ends it, with the error's code if there was one. */
export function startMeasure(
  side: keyof typeof durations,
  { service, method }: { service: string; method: string },
): (errorCode?: string) => void {
  const startedAt = performance.now();
  return (errorCode) =>
    durations[side]
      .with({ 'rpc.system.name': 'nats', 'rpc.method': `${service}/${method}`, 'error.type': errorCode })
      .record(secondsSince(startedAt));
}
