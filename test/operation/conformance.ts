import { describe, expect, it } from 'vitest';
import type { ResourceType } from '../../src/api/index.ts';
import { AppError, objectsAt, textAt, valueAt, type ErrorCode } from '../../src/base/index.ts';
import type { KubeObject } from '../../src/edge/kube/index.ts';
import { eventually } from '../eventually.ts';
import { World, VELERO, type Controllers, type Engine, type Step } from './world.ts';

/** What the suite has to know of a kind. */
export interface KindUnderTest {
  type: ResourceType;
  controllers: Controllers;
  /** The cluster and the bucket, before the object is created. */
  prepare(world: World): Promise<void>;
  spec: KubeObject['spec'];
  /** How it stands and why it failed, in Velero's words, where its status says it otherwise. */
  standing?: (object: KubeObject | undefined) => { phase: string; reason: string | undefined };
  /** Whether it reads or writes a location; true unless given. */
  hasStore?: boolean;
  /** What must hold at an end: `isWhole` when everything was to succeed. Throws what does not hold. */
  check(world: World, end: { object: KubeObject; isWhole: boolean }): Promise<void> | void;
  /** What must hold after the object was deleted, at whichever moment. */
  checkDeleted(world: World): Promise<void> | void;
}

const NAME = 'one';
const ENDED = ['Completed', 'PartiallyFailed', 'Failed', 'FailedValidation'];
const STATUS = { kind: 'Status', apiVersion: 'v1' };
/** What passes by itself; the operation must not even notice. */
const PASSING: [string, ErrorCode, object][] = [
  ['409', 'conflict', { httpStatus: 409, status: STATUS }],
  ['410', 'gone', { httpStatus: 410, status: STATUS }],
  ['429', 'throttled', { httpStatus: 429, status: STATUS }],
  ['500', 'serverError', { httpStatus: 500, status: STATUS }],
  ['503 of a load balancer', 'serverError', { httpStatus: 503 }],
  ['a broken connection', 'unreachable', { maybeDone: true }],
];
/** In CI every step has some of the faults, in the campaign all of them. */
const isCampaign = process.env['HEADWAY_CAMPAIGN'] !== undefined;
const STRIDE = isCampaign ? 1 : 5;
const LIMIT_MS = isCampaign ? 600_000 : 60_000;

/** Every kind of long operation passes it: at each step, whatever can go wrong there. */
export function conforms(kind: KindUnderTest): void {
  const target = { type: kind.type, namespace: VELERO, name: NAME };
  const objectIn = (world: World): KubeObject | undefined => world.kube.peek(target);
  const standing =
    kind.standing ??
    ((object) => ({
      phase: textAt(object, 'status', 'phase') ?? 'New',
      reason: textAt(object, 'status', 'failureReason'),
    }));
  const phaseIn = (world: World): string => standing(objectIn(world)).phase;
  const hasEnded = (world: World): boolean => ENDED.includes(phaseIn(world));

  async function open(): Promise<World> {
    const world = new World();
    await world.setUp();
    await kind.prepare(world);
    return world;
  }
  async function request(world: World): Promise<void> {
    const { group, version, kind: name } = kind.type;
    const metadata = { name: NAME, namespace: VELERO };
    await world.kube.create(target, { apiVersion: `${group}/${version}`, kind: name, metadata, spec: kind.spec });
  }
  /** The steps of an undisturbed run; measured once. */
  let steps: Promise<Step[]> | undefined;
  const stepsOf = (): Promise<Step[]> =>
    (steps ??= (async () => {
      await using world = await open();
      const seen: Step[] = [];
      world.start(kind.controllers, { before: (step) => seen.push(step) });
      await request(world);
      await world.until(() => hasEnded(world), 'it ends');
      await end(world, true);
      return seen;
    })());
  async function end(world: World, isWhole: boolean): Promise<void> {
    const object = objectIn(world) as KubeObject;
    checkHistory(world.kube.history(target), (each) => standing(each).phase);
    if (isWhole) expect(standing(object).reason).toBeUndefined();
    await kind.check(world, { object, isWhole });
  }

  /** Runs it once for each step, with something happening at that step. */
  async function atEachStep(
    offset: number,
    happening: (world: World, at: Place) => Promise<void>,
    isOfInterest: (step: Step) => boolean = () => true,
  ): Promise<void> {
    const all = await stepsOf();
    let tried = 0;
    for (const [at, step] of all.entries()) {
      if (!isOfInterest(step) || (tried++ + offset) % STRIDE !== 0) continue;
      await using world = await open();
      try {
        await happening(world, { step, nth: all.slice(0, at).filter((other) => isSame(other, step)).length });
      } catch (error) {
        const where = `at step ${String(at)} of ${String(all.length)}: ${step.verb} ${step.what} of the ${step.to}`;
        throw new Error(`${where}: ${String(error)}`, { cause: error });
      }
    }
    expect(tried).toBeGreaterThan(0);
  }
  /** Starts an engine in which `act` is called at one step, once. */
  function startWith(world: World, at: Place, act: (engine: Engine) => void, moment: 'before' | 'after'): Engine {
    let seen = -1;
    const look = (step: Step): void => {
      if (!isSame(step, at.step)) return;
      seen += 1;
      if (seen === at.nth) act(engine);
    };
    const engine: Engine = world.start(kind.controllers, { [moment]: look });
    return engine;
  }

  describe(`${kind.type.kind}: a life without trouble`, () => {
    it('ends completed', async () => {
      expect((await stepsOf()).length).toBeGreaterThan(5);
    });
  });

  describe(`${kind.type.kind}: at each step`, { timeout: LIMIT_MS }, () => {
    it.each(['before', 'after'] as const)('the process is killed %s it, and another one goes on', async (moment) => {
      await atEachStep(moment === 'before' ? 0 : 1, async (world, at) => {
        let killing: Promise<void> | undefined;
        startWith(
          world,
          at,
          (engine) => {
            killing = engine.kill();
          },
          moment,
        );
        await request(world);
        await world.until(() => killing !== undefined || hasEnded(world), 'it is killed');
        await killing;
        world.start(kind.controllers);
        await world.until(() => hasEnded(world), 'it ends after a restart');
        await end(world, true);
      });
    });

    it('another process becomes the leader', async () => {
      await atEachStep(2, async (world, at) => {
        let deposing: Promise<void> | undefined;
        startWith(
          world,
          at,
          (engine) => {
            deposing = engine.depose();
          },
          'before',
        );
        await request(world);
        await world.until(() => deposing !== undefined || hasEnded(world), 'it is deposed');
        await deposing;
        world.start(kind.controllers);
        await world.until(() => hasEnded(world), 'it ends under the next leader');
        await end(world, true);
      });
    });

    it('the process is told to stop, and another one goes on', async () => {
      await atEachStep(3, async (world, at) => {
        let stopping: Promise<void> | undefined;
        startWith(
          world,
          at,
          (engine) => {
            stopping = engine.stop();
          },
          'before',
        );
        await request(world);
        await world.until(() => stopping !== undefined || hasEnded(world), 'it is stopped');
        await stopping;
        world.start(kind.controllers);
        await world.until(() => hasEnded(world), 'it ends after the stop');
        expect(valueAt(objectIn(world), 'status', 'recovery')).toBeUndefined();
        await end(world, true);
      });
    });

    it('it is canceled', async () => {
      await atEachStep(4, async (world, at) => {
        const body = { metadata: { annotations: { 'headway.io/cancel': 'true' } } };
        startWith(world, at, () => void world.kube.patch(target, { kind: 'merge', body }), 'before');
        await request(world);
        await world.until(() => hasEnded(world), 'it ends after a cancel');
        const object = objectIn(world);
        if (phaseIn(world) !== 'Completed') {
          expect(standing(object).reason).toBe('canceled');
          const conditions = objectsAt(object, 'status', 'conditions');
          expect(conditions.find(({ type }) => type === 'Canceled')).toMatchObject({ status: 'True' });
        }
        await end(world, phaseIn(world) === 'Completed');
      });
    });

    it('it is deleted', async () => {
      await atEachStep(0, async (world, at) => {
        let isDeleted = false;
        const remove = (): void => {
          isDeleted = true;
          void world.kube.delete(target);
        };
        startWith(world, at, remove, 'before');
        await request(world);
        // How often progress is written depends on how fast files are: a run may end without this step.
        await world.until(() => isDeleted || hasEnded(world), 'it is deleted');
        if (!isDeleted) remove();
        await world.until(() => objectIn(world) === undefined, 'it is gone');
        // Whatever still runs comes to its end. Files are real, so that the last of them may go after that half minute.
        await world.until(waitFor(world, 30_000), 'half a minute');
        await eventually(() => kind.checkDeleted(world));
      });
    });

    it.each(PASSING)('the API server answers with %s, and it costs nothing', async (_name, code, details) => {
      const offset = PASSING.findIndex(([, known]) => known === code);
      const isKube = ({ to, verb }: Step): boolean => to === 'kube' && verb !== 'exec';
      await atEachStep(
        offset,
        async (world, at) => {
          startWith(
            world,
            at,
            () => {
              throw new AppError(code, 'try again', { details: details as Record<string, unknown> });
            },
            'before',
          );
          await request(world);
          await world.until(() => hasEnded(world), `it ends after ${code}`);
          await end(world, true);
        },
        isKube,
      );
    });

    it('the API server says 403, and it ends with the truth', async () => {
      await atEachStep(1, async (world, at) => {
        startWith(
          world,
          at,
          () => {
            throw new AppError('forbidden', 'no', { details: { httpStatus: 403, status: STATUS } });
          },
          'before',
        );
        await request(world);
        await world.until(() => hasEnded(world), 'it ends after a 403');
        await end(world, phaseIn(world) === 'Completed');
      });
    });

    // A create whose answer was lost is the client's own business: it reads the object back.
    it('the answer is lost after the server has acted', async () => {
      const isWrite = ({ to, verb }: Step): boolean => to === 'kube' && ['patch', 'delete'].includes(verb);
      await atEachStep(
        0,
        async (world, at) => {
          startWith(
            world,
            at,
            () => {
              throw new AppError('unreachable', 'the connection broke', { details: { maybeDone: true } });
            },
            'after',
          );
          await request(world);
          await world.until(() => hasEnded(world), 'it ends after a lost answer');
          await end(world, true);
        },
        isWrite,
      );
    });

    if (kind.hasStore !== false) {
      it('the store is away for a while', async () => {
        await atEachStep(
          0,
          async (world, at) => {
            let since: number | undefined;
            world.start(kind.controllers, {
              before: (step) => {
                if (isSame(step, at.step)) since ??= world.clock.now();
                if (!isRepeatable(step) || since === undefined || world.clock.now() - since > 15_000) return;
                throw new AppError('unreachable', 'connection refused');
              },
            });
            await request(world);
            await world.until(() => hasEnded(world), 'it ends after an outage of the store');
            await end(world, true);
          },
          isRepeatable,
        );
      });
    }
  });
}

function waitFor(world: World, ms: number): () => boolean {
  const at = world.clock.now() + ms;
  return () => world.clock.now() >= at;
}

/** A step of which there may be several alike. */
interface Place {
  step: Step;
  nth: number;
}

function isSame(a: Step, b: Step): boolean {
  return a.to === b.to && a.verb === b.verb && a.what === b.what;
}

/** An archive is a stream: it is sent again part by part inside of the store, and not as a whole. */
function isRepeatable({ to, verb, what }: Step): boolean {
  return to === 'store' && !(verb === 'put' && what.endsWith('.tar.gz'));
}

/** The laws that can be seen in status alone. */
function checkHistory(history: readonly KubeObject[], phaseOf: (object: KubeObject) => string): void {
  let percent = 0;
  let ended: string | undefined;
  for (const object of history) {
    const phase = phaseOf(object);
    const now = Number(valueAt(object, 'status', 'progress', 'percent') ?? percent);
    expect(now, 'law 1: the percent never falls').toBeGreaterThanOrEqual(percent);
    expect(now === 100, 'law 2: 100 only with success').toBe(phase === 'Completed' && now === 100);
    if (ended !== undefined) expect(phase, 'nothing is written after the end').toBe(ended);
    if (ENDED.includes(phase)) ended = phase;
    percent = now;
  }
  expect(ended).toBeDefined();
}
