import type { JsonObject } from '../../base/index.ts';
import { present } from '../../core/progress/index.ts';
import type { BackupFlags } from '../flags/backup-flags.ts';
import type { ConnectionFlags } from '../flags/connection.ts';
import { backupSpec } from '../objects/backup-object.ts';
import { newObject } from '../objects/new-object.ts';
import { SCHEDULE } from '../objects/types.ts';
import type { CliDeps } from '../ports.ts';
import { printDocument } from '../print/structured.ts';
import { createNamed } from './create.ts';
import { getNamed, withKube, type Scope } from './open-cluster.ts';

export interface ScheduleFlags extends BackupFlags, ConnectionFlags {
  schedule: string;
  useOwnerReferencesInBackup?: boolean;
  paused?: boolean;
  skipImmediately?: boolean;
  output?: 'json' | 'yaml';
}

export async function createSchedule(deps: CliDeps, name: string, flags: ScheduleFlags): Promise<void> {
  const spec: JsonObject = present({
    schedule: flags.schedule,
    template: backupSpec(flags),
    useOwnerReferencesInBackup: flags.useOwnerReferencesInBackup,
    paused: flags.paused,
    skipImmediately: flags.skipImmediately,
  });
  const { namespace, labels, annotations } = flags;
  const object = newObject({ type: SCHEDULE, namespace, name, ...present({ labels, annotations }), spec });
  if (flags.output !== undefined) await printDocument(deps.output, object, flags.output);
  else await withKube(deps, flags, (scope) => createNamed(scope, SCHEDULE, object));
}

export async function setPaused(
  scope: Scope,
  names: readonly string[],
  { paused, skipImmediately }: { paused: boolean; skipImmediately?: boolean },
): Promise<void> {
  const { deps, kube, namespace } = scope;
  for (const name of names) {
    await getNamed(scope, SCHEDULE, name);
    const body = { spec: present({ paused, skipImmediately }) };
    await kube.patch({ type: SCHEDULE, namespace, name }, { kind: 'merge', body }, { signal: deps.signal });
    deps.output.line(`schedule/${name} ${paused ? 'paused' : 'unpaused'}`);
  }
}
