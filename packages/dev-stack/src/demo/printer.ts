import { styleText } from 'node:util';

/** Plain, readable output; styles only on a terminal that supports them. */
export type Printer = { heading: (text: string) => void; line: (text: string) => void; detail: (text: string) => void };

export function createPrinter(stream: NodeJS.WriteStream): Printer {
  const styled = (style: 'bold' | 'dim', text: string): string => styleText(style, text, { stream });
  return {
    heading: (text) => void stream.write(`\n${styled('bold', text)}\n`),
    line: (text) => void stream.write(`  ${text}\n`),
    detail: (text) => void stream.write(`      ${styled('dim', text)}\n`),
  };
}
