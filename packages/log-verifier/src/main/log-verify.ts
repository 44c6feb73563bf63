/** `npm run log:verify`: whether a log is the one that its checkpoints were signed for, and where it differs. */
import { complain, runCommand, say } from '@agent-trust/command-line';
import { findInputs, verifyOptions, verifyUsage } from '../find-inputs.ts';
import { reportLines } from '../report/report.ts';
import { verifyLog } from '../verify/verify-log.ts';

const exitCode = { verified: 0, notVerified: 1, unreadable: 3 } as const;
const progressEveryMs = 1_000;

/** Reports the progress on standard error once a second; nothing for a log that is read faster. */
const progress = (): ((events: number, eventsPerSecond: number) => void) => {
  let reportedAt = performance.now();
  return (events, eventsPerSecond) => {
    if (performance.now() - reportedAt < progressEveryMs) return;
    reportedAt = performance.now();
    complain(`${events.toLocaleString('en')} events read, ${eventsPerSecond.toLocaleString('en')} a second…`);
  };
};

await runCommand({
  usage: verifyUsage,
  options: verifyOptions,
  stopped: 'Stopped.',
  exitCodeOf: () => exitCode.unreadable,
  run: async (given, signal) => {
    const { source, isKeyTheRegistrys, ...inputs } = await findInputs(given, process.env);
    try {
      const report = await verifyLog({ source, ...inputs, onProgress: progress(), signal });
      if (isKeyTheRegistrys)
        report.remarks.push(
          'The key was taken from the registry that is verified; give one that you kept from before by --key.',
        );
      if (given.json === true) say(JSON.stringify(report, null, 2));
      else for (const line of reportLines(report)) say(line);
      return report.verified ? exitCode.verified : exitCode.notVerified;
    } finally {
      await source.close();
    }
  },
});
