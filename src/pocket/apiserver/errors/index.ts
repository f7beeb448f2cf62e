/**
 * The Status errors of the API, worded as the real server words them, because clients print and match them.
 * It must never decide when one is due.
 */
export {
  STALE,
  alreadyExists,
  badRequest,
  conflict,
  entityTooLarge,
  expired,
  forbidden,
  internalError,
  invalid,
  invalidOption,
  kubeletError,
  methodNotAllowed,
  notAcceptable,
  notFound,
  plainOf,
  statusError,
  statusOf,
  tooLargeVersion,
  unauthorized,
  unknownMedia,
  unknownResource,
  unsupportedMedia,
  type Named,
  type Status,
} from './status-error.ts';
