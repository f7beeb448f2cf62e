import { objectAt, valueAt } from '../../../../base/index.ts';
import { listAt, numberAt, scalarTextAt, type ApiObject } from '../../object/index.ts';
import { age, humanDuration } from '../age.ts';
import { AGE, integer, NAME, text, wide, type Column } from '../column.ts';
import { formatLabels, formatSelector, hasCondition, NONE, orNone, templateColumns } from './cells.ts';

const replicas = (object: Readonly<ApiObject>): number => numberAt(object, 'spec', 'replicas');
const ofStatus = (name: string, field: string): Column => integer(name, (object) => numberAt(object, 'status', field));
const readyOf = text('Ready', (object) => `${numberAt(object, 'status', 'readyReplicas')}/${replicas(object)}`);
const selector = wide(text('Selector', (object) => formatSelector(valueAt(object, 'spec', 'selector'), NONE)));

const REPLICAS: readonly Column[] = [
  NAME,
  integer('Desired', replicas),
  ofStatus('Current', 'replicas'),
  ofStatus('Ready', 'readyReplicas'),
  AGE,
  ...templateColumns('spec', 'template'),
];

export const APPS_COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  'deployments.apps': [
    NAME,
    readyOf,
    { ...ofStatus('Up-to-date', 'updatedReplicas'), type: 'string' },
    { ...ofStatus('Available', 'availableReplicas'), type: 'string' },
    AGE,
    ...templateColumns('spec', 'template'),
    wide(text('Selector', (object) => formatSelector(valueAt(object, 'spec', 'selector'), ''))),
  ],
  'replicasets.apps': [...REPLICAS, selector],
  replicationcontrollers: [
    ...REPLICAS,
    wide(text('Selector', (object) => formatLabels(objectAt(object, 'spec', 'selector')))),
  ],
  'statefulsets.apps': [NAME, readyOf, AGE, ...templateColumns('spec', 'template')],
  'daemonsets.apps': [
    NAME,
    ofStatus('Desired', 'desiredNumberScheduled'),
    ofStatus('Current', 'currentNumberScheduled'),
    ofStatus('Ready', 'numberReady'),
    ofStatus('Up-to-date', 'updatedNumberScheduled'),
    ofStatus('Available', 'numberAvailable'),
    text('Node Selector', (object) => formatLabels(objectAt(object, 'spec', 'template', 'spec', 'nodeSelector'))),
    AGE,
    ...templateColumns('spec', 'template'),
    selector,
  ],
  'controllerrevisions.apps': [
    NAME,
    text('Controller', controllerOf),
    integer('Revision', (object) => numberAt(object, 'revision')),
    AGE,
  ],
  'jobs.batch': [
    NAME,
    text('Status', jobStatus),
    text('Completions', jobCompletions),
    text('Duration', jobDuration),
    AGE,
    ...templateColumns('spec', 'template'),
    selector,
  ],
  'cronjobs.batch': [
    NAME,
    text('Schedule', (object) => scalarTextAt(object, 'spec', 'schedule')),
    text('Timezone', (object) => orNone(scalarTextAt(object, 'spec', 'timeZone'))),
    {
      name: 'Suspend',
      type: 'boolean',
      cell: (object) => (valueAt(object, 'spec', 'suspend') === true ? 'True' : 'False'),
    },
    integer('Active', (object) => listAt(object, 'status', 'active').length),
    text('Last Schedule', (object, now) => {
      const last = scalarTextAt(object, 'status', 'lastScheduleTime');
      return last === '' ? NONE : age(last, now);
    }),
    AGE,
    ...templateColumns('spec', 'jobTemplate', 'spec', 'template'),
    wide(
      text('Selector', (object) => formatSelector(valueAt(object, 'spec', 'jobTemplate', 'spec', 'selector'), NONE)),
    ),
  ],
};

function controllerOf(object: Readonly<ApiObject>): string {
  const owner = listAt(object, 'metadata', 'ownerReferences').find((one) => valueAt(one, 'controller') === true);
  if (owner === undefined) return NONE;
  const group = scalarTextAt(owner, 'apiVersion').split('/').slice(0, -1).join('');
  const kind = scalarTextAt(owner, 'kind').toLowerCase();
  return `${group === '' ? kind : `${kind}.${group}`}/${scalarTextAt(owner, 'name')}`;
}

function jobStatus(job: Readonly<ApiObject>): string {
  if (hasCondition(job, 'Complete')) return 'Complete';
  if (hasCondition(job, 'Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find((type) => hasCondition(job, type)) ?? 'Running';
}

function jobCompletions(job: Readonly<ApiObject>): string {
  const succeeded = numberAt(job, 'status', 'succeeded');
  const wanted = valueAt(job, 'spec', 'completions');
  if (typeof wanted === 'number') return `${succeeded}/${wanted}`;
  const parallelism = numberAt(job, 'spec', 'parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: Readonly<ApiObject>, now: number): string {
  const start = Date.parse(scalarTextAt(job, 'status', 'startTime'));
  if (Number.isNaN(start)) return '';
  const end = Date.parse(scalarTextAt(job, 'status', 'completionTime'));
  return humanDuration((Number.isNaN(end) ? now : end) - start);
}
