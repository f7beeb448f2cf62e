import { describe, expect, it } from 'vitest';
import { Printer, type Output } from './printer.ts';

function printer(terminal: Partial<Output> = {}) {
  const printed = { out: '', err: '' };
  const output = new Printer({
    out: (text) => void (printed.out += text),
    err: (text) => void (printed.err += text),
    ...{ isTerminal: false, columns: 80, ...terminal },
  });
  return { output, printed };
}

const EVIL = 'a\u001b[2J\nb\r\u202ec\td';
const CLEAN = 'a\\x1b[2J\\nb\\r\\u202ec\\td';

describe('Printer', () => {
  it('keeps a line one line, whatever is in it', () => {
    const { output, printed } = printer();
    output.line(EVIL);
    output.note(EVIL);
    expect(printed).toEqual({ out: `${CLEAN}\n`, err: `${CLEAN}\n` });
  });

  it('keeps newlines and tabs of what is laid out already', () => {
    const { output, printed } = printer();
    output.text(EVIL);
    output.noteText(EVIL);
    expect(printed).toEqual({ out: 'a\\x1b[2J\nb\\r\\u202ec\td', err: 'a\\x1b[2J\nb\\r\\u202ec\td' });
  });

  it('cuts what it draws after it was written out, so that it cannot wrap', () => {
    const { output, printed } = printer({ isTerminal: true, columns: 6 });
    output.redraw(2, ['\u001b[2Jabc', 'x']);
    expect(printed.out).toBe('\u001b[2A\r\\x1b[\u001b[K\nx\u001b[K\n\u001b[J');
  });

  it('colours signs alone, and only where colours are wanted', () => {
    const colored = printer({ hasColor: true });
    colored.output.line('✓ done');
    colored.output.text('✓ done\n');
    expect(colored.printed.out).toBe('\u001b[32m✓\u001b[0m done\n✓ done\n');
    const plain = printer();
    plain.output.line('✓ done');
    expect(plain.printed.out).toBe('✓ done\n');
  });

  it('has no bound on the length of a line', () => {
    const { output, printed } = printer();
    output.line('x'.repeat(100_000));
    expect(printed.out).toHaveLength(100_001);
  });
});
