import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { HeadwayHome } from '../headway-process.ts';

// As a user runs it: no cluster, no kubeconfig.
const home = new HeadwayHome();
const runHeadway = (...args: string[]) => home.run(...args);
const folder = mkdtempSync(join(tmpdir(), 'headway-blueprint-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  home[Symbol.dispose]();
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const GOOD = `
apiVersion: cr.kanister.io/v1alpha1
kind: Blueprint
metadata: {name: good}
actions:
  backup:
    phases:
    - {func: KubeTask, name: dump, args: {image: x, command: [sh, -c, 'echo {{ .Namespace.Name }}']}}
    deferPhase: {func: ScaleWorkload, args: {replicas: 1}}
---
apiVersion: v1
kind: Secret
metadata: {name: other}
`;
const BAD = `
apiVersion: cr.kanister.io/v1alpha1
kind: Blueprint
metadata: {name: bad}
actions:
  backup:
    type: StatefulSet
    phases:
    - {func: KubeTsk, name: one}
    - func: KubeTask
      name: two
      args:
        image: x
        nonsense: 1
        command:
        - |
          first
          {{ if .x }}
  empty: {phases: []}
`;

describe('headway blueprint validate', () => {
  it('is content with a Blueprint that is right, without a cluster', async () => {
    expect(await runHeadway('blueprint', 'validate', file('good.yaml', GOOD))).toEqual({
      code: 0,
      out: '✓ blueprint/good  1 action, 2 phases\n',
      err: '',
    });
  });

  it('tells every problem of every file at once', async () => {
    const [good, bad] = [file('good.yaml', GOOD), file('bad.yaml', BAD)];
    const { code, out } = await runHeadway('blueprint', 'validate', good, bad);
    expect(code).toBe(1);
    expect(out).toBe(
      [
        '✓ blueprint/good  1 action, 2 phases',
        `✕ blueprint/bad  3 problems in ${bad}`,
        '  ✕ action backup, phase one: Requested function {KubeTsk} has not been registered',
        '  ✕ action backup, phase two, argument nonsense: Checking supported args for function KubeTask.: argument nonsense is not supported',
        '  ✕ action backup, phase two, argument command[0], line 2: Failed to parse template: unexpected EOF',
        '  ! action empty: has no phases: it does nothing and completes',
        '  ! unknown field actions.backup.type, which the cluster drops',
        '',
      ].join('\n'),
    );
  });

  it('prints JSON for programs', async () => {
    const { code, out } = await runHeadway('blueprint', 'validate', file('bad.yaml', BAD), '-o', 'json');
    expect(code).toBe(1);
    const { blueprints } = JSON.parse(out) as { blueprints: { name: string; problems: { severity: string }[] }[] };
    expect(blueprints.map(({ name, problems }) => [name, problems.map(({ severity }) => severity)])).toEqual([
      ['bad', ['error', 'error', 'error', 'warning', 'warning']],
    ]);
  });

  it.each([
    ['no-yaml', 'a: [', /is no YAML/],
    [
      'bomb',
      `a: &a [x,x,x,x,x,x,x,x,x]\n${['b', 'c', 'd', 'e', 'f', 'g'].map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdef'[at]}`).join(',')}]`).join('\n')}\n`,
      /is no YAML: .*alias/,
    ],
    ['nothing', 'kind: Pod\n', /expected a Blueprint, found none/],
  ])('refuses a file with %s', async (name, text, message) => {
    const { code, err } = await runHeadway('blueprint', 'validate', file(`${name}.yaml`, text));
    expect([code, err]).toEqual([1, expect.stringMatching(message)]);
  });

  it('tells what does not fit the schema, and a file that is not there', async () => {
    const wrong = file('wrong.yaml', 'kind: Blueprint\nmetadata: {name: wrong}\nactions: {a: {phases: 5}}\n');
    const { code, out } = await runHeadway('blueprint', 'validate', wrong);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/✕ blueprint\/wrong {2}1 problem in .*\n {2}✕ actions\.a\.phases: expected a list, got 5/),
    ]);
    expect(await runHeadway('blueprint', 'validate', join(folder, 'none.yaml'))).toMatchObject({ code: 2 });
  });
});
