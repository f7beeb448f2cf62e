import { describe, expect, it } from 'vitest';
import { Blueprint } from '../../../api/index.ts';
import type { JsonObject } from '../../../base/index.ts';
import { admissionProblems, findAction } from './admit.ts';
import { problemText } from './problem.ts';
import { actionTarget } from './target.ts';
import { validateBlueprint } from './validate.ts';

const blueprint = (actions: JsonObject) => Blueprint.parse({ metadata: { name: 'b' }, actions }).value;
const task = (name: string, args: JsonObject = {}): JsonObject => ({
  func: 'KubeTask',
  name,
  args: { image: 'x', command: ['true'], ...args },
});
const told = (actions: JsonObject): string[] =>
  validateBlueprint(blueprint(actions)).map((problem) => `${problem.stops}: ${problemText(problem)}`);

describe('a Blueprint', () => {
  it('that is right has no problems', () => {
    const actions = {
      backup: {
        outputArtifacts: { o: { keyValue: { p: '{{ .Phases.dump.Output.path }}' } } },
        phases: [task('dump'), task('check', { command: ['echo', '{{ .Phases.dump.Output.path }}'] })],
        // Published Blueprints leave the name away.
        deferPhase: { func: 'ScaleWorkload', args: { replicas: 1 } },
      },
    };
    expect(told(actions)).toEqual([]);
  });

  it('tells all of its problems at once, each with its place', () => {
    const actions = {
      backup: {
        outputArtifacts: { o: { keyValue: { p: '{{ .Phases.none.Output.x }}', q: '{{ bad' } } },
        phases: [
          { func: 'KubeTsk', name: 'one', args: {} },
          { func: 'kubeexec', name: 'case' },
          task('one', { nonsense: 'x', image: null }),
          { func: 'KubeTask', name: 'late', args: { command: ['{{ .Phases.last.Output.k }}', 'a\n{{ if }}'] } },
          { ...task('last'), objects: { s: { kind: 'Pod', name: 'x' } }, timeout: '0s' },
          { func: 'ScaleWorkload', args: { replicas: '{{ len .Object.x }}', waitForReady: 'maybe' } },
          { func: 'CreateRDSSnapshot', name: 'rds', args: { instanceID: 'i' } },
        ],
        deferPhase: task('last'),
      },
      empty: { phases: [] },
    };
    expect(told(actions)).toEqual([
      'run: Blueprint b, action backup, phase one: Requested function {KubeTsk} has not been registered',
      'run: Blueprint b, action backup, phase case: Requested function {kubeexec} has not been registered (its name is KubeExec)',
      'run: Blueprint b, action backup, phase one, argument nonsense: Checking supported args for function KubeTask.: argument nonsense is not supported',
      'run: Blueprint b, action backup, phase one, argument image: argument image is null',
      'phase: Blueprint b, action backup, phase late, argument image: Required args missing for function KubeTask: Required arg missing: image',
      'run: Blueprint b, action backup, phase late, argument command[1], line 2: Failed to parse template: missing value for if',
      'nothing: Blueprint b, action backup, phase last, argument objects.s: only objects of kind Secret and ConfigMap are fetched, not Pod',
      'run: Blueprint b, action backup, phase last: timeout: expected a duration above nought, got "0s"',
      'run: Blueprint b, action backup, phase 6: has no name',
      'phase: Blueprint b, action backup, phase 6, argument waitForReady: Failed to decode arg `waitForReady`: expected true or false, got "maybe"',
      'run: Blueprint b, action backup, phase rds: CreateRDSSnapshot is not supported: Headway does not speak to the database services of AWS; use KubeTask with the aws command line',
      'run: Blueprint b, action backup, phase one: Duplicated phase name is not allowed',
      'run: Blueprint b, action backup, phase last: Duplicated phase name is not allowed',
      'run: Blueprint b, action backup, argument outputArtifacts.o.keyValue.q, line 1: Failed to parse template: function "bad" not defined',
      'nothing: Blueprint b, action backup, phase late, argument command[0]: phase last runs later',
      'nothing: Blueprint b, action backup, argument outputArtifacts.o.keyValue.p: there is no phase none in this action',
      'nothing: Blueprint b, action empty: has no phases: it does nothing and completes',
    ]);
  });

  it('checks conditions with the functions they have', () => {
    const wait = (func: string, condition: string): JsonObject => ({
      func,
      name: func.toLowerCase(),
      args: { timeout: '1m', conditions: { anyOf: [{ condition, objectReference: { name: '{{ .Object.x }}' } }] } },
    });
    const bad = '{{ if eq (upper .a) "B" }}true{{ end }}';
    expect(told({ a: { phases: [wait('WaitV2', bad), wait('Wait', '{{ if eq "{$.status.x" }}')] } })).toEqual([
      'run: Blueprint b, action a, phase waitv2, argument conditions.anyOf[0].condition, line 1: Failed to parse template: function "upper" not defined',
    ]);
  });

  it('may share names of phases between actions, which only the webhook refuses', () => {
    expect(told({ a: { phases: [task('same')] }, b: { phases: [task('same')] } })).toEqual([
      "nothing: Blueprint b, phase same: actions a, b share this name, which Kanister's webhook refuses",
    ]);
    expect(told({})).toEqual(['nothing: Blueprint b: has no actions']);
  });
});

describe('an action of an ActionSet', () => {
  const bp = blueprint({
    ok: { phases: [task('one')], inputArtifactNames: ['a'], secretNames: ['s'], configMapNames: ['c'] },
  });

  it("is found, or its absence told in upstream's words", () => {
    expect(findAction({ name: 'ok', blueprint: 'b' }, bp)).toHaveProperty('action');
    expect(findAction({ name: 'ok' }, undefined)).toEqual({ problem: 'Blueprint is not specified for action' });
    expect(findAction({ name: 'ok', blueprint: 'x' }, undefined)).toEqual({
      problem: 'Failed to query blueprint: blueprints.cr.kanister.io "x" not found',
    });
    expect(findAction({ name: 'toString', blueprint: 'b', object: { kind: 'Namespace' } }, bp)).toEqual({
      problem: 'Action toString for object kind Namespace not found in blueprint b (it has ok)',
    });
  });

  it('is admitted with everything it needs, and else told what is missing', () => {
    const found = findAction({ name: 'ok', blueprint: 'b' }, bp);
    if (!('action' in found)) throw new Error('expected the action');
    const spec = { name: 'ok', blueprint: 'b', object: { kind: 'Deployment', name: 'x', namespace: 'n' } };
    const given = { artifacts: { a: {} }, secrets: { s: {} }, configMaps: { c: {} } };
    expect(admissionProblems({ ...spec, ...given, preferredVersion: 'v1.0.0' }, found.action)).toEqual([]);
    const problems = admissionProblems(
      { ...spec, object: { kind: 'Pod' }, preferredVersion: 'nonsense' },
      found.action,
    );
    expect(problems.map(problemText)).toEqual([
      'Blueprint b, action ok: object: expected the kind StatefulSet, Deployment, DeploymentConfig, PVC or Namespace, or apiVersion and resource of another, got Pod',
      'Blueprint b, action ok: Failed to get function version: Failed to parse function version {nonsense}: Invalid Semantic Version',
      'Blueprint b, action ok: artifact a is missing: the Blueprint needs it',
      'Blueprint b, action ok: secret s is missing: the Blueprint needs it',
      'Blueprint b, action ok: config map c is missing: the Blueprint needs it',
    ]);
  });

  it.each([
    [{ kind: 'statefulset', name: 'x', namespace: 'n' }, 'apps/v1/statefulsets n/x'],
    [{ kind: 'PVC', name: 'x', namespace: 'n' }, '/v1/persistentvolumeclaims n/x'],
    [{ kind: 'Namespace', name: 'x', namespace: 'y' }, '/v1/namespaces /x'],
    [
      { group: 'apps/', apiVersion: 'v1', resource: 'daemonsets', name: 'x', namespace: 'n', kind: '' },
      'apps/v1/daemonsets n/x',
    ],
    [{ kind: 'unstructured', name: 'x' }, '// /x'],
  ])('on %j reads %s', (object, read) => {
    const { group, version, resource, namespace = '', name } = actionTarget(object);
    expect(`${group}/${version}/${resource} ${namespace}/${name}`).toBe(read);
  });
});
