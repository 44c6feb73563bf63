import { styleText } from 'node:util';
import type { StoryStep } from './story.ts';

export type Printer = { heading: (text: string) => void; line: (text: string) => void; detail: (text: string) => void };

export function createPrinter(stream: NodeJS.WriteStream): Printer {
  const styled = (style: 'bold' | 'dim', text: string): string => styleText(style, text, { stream });
  return {
    heading: (text) => void stream.write(`\n${styled('bold', text)}\n`),
    line: (text) => void stream.write(`  ${text}\n`),
    detail: (text) => void stream.write(`      ${styled('dim', text)}\n`),
  };
}

/** Prints a step for a reader at a terminal. */
export function printStep(print: Printer, { kind, text, details }: StoryStep): void {
  if (kind === 'chapter') print.heading(text);
  // A review is told with the call that it is about.
  else if (kind === 'reviewed') print.detail(text);
  else print.line(text);
  for (const line of details) print.detail(kind === 'reviewed' ? `  ${line}` : line);
}
