import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError, type JsonObject } from '../../../base/index.ts';
import { Budget } from '../template/index.ts';
import { isConditionMet } from './evaluate.ts';
import { followPath, printFound } from './follow-path.ts';
import { parsePath } from './json-path.ts';

const OBJECT: JsonObject = {
  spec: { replicas: 2 },
  status: {
    phase: 'Active',
    availableReplicas: 2,
    readyReplicas: 2,
    finished: ['a', 'b'],
    conditions: [
      { type: 'Progressing', status: 'True', weight: 1 },
      { type: 'Available', status: 'True', weight: 3 },
      { type: 'Failed' },
    ],
    'with.dot': { x: true },
  },
};
const find = (path: string): string => printFound(followPath(parsePath(path), OBJECT));
const ask = (by: 'Wait' | 'WaitV2', condition: string) =>
  isConditionMet(by, { condition, object: OBJECT, budget: new Budget({ now: 0 }) });

describe('JSONPath as kubectl reads it', () => {
  it.each([
    ['.status.phase', 'Active'],
    ['$.status.phase', 'Active'],
    ['.status.finished[]', 'a b'],
    ['.status.finished[*]', 'a b'],
    ['.status.finished[0]', 'a'],
    ['.status.finished[-1]', 'b'],
    ['.status.finished[0:1]', 'a'],
    ['.status.finished[::2]', 'a'],
    ['.status.finished[1,0]', 'b a'],
    ['.status.finished', '["a","b"]'],
    ['.status.conditions[?(@.type == "Available")].status', 'True'],
    ["['status']['phase']", 'Active'],
    ["$.status.conditions[?(@.type=='Available')].weight", '3'],
    ['.status.conditions[?(@.weight > 1)].type', 'Available'],
    ['.status.conditions[?(@.weight <= 1)].type', 'Progressing'],
    ['.status.conditions[?(@.status)].type', 'Progressing Available'],
    ['.status.conditions[?(@.type != "Failed")].type', 'Progressing Available'],
    ['.status.conditions[*].type', 'Progressing Available Failed'],
    ['.status.with\\.dot.x', 'true'],
    ['..weight', undefined],
    ['.spec.*', '2'],
    ['.status.conditions[?(@.type == "None")].status', ''],
  ])('%s leads to %j', (path, text) => {
    if (text === undefined) expect(() => find(path)).toThrow(AppError);
    else expect(find(path)).toBe(text);
  });

  it.each([
    '.status.none',
    '.status.finished[7]',
    '.status.phase[0]',
    'status',
    '.status[',
    '.status[?(x)]',
    '.a b',
    '.status[x]',
  ])('%s leads nowhere', (path) => {
    expect(() => find(path)).toThrow(AppError);
  });

  it('never throws anything but AppErrors', () => {
    const piece = fc.constantFrom(
      '.',
      '..',
      '[',
      ']',
      '?(',
      ')',
      '@',
      '==',
      '"a"',
      "'",
      'status',
      '0',
      '-1',
      ':',
      ',',
      '*',
      '$',
      '\\',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        try {
          find(pieces.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('conditions', () => {
  // kanister.md, appendix E.
  it.each([
    ['Wait', '{{ if (eq "{ $.status.phase }" "Active")}}true{{ else }}false{{ end }}', true],
    ['Wait', '{{ if (eq "{$.status.phase}" "Gone")}}true{{ else }}false{{ end }}', false],
    [
      'Wait',
      `{{ if and (eq "{$.spec.replicas}" "{$.status.availableReplicas}" ) (eq "{$.status.conditions[?(@.type == 'Available')].status}" "True") }}true{{ else }}false{{ end }}`,
      true,
    ],
    ['WaitV2', '{{ if (eq .spec.replicas .status.readyReplicas )}}true{{ else }}false{{ end }}', true],
    ['WaitV2', ' {{ exists .status "none" }} ', true],
    [
      'WaitV2',
      '{{ range .status.conditions }}{{ if eq .type "Available" }}{{ eq .status "True" }}{{ end }}{{ end }}',
      true,
    ],
    ['WaitV2', '{{ .status.none }}', false],
    ['WaitV2', '{{ if "dHJ1ZQ==" | base64decode | eq "true" }}true{{ end }}', true],
  ] as const)('of %s: %s is %s', (by, condition, isMet) => {
    expect(ask(by, condition)).toEqual({ isMet });
  });

  it('tell what can change while one waits from what never will', () => {
    expect(ask('Wait', '{{ eq "{$.status.none}" "x" }}')).toEqual({ problem: 'none is not found', isFinal: false });
    expect(ask('Wait', '{{ eq "{$.status[}" "x" }}')).toMatchObject({ isFinal: true });
    expect(ask('WaitV2', '{{ if }}')).toEqual({
      problem: 'Failed to parse template: missing value for if',
      isFinal: true,
    });
    expect(ask('WaitV2', '{{ eq .spec.replicas 2 }}')).toMatchObject({ isFinal: false });
    expect(ask('WaitV2', '{{ range 1000000000 }}{{ end }}')).toMatchObject({ isFinal: true });
    expect(ask('WaitV2', '{{ base64decode "!" }}')).toMatchObject({ isFinal: false });
  });
});
