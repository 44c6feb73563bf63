/**
 * A process for tests to kill. `node bank-process.ts run <url>` runs the bank's projection, `… replay <url>` replays it in small batches.
 * Each prints a line as soon as its work is well under way.
 */
import { openEventLog } from '@agent-trust/event-log';
import { replayReadModel } from '../replay/replay.ts';
import { startRunner } from '../runner.ts';
import { bankReadModel } from './bank.ts';

const [, , task, url = ''] = process.argv;
const shared = { connection: { connectionString: url }, schema: 'read_models', log: await openEventLog(url) };
const readModel = await bankReadModel();

if (task === 'run') {
  const runner = startRunner({ ...shared, readModel, batchEventsMax: 20 });
  const timer = setInterval(() => {
    if (runner.status().state !== 'active') return;
    clearInterval(timer);
    process.stdout.write('active\n');
  }, 5);
} else {
  await replayReadModel({
    ...shared,
    readModel,
    batchEventsMax: 20,
    insertsMin: 20,
    rowsPerTableMax: 4,
    onProgress: ({ events }) => {
      if (events > 200) process.stdout.write('half-way\n');
    },
  });
  process.stdout.write('done\n');
  process.exit();
}
