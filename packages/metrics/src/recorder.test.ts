import { describe, expect, it, vi } from 'vitest';
import { exportedName } from './names.ts';
import { metricLimits } from './limits.ts';
import { Recorder } from './recorder.ts';
import { metricsTable } from './table.ts';

const collected = async (recorder: Recorder, name: string) => {
  const { metrics } = await recorder.collect('gateway');
  return metrics.find((one) => one.name === name);
};

describe('a histogram', () => {
  it('counts a value in the first bucket that holds it, with the bound in the bucket', async () => {
    const recorder = new Recorder();
    const waits = recorder.histogram('registry.read_model.wait.duration').with({});
    for (const value of [0, 0.0005, 0.000_51, 10, 11]) waits.record(value);
    const found = (await collected(recorder, 'registry.read_model.wait.duration'))?.histograms?.[0];
    expect(found?.counts).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
    expect([found?.count, found?.sum]).toEqual([5, 0 + 0.0005 + 0.000_51 + 10 + 11]);
  });

  it('takes neither a negative value nor one that is no number', async () => {
    const recorder = new Recorder();
    const waits = recorder.histogram('registry.read_model.wait.duration').with({});
    for (const value of [-0.001, Number.NaN]) waits.record(value);
    const found = (await collected(recorder, 'registry.read_model.wait.duration'))?.histograms?.[0];
    expect([found?.count, found?.sum]).toEqual([0, 0]);
  });
});

describe('a counter', () => {
  it('is 0 from the start where its values are known, and absent from services that do not have it', async () => {
    const recorder = new Recorder();
    recorder.counter('registry.replica.reads');
    recorder.counter('registry.circuits.changes');
    expect((await collected(recorder, 'registry.replica.reads'))?.points).toMatchObject([
      { attributes: { 'registry.result': 'hit' }, value: 0 },
      { attributes: { 'registry.result': 'miss' }, value: 0 },
    ]);
    expect(await collected(recorder, 'registry.circuits.changes')).toBeUndefined();
  });

  it('is absent until it counts where its values are not known', async () => {
    const recorder = new Recorder();
    const refusals = recorder.counter('registry.http.refusals');
    expect(await collected(recorder, 'registry.http.refusals')).toBeUndefined();
    refusals.with({ 'error.type': 'overloaded', 'http.route': undefined }).add();
    refusals.with({ 'error.type': 'overloaded' }).add(2);
    expect((await collected(recorder, 'registry.http.refusals'))?.points).toMatchObject([
      { attributes: { 'error.type': 'overloaded' }, value: 3 },
    ]);
  });

  // Bug: whoever can make up values, such as methods or paths, fills the memory of the service and of Prometheus.
  it('counts all values beyond its limit together, and none is lost', async () => {
    const recorder = new Recorder();
    const refusals = recorder.counter('registry.http.refusals');
    const more = 50;
    for (let at = 0; at < metricLimits.seriesPerMetricMax + more; at += 1)
      refusals.with({ 'error.type': `made-up-${at}` }).add();
    const points = (await collected(recorder, 'registry.http.refusals'))?.points ?? [];
    expect(points).toHaveLength(metricLimits.seriesPerMetricMax + 1);
    expect(points.at(-1)).toMatchObject({ attributes: { 'otel.metric.overflow': 'true' }, value: more });
  });
});

describe('observed values', () => {
  it('are read at each collection, until the observer is taken away', async () => {
    const recorder = new Recorder();
    let calls = 0;
    const stop = recorder.observe((report) => report('registry.calls.active', (calls += 1)));
    expect((await collected(recorder, 'registry.calls.active'))?.points).toEqual([{ attributes: {}, value: 1 }]);
    expect((await collected(recorder, 'registry.calls.active'))?.points).toEqual([{ attributes: {}, value: 2 }]);
    stop();
    expect(await collected(recorder, 'registry.calls.active')).toBeUndefined();
  });

  it('are read once for collections at the same time', async () => {
    const recorder = new Recorder();
    const observer = vi.fn(() => Promise.resolve());
    recorder.observe(observer);
    await Promise.all([recorder.collect('gateway'), recorder.collect('gateway')]);
    expect(observer).toHaveBeenCalledTimes(1);
  });

  it('leave out what fails or does not come, and have the rest', async () => {
    vi.useFakeTimers();
    try {
      const recorder = new Recorder();
      let late = (): void => undefined;
      recorder.observe((report) => {
        late = () => report('registry.calls.limit', 7);
        return new Promise(() => {});
      });
      recorder.observe(() => {
        throw new Error('the database is down');
      });
      recorder.observe((report) => report('registry.calls.active', 1));
      const collecting = recorder.collect('gateway');
      await vi.advanceTimersByTimeAsync(metricLimits.observationTimeoutMs);
      const { metrics, errors } = await collecting;
      late();
      expect(metrics.map(({ name }) => name)).toEqual(['registry.calls.active']);
      expect(errors.map(String)).toEqual([
        `DeadlineError: reading metrics took longer than ${metricLimits.observationTimeoutMs} ms`,
        'Error: the database is down',
      ]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the table', () => {
  it.each(Object.entries(metricsTable))(
    '%s has buckets if it is a histogram, in order, and a description',
    (_, row) => {
      const buckets = 'buckets' in row ? row.buckets : null;
      expect(buckets !== null).toBe(row.kind === 'histogram');
      expect(buckets).toEqual(buckets?.toSorted((a, b) => a - b) ?? null);
      expect(row.description).toMatch(/^[A-Z0-9].*\.$/u);
      expect(row.services.length).toBeGreaterThan(0);
    },
  );

  it('names units and counters as Prometheus does', () => {
    const nameOf = (name: keyof typeof metricsTable) => exportedName(name, metricsTable[name]);
    expect(nameOf('http.server.request.duration')).toBe('http_server_request_duration_seconds');
    expect(nameOf('process.cpu.time')).toBe('process_cpu_time_seconds_total');
    expect(nameOf('registry.http.refusals')).toBe('registry_http_refusals_total');
    expect(nameOf('nodejs.eventloop.utilization')).toBe('nodejs_eventloop_utilization_ratio');
    expect(nameOf('registry.bus.connected')).toBe('registry_bus_connected');
  });
});
