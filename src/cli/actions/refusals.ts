import { AppError, isAppError } from '../../base/index.ts';
import type { Kind } from '../objects/kinds.ts';
import { errorText } from '../print/error-text.ts';
import { explainMissing, type Scope } from './open-cluster.ts';

/** Why a kind cannot be listed: its definition is not in the cluster, or the user may not. */
export interface Refusal {
  kind: Kind;
  error: AppError;
}

/** What to say when none of the kinds that were asked for could be listed. */
export function nothingListed(scope: Scope, refusals: readonly Refusal[]): unknown {
  const forbidden = refusals.find(({ error }) => error.code === 'forbidden');
  if (forbidden !== undefined) return withPlaceHint(forbidden.error, scope);
  const [first] = refusals;
  if (first === undefined) return new AppError('bug', 'list objects: no kind was asked for');
  const { type, adapter } = first.kind;
  if (adapter === undefined || adapter.group === 'velero') return explainMissing(first.error, scope, { type });
  return new AppError('notFound', `this cluster has no ${first.kind.noun}s: it knows no ${type.plural}.${type.group}`, {
    cause: first.error,
    details: { hint: `Install the definitions with: ${scope.deps.programName} install --crds-only` },
  });
}

/** Who may not list in all namespaces may well do so in one. */
function withPlaceHint(error: AppError, { isOnly }: Scope): AppError {
  if (isOnly === true) return error;
  const { message, hint = '' } = errorText(error);
  const details = { ...error.details, hint: `Name a namespace in which you may, with: -n NAMESPACE\n${hint}`.trim() };
  return new AppError('forbidden', message, { cause: error, details });
}

/** What is left out of a list because the user may not see it; missing definitions are no news. */
export function notShownLine(refusals: readonly Refusal[]): string | undefined {
  const kinds = refusals.filter(({ error }) => isAppError(error, 'forbidden')).map(({ kind }) => kind.type.plural);
  return kinds.length === 0
    ? undefined
    : `▲ not shown, because you may not list them: ${[...new Set(kinds)].join(', ')}`;
}
