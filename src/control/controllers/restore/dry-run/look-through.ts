import { NO_LOG } from '../../../../base/index.ts';
import { Restore } from '../../../../api/index.ts';
import { RETRY_ANNOTATION } from '../../../../core/operations/index.ts';
import type { Archive } from '../../../../edge/archive/index.ts';
import type { Store } from '../../../../edge/store/index.ts';
import { Findings, patienceOf } from '../../../operation/index.ts';
import type { BackupSource, ReadContext, ReadDeps } from '../context.ts';
import { FINDING_TEXTS } from '../finding-texts.ts';
import { settingsOf, type RestoreOptions } from '../options.ts';
import { readUserRules, type UserRules } from '../rules/user-rules.ts';
import { collectItems, type Collected } from '../source/collect-items.ts';
import { fetchArchive } from '../source/fetch-archive.ts';
import { notRestoredBy } from '../source/retry-of.ts';
import { ServedTypes } from '../source/served-types.ts';
import { openSource } from '../source/source.ts';
import { validate } from '../validation.ts';

/** What a restore would work on. */
export interface Look {
  context: ReadContext;
  source: BackupSource;
  types: ServedTypes;
  archive: Archive;
  collected: Collected;
  modifiers: UserRules['modifiers'];
}

export interface LookDeps {
  deps: ReadDeps;
  options: RestoreOptions;
  signal: AbortSignal;
}

/** A server that is away is a reason to say so, not to keep somebody waiting. */
const PATIENCE_MS = 10_000;

/**
 * Validates a restore and collects its items as the restore itself does, and creates nothing. What is asked for before
 * the object is there is refused for more than Velero refuses: a mapping of a namespace that the backup does not have
 * would restore into the original one.
 */
export async function lookThrough<T>(
  object: unknown,
  { deps, options, signal }: LookDeps,
  use: { refused: (backup: string, errors: readonly string[]) => T; open: (look: Look) => Promise<T> },
): Promise<T> {
  const restore = Restore.parse(object).value;
  const { kube, namespace, clock } = deps;
  const { spec, errors } = await validate(restore, { kube, namespace, clock, signal });
  if (errors.length > 0) return use.refused(spec.backupName ?? '', errors);
  const context = contextOf({ ...restore, spec }, deps, options, signal);
  using source = await openSource(context);
  const types = await ServedTypes.discover(deps.kube, { signal });
  const { modifiers, policies } = await readUserRules(context, types);
  const retried = restore.metadata.annotations?.[RETRY_ANNOTATION];
  const isWanted = retried === undefined ? () => true : await notRestoredBy(source.store, retried, { signal });
  const archive = await fetchArchive(context, source, types);
  try {
    const collected = await collectItems(context, archive, types, { isWanted, policies });
    const unknown = collected.selected.unmatched.filter(({ field }) => field === 'namespaceMapping');
    if (unknown.length > 0) {
      const mapping = spec.namespaceMapping ?? {};
      const problems = unknown.map(
        ({ name, message }) => `Invalid namespace mapping "${name}:${mapping[name] ?? ''}": ${message}`,
      );
      return use.refused(spec.backupName ?? '', problems);
    }
    return await use.open({ context, source, types, archive, collected, modifiers });
  } finally {
    await archive.close();
  }
}

function contextOf(restore: Restore, deps: ReadDeps, options: RestoreOptions, signal: AbortSignal): ReadContext {
  const nothing = (): void => undefined;
  const run = { feed: nothing, setCondition: nothing, wait: () => ({ tell: nothing, end: nothing }) };
  const api = patienceOf(run, deps, PATIENCE_MS).until(signal);
  const findings = new Findings(NO_LOG, FINDING_TEXTS);
  const patient = (store: Store): Store => store;
  return { restore, deps, settings: settingsOf(options), run, log: deps.log, findings, api, patient, signal };
}
