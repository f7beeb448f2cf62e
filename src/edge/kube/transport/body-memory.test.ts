import { expect, it } from 'vitest';
import { BodyMemory } from './body-memory.ts';

const piece = (at: number, size: number): Buffer => Buffer.alloc(size, at % 251);

it.each([
  ['nothing', []],
  ['one piece', [10]],
  ['pieces that fit', [10, 20, 30]],
  ['pieces that outgrow what there was', [60_000, 60_000, 200_000, 1]],
  ['more than is kept', [1_500_000, 1_500_000]],
])('puts %s together, also in memory that others have used', (_, sizes) => {
  for (let turn = 0; turn < 3; turn += 1) {
    const wanted = sizes.map((size, at) => piece(turn * 10 + at, size));
    using memory = new BodyMemory();
    for (const one of wanted) memory.add(one);
    expect(memory.bytes.equals(Buffer.concat(wanted))).toBe(true);
    expect(memory.length).toBe(sizes.reduce((sum, size) => sum + size, 0));
  }
});

it('keeps answers apart that come at the same time', () => {
  using first = new BodyMemory();
  using second = new BodyMemory();
  for (let at = 0; at < 5; at += 1) {
    first.add(piece(1, 50_000));
    second.add(piece(2, 70_000));
  }
  expect(first.bytes.equals(piece(1, 250_000))).toBe(true);
  expect(second.bytes.equals(piece(2, 350_000))).toBe(true);
});

it('copies a large answer a few times, not once for each of its pieces', () => {
  using memory = new BodyMemory();
  const sizes = new Set<number>();
  for (let at = 0; at < 1000; at += 1) {
    memory.add(piece(at, 16_384));
    sizes.add(memory.held);
  }
  expect(memory.length).toBe(16_384_000);
  expect(sizes.size).toBeLessThan(40);
});
