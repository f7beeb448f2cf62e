import { phaseSentence } from '../../../api/migration/phases.ts';
import { DIRECT_IMAGE_MIGRATION } from '../../../api/resource-types.ts';
import { objectsAt, textAt, type JsonObject } from '../../../base/index.ts';
import { exact, present, type Measure } from '../../progress/index.ts';
import type { Adapter } from '../adapter.ts';
import { BY_ANNOTATION } from '../cancel-way.ts';
import { migrationOf } from '../parent-ref.ts';
import { chosenAt } from '../status-values.ts';
import { migEnd, migState } from './mig-state.ts';

export const directImageMigrationAdapter: Adapter = {
  type: DIRECT_IMAGE_MIGRATION,
  noun: 'migration',
  group: 'migration',
  scope: 'migration',
  verbs: ['create', 'cancel', 'delete'],
  did: 'Copied',
  item: 'image stream',
  cancel: BY_ANNOTATION,
  afterCancel: 'the images that were copied by then stay at the destination',
  deletion: { consequence: 'its record goes; the copied images stay at the destination' },
  parent: migrationOf,
  partOf: ['MigMigration'],
  adapt: (object, status) => {
    const phase = textAt(status, 'phase') ?? 'New';
    return present({
      state: migState(status),
      phase,
      measures: imageStreams(status),
      endedAt: migEnd(status),
      current: phaseSentence(phase) ?? phase,
      facts: present({ namespaces: chosenAt(object, 'spec', 'namespaces') }),
    });
  },
};

const ENDED = ['successfulISs', 'failedISs', 'deletedISs'];

/** Each image stream once, in whichever of the lists upstream leaves it. */
function imageStreams(status: JsonObject): Measure[] {
  const namesIn = (fields: readonly string[]): string[] =>
    fields.flatMap((field) =>
      objectsAt(status, field).map((each) => `${textAt(each, 'namespace') ?? ''}/${textAt(each, 'name') ?? ''}`),
    );
  const ended = new Set(namesIn(ENDED));
  const all = new Set([...namesIn(['newISs']), ...ended]);
  return all.size === 0 ? [] : [{ unit: 'items', done: ended.size, total: exact(all.size) }];
}
