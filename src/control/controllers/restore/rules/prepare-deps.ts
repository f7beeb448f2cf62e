import {
  BUILT_IN_ACTIONS,
  statusFilter,
  type PrepareDeps,
  type ResourceModifiers,
} from '../../../../core/restore/index.ts';
import type { Archive } from '../../../../edge/archive/index.ts';
import { readActionConfig } from './action-config.ts';
import type { Collected } from '../source/collect-items.ts';
import type { MissingData } from './missing-data.ts';
import type { VolumeFindings } from '../source/volume-data.ts';
import type { ServedTypes } from '../source/served-types.ts';
import type { BackupSource, ReadContext } from '../context.ts';
import { decideAboutVolumes } from './volumes.ts';

export interface PrepareInput {
  source: BackupSource;
  archive: Archive;
  types: ServedTypes;
  collected: Collected;
  modifiers: ResourceModifiers | undefined;
}

export interface Preparation {
  prepare: PrepareDeps;
  /** Gets the claims that other items need. */
  claims: MissingData;
  /** What the backup has of the claims' data. */
  findings: VolumeFindings;
}

/** What turns archived items into objects for this cluster; read once per restore. */
export async function prepareDeps(context: ReadContext, input: PrepareInput): Promise<Preparation> {
  const { restore, deps, api, signal } = context;
  const { source, archive, types, modifiers } = input;
  const { collection } = input.collected;
  const config = await api.call(() =>
    readActionConfig({ kube: deps.kube, namespace: deps.namespace, collection, signal }),
  );
  const volumes = await decideAboutVolumes(context, source, { archive, collection });
  const prepare = {
    restore,
    names: { restoreName: restore.metadata.name ?? '', backupName: source.backup.metadata.name ?? '' },
    actions: BUILT_IN_ACTIONS,
    config,
    ...(modifiers === undefined ? {} : { modifiers }),
    volumes: volumes.decisions,
    claims: volumes.claimDecisions,
    restoresStatus: statusFilter(restore.spec, types.names),
  };
  return { prepare, claims: volumes.claims, findings: volumes.findings };
}
