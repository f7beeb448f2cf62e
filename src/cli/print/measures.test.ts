import { expect, it } from 'vitest';
import { estimate, exact, UNKNOWN, type Measure } from '../../core/progress/index.ts';
import { formatMeasure } from './measures.ts';

it.each<[Measure, string]>([
  [{ unit: 'items', done: 1653, total: exact(2431) }, '1 653 of 2 431'],
  [{ unit: 'items', done: 80, total: estimate(160) }, '80 of ~160'],
  [{ unit: 'items', done: 12, total: UNKNOWN }, '12 items'],
  [{ unit: 'items', done: 1, total: exact(1) }, '1 item'],
  [{ unit: 'bytes', done: 2 * 1024 ** 3, total: exact(4 * 1024 ** 3) }, '2.0 of 4.0 GiB'],
])('tells %j as %s', (measure, text) => {
  expect(formatMeasure(measure)).toBe(text);
});
