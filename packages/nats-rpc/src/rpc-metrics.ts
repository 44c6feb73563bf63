import { type HistogramSeries, histogram, secondsSince } from '@agent-trust/metrics';

const durations = {
  client: histogram('rpc.client.call.duration'),
  server: histogram('rpc.server.call.duration'),
};

type Side = keyof typeof durations;
type Named = { service: string; method: string };

/** By the object that declares the method: most calls succeed, and a call has eight of these values. */
const successes = { client: new WeakMap<Named, HistogramSeries>(), server: new WeakMap<Named, HistogramSeries>() };

/** Measures a call from now on. The returned function ends it, with the error's code if there was one. */
export function startMeasure(side: Side, method: Named): (errorCode?: string) => void {
  const startedAt = performance.now();
  return (errorCode) => {
    const series = errorCode === undefined ? successes[side].get(method) : undefined;
    (series ?? seriesOf(side, method, errorCode)).record(secondsSince(startedAt));
  };
}

const seriesOf = (side: Side, declared: Named, errorCode: string | undefined): HistogramSeries => {
  const { service, method } = declared;
  const series = durations[side].with({
    'rpc.system.name': 'nats',
    'rpc.method': `${service}/${method}`,
    'error.type': errorCode,
  });
  if (errorCode === undefined) successes[side].set(declared, series);
  return series;
};
