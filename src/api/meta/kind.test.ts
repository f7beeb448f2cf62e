import { describe, expect, it } from 'vitest';
import { AppError } from '../../base/index.ts';
import { flag, freeForm, integer, listOf, nullable, object, oneOf, text, time } from './field.ts';
import { defineKind } from './kind.ts';

const Step = object({ name: text('Name.'), at: time('When.').optional() });
const Task = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Task',
  plural: 'tasks',
  doc: 'A task.',
  fields: {
    spec: object({
      size: integer('Size.'),
      dry: nullable(flag('Dry.')),
      args: freeForm('Args.').optional(),
      steps: listOf(Step, 'Steps.').optional(),
    }),
    status: object({
      phase: oneOf(['New', 'Done'], 'Phase.').optional(),
      count: integer('Count.').optional(),
      steps: listOf(Step, 'Steps.').optional(),
    }),
  },
  columns: [],
  renames: [{ at: 'status.steps[]', from: 'title', to: 'name', source: 'test' }],
});
const metadata = { name: 'one' };

function problemsOf(input: unknown): AppError {
  try {
    Task.parse(input);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('was accepted');
}

describe('a kind reads its objects', () => {
  it('names every wrong field at once', () => {
    const error = problemsOf({ metadata, spec: { size: '3', dry: 1, steps: [{}, { name: 'a', at: 'noon' }] } });
    expect(error.code).toBe('invalid');
    expect(error.message).toBe(
      'read Task one: spec.size: expected a number, got "3"; spec.dry: expected true or false, got 1; ' +
        'spec.steps[0].name: expected text, got nothing; ' +
        'spec.steps[1].at: expected a time such as 2026-01-31T12:00:00Z, got "noon"',
    );
    expect(error.details?.['problems']).toHaveLength(4);
  });

  it('names the first of very many wrong fields, and says how many more there are', () => {
    const error = problemsOf({ metadata, spec: { size: 1, steps: Array.from({ length: 1000 }, () => ({})) } });
    expect(error.details?.['problems']).toHaveLength(51);
    expect(error.message).toMatch(/; and 950 more problems$/);
  });

  it.each([
    ['nothing', undefined, 'read Task: expected an object, got undefined'],
    ['another kind', { kind: 'Job', metadata }, 'read Task: expected example.com/v1 Task, got example.com/v1 Job'],
    ['another version', { apiVersion: 'v2', metadata }, 'read Task: expected example.com/v1 Task, got v2 Task'],
    ['no name', { metadata: {}, spec: { size: 1 } }, 'read Task: metadata.name: expected text, got nothing'],
    ['no spec where one is needed', { metadata }, 'read Task one: spec.size: expected a number, got nothing'],
  ])('refuses %s', (_, input, message) => {
    expect(problemsOf(input).message).toBe(message);
  });

  it('cuts long values short', () => {
    const { message } = problemsOf({ metadata, spec: { size: 'x'.repeat(1000) } });
    expect(message.length).toBeLessThan(150);
  });

  it('keeps unknown fields and names them', () => {
    const { value, unknown } = Task.parse({
      metadata: { ...metadata, selfLink: '/x' },
      spec: { size: 1, colour: 'red', steps: [{ name: 'a', extra: { deep: 1 } }] },
      data: {},
    });
    expect(unknown).toEqual(['spec.colour', 'spec.steps[0].extra', 'data']);
    expect(value).toMatchObject({ spec: { colour: 'red', steps: [{ extra: { deep: 1 } }] }, data: {} });
    expect(value.metadata).toHaveProperty('selfLink', '/x');
  });

  it('reads null as absent, except where nobody but the reader knows the meaning', () => {
    const { value, unknown } = Task.parse({
      metadata: { ...metadata, creationTimestamp: null },
      spec: { size: 1, dry: null, args: { a: null, b: { c: null } } },
      status: null,
    });
    expect(value).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Task',
      metadata,
      spec: { size: 1, args: { a: null, b: { c: null } } },
      status: {},
    });
    expect(unknown).toEqual([]);
  });

  it('takes keys with a meaning in JavaScript as they are', () => {
    const spec = JSON.parse('{"size":1,"constructor":1,"args":{"__proto__":{"a":1}}}') as unknown;
    const { value, unknown } = Task.parse({ metadata, spec });
    expect(unknown).toEqual(['spec.constructor']);
    expect(JSON.stringify(value.spec.args)).toBe('{"__proto__":{"a":1}}');
  });

  it('does not change what it was given', () => {
    const input = { metadata, spec: { size: 1, dry: null }, status: { phase: 'Odd', steps: [{ title: 'a' }] } };
    const before = structuredClone(input);
    Task.parse(input);
    expect(input).toEqual(before);
  });

  it('takes out of status what does not fit, smallest part first, and says so', () => {
    const { value, dropped } = Task.parse({
      metadata,
      spec: { size: 1 },
      status: {
        phase: 'Paused',
        count: 3,
        steps: [{ name: 'a', at: 'noon' }, { at: '2026-01-31T12:00:00Z' }, { name: 'c' }],
      },
    });
    expect(value.status).toEqual({ count: 3, steps: [{ name: 'a' }, { name: 'c' }] });
    expect(dropped).toEqual([
      'status.phase: expected one of "New", "Done", got "Paused"',
      'status.steps[0].at: expected a time such as 2026-01-31T12:00:00Z, got "noon"',
      'status.steps[1].name: expected text, got nothing',
    ]);
  });

  it('survives a status that is no object at all', () => {
    const { value, dropped } = Task.parse({ metadata, spec: { size: 1 }, status: 'done' });
    expect(value.status).toEqual({});
    expect(dropped).toEqual(['status: expected an object, got "done"']);
  });

  it('reads another name of a field as the field, which wins over it', () => {
    const { value } = Task.parse({
      metadata,
      spec: { size: 1 },
      status: { steps: [{ title: 'a' }, { title: 'b', name: 'c' }] },
    });
    expect(value.status.steps).toEqual([{ name: 'a' }, { name: 'c' }]);
  });
});
