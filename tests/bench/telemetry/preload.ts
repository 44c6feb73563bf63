/**
 * Imported before a service, so that its telemetry can be switched while it runs: `preload.ts?control=FOLDER` takes requests at `FOLDER/PID.sock`,
 * whose path is the name of a command.
 */
import { createServer } from 'node:http';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { switchTelemetry } from './switch.ts';
import { switchInstruments, switchProcessObservers } from './switched-metrics.ts';

export type Command = 'on' | 'off' | 'flush' | 'export';

const folder = new URL(import.meta.url).searchParams.get('control');
// A thread of a service does not measure.
if (isMainThread && folder !== null) {
  switchInstruments();
  switchProcessObservers();
  const hasCollector = process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] !== undefined;
  // Without a collector the service does not load the SDK either.
  const traces = hasCollector ? await import('./switched-traces.ts') : null;
  traces?.switchTraces();
  const commands: Record<Command, () => void | Promise<void>> = {
    on: () => switchTelemetry(true),
    off: () => switchTelemetry(false),
    flush: () => traces?.flush(),
    export: () => traces?.exportMetrics(),
  };
  createServer((request, response) => {
    const work = async (): Promise<void> => commands[request.url?.slice(1) as Command]();
    work().then(
      () => response.end(),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  })
    .on('connection', (socket) => void socket.unref())
    .listen(join(folder, `${process.pid}.sock`))
    .unref();
}
