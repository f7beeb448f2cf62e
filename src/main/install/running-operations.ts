import type { ResourceType } from '../../api/index.ts';
import { AppError, objectAt } from '../../base/index.ts';
import { ADAPTERS } from '../../core/operations/index.ts';
import { isTerminal } from '../../core/progress/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';

const SHOWN = 5;

/**
 * With its object an operation that runs would lose everything it knows, and with its server whoever thaws its pods. One
 * that has not begun runs in a moment where there is a server, and never where there is none.
 */
export function refuseWhileRunning(
  objects: ReadonlyMap<ResourceType, readonly KubeObject[]>,
  { hasServer }: { hasServer: boolean },
): void {
  const running = [...objects].flatMap(([type, some]) => {
    const adapter = ADAPTERS.find((one) => one.type.kind === type.kind && one.type.group === type.group);
    if (adapter === undefined) return [];
    const open = some.filter((object) => {
      const { state } = adapter.adapt(object, objectAt(object, 'status'));
      return hasServer ? !isTerminal(state) : state === 'running';
    });
    return open.map(({ metadata }) => `${type.kind.toLowerCase()}/${metadata.name}`);
  });
  if (running.length === 0) return;
  const more = running.length > SHOWN ? ` and ${running.length - SHOWN} more` : '';
  throw new AppError('conflict', `these have not ended: ${running.slice(0, SHOWN).join(', ')}${more}`, {
    details: { hint: 'Wait for them (headway watch) or cancel them. Or, at their cost: headway uninstall --force' },
  });
}
