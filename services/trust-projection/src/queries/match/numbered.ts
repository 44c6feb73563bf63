/** Gives texts small numbers, so that they are compared and kept as such. */
export class Numbered {
  readonly #numbers: Map<string, number> = new Map();
  readonly #texts: string[] = [];

  /** The number of a text; a new one for a text that is new. */
  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    this.#texts.push(text);
    return number;
  }

  /** How many texts have a number. */
  get count(): number {
    return this.#texts.length;
  }

  /** The text that has a number. */
  textOf(number: number): string {
    return this.#texts[number] as string;
  }

  /** The number of a text that has one. */
  find(text: string): number | undefined {
    return this.#numbers.get(text);
  }
}
