import { cleanText } from '../../base/index.ts';

/** The two streams of a program and what is known of the terminal behind them. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
  /** True when `out` is a terminal that can be redrawn. */
  isTerminal: boolean;
  /** True when `out` shows colours and nobody asked for none (NO_COLOR). */
  hasColor?: boolean;
  columns: number;
  /** Lines of the terminal, where it tells. */
  rows?: number | undefined;
}

const COLORS: Readonly<Record<string, number>> = { '✓': 32, '●': 36, '▲': 33, '✕': 31, '▒': 90, '│': 90 };

/**
 * The only way to the terminal: results to `out`, everything else to `err`. Commands print text of objects, servers and
 * stores; control and bidirectional characters in it are written out, so that a terminal neither obeys nor hides them.
 */
export class Printer {
  readonly #output: Output;

  constructor(output: Output) {
    this.#output = output;
  }

  get isTerminal(): boolean {
    return this.#output.isTerminal;
  }

  get columns(): number {
    return this.#output.columns;
  }

  get rows(): number | undefined {
    return this.#output.rows;
  }

  /** One line of the result; a newline in it begins no other. */
  line(text = ''): void {
    this.#output.out(`${this.#shown(text)}\n`);
  }

  /** One line beside the result: hints, problems, how to go on. */
  note(text = ''): void {
    this.#output.err(`${this.#shown(text)}\n`);
  }

  /** A result that is laid out already, such as a document: newlines and tabs stay, and nothing is coloured. */
  text(text: string): void {
    this.#output.out(laidOut(text));
  }

  /** The same beside the result. */
  noteText(text: string): void {
    this.#output.err(laidOut(text));
  }

  /** Draws over the last so many lines of a terminal. One that would wrap is cut, because it could not be drawn over. */
  redraw(over: number, lines: readonly string[]): void {
    const cut = lines.map((line) => Array.from(cleanText(line, Infinity)).slice(0, this.columns - 1));
    const drawn = cut.map((line) => `${this.#colored(line.join(''))}\u001b[K\n`);
    this.#output.out(`${over === 0 ? '' : `\u001b[${String(over)}A\r`}${drawn.join('')}\u001b[J`);
  }

  #shown(text: string): string {
    return this.#colored(cleanText(text, Infinity));
  }

  /** The signs alone: a line keeps its width, and reads the same without. */
  #colored(line: string): string {
    if (this.#output.hasColor !== true) return line;
    return line.replaceAll(/[✓●▲✕▒│]/g, (sign) => `\u001b[${String(COLORS[sign])}m${sign}\u001b[0m`);
  }
}

function laidOut(text: string): string {
  return text.replaceAll(/[^\n\t]+/g, (part) => cleanText(part, Infinity));
}
