import { AppError, isAppError, messageOf, objectsAt, textAt, type JsonObject } from '../../../base/index.ts';
import type { ApiResource } from '../../../edge/kube/index.ts';
import type { Session } from './session.ts';

const LOOK_EVERY_MS = 200;

/** Waits until a CustomResourceDefinition that was restored serves its type. */
export async function waitForCrd(session: Session, type: ApiResource, definition: JsonObject): Promise<void> {
  const { deps, api, signal, settings, run } = session;
  const name = textAt(definition, 'metadata', 'name') ?? '';
  const endsAt = deps.clock.now() + settings.resourceTimeoutMs;
  try {
    for (;;) {
      const current = await api.call(() => deps.kube.get({ type, name }, { signal }));
      const why = notEstablished(current);
      if (why === undefined) return;
      const isOver = deps.clock.now() >= endsAt;
      const after = isOver ? ` after ${settings.resourceTimeoutMs / 1000} s` : '';
      const cause = new AppError('timeout', `CustomResourceDefinition ${name} is not served${after}: ${why}`);
      if (isOver) throw cause;
      run.feed({ kind: 'current', current: `waiting for ${name} to be served` });
      run.waiting(cause, 'slow');
      await deps.clock.sleep(LOOK_EVERY_MS, signal);
    }
  } finally {
    run.resumed();
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

/** A namespace that is going away takes with it whatever is put into it. */
export async function waitUntilGone(session: Session, type: ApiResource, name: string): Promise<void> {
  const { deps, api, signal, settings, run } = session;
  const endsAt = deps.clock.now() + settings.resourceTimeoutMs;
  try {
    for (;;) {
      await api.call(() => deps.kube.get({ type, name }, { signal }));
      const cause = new AppError('timeout', `namespace ${name} is being deleted and has to be gone first`);
      if (deps.clock.now() >= endsAt) throw cause;
      run.waiting(cause, 'slow');
      await deps.clock.sleep(GONE_EVERY_MS, signal);
    }
  } catch (error) {
    if (!isAppError(error, 'notFound')) throw error;
    session.log.info('namespace that was being deleted is gone', { name, answer: messageOf(error) });
  } finally {
    run.resumed();
  }
}
