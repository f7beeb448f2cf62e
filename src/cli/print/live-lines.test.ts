import { describe, expect, it } from 'vitest';
import { LiveLines } from './live-lines.ts';
import { Printer } from './printer.ts';

function screen(isTerminal: boolean, columns = 80, rows?: number) {
  let text = '';
  let now = 0;
  const output = { out: (chunk: string) => void (text += chunk), err: () => undefined, isTerminal, columns, rows };
  return {
    lines: new LiveLines(new Printer(output), () => now),
    text: () => text,
    advance: (ms: number) => void (now += ms),
  };
}

describe('LiveLines on a terminal', () => {
  it('goes back up and draws over what it drew', () => {
    const { lines, text } = screen(true);
    lines.draw(['one', 'two']);
    lines.draw(['three']);
    lines.settle(['done']);
    expect(text()).toBe(
      'one\u001b[K\ntwo\u001b[K\n\u001b[J\u001b[2A\rthree\u001b[K\n\u001b[J\u001b[1A\r\u001b[Jdone\n',
    );
  });

  it('shows as many lines as there is room for, and all where the terminal was never told its size', () => {
    const small = screen(true, 80, 3);
    small.lines.draw(['one', 'two', 'three']);
    expect(small.text()).toContain('… and 2 more lines');
    const unknown = screen(true, 80, 0);
    unknown.lines.draw(['one', 'two', 'three']);
    expect(unknown.text()).toContain('three');
  });

  it('cuts a line that would wrap, because a wrapped line cannot be drawn over', () => {
    const { lines, text } = screen(true, 6);
    lines.draw(['███████████']);
    expect(text()).toContain('█████\u001b[K');
  });
});

describe('LiveLines in a log', () => {
  it('prints when the headline changes and at least every five seconds', () => {
    const { lines, text, advance } = screen(false);
    lines.draw(['create', '1 %']);
    lines.draw(['create', '2 %']);
    advance(5000);
    lines.draw(['create', '50 %']);
    lines.draw(['pods', '0 %']);
    lines.settle(['pods done']);
    expect(text()).toBe('create\n1 %\ncreate\n50 %\npods\n0 %\npods done\n');
  });
});
