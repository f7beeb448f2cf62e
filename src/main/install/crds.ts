import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { CUSTOM_RESOURCE_DEFINITION, KINDS, type ResourceType } from '../../api/index.ts';
import { isAppError } from '../../base/index.ts';
import type { Kube, KubeObject } from '../../edge/kube/index.ts';
import { ROOT } from '../root.ts';
import { systemClock } from '../system-clock.ts';
import { apply } from './apply.ts';

const SERVED_MS = 60_000;
const LOOK_MS = 50;
const STEADY_ANSWERS = 3;
const FOLDER = join(ROOT, 'deploy/crds');

/** As they are in deploy/crds. */
export function shippedCrds(): KubeObject[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'));
  return files.map((file) => parse(readFileSync(join(FOLDER, file), 'utf8')) as KubeObject);
}

/** Brings the cluster's CRDs to what this version ships, waits until it serves them, and returns how many there are. */
export async function installCrds(kube: Kube, signal: AbortSignal): Promise<number> {
  const crds = shippedCrds();
  await Promise.all(crds.map((crd) => apply(kube, CUSTOM_RESOURCE_DEFINITION, crd, signal)));
  await Promise.all(KINDS.map((kind) => isServed(kube, kind, signal)));
  return crds.length;
}

/** A server answers 404 for a while after it has taken a definition, and for a moment while it takes others. */
async function isServed(kube: Kube, kind: ResourceType, signal: AbortSignal): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(SERVED_MS)]);
  for (let answers = 0; answers < STEADY_ANSWERS;) {
    try {
      for await (const _page of kube.list({ type: kind }, { signal: limit, limit: 1 })) break;
      answers += 1;
    } catch (error) {
      if (!isAppError(error, 'notFound')) throw error;
      answers = 0;
    }
    await systemClock.sleep(LOOK_MS, limit);
  }
}
