import { readFile, writeFile } from 'node:fs/promises';
import { consoleSection, meetsAims } from './console-report.ts';
import { benchConsole } from './console.ts';
import { withSection } from './report-section.ts';

/** Measures the console alone, and renews its section of the report. False without a browser, or if an aim is missed. */
export async function benchConsoleAlone(reportFile: string, say: (line: string) => void): Promise<boolean> {
  const bench = await benchConsole(say);
  if (bench === null) return false;
  const section = consoleSection(bench);
  await writeFile(reportFile, withSection(await readFile(reportFile, 'utf8'), section));
  process.stdout.write(`${section}\n`);
  return meetsAims(bench);
}
