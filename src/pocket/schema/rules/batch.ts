import { isObject, parseCron, valueAt, wallClock, type JsonObject } from '../../../base/index.ts';
import { invalid, required, tooLong, type FieldError } from '../field-error.ts';
import { immutable, nonNegative, oneOf, stringAt, type Rule } from './rule.ts';
import { validateTemplate } from './workload.ts';

const JOB_RESTART_POLICIES = ['OnFailure', 'Never'];

function validateJob(object: JsonObject): FieldError[] {
  const field = 'spec.template.spec.restartPolicy';
  const numbers = ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished'];
  const policy = stringAt(object, 'spec', 'template', 'spec', 'restartPolicy');
  const template = validateTemplate(object, JOB_RESTART_POLICIES).filter((error) => error.field !== field);
  return [
    ...numbers.flatMap((name) => nonNegative(valueAt(object, 'spec', name), `spec.${name}`)),
    ...template,
    ...(JOB_RESTART_POLICIES.includes(policy)
      ? []
      : [
          // An unset policy has been defaulted to Always by now, which is what users see too.
          {
            ...required(field, 'valid values: "OnFailure", "Never"'),
          },
        ]),
    ...choice(object, 'completionMode', ['NonIndexed', 'Indexed']),
  ];
}

export const jobRule: Rule = (object, old) => [
  ...validateJob(object),
  ...immutable(object, old, ['spec', 'completions']),
  ...immutable(object, old, ['spec', 'completionMode']),
  ...immutable(object, old, ['spec', 'selector']),
  // A suspended job that has not started may still be changed.
  ...(valueAt(old, 'spec', 'suspend') === true ? [] : immutable(object, old, ['spec', 'template'])),
];

/** A field of the spec that, where it is there, is one of some words. */
function choice(object: JsonObject, key: string, words: readonly string[]): FieldError[] {
  const value = valueAt(object, 'spec', key);
  return value === undefined || value === '' ? [] : oneOf(value, `spec.${key}`, words);
}

const MAX_CRON_JOB_NAME = 52;

function validateSchedule(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const schedule = stringAt(object, 'spec', 'schedule');
  const zone = valueAt(object, 'spec', 'timeZone');
  const field = 'spec.schedule';
  if (schedule === '') return [required(field)];
  const isZoned = schedule.includes('TZ');
  const isKept = isZoned && stringAt(old, 'spec', 'schedule').includes('TZ');
  const { problems = [] } = parseCron(schedule, 'UTC', 'kubernetes');
  return [
    // Go prints the fields of a line as a list.
    ...problems.slice(0, 1).map((text) => invalid(field, schedule, text)),
    ...(isZoned && !isKept
      ? [invalid(field, schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead')]
      : []),
    ...(typeof zone === 'string' && wallClock(zone) === undefined
      ? [invalid('spec.timeZone', zone, `unknown time zone ${zone}`)]
      : []),
  ];
}

/** The job a cron job makes, judged as if it were one; its selector comes with it. */
function validateJobTemplate(object: JsonObject): FieldError[] {
  const template = valueAt(object, 'spec', 'jobTemplate');
  const errors = validateJob(isObject(template) ? template : {});
  return errors.map((error) => ({ ...error, field: error.field.replace(/^spec/, 'spec.jobTemplate.spec') }));
}

export const cronJobRule: Rule = (object, old) => {
  const name = stringAt(object, 'metadata', 'name');
  return [
    ...(name.length > MAX_CRON_JOB_NAME
      ? [tooLong('metadata.name', MAX_CRON_JOB_NAME)].map((error) => ({
          ...error,
          reason: 'FieldValueInvalid' as const,
          message: `Invalid value: ${JSON.stringify(name)}: must be no more than ${MAX_CRON_JOB_NAME} characters`,
        }))
      : []),
    ...validateSchedule(object, old),
    ...choice(object, 'concurrencyPolicy', ['Allow', 'Forbid', 'Replace']),
    ...['startingDeadlineSeconds', 'successfulJobsHistoryLimit', 'failedJobsHistoryLimit'].flatMap((key) =>
      nonNegative(valueAt(object, 'spec', key), `spec.${key}`),
    ),
    ...validateJobTemplate(object),
  ];
};
