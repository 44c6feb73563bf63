import type { ReplayProgress, ReplayReport } from '@agent-trust/projections';
import { describe, expect, it } from 'vitest';
import { progressLines, progressText, reportLines } from './report.ts';

const progress = (fields: Partial<ReplayProgress> = {}): ReplayProgress => ({
  phase: 'build',
  events: 50_000,
  eventsTotal: 100_000,
  fraction: 0.5,
  eventsPerSecond: 25_000,
  remainingMs: 2_000,
  ...fields,
});
const report = (fields: Partial<ReplayReport> = {}): ReplayReport => ({
  events: 100_000,
  durationMs: 4_321,
  eventsPerSecond: 25_000,
  comparison: {
    position: 100_000n,
    tables: [{ table: 'agent', rows: 5, rowsDiffering: 0 }],
    rows: 5,
    rowsDiffering: 0,
    differences: [],
  },
  switched: true,
  position: 100_001n,
  ...fields,
});

describe('the report of a replay', () => {
  it('contains the rate and the remaining time', () => {
    expect(progressText(progress())).toBe('Building: 50,000 of 100,000 events (50 %), 25,000 a second, 2 s left');
    expect(progressText(progress({ remainingMs: 90_000 }))).toContain('1 min 30 s left');
  });

  it('overwrites one line of a terminal, and elsewhere prints at most a line per second in one phase', () => {
    const written: string[] = [];
    let time = 0;
    const lines = progressLines({ write: (text) => written.push(text) }, 'Building', () => time);
    for (time of [0, 500, 1_200]) lines.show(progress());
    lines.show(progress({ phase: 'compare' }));
    lines.end();
    expect(written).toHaveLength(3);
    const terminal = progressLines({ write: (text) => written.push(text), isTTY: true });
    terminal.show(progress());
    terminal.end();
    expect(written.slice(3).every((text) => text.startsWith('\r'))).toBe(true);
  });

  it('states that all rows are equal and that the new ones are live', () => {
    expect(reportLines(report())).toEqual([
      'Replayed 100,000 events in 4.3 s (25,000 a second).',
      'Compared 5 rows of 1 tables with the live ones at position 100000: all are equal.',
      'The new read models are live now.',
    ]);
  });

  it('shows each field that differs, and how to accept it', () => {
    const live = { agent_id: 'a', trust_score: 70 };
    const differences = [
      { table: 'agent_standing', live, replayed: { ...live, trust_score: 71 } },
      { table: 'rating', live: null, replayed: { position: 4 } },
    ];
    const tables = [{ table: 'agent_standing', rows: 5, rowsDiffering: 2 }];
    const comparison = { position: 9n, tables, rows: 5, rowsDiffering: 2, differences };
    const text = reportLines(report({ switched: false, comparison })).join('\n');
    expect(text).toContain('  agent_standing: {"agent_id":"a"}\n    trust_score: live 70, replayed 71');
    expect(text).toContain('  rating: only replayed {"position":4}');
    expect(text).toContain('--accept-differences');
  });
});
