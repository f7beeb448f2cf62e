import { NO_LOG } from '../../../../base/index.ts';
import { Restore } from '../../../../api/index.ts';
import type { Store } from '../../../../edge/store/index.ts';
import { Findings, NO_WAIT, patienceOf } from '../../../operation/index.ts';
import type { BackupSource, ReadContext, ReadDeps } from '../context.ts';
import { FINDING_TEXTS } from '../finding-texts.ts';
import { settingsOf, type RestoreOptions } from '../options.ts';
import { withItems, type OpenItems } from '../source/open-items.ts';
import { ServedTypes } from '../source/served-types.ts';
import { openSource } from '../source/source.ts';
import { validate } from '../validation.ts';

export interface DryRunItems extends OpenItems {
  context: ReadContext;
  source: BackupSource;
  types: ServedTypes;
}

export interface DryRunDeps {
  deps: ReadDeps;
  options: RestoreOptions;
  signal: AbortSignal;
}

/** If the server is unreachable, say so instead of making the user wait. */
const PATIENCE_MS = 10_000;

/**
 * Validates a restore and collects its items as the restore itself does, and creates nothing. It refuses more than
 * Velero does for an existing object: a mapping from a namespace that is not in the backup would have no effect.
 */
export async function dryRun<T>(
  object: unknown,
  { deps, options, signal }: DryRunDeps,
  use: { refused: (backup: string, errors: readonly string[]) => T; open: (items: DryRunItems) => Promise<T> },
): Promise<T> {
  const restore = Restore.parse(object).value;
  const { kube, namespace, clock } = deps;
  const { spec, errors } = await validate(restore, { kube, namespace, clock, signal });
  if (errors.length > 0) return use.refused(spec.backupName ?? '', errors);
  const context = contextOf({ ...restore, spec }, deps, options, signal);
  using source = await openSource(context);
  const types = await ServedTypes.discover(deps.kube, { signal });
  return await withItems(context, source, types, async (items) => {
    const mapping = spec.namespaceMapping ?? {};
    const problems = items.collected.selected.unmatched
      .filter(({ field }) => field === 'namespaceMapping')
      .map(({ name, message }) => `Invalid namespace mapping "${name}:${mapping[name] ?? ''}": ${message}`);
    if (problems.length > 0) return use.refused(spec.backupName ?? '', problems);
    return await use.open({ context, source, types, ...items });
  });
}

function contextOf(restore: Restore, deps: ReadDeps, options: RestoreOptions, signal: AbortSignal): ReadContext {
  const nothing = (): void => undefined;
  const run = { feed: nothing, setCondition: nothing, wait: () => NO_WAIT };
  const api = patienceOf(run, deps, PATIENCE_MS).until(signal);
  const findings = new Findings(NO_LOG, FINDING_TEXTS);
  const patient = (store: Store): Store => store;
  return { restore, deps, settings: settingsOf(options), run, log: deps.log, findings, api, patient, signal };
}
