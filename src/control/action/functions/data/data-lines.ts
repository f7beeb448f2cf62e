import { DataOutput } from '../../../../core/action/index.ts';
import type { FunctionContext, Printer } from '../function.ts';
import type { DataWork } from './data-work.ts';

/** What a program of a data function prints: read, and told to the log of the operation without secrets. */
export class DataLines {
  readonly output = new DataOutput();
  readonly #context: FunctionContext;
  readonly #secrets: readonly string[];
  readonly #printer: Printer;

  constructor(context: FunctionContext, { secrets }: DataWork, printer: Printer) {
    this.#printer = printer;
    this.#context = context;
    this.#secrets = secrets;
  }

  push(line: string): void {
    for (const piece of line.split('\r')) {
      const shown = this.#secrets.reduce((text, secret) => text.replaceAll(secret, '***'), piece);
      if (!this.output.push(shown) && shown.trim() !== '') this.#context.output(shown, this.#printer);
    }
  }
}
