import { type FieldFault, StructuredFieldError } from './types.ts';

/** A place in a text that is being read from left to right. */
export class Cursor {
  readonly text: string;
  at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get ended(): boolean {
    return this.at >= this.text.length;
  }

  /** The next character, or the empty text at the end. */
  peek(): string {
    return this.text.charAt(this.at);
  }

  /** Goes past `expected` and says whether it stood there. */
  skip(expected: string): boolean {
    if (!this.text.startsWith(expected, this.at)) return false;
    this.at += expected.length;
    return true;
  }

  expect(expected: string): void {
    if (!this.skip(expected)) throw this.fault(`expected ${JSON.stringify(expected)}`);
  }

  /** Goes past what a sticky pattern matches here and returns it, or null where it does not match. */
  take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const taken = pattern.exec(this.text)?.[0];
    if (taken === undefined) return null;
    this.at += taken.length;
    return taken;
  }

  skipSpaces(): void {
    while (this.peek() === ' ') this.at += 1;
  }

  /** Spaces and tabs, which may stand around the commas of a list. */
  skipWhitespace(): void {
    while (this.peek() === ' ' || this.peek() === '\t') this.at += 1;
  }

  fault(problem: string, fault: FieldFault = 'malformed'): StructuredFieldError {
    return new StructuredFieldError(fault, this.at, problem);
  }
}
