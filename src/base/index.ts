/**
 * What every folder builds on: errors, time, cron, units, references, backoff, the Log port, names as labels, text from
 * outside, patterns, JSON and its patches.
 * It must never import npm packages, Node or any other folder, and never read a clock or randomness by itself.
 */
export { AppError, isAppError, messageOf, toAppError } from './errors.ts';
export { ERROR_CODES, type ErrorCode, type ErrorFacts, type Retry } from './error-codes.ts';
export type { Clock, CancelSignal } from './clock.ts';
export { backoffMs, type Backoff } from './backoff.ts';
export { TokenBuckets } from './token-buckets.ts';
export { compileGoPattern, type GoPattern, type PatternMatch } from './go-pattern/index.ts';
export { nextRun, parseCron, wallClock, type Cron } from './cron/index.ts';
export type { Steps } from './steps.ts';
export type { Log, LogFields } from './log.ts';
export { NO_LOG } from './log.ts';
export { formatBytes, formatCount, formatDuration, parseGoDuration, formatGoDuration } from './units.ts';
export { refKey, formatRef, type ObjectRef } from './object-ref.ts';
export { JsonReader, type JsonLimits } from './json-reader.ts';
export { parseJson, stringifyJson, type Json, type JsonObject } from './lossless-json.ts';
export {
  isEqual,
  isObject,
  objectAt,
  objectsAt,
  own,
  setOwn,
  textAt,
  textsAt,
  valueAt,
  without,
} from './json-object.ts';
export { Draft } from './patch/draft.ts';
export {
  applyJsonPatch,
  applyOperation,
  parseOperation,
  type JsonPatchOperation,
  type ParsedOperation,
} from './patch/json-patch.ts';
export { applyMergePatch, createMergePatch } from './patch/merge-patch.ts';
export { labelValue } from './label-value.ts';
export { leaveUnread } from './leave-unread.ts';
export { sha256Hex, sha256OfBytes } from './sha256.ts';
export { isNamespaceName, isObjectName, namespaceNameProblem } from './object-name.ts';
export { cleanText } from './outside-text.ts';
export { logfmtLine, PRINTED, readLogfmt, type Level, type LogfmtLine } from './logfmt.ts';
export { maskSecrets } from './mask-secrets.ts';
export { escapeHidden, hasHidden, showHidden } from './hidden-characters.ts';
export { applyStrategicPatch } from './patch/strategic-patch.ts';
export type { MergeField, MergeType } from './patch/merge-type.ts';
export { POD_SPEC_MERGE, mergeType, mergedBy } from './patch/pod-merge-type.ts';
export { assertNever } from './assert-never.ts';
