import { badRequest, invalid } from '../errors/index.ts';
import type { FieldError } from '../../schema/index.ts';
import { isTrue } from '../watch/index.ts';
import type { LogQuery } from './ports.ts';

const LEAST = { tailLines: 0, limitBytes: 1, sinceSeconds: 1 } as const;
const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** What the query of a log asks for; `pod` is the name, for the refusal. */
export function logQuery(query: URLSearchParams, pod: string): LogQuery {
  const numbers = Object.fromEntries(
    Object.keys(LEAST).flatMap((name) => {
      const number = wholeNumber(query.get(name) ?? '');
      return number === undefined ? [] : [[name, number]];
    }),
  ) as Partial<Record<keyof typeof LEAST, number>>;
  const sinceTime = query.get('sinceTime') ?? '';
  if (sinceTime !== '' && !RFC3339.test(sinceTime)) {
    throw badRequest(`parsing time ${JSON.stringify(sinceTime.slice(0, 100))} as "2006-01-02T15:04:05Z07:00" failed`);
  }
  const errors = [...tooSmall(numbers), ...(numbers.sinceSeconds !== undefined && sinceTime !== '' ? [TWO_TIMES] : [])];
  if (errors.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, pod, errors);
  const stream = query.get('stream') ?? '';
  return {
    previous: isTrue(query.get('previous')),
    follow: isTrue(query.get('follow')),
    withTimes: isTrue(query.get('timestamps')),
    ...numbers,
    ...(sinceTime === '' ? {} : { sinceTime }),
    ...(stream === 'Stdout' || stream === 'Stderr' ? { stream: stream === 'Stdout' ? 'stdout' : 'stderr' } : {}),
  };
}

const TWO_TIMES: FieldError = {
  reason: 'FieldValueForbidden',
  message: 'Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
  field: '[]',
};

function tooSmall(numbers: Partial<Record<keyof typeof LEAST, number>>): FieldError[] {
  return (['tailLines', 'sinceSeconds', 'limitBytes'] as const).flatMap((field) => {
    const number = numbers[field];
    if (number === undefined || number >= LEAST[field]) return [];
    const why = LEAST[field] === 0 ? 'must be greater than or equal to 0' : 'must be greater than 0';
    return [{ reason: 'FieldValueInvalid', message: `Invalid value: ${number}: ${why}`, field }];
  });
}

function wholeNumber(text: string): number | undefined {
  if (text === '') return undefined;
  if (!/^[-+]?\d{1,15}$/.test(text)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text.slice(0, 100))}: invalid syntax`);
  }
  return Number(text);
}
