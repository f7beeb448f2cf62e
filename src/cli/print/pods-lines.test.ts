import { expect, it } from 'vitest';
import { podsLines } from './pods-lines.ts';

it('warns of pods that are processes, in lines that fit a terminal', () => {
  const lines = podsLines('processes in user namespaces');
  expect(lines.join(' ')).toContain('not a sandbox');
  expect(lines.join(' ')).toContain('Never run images or blueprints here that you do not trust');
  expect(lines.every((line) => line.length < 80)).toBe(true);
});

it('needs no warning where nothing runs', () => {
  expect(podsLines('simulated, as was asked for')).toEqual(['Pods are simulated, as was asked for.']);
  expect(podsLines('')).toEqual([]);
});
