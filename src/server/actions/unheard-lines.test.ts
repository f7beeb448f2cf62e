import { expect, it } from 'vitest';
import { UnheardLines } from './unheard-lines.ts';

const dump = { action: 'backup', name: 'dump' };
const load = { action: 'backup', name: 'load' };

it('has the lines of a phase whose pod was never heard, once', () => {
  const lines = new UnheardLines();
  lines.add(dump, 'one');
  lines.add(load, 'other');
  lines.add(dump, 'two');
  expect(lines.take(dump).lines).toEqual(['one', 'two']);
  expect(lines.take(dump).lines).toEqual([]);
  lines.add(dump, 'late');
  expect(lines.take(dump).lines).toEqual(['late']);
  expect(lines.take({ action: 'restore', name: 'load' }).lines).toEqual([]);
});

it('forgets what the pod tells itself', () => {
  const lines = new UnheardLines();
  lines.add(dump, 'one');
  expect(lines.listen(dump)).toBe(true);
  lines.heard(dump);
  lines.add(dump, 'two');
  lines.stopListening(dump);
  expect(lines.take(dump).lines).toEqual([]);
});

it('waits for a pod that is listened to, and tells when it said nothing', () => {
  const lines = new UnheardLines();
  lines.listen(dump);
  lines.add(dump, 'one');
  expect(lines.take(dump).lines).toEqual([]);
  lines.stopListening(dump);
  expect(lines.take(dump).lines).toEqual(['one']);
});

it('does not let a pod tell again what was told', () => {
  const lines = new UnheardLines();
  lines.add(dump, 'one');
  lines.take(dump);
  expect(lines.listen(dump)).toBe(false);
});

it('is bounded, says how many are left out, and has room again for what was told or heard', () => {
  const lines = new UnheardLines();
  for (let n = 0; n < 2000; n += 1) lines.add(dump, 'x');
  lines.add(load, 'too much');
  expect(lines.take(load)).toEqual({ lines: [], left: 1 });
  const { lines: told, left } = lines.take(dump);
  expect([told.length, left]).toEqual([1000, 1000]);
  expect(lines.take(dump)).toEqual({ lines: [], left: 0 });
  for (let n = 0; n < 2000; n += 1) lines.add(load, 'x');
  lines.heard(load);
  lines.add(dump, 'room');
  expect(lines.take(dump).lines).toEqual(['room']);
});
