import { AppError, isAppError, messageOf, objectsAt, textAt, type JsonObject } from '../../../../base/index.ts';
import type { ApiResource } from '../../../../edge/kube/index.ts';
import type { Wait } from '../../../operation/index.ts';
import type { RestoreContext } from '../context.ts';

const LOOK_EVERY_MS = 200;

/** Waits until a restored CustomResourceDefinition serves its type. */
export async function waitForCrd(context: RestoreContext, type: ApiResource, definition: JsonObject): Promise<void> {
  const { deps, api, signal, settings, run } = context;
  const name = textAt(definition, 'metadata', 'name') ?? '';
  const endsAt = deps.clock.uptime() + settings.resourceTimeoutMs;
  let wait: Wait | undefined;
  try {
    for (;;) {
      const current = await api.call(() => deps.kube.get({ type, name }, { signal }));
      const why = notEstablished(current);
      if (why === undefined) return;
      const isOver = deps.clock.uptime() >= endsAt;
      const after = isOver ? ` after ${settings.resourceTimeoutMs / 1000} s` : '';
      const cause = new AppError('timeout', `CustomResourceDefinition ${name} is not served${after}: ${why}`);
      if (isOver) throw cause;
      run.feed({ kind: 'current', current: `waiting for ${name} to be served` });
      if (wait === undefined) wait = run.wait(cause, 'slow');
      else wait.tell(cause);
      await deps.clock.sleep(LOOK_EVERY_MS, signal);
    }
  } finally {
    wait?.end();
  }
}

function notEstablished(definition: JsonObject): string | undefined {
  const conditions = objectsAt(definition, 'status', 'conditions');
  const missing = ['NamesAccepted', 'Established'].filter(
    (wanted) => !conditions.some((entry) => entry.type === wanted && entry.status === 'True'),
  );
  if (missing.length === 0) return undefined;
  const said = conditions.map((entry) => textAt(entry, 'message')).filter((text) => text !== undefined);
  return [`${missing.join(' and ')} not true`, ...said].join(', ');
}

const GONE_EVERY_MS = 500;

/** A terminating namespace would delete whatever is restored into it. */
export async function waitUntilGone(context: RestoreContext, type: ApiResource, name: string): Promise<void> {
  const { deps, api, signal, settings, run } = context;
  const endsAt = deps.clock.uptime() + settings.resourceTimeoutMs;
  const cause = new AppError('timeout', `namespace ${name} is being deleted and has to be gone first`);
  const wait = run.wait(cause, 'slow');
  try {
    for (;;) {
      await api.call(() => deps.kube.get({ type, name }, { signal }));
      if (deps.clock.uptime() >= endsAt) throw cause;
      await deps.clock.sleep(GONE_EVERY_MS, signal);
    }
  } catch (error) {
    if (!isAppError(error, 'notFound')) throw error;
    context.log.info('namespace that was being deleted is gone', { name, answer: messageOf(error) });
  } finally {
    wait.end();
  }
}
