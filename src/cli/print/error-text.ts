import { objectAt, objectsAt, textAt, toAppError, type AppError, type JsonObject } from '../../base/index.ts';

/** What a person reads of an error: what went wrong, and what to do about it. */
export interface ErrorText {
  message: string;
  hint?: string;
}

/** Answers of an API server are put into words; every other error has its own already. */
export function errorText(error: AppError): ErrorText {
  const own = error.details?.['hint'];
  const given = typeof own === 'string' ? { hint: own } : {};
  const told = error.details?.['httpStatus'] === undefined ? undefined : answerText(error);
  return told === undefined ? { message: withoutRequest(error.message), ...given } : { ...told, ...given };
}

/** In one line, for the middle of something else. */
export function errorLine(error: unknown): string {
  return errorText(toAppError(error)).message.replaceAll('\n', ' ');
}

function answerText(error: AppError): ErrorText | undefined {
  const status = objectAt(error.details as JsonObject, 'status');
  const said = textAt(status, 'message') ?? '';
  switch (error.code) {
    case 'forbidden':
      return forbiddenText(said);
    case 'unauthenticated': {
      const [, label] = / as (.*?): https?:/.exec(error.message) ?? [];
      return {
        message: `the cluster does not accept the credentials${label === undefined ? '' : ` of ${label}`}`,
        hint: 'They may have expired. Log in to the cluster again, or choose another context with --context NAME',
      };
    }
    case 'conflict':
      return { message: `${subjectOf(status)} was changed by someone else at the same time`, hint: 'Try again' };
    case 'invalid':
      return invalidText(status, said);
    case 'throttled':
      return { message: 'the cluster is too busy to answer', hint: 'Try again in a moment' };
    case 'serverError':
      return {
        message: `the API server of the cluster failed: ${said === '' ? withoutRequest(error.message) : said}`,
        hint: 'Try again. If it keeps failing, look at the log of the API server',
      };
    default:
      return said === '' ? undefined : { message: said };
  }
}

const NO_RIGHT =
  /User "(.+?)" cannot (\S+) resource "(.+?)" in API group "(.*?)"(?: in the namespace "(.+?)"| at the cluster scope)/;

/** Who may not do what; or the words of the rule that refused it. */
function forbiddenText(said: string): ErrorText {
  const [, user, verb, resource, group, namespace] = NO_RIGHT.exec(said) ?? [];
  if (user === undefined || verb === undefined || resource === undefined) {
    return {
      message: `the cluster refused this: ${said}`,
      hint: 'A rule of the cluster forbids it; ask its administrator',
    };
  }
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  const full = group === undefined || group === '' ? resource : `${resource}.${group}`;
  const flag = namespace === undefined ? '' : ` -n ${namespace}`;
  return {
    message: `${user} is not allowed to ${verb} ${resource}${where}`,
    hint: `Ask the cluster's administrator for this permission. Check it with: kubectl auth can-i ${verb} ${full}${flag}`,
  };
}

function invalidText(status: JsonObject, said: string): ErrorText {
  const causes = objectsAt(status, 'details', 'causes').map(
    (cause) => `${textAt(cause, 'field') ?? ''}: ${textAt(cause, 'message') ?? ''}`,
  );
  if (causes.length === 0) return { message: `the cluster refused this: ${said}` };
  return {
    message: [`the cluster refused ${subjectOf(status)}:`, ...causes].join('\n'),
    hint: 'Correct this and run the command again',
  };
}

function subjectOf(status: JsonObject): string {
  const kind = textAt(status, 'details', 'kind') ?? 'object';
  const name = textAt(status, 'details', 'name');
  return name === undefined ? `the ${kind}` : `${kind} "${name}"`;
}

const SYSTEM_WORDS: readonly (readonly [RegExp, string])[] = [
  [/connect ECONNREFUSED \S+/, 'connection refused'],
  [/getaddrinfo (?:ENOTFOUND|EAI_AGAIN|EAI_NODATA) \S+/, 'the host name is unknown'],
  [/connect (?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH) \S+/, 'no route to the host'],
];

/** `GET /apis/…: cannot reach …` says what a program asked; a person asked something else. */
function withoutRequest(message: string): string {
  const [, rest] = /^(?:GET|POST|PUT|PATCH|DELETE) \/\S*: ([^]*)$/.exec(message) ?? [];
  if (rest === undefined) return message;
  return SYSTEM_WORDS.reduce((text, [pattern, words]) => text.replace(pattern, words), rest);
}
