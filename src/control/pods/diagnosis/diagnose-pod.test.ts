import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError, parseJson, type ErrorCode, type JsonObject } from '../../../base/index.ts';
import { diagnosePod } from './diagnose-pod.ts';
import { diagnosisError, type ClaimSituation, type Situation } from './diagnosis.ts';
import { diagnoseRefusal } from './refusal.ts';

const lines = (file: string): JsonObject[] =>
  readFileSync(new URL(`../../../../test/fixtures/pods/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => parseJson(line) as JsonObject);

/** Recorded from a real kubelet; what it is to be called, and the sentence for people. */
const RECORDED = new Map(lines('situations.jsonl').map(({ name, ...situation }) => [name, situation]));
function recorded(name: string): Situation {
  const { claims, ...rest } = RECORDED.get(name) ?? expect.fail(`no situation ${name} was recorded`);
  return {
    ...(rest as unknown as Situation),
    claims: new Map(Object.entries(claims as unknown as Record<string, ClaimSituation>)),
  };
}

describe('diagnosePod', () => {
  it.each([
    ['unschedulable', 'open Unschedulable', 'fits on no node: 0/1 nodes are available: 1 Insufficient cpu.'],
    ['no such node', 'open Unschedulable', "didn't match Pod's node affinity/selector."],
    ['no scheduler', 'open NotScheduled', 'no scheduler has looked at it'],
    ['gated', 'open SchedulingGated', 'is held back by a scheduling gate'],
    ['claim missing', 'hopeless ClaimMissing', 'needs claim shop/nobody, which does not exist'],
    ['claim classless', 'hopeless ClaimUnbound', 'has no volume yet: no persistent volumes available for this claim'],
    ['claim no class', 'hopeless ClaimUnbound', 'of class nope yet: storageclass.storage.k8s.io "nope" not found'],
    ['claim far', 'open ClaimUnbound', 'of class far yet: Waiting for a volume to be created'],
    ['invalid image', 'hopeless InvalidImageName', 'image "UPPER" cannot be had (InvalidImageName): '],
    ['never pull', 'hopeless ErrImageNeverPull', 'is not present with pull policy of Never'],
    ['image unreachable', 'open ErrImagePull', 'dial tcp: lookup registry.example.com'],
    ['config', 'hopeless CreateContainerConfigError', 'main cannot be configured: secret "nope" not found'],
    ['mount secret', 'hopeless FailedMount', 'cannot mount a volume: MountVolume.SetUp failed for volume "v" : secret'],
    ['node not ready', 'open NodeNotReady', 'is on node bed-1, which is not ready: Kubelet stopped posting'],
    ['crash', 'open CrashLoopBackOff', 'ends again and again, last time with exit code 5'],
    ['crash oom', 'open OOMKilled', 'last time killed, because it needs more memory than its limit'],
    ['oom', 'over OOMKilled', 'main was killed, because it needs more memory than its limit of 32Mi'],
    ['evicted', 'over Evicted', 'was evicted from its node: Usage of EmptyDir volume "v" exceeds the limit "1Mi".'],
    ['deadline', 'over DeadlineExceeded', 'took longer than the 2 s it had'],
    ['start error', 'over StartError', 'main cannot be started: failed to create containerd task'],
    ['init failed', 'over InitFailed', 'its init container first ended with exit code 4'],
  ])('says of one that is %s: %s', (name, verdict, sentence) => {
    const diagnosis = diagnosePod(recorded(name)) ?? expect.fail('it says nothing');
    expect(`${diagnosis.outlook} ${diagnosis.reason}`).toBe(verdict);
    expect(diagnosis.cause).toContain(sentence);
    expect(diagnosis.cause).toMatch(/^pod shop\//);
    // A condition's message is cause and hint with a semicolon between them, and is read back so.
    expect(diagnosis.hint).toMatch(/^[^;]+$/);
  });

  it.each(['runs', 'done', 'exit 3'])('has nothing to say of one that is: %s', (name) => {
    expect(diagnosePod(recorded(name))).toBeUndefined();
  });

  it('covers every situation that was recorded', () => {
    expect(RECORDED.size).toBe(24);
  });

  it.each([
    ['evicted', 'unreachable'],
    ['deadline', 'timeout'],
    ['oom', 'invalid'],
    ['claim missing', 'invalid'],
  ])('makes an error of %s that says whether another try may help: %s', (name, code) => {
    const diagnosis = diagnosePod(recorded(name))!;
    expect(diagnosisError(diagnosis)).toMatchObject({ code, message: diagnosis.cause });
  });

  it.each([
    ['failed to resolve reference "docker.io/library/nope:1": docker.io/library/nope:1: not found', 'hopeless'],
    ['pull access denied, repository does not exist or may require authorization: server message', 'hopeless'],
    ['unexpected status from HEAD request to https://r.example.com/v2/x: 401 Unauthorized', 'hopeless'],
    ['tls: failed to verify certificate: x509: certificate signed by unknown authority', 'hopeless'],
    ['dial tcp 10.0.0.1:443: i/o timeout', 'open'],
    ['lookup registry.example.com: no such host', 'open'],
    ['unexpected status: 503 Service Unavailable', 'open'],
    ['failed to fetch oauth token for authorization: dial tcp 10.0.0.1:443: connect: connection refused', 'open'],
    ['toomanyrequests: You have reached your pull rate limit', 'open'],
    ['', 'open'],
  ])('knows of an image whether the registry has answered: %s', (message, outlook) => {
    const status = { name: 'main', image: 'nope:1', state: { waiting: { reason: 'ImagePullBackOff', message } } };
    const pod = (containerStatuses: JsonObject[]): JsonObject => ({
      metadata: { namespace: 'shop', name: 'p' },
      spec: { nodeName: 'n' },
      status: { phase: 'Pending', containerStatuses },
    });
    expect(diagnosePod({ pod: pod([status]) })?.outlook).toBe(outlook);
    // Older kubelets say in the status only that they wait, and in an event why.
    const short = {
      ...status,
      state: { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "nope:1"' } },
    };
    const events = [{ reason: 'Failed', message: `Failed to pull image "nope:1": ${message}` }];
    expect(diagnosePod({ pod: pod([short]), events })?.outlook).toBe(outlook);
  });

  it.each([
    ['context deadline exceeded', 'open'],
    ['failed to reserve container name "c": name "c" is reserved for "1234"', 'open'],
    ['failed to generate spec: path "/nope" is mounted twice', 'hopeless'],
  ])('waits for a runtime that is only busy: %s', (message, outlook) => {
    const state = { waiting: { reason: 'CreateContainerError', message } };
    const status = { phase: 'Pending', containerStatuses: [{ name: 'main', state }] };
    expect(diagnosePod({ pod: { metadata: {}, spec: { nodeName: 'n' }, status } })).toMatchObject({
      reason: 'CreateContainerError',
      outlook,
    });
  });

  it('does not blame a claim that waits for its pod when something else is in the way', () => {
    const message = '0/1 nodes are available: 1 Insufficient cpu.';
    const pod = {
      metadata: { namespace: 'shop', name: 'p' },
      spec: { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] },
      status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }] },
    };
    const claims = new Map([['data', { claim: { status: { phase: 'Pending' } }, events: [] }]]);
    expect(diagnosePod({ pod, claims })).toMatchObject({ reason: 'Unschedulable' });
    const unbound = structuredClone(pod);
    unbound.status.conditions[0]!.message = 'pod has unbound immediate PersistentVolumeClaims';
    expect(diagnosePod({ pod: unbound, claims })).toMatchObject({ reason: 'ClaimUnbound' });
  });

  it('takes the newest of several events, however each tells its time', () => {
    const said = (volume: string, time: JsonObject): JsonObject => ({
      reason: 'FailedMount',
      message: `MountVolume.SetUp failed for volume "${volume}" : timed out`,
      ...time,
    });
    const events = [
      said('new', { series: { lastObservedTime: '2026-01-01T00:03:00.000001Z' }, eventTime: '2026-01-01T00:00:00Z' }),
      said('old', { lastTimestamp: '2026-01-01T00:02:00Z' }),
      said('none', {}),
    ];
    const containerStatuses = [{ name: 'main', state: { waiting: { reason: 'ContainerCreating' } } }];
    const pod = { metadata: {}, spec: { nodeName: 'n' }, status: { phase: 'Pending', containerStatuses } };
    expect(diagnosePod({ pod, events })?.cause).toContain('volume "new"');
  });

  it('says when the node or a claim has gone', () => {
    const base = recorded('runs');
    expect(diagnosePod({ ...base, node: 'missing' })).toMatchObject({ reason: 'NodeGone', outlook: 'hopeless' });
    const bound = recorded('claim far');
    const [[name, found]] = [...bound.claims!] as [[string, ClaimSituation]];
    const lost = { ...found, claim: { ...found.claim, status: { phase: 'Lost' } } };
    expect(diagnosePod({ ...bound, claims: new Map([[name, lost]]) })).toMatchObject({ reason: 'ClaimLost' });
  });

  it('never throws, and never speaks at length, whatever stands in a pod', () => {
    fc.assert(
      fc.property(fc.object({ maxDepth: 4 }), fc.array(fc.object()), (status, events) => {
        const pod = { metadata: { name: 'p' }, spec: { nodeName: 'n' }, status } as unknown as JsonObject;
        const diagnosis = diagnosePod({ pod, events: events as JsonObject[] });
        return diagnosis === undefined || diagnosis.cause.length < 1500;
      }),
    );
    const waiting = { reason: 'CreateContainerConfigError', message: '\u001b[2J'.repeat(10_000) };
    const containerStatuses = [{ name: 'main', state: { waiting } }];
    const pod = { metadata: {}, spec: { nodeName: 'n' }, status: { phase: 'Pending', containerStatuses } };
    const { cause } = diagnosePod({ pod })!;
    expect(cause.length).toBeLessThan(800);
    expect(cause).not.toContain('\u001b');
  });
});

describe('diagnoseRefusal', () => {
  const refusals = new Map(lines('refusals.jsonl').map(({ name, ...rest }) => [name, rest]));
  it.each([
    ['quota', 'open QuotaExceeded'],
    ['quota memory', 'hopeless QuotaUnspecified'],
    ['pod security', 'hopeless PodSecurity'],
    ['limit range', 'hopeless LimitRange'],
    ['service account', 'hopeless ServiceAccountMissing'],
    ['namespace missing', 'hopeless NotFound'],
    ['namespace ending', 'hopeless NamespaceTerminating'],
    ['policy', 'hopeless AdmissionRefused'],
    ['invalid', 'hopeless Invalid'],
  ])('knows the refusal by %s: %s', (name, verdict) => {
    const { code, status } = refusals.get(name) ?? expect.fail(`no refusal ${name} was recorded`);
    const error = new AppError(code as ErrorCode, 'POST …: answered', { details: { status } });
    const diagnosis = diagnoseRefusal(error, 'pod shop/p')!;
    expect(`${diagnosis.outlook} ${diagnosis.reason}`).toBe(verdict);
    expect(diagnosis.cause).toBe(
      `the cluster does not take pod shop/p: ${(status as JsonObject)['message'] as string}`,
    );
  });

  it('knows a webhook that says no', () => {
    const error = new AppError('forbidden', 'admission webhook "policy.example.com" denied the request: not today');
    expect(diagnoseRefusal(error, 'pod shop/p')).toMatchObject({ reason: 'AdmissionRefused', outlook: 'hopeless' });
  });

  it.each(['unreachable', 'timeout', 'serverError', 'conflict'] as const)('leaves %s to others', (code) => {
    expect(diagnoseRefusal(new AppError(code, 'x'), 'pod shop/p')).toBeUndefined();
  });
});
