/**
 * Replaces what counts and measures by the same with a switch. Off, it does what a service without metrics does: nothing. The times that are taken to be
 * measured (`performance.now()`) are taken either way.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type * as Hooks from 'node:perf_hooks';
import { type Counter, type Histogram, type NamesOf, Recorder } from '@agent-trust/metrics';
import { CounterSeries, HistogramSeries } from '../../../packages/metrics/src/series.ts';
import { methodOf, telemetry, whenSwitched } from './switch.ts';

/** Replace `Recorder`'s instruments and their series; a caller that keeps a series keeps its switch. A series that is first asked for while off is lost to it. */
export function switchInstruments(): void {
  const counter = methodOf(Recorder.prototype, 'counter');
  const histogram = methodOf(Recorder.prototype, 'histogram');
  const add = methodOf(CounterSeries.prototype, 'add');
  const record = methodOf(HistogramSeries.prototype, 'record');
  const nothing = { counter: new CounterSeries({}), histogram: new HistogramSeries({}, []) };
  const switched = <Attributes, Series>(family: { with(attributes: Attributes): Series }, off: Series) => ({
    with: (attributes: Attributes): Series => (telemetry.isOn ? family.with(attributes) : off),
  });
  Object.assign(Recorder.prototype, {
    counter<Name extends NamesOf<'counter'>>(this: Recorder, name: Name): Counter<Name> {
      return switched(counter.call(this, name) as Counter<Name>, nothing.counter);
    },
    histogram<Name extends NamesOf<'histogram'>>(this: Recorder, name: Name): Histogram<Name> {
      return switched(histogram.call(this, name) as Histogram<Name>, nothing.histogram);
    },
  });
  CounterSeries.prototype.add = function (this: CounterSeries, amount) {
    if (telemetry.isOn) add.call(this, amount);
  };
  HistogramSeries.prototype.record = function (this: HistogramSeries, value) {
    if (telemetry.isOn) record.call(this, value);
  };
}

/** What watches the event loop and the garbage collection runs only while on. */
export function switchProcessObservers(): void {
  const hooks = createRequire(import.meta.url)('node:perf_hooks') as typeof Hooks;
  const { monitorEventLoopDelay, PerformanceObserver } = hooks;
  Object.assign(hooks, {
    monitorEventLoopDelay: (options?: Hooks.EventLoopMonitorOptions) => {
      const delay = monitorEventLoopDelay(options);
      whenSwitched({ on: () => void delay.enable(), off: () => void delay.disable() });
      return delay;
    },
    PerformanceObserver: class extends PerformanceObserver {
      override observe(options: Parameters<Hooks.PerformanceObserver['observe']>[0]): void {
        super.observe(options);
        whenSwitched({ on: () => super.observe(options), off: () => super.disconnect() });
      }
    },
  });
  syncBuiltinESMExports();
}
