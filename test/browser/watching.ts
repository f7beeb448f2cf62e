import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { STANDING_WORDS } from '../../web/src/show/standing-words.ts';
import type { History } from '../operations/histories.ts';

/** What a person would have seen in one row, each time that it changed. */
interface SeenRow {
  state: string;
  percent: number | undefined;
  /** `step 3 of 6` */
  step: number | undefined;
}

const EVERY_MS = 20;

/** Runs in the page: looks often, and remembers what differs from the look before. */
const ROWS = `
  window.seen = {};
  setInterval(() => {
    for (const row of document.querySelectorAll('[role=row]')) {
      const link = row.querySelector('a');
      const name = link && decodeURIComponent(link.hash).split('.').slice(3).join('.').split('?')[0];
      if (!name) continue;
      const text = [...row.children].map((cell) => cell.innerText).join('|');
      const list = (window.seen[name] ??= []);
      if (list.at(-1) !== text) list.push(text);
    }
  }, ${String(EVERY_MS)})`;

const STEPS = `
  window.seen = [];
  setInterval(() => {
    const steps = [...document.querySelectorAll('article > header ol ol > li')];
    const states = steps.map((step) => /ok/.test(step.querySelector('svg').getAttribute('class')) ? 'done'
      : step.hasAttribute('aria-current') ? 'running' : 'notStarted');
    const text = JSON.stringify(states);
    if (steps.length > 0 && window.seen.at(-1) !== text) window.seen.push(text);
  }, ${String(EVERY_MS)})`;

export async function watchRows(page: Page): Promise<void> {
  await page.evaluate(ROWS);
}

export async function watchSteps(page: Page): Promise<void> {
  await page.evaluate(STEPS);
}

/** Percents never fall, steps come in order, and everything ends as it should. */
export async function judgeRows(page: Page, histories: readonly History[]): Promise<void> {
  const all = await page.evaluate<Record<string, string[]>>('window.seen');
  // Whoever only saw how they ended has seen nothing.
  const states = Object.values(all).flatMap((texts) => texts.map((text) => readRow(text).state));
  expect(states).toContain(STANDING_WORDS.running);
  for (const { name, ends } of histories) {
    const rows = (all[name] ?? []).map(readRow);
    expect(rows.length, `${name} was seen`).toBeGreaterThan(0);
    const running = rows.filter(({ state }) => state === STANDING_WORDS.running);
    for (const told of [running.map(({ percent }) => percent), running.map(({ step }) => step)]) {
      const numbers = told.filter((number) => number !== undefined);
      expect([name, numbers]).toEqual([name, numbers.toSorted((a, b) => a - b)]);
    }
    const last = rows.at(-1);
    expect([name, last?.state, last?.percent === 100]).toEqual([name, STANDING_WORDS[ends], ends === 'completed']);
  }
}

function readRow(text: string): SeenRow {
  const [, state = '', percent = ''] = text.split('|');
  const step = /step (\d+) of/.exec(text)?.[1];
  return {
    state: state.trim(),
    percent: percent.includes('%') ? Number.parseInt(percent, 10) : undefined,
    step: step === undefined ? undefined : Number(step),
  };
}

export async function judgeSteps(page: Page): Promise<void> {
  const seen = await page.evaluate<string[]>('window.seen');
  expect(seen.length).toBeGreaterThan(0);
  const rows = seen.map((text) => JSON.parse(text) as string[]);
  expect([inOrder(rows), rows]).toEqual([true, rows]);
  expect(new Set(rows.at(-1))).toEqual(new Set(['done']));
}

/** At most one step runs, all before it are done, and none begins again. */
export function inOrder(rows: readonly (readonly string[])[]): boolean {
  let reached = 0;
  return rows.every((states) => {
    const done = states.findIndex((state) => state !== 'done');
    const at = done < 0 ? states.length : done;
    const isOrdered = at >= reached && states.slice(at + 1).every((state) => state === 'notStarted');
    reached = at;
    return isOrdered;
  });
}
