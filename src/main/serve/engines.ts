import { DEPLOYMENT, type ResourceType } from '../../api/index.ts';
import {
  ACTION_SET,
  BACKUP,
  DIRECT_IMAGE_MIGRATION,
  DIRECT_VOLUME_MIGRATION,
  MIG_MIGRATION,
  RESTORE,
} from '../../api/resource-types.ts';
import { AppError, valueAt } from '../../base/index.ts';
import { createActionController } from '../../control/action/index.ts';
import {
  createControllers,
  type Caches,
  type ControlDeps,
  type ControllerSettings,
} from '../../control/controllers/index.ts';
import type { Part } from '../../control/runtime/index.ts';
import { GROUPS, type Namespaces, type OperationGroup } from '../../core/operations/index.ts';
import type { KubeObject, Target } from '../../edge/kube/index.ts';

/** Whose objects an engine works on as well: two that answer the same objects would undo each other's work. */
export interface Rival {
  /** As people call it. */
  title: string;
  /** Where its Deployment is, and how it is told from others. */
  look(namespaces: Namespaces): { target: Target; selection: { labelSelector?: string; fieldSelector?: string } };
}

/** What works on the objects of one API group. */
export interface Engine {
  /** As `--engines` names it. */
  name: OperationGroup;
  rival: Rival;
  /** The kinds that must be there with Headway's own fields: an API server would drop percent and conditions silently. */
  needs: readonly ResourceType[];
  /** Everything that works while this process leads. Absent: this version has no such engine. */
  create?(settings: ControllerSettings, deps: ControlDeps, caches: Caches): Part[];
}

/** Every engine by its group. What works on a group is added here; everything else follows from the table. */
export const ENGINES: Readonly<Record<OperationGroup, Engine>> = {
  velero: {
    name: 'velero',
    rival: {
      title: 'Velero',
      look: ({ velero }) => ({
        target: { type: DEPLOYMENT, namespace: velero },
        selection: { fieldSelector: 'metadata.name=velero' },
      }),
    },
    needs: [BACKUP, RESTORE],
    create: createControllers,
  },
  kanister: {
    name: 'kanister',
    rival: {
      title: 'Kanister',
      // The chart gives it any name, in any namespace, and works on all of them.
      look: () => ({ target: { type: DEPLOYMENT }, selection: { labelSelector: 'app=kanister-operator' } }),
    },
    needs: [ACTION_SET],
    create: (_settings, deps, caches) => createActionController(deps, caches).parts,
  },
  migration: {
    name: 'migration',
    rival: {
      title: 'MTC',
      look: ({ migration }) => ({
        target: { type: DEPLOYMENT, namespace: migration },
        selection: { fieldSelector: 'metadata.name=migration-controller' },
      }),
    },
    needs: [MIG_MIGRATION, DIRECT_VOLUME_MIGRATION, DIRECT_IMAGE_MIGRATION],
  },
};

/** Everything that this version can do, and does where `--engines` is not given. */
export const BUILT_ENGINES: readonly OperationGroup[] = GROUPS.filter((name) => ENGINES[name].create !== undefined);

/** As users choose them: a list of names, or `none` to only look. Undefined when they have not. */
export function parseEngines(names: readonly string[] | undefined): readonly OperationGroup[] {
  if (names === undefined) return BUILT_ENGINES;
  if (names.length === 1 && names[0] === 'none') return [];
  const wrong = names.find((name) => !(GROUPS as readonly string[]).includes(name));
  if (wrong === undefined && names.length > 0) return GROUPS.filter((name) => names.includes(name));
  const got = wrong === undefined ? 'nothing' : JSON.stringify(wrong);
  throw new AppError('usage', `--engines: expected some of ${GROUPS.join(', ')}, or none to only look; got ${got}`);
}

/** A Deployment that is scaled to nothing is only installed. */
export function isRunning(deployment: KubeObject): boolean {
  return (valueAt(deployment['spec'], 'replicas') ?? 1) !== 0;
}
