import { typeText } from '../value/inspect.ts';
import { Int, type Run, type Value } from '../value/value.ts';
import { noFlags, type Flags } from './flags.ts';
import { Printer } from './printer.ts';

/** Beyond this Go takes a width or a precision for a mistake. */
const MAX_WIDTH = 1_000_000;
const SWITCHES: Readonly<Record<string, 'sharp' | 'zero' | 'plus' | 'minus' | 'space'>> = {
  '#': 'sharp',
  '0': 'zero',
  '+': 'plus',
  '-': 'minus',
  ' ': 'space',
};

/** fmt.Sprint: a space between two values neither of which is a string. */
export function sprint(values: readonly Value[], run: Run): string {
  const printer = new Printer(run);
  let wasText = true;
  for (const value of values) {
    const isText = typeof value === 'string';
    if (!isText && !wasText) printer.write(' ');
    printer.print(value, 'v');
    wasText = isText;
  }
  return printer.finish();
}

export function sprintln(values: readonly Value[], run: Run): string {
  const printer = new Printer(run);
  for (const [index, value] of values.entries()) {
    if (index > 0) printer.write(' ');
    printer.print(value, 'v');
  }
  printer.write('\n');
  return printer.finish();
}

export function sprintf(format: string, values: readonly Value[], run: Run): string {
  return new Formatter(format, values, run).run();
}

/** One pass over a format. */
class Formatter {
  readonly #format: string;
  readonly #values: readonly Value[];
  readonly #printer: Printer;
  readonly #run: Run;
  #at = 0;
  #next = 0;
  #isReordered = false;
  #isGood = true;
  /** The last thing read was an index such as `[3]`. */
  #isAfterIndex = false;

  constructor(format: string, values: readonly Value[], run: Run) {
    this.#format = format;
    this.#values = values;
    this.#run = run;
    this.#printer = new Printer(run);
  }

  run(): string {
    while (this.#at < this.#format.length) {
      const found = this.#format.indexOf('%', this.#at);
      const end = found < 0 ? this.#format.length : found;
      if (end > this.#at) this.#printer.write(this.#format.slice(this.#at, end));
      this.#at = end + 1;
      if (found >= 0) this.#verb();
    }
    if (!this.#isReordered && this.#next < this.#values.length) this.#extra();
    return this.#printer.finish();
  }

  #verb(): void {
    const printer = this.#printer;
    const flags = noFlags();
    printer.flags = flags;
    this.#isGood = true;
    this.#isAfterIndex = false;
    this.#switches(flags);
    this.#index();
    this.#width(flags);
    this.#precision(flags);
    if (!this.#isAfterIndex) this.#index();
    const verb = String.fromCodePoint(this.#format.codePointAt(this.#at) ?? 0);
    if (this.#at >= this.#format.length) {
      printer.write('%!(NOVERB)');
      return;
    }
    this.#at += verb.length;
    this.#run.spend(((flags.width ?? 0) + (flags.precision ?? 0)) / 16);
    this.#print(verb, flags);
  }

  #print(verb: string, flags: Flags): void {
    const printer = this.#printer;
    if (verb === '%') printer.write('%');
    else if (!this.#isGood) printer.write(`%!${verb}(BADINDEX)`);
    else if (this.#next >= this.#values.length) printer.write(`%!${verb}(MISSING)`);
    else {
      // `%w` is for errors that are wrapped, of which there are none here.
      if (verb === 'v' || verb === 'w') {
        [flags.sharpV, flags.sharp] = [flags.sharp, false];
        [flags.plusV, flags.plus] = [flags.plus, false];
      }
      printer.print(this.#values[this.#next], verb);
      this.#next += 1;
    }
  }

  #switches(flags: Flags): void {
    for (;;) {
      const name = SWITCHES[this.#format.charAt(this.#at)];
      if (name === undefined) return;
      flags[name] = true;
      this.#at += 1;
    }
  }

  /** `[2]`: the argument to use next. */
  #index(): void {
    if (this.#format[this.#at] !== '[') {
      this.#isAfterIndex = false;
      return;
    }
    this.#isReordered = true;
    const close = this.#format.indexOf(']', this.#at);
    if (close < 0) {
      this.#isGood = false;
      this.#isAfterIndex = false;
      this.#at += 1;
      return;
    }
    const inside = this.#format.slice(this.#at + 1, close);
    const number = /^\d+$/.test(inside) ? Number(inside) : undefined;
    this.#at = close + 1;
    this.#isAfterIndex = number !== undefined && number <= MAX_WIDTH;
    if (number !== undefined && number >= 1 && number <= this.#values.length) this.#next = number - 1;
    else this.#isGood = false;
  }

  #width(flags: Flags): void {
    if (this.#format[this.#at] !== '*') {
      flags.width = this.#number();
      if (this.#isAfterIndex && flags.width !== undefined) this.#isGood = false;
      return;
    }
    this.#at += 1;
    const width = this.#numberFromValue();
    if (width === undefined) this.#printer.write('%!(BADWIDTH)');
    else if (width < 0) {
      flags.minus = true;
      flags.zero = false;
    }
    if (width !== undefined) flags.width = Math.abs(width);
    this.#isAfterIndex = false;
  }

  #precision(flags: Flags): void {
    if (this.#format[this.#at] !== '.' || this.#at + 1 >= this.#format.length) return;
    this.#at += 1;
    if (this.#isAfterIndex) this.#isGood = false;
    this.#index();
    if (this.#format[this.#at] !== '*') {
      flags.precision = this.#number() ?? 0;
      return;
    }
    this.#at += 1;
    const precision = this.#numberFromValue();
    if (precision === undefined || precision < 0) this.#printer.write('%!(BADPREC)');
    else flags.precision = precision;
    this.#isAfterIndex = false;
  }

  /** One too long to be meant ends the format. */
  #number(): number | undefined {
    const start = this.#at;
    let value = 0;
    while (/\d/.test(this.#format.charAt(this.#at))) {
      if (value > MAX_WIDTH) {
        this.#at = this.#format.length;
        return undefined;
      }
      value = value * 10 + Number(this.#format[this.#at]);
      this.#at += 1;
    }
    return this.#at === start ? undefined : value;
  }

  #numberFromValue(): number | undefined {
    const value = this.#values[this.#next];
    if (this.#next >= this.#values.length) return undefined;
    this.#next += 1;
    const number = value instanceof Int ? Number(value.value) : undefined;
    return number === undefined || Math.abs(number) > MAX_WIDTH ? undefined : number;
  }

  #extra(): void {
    const printer = this.#printer;
    printer.flags = noFlags();
    printer.write('%!(EXTRA ');
    for (const [index, value] of this.#values.slice(this.#next).entries()) {
      if (index > 0) printer.write(', ');
      if (value === undefined || value === null) printer.write('<nil>');
      else {
        printer.write(`${typeText(value)}=`);
        printer.print(value, 'v');
      }
    }
    printer.write(')');
  }
}
