import { gauge, series } from '../query.ts';
import type { Row } from '../panel.ts';

/** The event log and what is signed of it. */
export const log: Row = {
  title: 'Log',
  panels: [
    {
      title: 'Head of the log',
      description: 'Position of the last event. It never falls: after a restore of an older copy it does.',
      unit: 'locale',
      queries: [{ expression: gauge('max', 'registry.log.head'), legend: 'head' }],
    },
    {
      title: 'Growth of the log',
      description: 'Positions that are given out each second.',
      unit: 'ops',
      queries: [{ expression: `max(deriv(${series('registry.log.head')}[5m]))`, legend: 'events' }],
    },
    {
      title: 'Signed and unsigned leaves',
      description:
        'Leaves under the last signed checkpoint, and those after it. A checkpoint is signed when somebody reads one.',
      unit: 'locale',
      queries: [
        { expression: gauge('max', 'registry.checkpoint.size'), legend: 'signed' },
        { expression: gauge('max', 'registry.checkpoint.unsigned'), legend: 'not signed' },
      ],
    },
    {
      title: 'Age of the checkpoint',
      description:
        'Time since a checkpoint of another size was signed. It grows while nothing happens, and while nobody reads one.',
      unit: 's',
      queries: [{ expression: gauge('max', 'registry.checkpoint.age'), legend: 'age' }],
    },
    {
      title: 'Log of the read models',
      description:
        'If the log is not the one that the read models were computed from, nothing is written until an operator settles it.',
      unit: 'short',
      kind: 'stat',
      redFrom: 1,
      words: { '0': 'yes', '1': 'no: nothing is written' },
      queries: [{ expression: gauge('max', 'registry.log.replaced'), legend: 'log' }],
    },
    {
      title: 'Log as it was signed',
      description:
        'If the log does not continue what was signed, nothing more is signed until an operator has looked into it.',
      unit: 'short',
      kind: 'stat',
      redFrom: 1,
      words: { '0': 'yes', '1': 'no: nothing is signed' },
      queries: [{ expression: gauge('max', 'registry.checkpoint.fault'), legend: 'log' }],
    },
    {
      title: 'Log as its witnesses have seen it',
      description: 'Witnesses that have cosigned another log than this one: it was cut, rewritten or forked.',
      unit: 'short',
      kind: 'stat',
      redFrom: 1,
      words: { '0': 'the same' },
      queries: [{ expression: gauge('max', 'registry.witness.contradictions'), legend: 'witnesses' }],
    },
    {
      title: 'Silence of the witnesses',
      description: 'Time since the newest cosignature of the witness that is silent for longest; 0 without witnesses.',
      unit: 's',
      queries: [{ expression: gauge('max', 'registry.witness.silence'), legend: 'silence' }],
    },
  ],
};
